//! git: what throws changes away, rewrites history, or runs other programs.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{Field, Stream, Taint};
use super::super::options::{Options, Style};

impl Eval<'_> {
    pub(super) fn git(&mut self, arguments: &[Field], input: &Stream) -> Stream {
        let mut rest = arguments;
        while let Some((first, others)) = rest.split_first() {
            match first.text.as_str() {
                "-c" | "--config-env" => {
                    if let Some(setting) = others.first() {
                        self.git_setting(&setting.text);
                    }
                    rest = others.get(1..).unwrap_or_default();
                }
                "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--super-prefix"
                | "--exec-path" => {
                    rest = others.get(1..).unwrap_or_default();
                }
                text if text.starts_with('-') => {
                    if text.starts_with("--exec-path=") {
                        self.ask(Category::ProgramThroughOption);
                    }
                    rest = others;
                }
                _ => break,
            }
        }
        let Some((verb, arguments)) = rest.split_first() else {
            return Stream::unknown(Taint::NONE);
        };
        if !verb.is_known() {
            self.ask(Category::Unresolvable);
        }
        self.git_verb(&verb.text, arguments, input);
        let remote = matches!(verb.text.as_str(), "archive" | "ls-remote");
        Stream::unknown(if remote { Taint::REMOTE } else { Taint::NONE })
    }

    /// A setting that git takes as a program.
    fn git_setting(&mut self, setting: &str) {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        let name = name.to_ascii_lowercase();
        let harmless = [
            "",
            "cat",
            "less",
            "more",
            "true",
            ":",
            "vi",
            "vim",
            "nano",
            "code --wait",
            "store",
            "cache",
            "osxkeychain",
            "false",
        ];
        let runs = RUNS.contains(&name.as_str())
            || name.starts_with("pager.")
            || name.starts_with("alias.") && value.starts_with('!')
            || matches!(
                name.rsplit('.').next(),
                Some("textconv" | "clean" | "smudge")
            )
            || name.starts_with("difftool.")
            || name.starts_with("mergetool.");
        if runs && !harmless.contains(&value) {
            self.ask(Category::ProgramThroughOption);
        }
        if let Some(command) = value.strip_prefix('!') {
            self.apart(|this| this.script(command, Stream::known("")));
        }
    }

    #[expect(clippy::too_many_lines, reason = "a row for each verb")]
    fn git_verb(&mut self, verb: &str, arguments: &[Field], input: &Stream) {
        let options = Options::of(
            arguments,
            Style {
                values: "mbBoCcF",
                ..Style::default()
            },
        );
        let flags = Options::of(arguments, Style::default());
        let is = |words: &[&str]| arguments.iter().any(|it| words.contains(&it.text.as_str()));
        let first = flags.first().unwrap_or("");
        let rewrites = match verb {
            "reset" => options.long("hard") || is(&["--merge", "--keep"]),
            "push" => {
                let forced = flags.letter("fd")
                    || options.long("force")
                    || options.long("force-with-lease")
                    || options.long("force-if-includes")
                    || options.long("delete")
                    || options.long("mirror")
                    || options.long("prune")
                    || flags
                        .operands
                        .iter()
                        .skip(1)
                        .any(|it| it.text.starts_with(['+', ':']));
                forced && !is(&["-n", "--dry-run"])
            }
            "clean" => {
                (flags.letter("f") || options.long("force"))
                    && !flags.letter("n")
                    && !options.long("dry-run")
            }
            "branch" => {
                flags.letter("DMC")
                    || (flags.letter("d") || options.long("delete"))
                        && (flags.letter("f") || options.long("force"))
                    || flags.letter("f")
                    || options.long("force")
            }
            "checkout" => {
                let paths = arguments
                    .iter()
                    .position(|it| it.text == "--")
                    .is_some_and(|at| at + 1 < arguments.len());
                paths
                    || flags.letter("f")
                    || options.long("force")
                    || flags
                        .operands
                        .iter()
                        .any(|it| matches!(it.text.as_str(), "." | ":/" | "./"))
            }
            "restore" => {
                !(options.long("staged") || flags.letter("S"))
                    || options.long("worktree")
                    || flags.letter("W")
            }
            "switch" => {
                flags.letter("fC") || options.long("force") || options.long("discard-changes")
            }
            "stash" => matches!(first, "drop" | "clear"),
            "reflog" => matches!(first, "expire" | "delete"),
            "gc" => arguments
                .iter()
                .any(|it| it.text.starts_with("--prune=now")),
            "prune" | "filter-branch" | "filter-repo" | "replace" => true,
            "update-ref" => flags.letter("d"),
            "tag" => flags.letter("f") || options.long("force"),
            "worktree" => first == "remove" && (flags.letter("f") || options.long("force")),
            "rm" => {
                let kept = options.long("cached");
                !kept && (flags.letter("rf") || options.long("force"))
            }
            "lfs" => first == "prune",
            _ => false,
        };
        if rewrites {
            self.ask(Category::HistoryRewrite);
        }
        let runs = match verb {
            "grep" => arguments.iter().any(|it| {
                it.text.starts_with("-O") || it.text.starts_with("--open-files-in-pager")
            }),
            "fetch" | "pull" | "clone" | "ls-remote" | "push" | "archive" | "fetch-pack" => {
                arguments.iter().any(|it| {
                    let text = it.text.as_str();
                    text.starts_with("--upload-pack")
                        || text.starts_with("--receive-pack")
                        || text.starts_with("--exec")
                        || text.starts_with("ext::")
                }) || verb == "clone" && is(&["-u", "--template"])
            }
            "difftool" | "mergetool" => {
                is(&["-x", "--extcmd"])
                    || arguments.iter().any(|it| it.text.starts_with("--extcmd="))
            }
            "send-email" => arguments
                .iter()
                .any(|it| it.text.starts_with("--smtp-server") || it.text.starts_with("--to-cmd")),
            _ => false,
        };
        if runs {
            self.ask(Category::ProgramThroughOption);
        }
        match verb {
            "clone" => {
                let mut rest = arguments.iter();
                while let Some(argument) = rest.next() {
                    if matches!(argument.text.as_str(), "-c" | "--config")
                        && let Some(setting) = rest.next()
                    {
                        self.git_setting(&setting.text);
                    }
                }
            }
            "config" => {
                if let [name, value] = &*flags.operands {
                    self.git_setting(&format!("{}={}", name.text, value.text));
                }
            }
            "submodule" if first == "foreach" => {
                let words: Vec<String> =
                    flags.operands.iter().skip(1).map(|it| it.plain()).collect();
                self.apart(|this| this.script(&words.join(" "), Stream::known("")));
            }
            "bisect" if first == "run" => {
                let words: Vec<Field> = arguments.iter().skip(1).cloned().collect();
                self.program(&words, input.clone());
            }
            "rebase" | "filter-branch" => {
                let mut rest = arguments.iter();
                while let Some(argument) = rest.next() {
                    let takes = [
                        "-x",
                        "--exec",
                        "--tree-filter",
                        "--index-filter",
                        "--msg-filter",
                        "--env-filter",
                    ];
                    if takes.contains(&argument.text.as_str())
                        && let Some(text) = rest.next()
                    {
                        self.ask(Category::ProgramThroughOption);
                        self.apart(|this| this.script(&text.plain(), Stream::known("")));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Settings whose value git runs.
const RUNS: [&str; 14] = [
    "core.sshcommand",
    "core.editor",
    "core.pager",
    "core.hookspath",
    "core.fsmonitor",
    "core.askpass",
    "core.gitproxy",
    "core.attributesfile",
    "diff.external",
    "sequence.editor",
    "credential.helper",
    "gpg.program",
    "uploadpack.packobjectshook",
    "protocol.ext.allow",
];
