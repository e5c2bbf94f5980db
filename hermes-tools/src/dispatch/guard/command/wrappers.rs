//! Programs that run other programs: what they run is looked at in their place.

use super::category::Category;
use super::eval::{Eval, Where};
use super::field::{Field, Stream, Taint, UNKNOWN};
use super::options::{Options, Style};
use super::program::taint;

impl Eval<'_> {
    /// Runs what a wrapper runs; none for a program that is no wrapper.
    pub(super) fn wrapper(
        &mut self,
        name: &str,
        arguments: &[Field],
        input: Stream,
    ) -> Option<Stream> {
        if let Some(output) = self.wrapped(name, arguments, &input) {
            return Some(output);
        }
        if name.starts_with("ld-linux") || name.starts_with("ld.so") || name.starts_with("ld-musl")
        {
            let rest = arguments.iter().skip_while(|it| it.is_option());
            let words: Vec<Field> = rest.cloned().collect();
            return Some(self.program(&words, input));
        }
        Some(match name {
            "sudo" | "doas" => self.sudo(arguments, input),
            "su" | "runuser" => self.su(arguments, &input),
            "env" => self.env(arguments, input),
            "xargs" => self.xargs(arguments, input),
            "parallel" => self.parallel(arguments, input),
            "watch" => {
                let style = Style {
                    values: "nqs",
                    long_values: &["interval", "equexit", "shotsdir"],
                    first_ends: true,
                };
                if Options::of(arguments, style).strays(style, "bcCdefgprtwxv") {
                    self.guess(arguments, &input);
                }
                self.joined(arguments, style, input)
            }
            "flock" => self.flock(arguments, input),
            "script" | "capsh" | "nix-shell" => {
                // On some systems `script` takes a program behind its file.
                if name == "script" {
                    self.guess(arguments, &input);
                }
                self.with_text(arguments, &input)
            }
            "sg" => self.sg(arguments, input),
            "hyperfine" => self.each_script(arguments),
            "gdb" | "lldb"
                if arguments
                    .iter()
                    .any(|it| matches!(&*it.text, "--args" | "-args" | "--")) =>
            {
                self.guess(arguments, &input);
                return None;
            }
            "sudoedit" => {
                let edits = [&[Field::new("-e")], arguments].concat();
                self.sudo(&edits, input)
            }
            "tmux" | "screen" => self.multiplexer(arguments),
            "ssh" | "slogin" | "autossh" | "rsh" | "remsh" | "dbclient" | "mosh" => {
                self.ssh(name, arguments, &input)
            }
            "at" | "batch" => {
                // What is listed is not changed.
                let lists = |it: &Field| matches!(it.text.as_str(), "-l" | "-V" | "-c");
                if !arguments.first().is_some_and(lists) {
                    self.ask(Category::Schedule);
                }
                if let Some(text) = input.text {
                    self.apart(|this| this.script(&text, Stream::known("")));
                }
                Stream::known("")
            }
            "npx" | "pnpx" | "bunx" | "uvx" => self.package(arguments, input),
            "npm" | "pnpm" | "yarn" | "bun"
                if arguments
                    .first()
                    .is_some_and(|verb| matches!(&*verb.text, "exec" | "x" | "dlx")) =>
            {
                self.package(&arguments[1..], input)
            }
            "poetry" | "uv" | "pipenv" | "pdm" | "rye" | "hatch" => {
                self.after_options(arguments, &["run"], input)
            }
            "bundle" => self.after_options(arguments, &["exec"], input),
            _ => return None,
        })
    }

    /// Runs something with other rights, or without anybody who waits for it.
    pub(super) fn inside<R>(
        &mut self,
        raised: bool,
        detached: bool,
        run: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let before = (self.raised, self.detached);
        self.raised |= raised;
        self.detached |= detached;
        let result = run(self);
        (self.raised, self.detached) = before;
        result
    }

    /// Runs something in another folder, where one is named.
    fn in_folder<R>(&mut self, folder: Option<&str>, run: impl FnOnce(&mut Self) -> R) -> R {
        let Some(folder) = folder else {
            return run(self);
        };
        self.apart(|this| {
            this.change_folder(&Field::new(folder));
            run(this)
        })
    }

    /// Runs something in a container or on another machine. What a container reaches stays in it.
    pub(super) fn at_other_place<R>(
        &mut self,
        place: Where,
        run: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let inside = if self.at == Where::Container {
            self.at
        } else {
            place
        };
        let before = std::mem::replace(&mut self.at, inside);
        let result = self.apart(|this| {
            this.scope.folder = None;
            run(this)
        });
        self.at = before;
        result
    }

    /// Runs texts that a program gives to a shell.
    pub(super) fn texts(&mut self, texts: &[String], category: Category) {
        for text in texts {
            self.ask(category);
            self.apart(|this| this.script(text, Stream::known("")));
        }
    }

    /// The operands joined are what a shell runs.
    fn joined(&mut self, arguments: &[Field], style: Style<'_>, input: Stream) -> Stream {
        let options = Options::of(arguments, style);
        let words: Vec<String> = options.operands.iter().map(|it| it.plain()).collect();
        let text = words.join(" ");
        self.apart(|this| this.script(&text, input))
    }

    /// The text of `-c`, or of an option that is called so.
    fn with_text(&mut self, arguments: &[Field], input: &Stream) -> Stream {
        let mut texts = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            let takes = text == "--command"
                || text == "--run"
                || argument.is_option() && !text.starts_with("--") && text.ends_with('c');
            if takes {
                texts.extend(rest.next().map(Field::plain));
            } else if text.starts_with('-')
                && text.contains(' ')
                && let Some((_, text)) = text.split_once('c')
                && !argument.text.starts_with("--")
            {
                texts.push(text.to_owned());
            } else if let Some(text) = text.strip_prefix("--command=") {
                texts.push(text.to_owned());
            }
        }
        self.texts(&texts, Category::NestedShell);
        Stream::unknown(input.taint)
    }

    /// A program of a package, which may be named with its version.
    fn package(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let style = Style {
            values: "pc",
            long_values: &["package", "call", "from", "with", "python"],
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        let texts: Vec<String> = options.values('c', "call").map(str::to_owned).collect();
        self.texts(&texts, Category::NestedShell);
        if options.strays(style, "yq") {
            self.guess(arguments, &input);
        }
        let mut words: Vec<Field> = options.operands.iter().map(|it| (*it).clone()).collect();
        if let Some(first) = words.first_mut()
            && let Some((name, _)) = first.text.rsplit_once('@')
            && !name.is_empty()
        {
            first.text = name.to_owned();
        }
        self.program(&words, input)
    }

    fn after_options(&mut self, arguments: &[Field], verbs: &[&str], input: Stream) -> Stream {
        let mut rest = arguments.iter().skip_while(|it| it.is_option());
        if !verbs.is_empty() && !rest.next().is_some_and(|verb| verbs.contains(&&*verb.text)) {
            // `uv publish` and the like are programs' own verbs.
            self.verbs(arguments);
            return Stream::unknown(Taint::NONE);
        }
        let behind: Vec<Field> = rest.cloned().collect();
        let style = Style {
            values: "p",
            long_values: &[
                "with",
                "python",
                "extra",
                "group",
                "env-file",
                "directory",
                "project",
            ],
            first_ends: true,
        };
        let options = Options::of(&behind, style);
        if options.strays(style, "vqn") {
            self.guess(&behind, &input);
            return Stream::unknown(input.taint);
        }
        let words: Vec<Field> = options.operands.iter().map(|it| (*it).clone()).collect();
        self.program(&words, input)
    }

    fn sudo(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let style = Style {
            values: "ughpCrtTUDRa",
            long_values: &[
                "user",
                "group",
                "host",
                "prompt",
                "chdir",
                "chroot",
                "close-from",
                "role",
                "type",
                "other-user",
                "command-timeout",
            ],
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        if (options.letter("S") || options.long("stdin")) && !self.setting.sudo_password {
            self.block(Category::SudoPassword);
        }
        if options.letter("A") || options.long("askpass") {
            self.ask(Category::RootShell);
        }
        if options.letter("si") || options.long("shell") || options.long("login") {
            self.ask(Category::RootShell);
        }
        if options.letter("e") || options.long("edit") {
            for operand in &options.operands {
                self.written_to(operand);
            }
            return Stream::known("");
        }
        let mut words: Vec<Field> = options.operands.iter().map(|it| (*it).clone()).collect();
        while let Some((name, value)) = words.first().and_then(assignment) {
            self.environment(&name, &value);
            words.remove(0);
        }
        if options.strays(style, "AbBEeHiKklnPSsvVL") {
            self.inside(true, false, |this| this.guess(arguments, &input));
        }
        self.in_folder(options.values('D', "chdir").last(), |this| {
            this.inside(true, false, |this| this.program(&words, input))
        })
    }

    /// `flock`: a program or a text behind the file that it locks.
    fn flock(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let style = Style {
            values: "wEc",
            long_values: &["timeout", "wait", "command", "conflict-exit-code"],
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        if options.strays(style, "sxeuonFv") {
            self.guess(arguments, &input);
        }
        let texts: Vec<String> = options.values('c', "command").map(str::to_owned).collect();
        let words: Vec<Field> = options
            .operands
            .iter()
            .skip(1)
            .map(|it| (*it).clone())
            .collect();
        self.texts(&texts, Category::NestedShell);
        // `-c text` may also stand behind the file.
        match words.split_first() {
            Some((first, rest)) if first.text == "-c" => {
                let texts: Vec<String> = rest.iter().map(Field::plain).collect();
                self.texts(&texts, Category::NestedShell);
                Stream::unknown(Taint::NONE)
            }
            Some((first, _)) if first.is_option() => {
                self.ask(Category::NestedShell);
                self.guess(&words, &input);
                Stream::unknown(Taint::NONE)
            }
            _ => self.program(&words, input),
        }
    }

    /// A program that gives each of its operands, and some values of options, to a shell.
    fn each_script(&mut self, arguments: &[Field]) -> Stream {
        for argument in arguments {
            let text = argument.plain();
            let text = match text.split_once('=') {
                Some((option, value)) if option.starts_with('-') => value,
                _ => &text,
            };
            self.apart(|this| this.script(text, Stream::known("")));
        }
        Stream::unknown(Taint::NONE)
    }

    /// `sg`: a shell of another group, which may get a text.
    fn sg(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let mut words = arguments
            .iter()
            .filter(|it| !matches!(&*it.text, "-" | "-c"));
        words.next();
        let text: Vec<String> = words.map(Field::plain).collect();
        if text.is_empty() {
            return input;
        }
        self.texts(&[text.join(" ")], Category::NestedShell);
        Stream::unknown(input.taint)
    }

    fn su(&mut self, arguments: &[Field], input: &Stream) -> Stream {
        self.ask(Category::RootShell);
        let style = Style {
            values: "cgGsuw",
            long_values: &[
                "command",
                "session-command",
                "group",
                "supp-group",
                "shell",
                "user",
                "whitelist-environment",
            ],
            first_ends: false,
        };
        let options = Options::of(arguments, style);
        let session = options.values('c', "session-command");
        let long = options.values('\0', "command");
        let mut texts: Vec<String> = session.chain(long).map(str::to_owned).collect();
        // What stands behind `--` goes to the shell.
        let behind = arguments.iter().skip_while(|it| it.text != "--");
        let behind: Vec<Field> = behind.skip(1).cloned().collect();
        if let Some(at) = behind.iter().position(|it| it.text == "-c") {
            texts.extend(behind.get(at + 1).map(Field::plain));
        }
        if options.strays(style, "lmfpPTh") {
            self.inside(true, false, |this| this.guess(arguments, input));
        }
        self.inside(true, false, |this| this.texts(&texts, Category::RootShell));
        if texts.is_empty() && input.text.is_some() {
            self.shell_input(input);
        }
        Stream::unknown(Taint::NONE)
    }

    fn env(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let style = Style {
            values: "uCSaP",
            long_values: &["unset", "chdir", "split-string", "argv0"],
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        if options.strays(style, "i0v") {
            self.guess(arguments, &input);
        }
        let split: Vec<String> = options
            .values('S', "split-string")
            .map(str::to_owned)
            .collect();
        let mut words: Vec<Field> = options.operands.iter().map(|it| (*it).clone()).collect();
        // `-` alone means `-i`.
        if words.first().is_some_and(|first| first.text == "-") {
            words.remove(0);
        }
        while let Some((name, value)) = words.first().and_then(assignment) {
            self.environment(&name, &value);
            words.remove(0);
        }
        if let Some(text) = split.first() {
            let rest: Vec<String> = words.iter().map(Field::plain).collect();
            let text = format!("{text} {}", rest.join(" "));
            return self.apart(|this| this.script(&text, input));
        }
        if words.is_empty() {
            return Stream::unknown(Taint::SECRET);
        }
        self.in_folder(options.values('C', "chdir").last(), |this| {
            this.program(&words, input)
        })
    }

    fn xargs(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let style = Style {
            values: "IEdLnPsaJRS",
            long_values: &[
                "arg-file",
                "delimiter",
                "max-args",
                "max-procs",
                "max-chars",
                "process-slot-var",
            ],
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        let mark = options.values('I', "replace").next().map(str::to_owned);
        let mark = mark.or_else(|| {
            let plain = options.letter("i") || options.long("replace");
            plain.then(|| "{}".to_owned())
        });
        let mut words: Vec<Field> = options.operands.iter().map(|it| (*it).clone()).collect();
        if words.is_empty() {
            return input;
        }
        let given: Vec<Field> = match &input.text {
            Some(text) => {
                let words = text.split_whitespace().take(256);
                words
                    .map(|word| Field {
                        text: word.trim_matches(['"', '\'']).to_owned(),
                        taint: input.taint,
                    })
                    .collect()
            }
            None => vec![Field::unknown(input.taint)],
        };
        if options.strays(style, "0rtxoplei") {
            let words = [arguments, &*given].concat();
            self.guess(&words, &Stream::known(""));
        }
        if let Some(mark) = mark {
            for value in given.iter().take(32) {
                let words: Vec<Field> = words
                    .iter()
                    .map(|word| replaced(word, &mark, value))
                    .collect();
                self.handed(&words, &input);
            }
        } else {
            words.extend(given);
            self.handed(&words, &input);
        }
        Stream::unknown(input.taint)
    }

    /// Runs a program on what it was handed by another one.
    fn handed(&mut self, words: &[Field], input: &Stream) {
        let deletes = words.first().is_some_and(|word| {
            let name = word.text.rsplit('/').next().unwrap_or("");
            matches!(name, "rm" | "rmdir" | "unlink" | "shred" | "srm")
        });
        if deletes {
            self.ask(Category::BulkDelete);
            if !words[0].text.ends_with("rmdir") {
                self.wipe_all(&input.whole);
            }
        }
        // A shell that gets its texts from another program runs them.
        let taint = input.taint.with(taint(words));
        if taint.has(Taint::REMOTE) && words.iter().any(|word| word.text == "-c") {
            self.ask(Category::RemoteCode);
        }
        self.program(words, Stream::known(""));
    }

    fn parallel(&mut self, arguments: &[Field], input: Stream) -> Stream {
        let style = Style {
            values: "jIaNnLS",
            long_values: &["jobs", "arg-file", "max-args"],
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        if options.strays(style, "kuvtX0mqr") {
            self.guess(arguments, &input);
        }
        let words = options.operands.split(|word| word.text.starts_with(":::"));
        let mut words =
            words.map(|part| part.iter().map(|it| (*it).clone()).collect::<Vec<Field>>());
        let command = words.next().unwrap_or_default();
        let given: Vec<Field> = words.flatten().collect();
        let mut text: Vec<String> = command.iter().map(Field::plain).collect();
        let given: Vec<String> = if given.is_empty() {
            vec![input.text.unwrap_or_else(|| UNKNOWN.to_string())]
        } else {
            given.iter().map(Field::plain).collect()
        };
        for given in given.iter().take(32) {
            let length = text.len();
            text.push(given.trim().to_owned());
            let line = text.join(" ").replace("{}", given.trim());
            text.truncate(length);
            self.apart(|this| this.script(&line, Stream::known("")));
        }
        let deletes = command
            .first()
            .is_some_and(|word| word.text.ends_with("rm"));
        if deletes {
            self.ask(Category::BulkDelete);
        }
        Stream::unknown(input.taint)
    }

    fn multiplexer(&mut self, arguments: &[Field]) -> Stream {
        // Whatever may be a command is looked at as one.
        for argument in arguments.iter().filter(|it| it.text.contains(' ')) {
            let text = argument.plain();
            self.inside(false, true, |this| {
                this.apart(|this| this.script(&text, Stream::known("")))
            });
        }
        let rest: Vec<Field> = arguments
            .iter()
            .skip_while(|it| {
                it.is_option() || it.text.starts_with("new") || it.text.starts_with("send")
            })
            .filter(|it| !it.is_option())
            .cloned()
            .collect();
        self.inside(false, true, |this| this.program(&rest, Stream::known("")));
        Stream::unknown(Taint::NONE)
    }
}

/// Name and value of a word that sets a variable.
fn assignment(word: &Field) -> Option<(String, Field)> {
    let (name, value) = word.text.split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| {
        (
            name.to_owned(),
            Field {
                text: value.to_owned(),
                taint: word.taint,
            },
        )
    })
}

fn replaced(word: &Field, mark: &str, value: &Field) -> Field {
    if mark.is_empty() || !word.text.contains(mark) {
        return word.clone();
    }
    Field {
        text: word.text.replace(mark, &value.text),
        taint: word.taint.with(value.taint),
    }
}
