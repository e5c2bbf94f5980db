//! Files that a command writes or shows, and variables that make programs run others.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{Field, STAR, Stream, Taint};
use super::super::options::{Options, Style};
use super::disk::is_device;
use crate::dispatch::guard::places::{self, Place};

impl Eval<'_> {
    /// A word names a file that is written.
    pub(in super::super) fn written_to(&mut self, target: &Field) {
        let path = self.path(target);
        if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
            self.ask(Category::ReverseShell);
        } else if is_device(&path) {
            self.block(Category::RawDeviceWrite);
        } else if path == "/proc/sysrq-trigger" {
            self.block(Category::PowerState);
        } else {
            self.changed(&path);
        }
    }

    /// What stands at a path is written, moved or removed.
    pub(in super::super) fn changed(&mut self, path: &str) {
        let setting = self.setting;
        let place = places::place(path, &setting.home, setting.agent_home.as_deref(), false);
        let category = match place {
            Some(Place::System) => Category::SystemConfigWrite,
            Some(Place::Schedule) => Category::Schedule,
            Some(Place::Credential | Place::CredentialFolder) => Category::CredentialFileWrite,
            Some(Place::Startup) => Category::ShellStartupWrite,
            Some(Place::ProjectSecret | Place::ProjectSettings) => Category::ProjectSecretWrite,
            Some(Place::Agent | Place::AgentSecret | Place::AgentData) => {
                Category::AgentConfigWrite
            }
            Some(Place::Hook) => Category::RepositoryHookWrite,
            Some(Place::Process) if path.starts_with("/proc/sys/") || path.starts_with("/sys/") => {
                Category::SystemSetting
            }
            None if of_all_users(path) => Category::SystemConfigWrite,
            Some(Place::Device | Place::Process) | None => return,
        };
        self.ask(category);
    }

    /// A folder is made. One of credentials or of a session's start is empty, so it says nothing yet.
    fn folder_made(&mut self, path: &str) {
        let setting = self.setting;
        let place = places::place(path, &setting.home, setting.agent_home.as_deref(), false);
        match place {
            Some(Place::System) => self.ask(Category::SystemConfigWrite),
            Some(Place::Schedule) => self.ask(Category::Schedule),
            None if of_all_users(path) => self.ask(Category::SystemConfigWrite),
            _ => {}
        }
    }

    /// Whether a file holds credentials.
    pub(in super::super) fn is_secret(&self, path: &str) -> bool {
        let setting = self.setting;
        let place = places::place(path, &setting.home, setting.agent_home.as_deref(), false);
        match place {
            Some(Place::Credential | Place::AgentSecret | Place::ProjectSecret) => true,
            Some(Place::CredentialFolder) => !places::is_public_part(path),
            _ => {
                matches!(path, "/etc/shadow" | "/etc/gshadow" | "/etc/sudoers")
                    || path.starts_with("/proc/") && path.ends_with("/environ")
            }
        }
    }

    /// Looks at the files that a program shows or copies.
    pub(in super::super) fn look_at_files(&mut self, name: &str, arguments: &[Field]) {
        if self.shows_secrets(name, arguments) {
            self.ask(Category::CredentialRead);
        }
    }

    /// Whether a program shows or copies credentials.
    pub(super) fn shows_secrets(&self, name: &str, arguments: &[Field]) -> bool {
        let in_place = name == "sed" && arguments.iter().any(|it| it.text.starts_with("-i"));
        // The last one of these is where they write.
        let shown = match name {
            "cp" | "scp" | "rsync" => arguments.split_last().map_or(arguments, |(_, from)| from),
            name if in_place || !READERS.contains(&name) => &[],
            _ => arguments,
        };
        shown.iter().any(|argument| {
            let text = argument
                .text
                .rsplit_once('=')
                .map_or(argument.text.as_str(), |(_, path)| path);
            let path = self.path(&Field::new(text));
            self.is_secret(&path)
        })
    }

    /// A variable is set for a program.
    pub(in super::super) fn environment(&mut self, name: &str, value: &Field) {
        const LOADS: [&str; 14] = [
            "LD_PRELOAD",
            "LD_AUDIT",
            "DYLD_INSERT_LIBRARIES",
            "BASH_ENV",
            "ENV",
            "PROMPT_COMMAND",
            "PYTHONSTARTUP",
            "PERL5OPT",
            "RUBYOPT",
            "GIT_SSH_COMMAND",
            "GIT_EXTERNAL_DIFF",
            "GIT_PROXY_COMMAND",
            "PERL5DB",
            "NODE_OPTIONS",
        ];
        const SHOWS: [&str; 9] = [
            "PAGER",
            "GIT_PAGER",
            "MANPAGER",
            "EDITOR",
            "VISUAL",
            "GIT_EDITOR",
            "BROWSER",
            "LESSOPEN",
            "GIT_SEQUENCE_EDITOR",
        ];
        const HARMLESS: [&str; 15] = [
            "cat", "less", "more", "most", "bat", "true", ":", "vi", "vim", "nvim", "nano",
            "emacs", "code", "none", "",
        ];
        let text = value.text.as_str();
        let first = text
            .split_whitespace()
            .next()
            .unwrap_or("")
            .rsplit('/')
            .next()
            .unwrap_or("");
        let runs = match name {
            "NODE_OPTIONS" => {
                text.contains("--require") || text.contains("-r ") || text.contains("--import")
            }
            "GIT_SSH_COMMAND" => first != "ssh" || text.contains("Command"),
            name if LOADS.contains(&name) => !text.is_empty(),
            name if SHOWS.contains(&name) => {
                !HARMLESS.contains(&first) || text.contains([';', '|', '&', '`', '$'])
            }
            _ => false,
        };
        if runs {
            self.ask(Category::ProgramThroughVariable);
        }
    }

    /// Programs whose last operand, or an option, says where they write.
    pub(super) fn writes(&mut self, name: &str, arguments: &[Field], input: &Stream) {
        match name {
            "tee" | "sponge" => {
                let options = Options::of(arguments, Style::default());
                for operand in &options.operands {
                    self.written_to(operand);
                    let path = self.path(operand);
                    self.scope.write(&path, input.clone());
                }
            }
            "mkdir" | "install" if name == "mkdir" || makes_folders(arguments) => {
                let style = Style {
                    values: "mgo",
                    long_values: &["mode", "owner", "group"],
                    ..Style::default()
                };
                for operand in Options::of(arguments, style).operands {
                    let path = self.path(operand);
                    self.folder_made(&path);
                }
            }
            "cp" | "mv" | "install" | "ln" | "rsync" | "scp" | "ditto" => {
                self.copies(name, arguments);
            }
            "truncate" | "vi" | "vim" | "nano" | "touch" | "ed" | "ex" | "patch" | "chsh" => {
                let style = Style {
                    values: "src",
                    ..Style::default()
                };
                for operand in Options::of(arguments, style).operands {
                    self.written_to(operand);
                }
            }
            "sed" | "gsed" => {
                self.edits(arguments);
                for argument in arguments {
                    self.written_by_sed(&argument.plain());
                }
            }
            "perl" | "ruby" => self.edits(arguments),
            "tar" | "unzip" | "bsdtar" | "cpio" => self.unpacks(name, arguments),
            "crontab" => {
                let lists = arguments.iter().any(|it| it.text == "-l");
                if !lists {
                    self.ask(Category::Schedule);
                }
            }
            "visudo" | "vipw" | "vigr" => self.ask(Category::SystemConfigWrite),
            "ssh-copy-id" => self.ask(Category::CredentialFileWrite),
            _ => {}
        }
    }

    fn copies(&mut self, name: &str, arguments: &[Field]) {
        let style = Style {
            values: "tSeomg",
            long_values: &[
                "target-directory",
                "suffix",
                "mode",
                "owner",
                "group",
                "rsh",
                "exclude",
                "include",
                "filter",
            ],
            ..Style::default()
        };
        let style = if matches!(name, "cp" | "mv" | "ln") {
            Style {
                values: "tS",
                ..style
            }
        } else {
            style
        };
        let options = Options::of(arguments, style);
        let folder = options.values('t', "target-directory").next();
        let folder = folder.map(Field::new);
        let (to, from) = match (&folder, options.operands.split_last()) {
            (Some(folder), _) => (folder, options.operands.as_slice()),
            (None, Some((to, from))) => (*to, from),
            (None, None) => return,
        };
        if from.is_empty() && folder.is_none() {
            return;
        }
        self.written_to(to);
        let path = self.path(to);
        // Into a folder, a file keeps its name.
        for source in from {
            let source_path = self.path(source);
            if let Some(file) = source_path.rsplit('/').next() {
                self.written_to(&Field::new(format!("{path}/{file}")));
            }
            let taint = if self.is_secret(&source_path) {
                Taint::SECRET
            } else {
                Taint::NONE
            };
            let stream = self
                .scope
                .file(&source_path)
                .unwrap_or_else(|| Stream::unknown(taint));
            self.scope.write(&path, stream);
            if name == "mv" {
                if self.wiped(&source_path).is_some() {
                    self.ask(Category::RecursiveDelete);
                }
                self.changed(&source_path);
            }
        }
        if name == "rsync"
            && arguments
                .iter()
                .any(|it| it.text.starts_with("--del") || it.text == "--remove-source-files")
        {
            self.ask(Category::BulkDelete);
        }
    }

    /// Programs that edit files in place.
    fn edits(&mut self, arguments: &[Field]) {
        let in_place = arguments.iter().any(|it| {
            let text = it.text.as_str();
            text.starts_with("--in-place")
                || text.starts_with('-') && !text.starts_with("--") && text.contains('i')
        });
        if in_place {
            for argument in arguments.iter().filter(|it| !it.is_option()) {
                self.written_to(argument);
            }
        }
    }

    /// Files that a script of `sed` names behind `w`, as a command or as a flag of `s`.
    fn written_by_sed(&mut self, script: &str) {
        for line in script.lines() {
            for (at, _) in line.match_indices(['w', 'W']) {
                let before = line[..at].chars().next_back();
                let rest = &line[at + 1..];
                let alone = match before {
                    // `-ew file` is a script too.
                    Some('e') => at == 2 && line.starts_with("-e"),
                    // A flag behind others, or the text that is replaced.
                    Some('/') => rest.starts_with(' '),
                    Some(c) => !c.is_alphabetic() && c != '-' && c != '_' && c != '.',
                    None => true,
                };
                let flags = ["/g", "/p", "/I", "/gp", "/2"];
                let alone = alone || flags.iter().any(|it| line[..at].ends_with(it));
                if alone && rest.starts_with([' ', '/']) {
                    self.written_to(&Field::new(rest.trim()));
                }
            }
        }
    }

    fn unpacks(&mut self, name: &str, arguments: &[Field]) {
        let unpacks = match name {
            "unzip" => true,
            "cpio" => arguments.iter().any(|it| it.text.contains('i')),
            _ => {
                arguments.first().is_some_and(|it| it.text.contains('x'))
                    || arguments
                        .iter()
                        .any(|it| it.text.starts_with("--extract") || it.text.starts_with("-x"))
            }
        };
        if !unpacks {
            return;
        }
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let to = match argument.text.as_str() {
                "-C" | "-d" | "--directory" => rest.next().cloned(),
                text => text
                    .strip_prefix("--directory=")
                    .or_else(|| text.strip_prefix("-C"))
                    .filter(|it| !it.is_empty())
                    .map(Field::new),
            };
            let Some(to) = to else { continue };
            let path = self.path(&to);
            self.written_to(&Field::new(format!("{path}/{STAR}")));
            if path == "/" {
                self.ask(Category::SystemConfigWrite);
            }
        }
    }

    /// A program gets what may be secret, and sends it on.
    pub(in super::super) fn sends(&mut self, arguments: &[Field], input: &Stream) {
        if Self::is_tainted_secret(arguments, input) {
            self.ask(Category::Exfiltration);
        }
    }
}

/// Whether a path is one of the programs that the machine's owner has installed for all its users.
fn of_all_users(path: &str) -> bool {
    ["bin", "sbin", "lib", "libexec"].iter().any(|folder| {
        let rest = path.strip_prefix("/usr/local/");
        rest.and_then(|rest| rest.strip_prefix(folder))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Whether `install` makes folders and copies nothing.
fn makes_folders(arguments: &[Field]) -> bool {
    let options = Options::of(arguments, Style::default());
    options.letter("d") || options.long("directory")
}

/// Programs that show or copy what is in files.
const READERS: [&str; 45] = [
    "cat", "tac", "less", "more", "head", "tail", "nl", "od", "xxd", "hexdump", "hd", "strings",
    "base64", "base32", "cp", "scp", "rsync", "tar", "zip", "gzip", "bzip2", "xz", "zstd", "7z",
    "openssl", "sed", "awk", "gawk", "grep", "egrep", "fgrep", "rg", "ag", "sort", "cut", "dd",
    "jq", "yq", "bat", "rev", "paste", "diff", "column", "xclip", "uuencode",
];
