//! Options that make a program run another one.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::Field;
use super::super::options::{Options, Style};

impl Eval<'_> {
    #[expect(clippy::match_same_arms, reason = "a row for each family of programs")]
    pub(super) fn program_options(&mut self, name: &str, arguments: &[Field]) {
        let starts = |prefixes: &[&str]| {
            arguments
                .iter()
                .any(|it| prefixes.iter().any(|prefix| it.text.starts_with(prefix)))
        };
        let is = |words: &[&str]| arguments.iter().any(|it| words.contains(&it.text.as_str()));
        let value = |words: &[&str]| {
            let at = arguments
                .iter()
                .position(|it| words.contains(&it.text.as_str()))?;
            arguments.get(at + 1).map(|it| it.text.as_str())
        };
        let runs = match name {
            "rg" => starts(&["--pre=", "--hostname-bin"]) || is(&["--pre"]),
            "sort" => starts(&["--compress-program", "--compress-prog"]),
            "ag" | "ack" => starts(&["--pager"]),
            "man" => starts(&["-P", "--pager", "-H", "--html"]),
            "tar" | "bsdtar" => {
                starts(&[
                    "--checkpoint-action",
                    "--to-command",
                    "--use-compress-program",
                    "--rsh-command",
                    "--info-script",
                    "--new-volume-script",
                    "-I",
                ]) || is(&["-F"])
            }
            "rsync" => {
                let style = Style {
                    values: "efBTM@",
                    long_values: &["rsh", "rsync-path"],
                    ..Style::default()
                };
                let options = Options::of(arguments, style);
                let mut shell = options.values('e', "rsh");
                shell.any(|shell| !shell.starts_with("ssh") || shell.contains("Command"))
                    || starts(&["--rsync-path"])
            }
            "scp" | "sftp" => {
                starts(&["-S", "-D"])
                    || arguments
                        .iter()
                        .any(|it| it.text.to_ascii_lowercase().contains("proxycommand"))
            }
            "borg" => starts(&["--rsh", "--remote-path"]),
            "unison" => starts(&["-sshcmd", "-rshcmd", "-diff", "-merge"]),
            "sshfs" => arguments.iter().any(|it| it.text.contains("ssh_command=")),
            "restic" => arguments.iter().any(|it| {
                it.text.contains("sftp.command=") || it.text.starts_with("--password-command")
            }),
            "zip" => is(&["-TT", "--unzip-command"]) || starts(&["-TT", "--unzip-command"]),
            "split" => starts(&["--filter"]),
            "tcpdump" => is(&["-z"]),
            "wget" => starts(&["--use-askpass"]),
            "make" | "gmake" => starts(&["SHELL=", "--eval"]),
            "vi" | "vim" | "nvim" | "ex" | "view" | "less" | "more" => {
                arguments.iter().any(|it| {
                    (it.text.starts_with('+') || it.text.starts_with(':')) && it.text.contains('!')
                }) || value(&["-c", "--cmd"])
                    .is_some_and(|text| text.contains('!') || text.contains("system("))
            }
            "sed" | "gsed" => arguments
                .iter()
                .any(|it| !it.is_option() && runs_from_sed(&it.text)),
            "xterm" | "gnome-terminal" | "konsole" => is(&["-e", "-x", "--"]),
            "npm" | "yarn" | "pnpm" => is(&["--script-shell"]),
            "mysql" => starts(&["--pager"]),
            "nmap" => starts(&["--script=", "--interactive"]),
            _ => false,
        };
        if runs {
            self.ask(Category::ProgramThroughOption);
        }
    }
}

/// Whether a script of `sed` runs programs: the command `e`, or that flag of `s`.
fn runs_from_sed(script: &str) -> bool {
    let command =
        script.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' '));
    if command == "e" || command.starts_with("e ") {
        return true;
    }
    let Some(rest) = command.strip_prefix('s') else {
        return false;
    };
    let Some(mark) = rest.chars().next().filter(char::is_ascii_punctuation) else {
        return false;
    };
    let flags = rest.rsplit(mark).next().unwrap_or("");
    rest.matches(mark).count() >= 3
        && flags.len() <= 6
        && flags.contains('e')
        && flags.chars().all(|c| "gpiIeMmw0123456789".contains(c))
}
