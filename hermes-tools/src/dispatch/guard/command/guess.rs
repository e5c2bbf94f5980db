//! Where a program may stand among words of which it cannot be told which one it is.

use super::category::Category;
use super::eval::{Eval, Where};
use super::field::{Field, Stream};
use super::parse::parse;
use super::program::program_name;

/// How many words are looked at as programs; behind them only those that are known to destroy.
const NEAR: usize = 24;

impl Eval<'_> {
    /// Judges each place of the words as the beginning of a command: an option that is not known may take
    /// any number of them, or a text that a shell runs. The first word behind `--` is the last such place.
    pub(super) fn guess(&mut self, words: &[Field], input: &Stream) {
        let end = words.iter().position(|it| it.text == "--");
        let end = end.map_or(words.len(), |at| at + 2).min(words.len());
        for (at, word) in words.iter().enumerate().take(end) {
            if self.is_spent() {
                return;
            }
            let text = word.plain();
            if word.is_option() {
                if let Some((_, value)) = text.split_once('=') {
                    self.apart(|this| this.script(value, Stream::known("")));
                }
                continue;
            }
            if at < NEAR || is_destroyer(&text) {
                self.apart(|this| this.program(&words[at..], input.clone()));
            }
            if text.contains(char::is_whitespace) {
                self.apart(|this| this.script(&text, Stream::known("")));
            }
        }
    }

    /// A program that we do not know may run what it is given. Where that would destroy something,
    /// somebody is asked; it may as well be text.
    pub(super) fn carried(&mut self, name: &str, words: &[Field]) {
        if words.is_empty() || INERT.contains(&name) {
            return;
        }
        if is_destroyer(name) {
            // A shell gives its script what stands behind that.
            let runs_file = SHELLS.contains(&name) && !words[0].is_option();
            if runs_file {
                self.carried_texts(&words[1..]);
            }
            return;
        }
        let before = (self.start_script, self.own_file);
        for (at, word) in words.iter().enumerate() {
            let is_program = is_destroyer(&word.text)
                && if POWER.contains(&&*program_name(&word.text)) {
                    turns_off(&words[..at], word, &words[at + 1..])
                } else {
                    at + 1 < words.len()
                };
            if is_program && !self.is_spent() {
                // As in a container, nothing of it is beyond consent.
                self.at_other_place(Where::Container, |this| {
                    this.program(&words[at..], Stream::known(""))
                });
            }
        }
        self.carried_texts(words);
        (self.start_script, self.own_file) = before;
    }

    /// One word may be a whole command line that the program gives to a shell.
    fn carried_texts(&mut self, words: &[Field]) {
        let mut is_prose = false;
        for word in words {
            let text = word.plain();
            let (name, value) = match text.split_once('=') {
                Some((name, value)) if is_name(name) => (name, value),
                _ => (&*text, &*text),
            };
            let option = word.is_option().then(|| name.trim_start_matches('-'));
            let names_text = option.is_some_and(|name| TEXT_OPTIONS.contains(&name));
            let is_value = std::mem::replace(&mut is_prose, names_text && name == text);
            if names_text || is_value {
                continue;
            }
            // The value of an option of one letter may stand right behind it.
            let value = match option {
                Some(_) if name == text && !text.starts_with("--") => text.get(2..).unwrap_or(""),
                _ => value,
            };
            self.carried_text(value);
        }
    }

    fn carried_text(&mut self, text: &str) {
        if !text.contains(SEPARATORS) || is_prose(text) || self.is_spent() {
            return;
        }
        self.spend(2 * text.len());
        if parse(text).trouble {
            return;
        }
        let found = self.aside(|this| {
            this.at_other_place(Where::Container, |this| {
                this.script(text, Stream::known(""));
            });
        });
        match found {
            // What begins with a word that is not known is no sign of a command line.
            None | Some((_, Category::Unresolvable | Category::Unreadable)) => {}
            Some((_, Category::TooInvolved)) => self.give_up(),
            Some((_, category)) => self.ask(category),
        }
    }
}

/// Signs without one of which no text is more than the name of a program.
const SEPARATORS: [char; 8] = [' ', '\t', '\n', ';', '|', '&', '`', '$'];

/// Options whose value is a text for people, whatever program takes them.
const TEXT_OPTIONS: [&str; 18] = [
    "m",
    "body",
    "caption",
    "comment",
    "commit-message",
    "desc",
    "description",
    "label",
    "message",
    "msg",
    "note",
    "notes",
    "prompt",
    "reason",
    "subject",
    "summary",
    "text",
    "title",
];

/// Whether a text before `=` may be the name of an option or a setting.
fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.chars().all(plain)
}

/// Whether a text reads as a sentence: some words, and none of them an option, a path or a sign of the
/// shell.
fn is_prose(text: &str) -> bool {
    let is_sign = |c: char| "/~;|&<>$`={}*\n".contains(c);
    let mut words = text.split_whitespace();
    let raises = matches!(words.clone().next(), Some("sudo" | "doas" | "pkexec"));
    let is_long = words.clone().count() > 3;
    is_long && !raises && !words.any(|it| it.starts_with('-') || it.contains(is_sign))
}

/// Whether a word names a program that destroys, or a shell that may run one.
fn is_destroyer(text: &str) -> bool {
    if text.is_empty() || text.starts_with('-') || text.len() > 200 {
        return false;
    }
    let name = program_name(text);
    name.starts_with("mkfs.") || DESTROYERS.contains(&&*name) || POWER.contains(&&*name)
}

/// Whether the name of a program that turns the machine off means that program: verbs of other programs
/// and names of tests are called so too.
fn turns_off(before: &[Field], word: &Field, behind: &[Field]) -> bool {
    let behind_end = before.last().is_some_and(|it| it.text == "--");
    let is_path = word.text.contains("bin/");
    let told = behind.first().is_some_and(|it| {
        let text = it.text.as_str();
        text == "now"
            || text.starts_with('+')
            || text.starts_with("--")
            || matches!(
                text,
                "-h" | "-r" | "-P" | "-f" | "-ff" | "-p" | "-H" | "0" | "6"
            )
    });
    behind_end || is_path || told
}

/// Programs that turn the machine off, most of them without an argument.
const POWER: [&str; 6] = ["shutdown", "reboot", "poweroff", "halt", "init", "telinit"];

/// Programs that destroy by their arguments, and shells.
const DESTROYERS: [&str; 25] = [
    "rm",
    "unlink",
    "srm",
    "shred",
    "wipe",
    "rimraf",
    "dd",
    "mkfs",
    "mke2fs",
    "mkswap",
    "wipefs",
    "blkdiscard",
    "fdisk",
    "sfdisk",
    "sgdisk",
    "parted",
    "find",
    "chmod",
    "chown",
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "ash",
];

/// The shells among them.
const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "ash"];

/// Programs that print, search, copy or build, or that rules of their own go through: words that they are
/// given are names and texts.
const INERT: &[&str] = &[
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "rg",
    "ag",
    "ack",
    "git",
    "hg",
    "svn",
    "jj",
    "gh",
    "glab",
    "man",
    "info",
    "apropos",
    "whatis",
    "tldr",
    "help",
    "ls",
    "exa",
    "eza",
    "tree",
    "cat",
    "tac",
    "bat",
    "head",
    "tail",
    "less",
    "more",
    "file",
    "stat",
    "wc",
    "sort",
    "uniq",
    "cut",
    "tr",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "sed",
    "gsed",
    "fd",
    "fdfind",
    "locate",
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "podman-compose",
    "kubectl",
    "oc",
    "k3s",
    "apt",
    "apt-get",
    "apt-cache",
    "aptitude",
    "dnf",
    "yum",
    "brew",
    "pip",
    "npm",
    "yarn",
    "pnpm",
    "cargo",
    "go",
    "pytest",
    "jest",
    "vitest",
    "tox",
    "make",
    "gmake",
    "cmake",
    "dpkg",
    "rpm",
    "snap",
    "flatpak",
    "pacman",
    "apk",
    "zypper",
    "jq",
    "yq",
    "diff",
    "cmp",
    "du",
    "df",
    "touch",
    "mkdir",
    "rmdir",
    "cp",
    "mv",
    "ln",
    "install",
    "tar",
    "zip",
    "unzip",
    "say",
    "notify-send",
    "logger",
    "wall",
    "write",
    "pgrep",
    "pkill",
    "killall",
    "kill",
    "ps",
    "pidof",
    "journalctl",
    "aws",
    "gsutil",
    "gcloud",
    "az",
    "hermes",
    "tee",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "strings",
    "sha256sum",
    "sha1sum",
    "md5sum",
    "vi",
    "vim",
    "nvim",
    "nano",
    "emacs",
    "code",
    "mail",
    "curl",
    "wget",
    "figlet",
    "cowsay",
    "yes",
    "seq",
    "expr",
    "chsh",
    "update-alternatives",
    "rsync",
    "scp",
    "setfacl",
    "setcap",
    "chgrp",
    "chattr",
    "systemctl",
    "service",
    "loginctl",
    "crontab",
    "trash",
    "trash-put",
    "gio",
    "xdg-open",
    "open",
];
