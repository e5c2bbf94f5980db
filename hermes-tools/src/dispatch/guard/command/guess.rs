//! Where a program may stand among words of which it cannot be told which one it is.

use super::eval::{Eval, Where};
use super::field::{Field, Stream};
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
        if words.is_empty() || is_destroyer(name) || INERT.contains(&name) {
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
        (self.start_script, self.own_file) = before;
    }
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
