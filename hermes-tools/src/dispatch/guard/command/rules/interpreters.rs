//! Shells and languages: what they run that stands in the line.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{Field, Stream, Taint};
use super::super::program::taint;

/// How a language takes a program from the line.
struct Language {
    names: &'static [&'static str],
    /// Letters that a program follows, also behind other letters.
    letters: &'static str,
    /// Letters that take another value.
    values: &'static str,
    /// Long options that a program follows.
    long: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        names: &["python", "python2", "python3", "pypy", "ipython"],
        letters: "c",
        values: "mWX",
        long: &[],
    },
    Language {
        names: &["node", "nodejs"],
        letters: "ep",
        values: "rC",
        long: &["--eval", "--print"],
    },
    Language {
        names: &["bun"],
        letters: "ep",
        values: "",
        long: &["--eval", "--print"],
    },
    Language {
        names: &["perl"],
        letters: "eE",
        values: "IMm",
        long: &[],
    },
    Language {
        names: &["ruby", "jruby"],
        letters: "e",
        values: "IrC",
        long: &[],
    },
    Language {
        names: &["php"],
        letters: "rBRE",
        values: "cdfz",
        long: &["--run"],
    },
    Language {
        names: &["lua", "luajit"],
        letters: "e",
        values: "l",
        long: &[],
    },
    Language {
        names: &["rscript", "r"],
        letters: "e",
        values: "",
        long: &[],
    },
    Language {
        names: &[
            "julia",
            "elixir",
            "scala",
            "groovy",
            "ghc",
            "runghc",
            "crystal",
            "osascript",
            "expect",
        ],
        letters: "ec",
        values: "",
        long: &["--eval"],
    },
    Language {
        names: &["erl"],
        letters: "",
        values: "",
        long: &["-eval"],
    },
    Language {
        names: &["pwsh", "powershell"],
        letters: "",
        values: "",
        long: &["-command", "-encodedcommand", "-c", "-e", "-ec", "-enc"],
    },
    Language {
        names: &["gdb", "lldb"],
        letters: "",
        values: "",
        long: &["-ex", "--eval-command", "-o"],
    },
    Language {
        names: &["emacs"],
        letters: "",
        values: "",
        long: &["--eval", "-eval", "--execute"],
    },
    Language {
        names: &["nu", "xonsh", "elvish", "murex", "ion"],
        letters: "ce",
        values: "",
        long: &["--commands", "--execute", "--command"],
    },
    Language {
        names: &["tclsh", "wish"],
        letters: "",
        values: "",
        long: &[],
    },
];

impl Eval<'_> {
    /// A shell; false for any other program.
    pub(super) fn shell(&mut self, name: &str, arguments: &[Field], input: &Stream) -> bool {
        const SHELLS: [&str; 17] = [
            "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash",
            "rzsh", "pdksh", "yash", "osh", "ysh", "hush",
        ];
        if !SHELLS.contains(&name) {
            return false;
        }
        let mut rest = arguments.iter();
        let mut runs_text = false;
        let mut reads = false;
        let mut file = None;
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            match text {
                "--" | "-" => {
                    file = rest.next();
                    break;
                }
                "--rcfile" | "--init-file" => {
                    if let Some(file) = rest.next() {
                        self.run_file(&self.path(file), false, input);
                    }
                }
                "-o" | "+o" | "-O" | "+O" => {
                    rest.next();
                }
                "--command" => runs_text = true,
                _ if text.starts_with("--") || text.starts_with('+') => {}
                _ if argument.is_option() => {
                    runs_text |= text.contains('c');
                    reads |= text.contains('s');
                    if text.ends_with('o') || text.ends_with('O') {
                        rest.next();
                    }
                }
                _ => {
                    file = Some(argument);
                    break;
                }
            }
        }
        if runs_text {
            if let Some(text) = file {
                let script = text.plain();
                let own_name = rest.next().cloned();
                let positional: Vec<Field> = rest.cloned().collect();
                let taint = text.taint;
                self.apart(|this| {
                    this.scope.own_name = own_name;
                    this.scope.arguments = Some(positional.into());
                    this.run_text(&script, taint, input);
                });
            }
            self.ask(Category::NestedShell);
        } else if reads || file.is_none() {
            if Self::is_given(input) {
                self.shell_input(input);
            } else if self.raised {
                self.ask(Category::RootShell);
            }
        } else if let Some(file) = file {
            let path = self.path(file);
            if matches!(path.as_str(), "/dev/stdin" | "/dev/fd/0") {
                self.shell_input(input);
            } else {
                self.run_file(&path, false, input);
            }
        }
        true
    }

    /// Whether something comes from a pipe, a file or the line.
    fn is_given(input: &Stream) -> bool {
        input.text.is_some() || input.given
    }

    /// A language that runs a program from the line; false for any other program.
    pub(super) fn interpreter(&mut self, name: &str, arguments: &[Field], input: &Stream) -> bool {
        if matches!(name, "awk" | "gawk" | "mawk" | "nawk") {
            self.awk(arguments);
            return false;
        }
        if name == "deno" {
            if arguments.first().is_some_and(|it| it.text == "eval") {
                self.ask(Category::InlineProgram);
            }
            return true;
        }
        let Some(language) = LANGUAGES.iter().find(|it| it.names.contains(&name)) else {
            return false;
        };
        let mut rest = arguments.iter();
        let mut file = None;
        let mut module = false;
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            let lower = text.to_ascii_lowercase();
            if text == "--" || text == "-" {
                file = rest.next().filter(|_| text == "--");
                break;
            }
            if language
                .long
                .iter()
                .any(|long| lower == *long || lower.starts_with(&format!("{long}=")))
            {
                self.inline(name, argument, rest.next());
                return true;
            }
            if !argument.is_option() {
                file = Some(argument);
                break;
            }
            if text.starts_with("--") {
                continue;
            }
            for (at, letter) in text.char_indices().skip(1) {
                if language.letters.contains(letter) {
                    self.inline(name, argument, rest.next());
                    return true;
                }
                if language.values.contains(letter) {
                    module |= letter == 'm' && is_python(name);
                    let value = if at + 1 == text.len() {
                        rest.next().map_or("", |it| it.text.as_str())
                    } else {
                        &text[at + 1..]
                    };
                    if module && runs_arguments(value, rest.as_slice()) {
                        self.ask(Category::InlineProgram);
                    }
                    break;
                }
                // `-i.bak` has a value of its own.
                if letter == 'i'
                    && matches!(name, "perl" | "ruby")
                    && text[at + 1..].starts_with('.')
                {
                    break;
                }
            }
            if module {
                return true;
            }
        }
        match file {
            Some(file)
                if matches!(name, "pwsh" | "powershell")
                    && !file.text.to_ascii_lowercase().ends_with("ps1") =>
            {
                self.inline(name, file, Some(file));
            }
            Some(file) if name != "bun" => {
                let path = self.path(file);
                let stream = self.scope.file(&path);
                let from = stream.map_or(Taint::NONE, |stream| stream.taint);
                if from.has(Taint::REMOTE) {
                    self.ask(Category::RemoteCode);
                } else if from.has(Taint::ENCODED) {
                    self.ask(Category::EncodedCode);
                }
            }
            None if Self::is_given(input) => self.ask(match () {
                () if input.taint.has(Taint::REMOTE) => Category::RemoteCode,
                () if input.taint.has(Taint::ENCODED) => Category::EncodedCode,
                () => Category::InlineProgram,
            }),
            _ => {}
        }
        true
    }

    /// A program of `awk`, which may run others and write files.
    fn awk(&mut self, arguments: &[Field]) {
        let runs = |it: &Field| {
            let text = &it.text;
            text.contains("system(")
                || text.contains("system (")
                || text.contains("getline") && text.contains('|')
                || text.contains("| \"")
                || text.contains("|\"")
                || text.contains("|&")
                || text.contains("@load")
        };
        if arguments.iter().any(runs) {
            self.ask(Category::InlineProgram);
        }
        for argument in arguments {
            self.written_by_awk(&argument.plain());
        }
    }

    /// Files that a program of `awk` names behind `>`.
    fn written_by_awk(&mut self, program: &str) {
        for part in program.split('>').skip(1) {
            let target = part.trim_start().strip_prefix('"');
            if let Some((path, _)) = target.and_then(|target| target.split_once('"')) {
                self.written_to(&Field::new(path));
            }
        }
    }

    fn inline(&mut self, name: &str, option: &Field, program: Option<&Field>) {
        let text = program.map_or("", |it| it.text.as_str());
        let deletes = ["remove-item", "del ", "rmdir", "rd ", "format-volume"];
        let lower = text.to_ascii_lowercase();
        let from = program
            .map_or(Taint::NONE, |it| it.taint)
            .with(taint(std::slice::from_ref(option)));
        self.ask(match () {
            () if from.has(Taint::REMOTE) => Category::RemoteCode,
            () if name.starts_with('p')
                && name.ends_with("sh")
                && deletes.iter().any(|it| lower.starts_with(it)) =>
            {
                Category::WindowsDelete
            }
            () => Category::InlineProgram,
        });
    }
}

fn is_python(name: &str) -> bool {
    name.starts_with("py") || name == "ipython"
}

/// Whether a module of Python takes a program from its arguments.
fn runs_arguments(module: &str, arguments: &[Field]) -> bool {
    match module {
        "timeit" => !arguments.is_empty(),
        "pdb" | "IPython" | "xonsh" | "bpython" => {
            arguments.iter().any(|it| it.text.starts_with("-c"))
        }
        _ => false,
    }
}
