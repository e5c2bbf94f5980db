//! What runs on another machine, by a shell there.

use super::category::Category;
use super::eval::{Eval, Where};
use super::field::{Field, Stream, Taint};
use super::options::{Options, Style};

impl Eval<'_> {
    /// `ssh` and its like: options that run programs here, and the command over there.
    pub(super) fn ssh(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Stream {
        let values = match name {
            "autossh" => "bcDEeFIiJLlMmOopQRSWw",
            "mosh" => "p",
            _ => "bcDEeFIiJLlmOopQRSWw",
        };
        let style = Style {
            values,
            long_values: if name == "mosh" { &MOSH } else { &[] },
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        if name == "mosh" {
            let own = ["ssh", "client"]
                .into_iter()
                .flat_map(|it| options.values('\0', it));
            let programs: Vec<String> = own.map(str::to_owned).collect();
            for program in programs {
                let usual = matches!(program.split(' ').next(), Some("ssh" | "mosh-client"));
                if !usual || program.to_ascii_lowercase().contains("command") {
                    self.ask(Category::ProgramThroughOption);
                }
                self.apart(|this| this.script(&program, Stream::known("")));
            }
        }
        for option in options.values('o', "") {
            let option = option.to_ascii_lowercase();
            let runs = ["proxycommand", "localcommand", "knownhostscommand"];
            if runs.iter().any(|name| option.starts_with(name)) {
                self.ask(Category::ProgramThroughOption);
            }
        }
        self.sends(arguments, input);
        // More options may stand behind the host.
        let rest: Vec<Field> = options
            .operands
            .iter()
            .skip(1)
            .map(|it| (*it).clone())
            .collect();
        let rest = Options::of(&rest, style);
        let words: Vec<String> = rest.operands.iter().map(|it| it.plain()).collect();
        let (text, input) = match &input.text {
            // Without a command it is the shell over there that reads what is given.
            Some(given) if words.is_empty() => (given.clone(), Stream::known("")),
            None if words.is_empty() && input.given && !options.letter("Nf") => {
                self.ask(Category::Unresolvable);
                return Stream::unknown(Taint::REMOTE);
            }
            _ => (words.join(" "), input.clone()),
        };
        self.at_other_place(Where::Machine, |this| this.script(&text, input));
        Stream::unknown(Taint::REMOTE)
    }
}

/// Options of `mosh` that take the next argument.
const MOSH: [&str; 7] = [
    "ssh",
    "client",
    "server",
    "predict",
    "port",
    "bind-server",
    "family",
];
