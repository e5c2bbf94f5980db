//! Which program a command is, and the built-in ones.

use super::category::Category;
use super::eval::{DECLARERS, Eval};
use super::field::{Field, Stream, Taint, UNKNOWN};
use super::options::{Options, Style};
use super::scope::Value;
use super::word::ansi_escape;
use crate::dispatch::guard::places;

impl Eval<'_> {
    /// Runs a program with its arguments, the program itself first.
    pub(super) fn program(&mut self, words: &[Field], input: Stream) -> Stream {
        self.spend(words.iter().map(|word| word.text.len() + 8).sum());
        let Some((program, arguments)) = words.split_first() else {
            return Stream::known("");
        };
        if self.is_spent() {
            return Stream::unknown(Taint::NONE);
        }
        if !program.is_known() || program.has_glob() {
            self.ask(match () {
                () if program.taint.has(Taint::REMOTE) => Category::RemoteCode,
                () if program.taint.has(Taint::ENCODED) => Category::EncodedCode,
                () => Category::Unresolvable,
            });
            return Stream::unknown(program.taint);
        }
        self.denied(program, arguments);
        let text = program.text.as_str();
        if let Some(body) = self.scope.function(text) {
            return self.call(text, &body, arguments, input);
        }
        if text.contains('/') {
            let path = self.path(program);
            self.start_script = path.starts_with("/etc/init.d/") || path.starts_with("/etc/rc.d/");
            self.own_file = is_own_file(text, &path, &self.setting.home);
            self.run_file(&path, true, &input);
            if text.split('/').any(is_of_two_scripts) {
                // It only looks like the path that a person reads.
                self.ask(Category::Unresolvable);
            }
        } else if text.is_ascii() {
            self.start_script = false;
            self.own_file = false;
        } else {
            // No program is called so; one may look so.
            self.ask(Category::Unresolvable);
            return Stream::unknown(Taint::NONE);
        }
        let name = program_name(text);
        self.look_at_files(&name, arguments);
        if let Some(output) = self.builtin(&name, arguments, &input) {
            return output;
        }
        if let Some(output) = self.wrapper(&name, arguments, input.clone()) {
            return output;
        }
        self.rules(&name, arguments, &input)
    }

    /// A file that is run, by its own name or by a shell.
    pub(super) fn run_file(&mut self, path: &str, own_name: bool, input: &Stream) {
        if own_name && self.scope.is_executable(path) {
            self.ask(Category::ExecutableAndRun);
        }
        let Some(file) = self.scope.file(path) else {
            return;
        };
        if file.taint.has(Taint::REMOTE) {
            self.ask(Category::RemoteCode);
        }
        if file.taint.has(Taint::ENCODED) {
            self.ask(Category::EncodedCode);
        }
        if let Some(text) = file.text {
            let other =
                text.starts_with("#!") && !text.lines().next().unwrap_or("").ends_with("sh");
            if !other {
                self.apart(|this| this.script(&text, input.clone()));
            }
        }
    }

    /// Built-in programs that take names of variables, or calculate.
    fn calculating(&mut self, name: &str, arguments: &[Field]) {
        let texts = arguments.iter().map(Field::plain);
        let texts: Vec<String> = match name {
            "let" | "unset" | "read" | "mapfile" | "readarray" | "getopts" => texts.collect(),
            "printf" | "test" | "[" => {
                let names = texts.zip(arguments.iter().skip(1));
                names
                    .filter(|(option, _)| matches!(&**option, "-v" | "-R"))
                    .map(|(_, name)| name.plain())
                    .collect()
            }
            _ if DECLARERS.contains(&name) => texts
                .map(|it| it.split('=').next().unwrap_or("").to_owned())
                .collect(),
            _ => return,
        };
        for text in texts {
            self.calculated(&text);
        }
    }

    /// What the shell itself does.
    #[expect(clippy::too_many_lines, reason = "an arm for each built-in program")]
    fn builtin(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Option<Stream> {
        self.calculating(name, arguments);
        let nothing = Stream::known("");
        Some(match name {
            ":" | "true" | "false" | "test" | "[" | "wait" | "shopt" | "umask" | "bind" | "let"
            | "getopts" | "break" | "continue" | "return" | "exit" => nothing,
            "echo" => Stream::of(Some(echo(arguments)), taint(arguments)),
            "printf" => self.printf(arguments),
            "cd" | "pushd" => {
                let to = Options::of(arguments, Style::default());
                let home = Field::new(self.setting.home.clone());
                let to = to.operands.first().map_or(home, |to| (*to).clone());
                self.change_folder(&to);
                nothing
            }
            "popd" => {
                self.scope.folder = None;
                nothing
            }
            "pwd" => match &self.scope.folder {
                Some(folder) => Stream::known(format!("{folder}\n")),
                None => Stream::unknown(Taint::NONE),
            },
            name if DECLARERS.contains(&name) => {
                for argument in arguments {
                    if let Some((name, value)) = argument.text.split_once('=') {
                        let field = Field {
                            text: value.to_owned(),
                            taint: argument.taint,
                        };
                        self.environment(name, &field);
                        self.scope.set(name, Value::Scalar(field));
                    }
                }
                let shows = arguments.iter().all(Field::is_option);
                if shows {
                    Stream::unknown(Taint::SECRET)
                } else {
                    nothing
                }
            }
            "unset" => {
                for argument in arguments {
                    self.scope.unset(&argument.text);
                }
                nothing
            }
            "alias" => {
                for argument in arguments {
                    if let Some((_, value)) = argument.text.split_once('=') {
                        let value = value.to_owned();
                        self.apart(|this| this.script(&value, Stream::known("")));
                    }
                }
                nothing
            }
            "set" => {
                let operands = arguments.iter().position(|it| it.text == "--");
                if let Some(at) = operands {
                    let given = arguments.get(at + 1..).unwrap_or_default().to_vec();
                    self.scope.arguments = Some(given.into());
                }
                if arguments.is_empty() {
                    Stream::unknown(Taint::SECRET)
                } else {
                    nothing
                }
            }
            "shift" => {
                let given = self.scope.arguments.as_deref();
                let rest = given.map(|given| given.iter().skip(1).cloned().collect::<Vec<_>>());
                self.scope.arguments = rest.map(Into::into);
                nothing
            }
            "read" => {
                self.reads_line(arguments, input);
                nothing
            }
            "mapfile" | "readarray" => {
                let style = Style {
                    values: "dnOsuCc",
                    ..Style::default()
                };
                let options = Options::of(arguments, style);
                let name = options.operands.first().map_or("MAPFILE", |it| &it.text);
                let lines = input.text.as_deref().map(|text| text.lines().collect());
                self.set_list(name, lines, input.taint);
                nothing
            }
            "eval" => {
                let text: Vec<&str> = arguments.iter().map(|it| it.text.as_str()).collect();
                let text = Field {
                    text: text.join(" "),
                    taint: taint(arguments),
                };
                self.run_text(&text.plain(), text.taint, input);
                Stream::unknown(text.taint)
            }
            "trap" => {
                if let Some(action) = arguments.iter().find(|it| !it.is_option()) {
                    let action = action.plain();
                    self.apart(|this| this.script(&action, Stream::known("")));
                }
                nothing
            }
            "compgen" | "complete" => {
                let style = Style {
                    values: "AoFGWPSXC",
                    ..Style::default()
                };
                let options = Options::of(arguments, style);
                let texts: Vec<String> = options.values('C', "C").map(str::to_owned).collect();
                self.texts(&texts, Category::NestedShell);
                Stream::unknown(taint(arguments))
            }
            "source" | "." => {
                if let Some(file) = arguments.iter().find(|it| !it.is_option()) {
                    if file.text.chars().all(|character| character == UNKNOWN) {
                        self.ask(Category::Unresolvable);
                    }
                    let path = self.path(file);
                    if matches!(
                        path.as_str(),
                        "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"
                    ) {
                        self.shell_input(input);
                    } else {
                        self.source(&path, input);
                    }
                }
                Stream::unknown(Taint::NONE)
            }
            "command" | "builtin" | "exec" => self.directly(name, arguments, input),
            "type" | "which" | "hash" | "whereis" => {
                let found = arguments.iter().find(|it| !it.is_option());
                found.map_or(Stream::unknown(Taint::NONE), |it| Stream::known(it.plain()))
            }
            _ => return None,
        })
    }

    /// `read`: the words of a line go to variables, the last of which gets all that is left.
    fn reads_line(&mut self, arguments: &[Field], input: &Stream) {
        let style = Style {
            values: "adinNptu",
            ..Style::default()
        };
        let names = Options::of(arguments, style);
        let line = input.text.as_deref().and_then(|text| text.lines().next());
        if let Some(list) = names.values('a', "").next() {
            let words = line.map(|line| line.split_whitespace().collect());
            self.set_list(list, words, input.taint);
        }
        let mut words = line.map(|line| line.split_whitespace());
        for (index, field) in names.operands.iter().enumerate() {
            let last = index + 1 == names.operands.len();
            let text = match &mut words {
                Some(words) if last => words.by_ref().collect::<Vec<_>>().join(" "),
                Some(words) => words.next().unwrap_or("").to_owned(),
                None => UNKNOWN.to_string(),
            };
            let taint = input.taint;
            self.scope
                .set(&field.text, Value::Scalar(Field { text, taint }));
        }
    }

    /// Sets an array to texts that were read, or to something that cannot be told.
    fn set_list(&mut self, name: &str, texts: Option<Vec<&str>>, taint: Taint) {
        let value = match texts {
            Some(texts) => {
                let field = |text: &str| Field {
                    text: text.to_owned(),
                    taint,
                };
                Value::List(texts.into_iter().map(field).collect())
            }
            None => Value::Scalar(Field::unknown(taint)),
        };
        self.scope.set(name, value);
    }

    /// `command`, `builtin` and `exec`: the program behind them, or only its name.
    fn directly(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Stream {
        let values = if name == "exec" { "a" } else { "" };
        let style = Style {
            values,
            first_ends: true,
            ..Style::default()
        };
        let options = Options::of(arguments, style);
        let words: Vec<Field> = options.operands.iter().map(|it| (*it).clone()).collect();
        if name == "command" && options.letter("vV") {
            let text = words.first().map(Field::plain).unwrap_or_default();
            return Stream::known(text);
        }
        self.program(&words, input.clone())
    }

    /// Reads a file into this shell.
    fn source(&mut self, path: &str, input: &Stream) {
        let Some(file) = self.scope.file(path) else {
            return;
        };
        match file.text {
            Some(text) => self.run_text(&text, file.taint, input),
            None => self.run_text(&UNKNOWN.to_string(), file.taint, input),
        }
    }

    /// Runs a text that the line has made, in this shell.
    pub(super) fn run_text(&mut self, text: &str, taint: Taint, input: &Stream) {
        if taint.has(Taint::REMOTE) {
            self.ask(Category::RemoteCode);
        } else if taint.has(Taint::ENCODED) {
            self.ask(Category::EncodedCode);
        }
        self.script(text, input.clone());
    }

    /// A shell that reads what to do.
    pub(super) fn shell_input(&mut self, input: &Stream) {
        self.ask(match () {
            () if input.taint.has(Taint::REMOTE) => Category::RemoteCode,
            () if input.taint.has(Taint::ENCODED) => Category::EncodedCode,
            () => Category::NestedShell,
        });
        if let Some(text) = input.text.clone() {
            self.apart(|this| this.script(&text, Stream::known("")));
        }
    }

    fn printf(&mut self, arguments: &[Field]) -> Stream {
        let (variable, arguments) = match arguments {
            [option, name, rest @ ..] if option.text == "-v" => (Some(name.plain()), rest),
            [option, rest @ ..] if option.text == "--" => (None, rest),
            all => (None, all),
        };
        let escapes = arguments.first().is_some_and(|it| it.text.contains("%b"));
        let mut output = Stream::of(printf(arguments), taint(arguments));
        if escapes && arguments.iter().any(|it| !it.is_known()) {
            output = Stream::unknown(output.taint.with(Taint::ENCODED));
        }
        self.spend(output.text.as_ref().map_or(0, String::len));
        match variable {
            Some(name) => {
                let text = output.text.unwrap_or_else(|| UNKNOWN.to_string());
                let field = Field {
                    text,
                    taint: output.taint,
                };
                self.scope.set(&name, Value::Scalar(field));
                Stream::known("")
            }
            None => output,
        }
    }
}

/// What words of a line are made of, taken together.
pub(super) fn taint(fields: &[Field]) -> Taint {
    fields
        .iter()
        .fold(Taint::NONE, |taint, field| taint.with(field.taint))
}

/// Whether a name has Latin letters beside Greek or Cyrillic ones, many of which look the same.
fn is_of_two_scripts(name: &str) -> bool {
    let latin = name.contains(|c: char| c.is_ascii_alphabetic());
    latin && name.contains(|c: char| matches!(c, '\u{370}'..='\u{3FF}' | '\u{400}'..='\u{52F}'))
}

/// Whether a program is named by a path below the folder in which the line runs, or in the home folder, and
/// lies in none of the folders of the system's programs. Such a file may be anything, whatever its name.
fn is_own_file(text: &str, path: &str, home: &str) -> bool {
    let climbs = text.split('/').any(|part| part == "..");
    let at_home = places::below(path, home).is_some();
    let relative = at_home || !text.starts_with('/') && !climbs;
    let of_system = ["/bin/", "/sbin/", "/usr/", "/lib/", "/System/"];
    relative && !of_system.iter().any(|folder| path.starts_with(folder))
}

/// The name of a program without its folder, its version and the ending of Windows, in small letters:
/// file systems that do not tell letters apart find it so too.
pub(super) fn program_name(text: &str) -> String {
    let name = text
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(text)
        .to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    if name.starts_with("mkfs.") {
        return name.to_owned();
    }
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    if VERSIONED.contains(&base) {
        base.to_owned()
    } else {
        name.to_owned()
    }
}

fn echo(arguments: &[Field]) -> String {
    let mut escapes = false;
    let mut line_end = true;
    let mut words = arguments;
    while let Some((first, rest)) = words.split_first() {
        let letters = first.text.strip_prefix('-').unwrap_or("");
        if letters.is_empty() || !letters.chars().all(|c| "neE".contains(c)) {
            break;
        }
        escapes |= letters.contains('e');
        line_end &= !letters.contains('n');
        words = rest;
    }
    let words: Vec<String> = words.iter().map(Field::plain).collect();
    let mut text = words.join(" ");
    if escapes {
        text = unescape(&text);
    }
    if line_end {
        text.push('\n');
    }
    text
}

/// What `printf` prints, where it can be told.
fn printf(arguments: &[Field]) -> Option<String> {
    let (format, values) = arguments.split_first()?;
    let format = format.plain();
    let mut values = values.iter();
    let mut output = String::new();
    loop {
        let before = values.len();
        let mut rest = format.chars();
        let mut literal = String::new();
        while let Some(character) = rest.next() {
            if character != '%' {
                literal.push(character);
                continue;
            }
            output.push_str(&unescape(&std::mem::take(&mut literal)));
            let spec = rest.as_str();
            let letter = spec.find(|c: char| c.is_ascii_alphabetic() || c == '%')?;
            let kind = spec[letter..].chars().next()?;
            rest = spec[letter + 1..].chars();
            match kind {
                '%' => output.push('%'),
                'b' => output.push_str(&unescape(
                    &values.next().map(Field::plain).unwrap_or_default(),
                )),
                'c' => output.extend(
                    values
                        .next()
                        .map(Field::plain)
                        .unwrap_or_default()
                        .chars()
                        .take(1),
                ),
                _ => output.push_str(&values.next().map(Field::plain).unwrap_or_default()),
            }
        }
        output.push_str(&unescape(&literal));
        if values.len() == 0 || values.len() == before || output.len() > 100_000 {
            return Some(output);
        }
    }
}

/// The escapes of `echo -e` and `printf`.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (decoded, length) = ansi_escape(&rest[at + 1..]);
        let known = rest[at + 1..].starts_with(|c: char| "abefnrtvxuU01234567\\\"'".contains(c));
        if !known {
            bytes.push(b'\\');
        }
        bytes.extend(decoded);
        rest = &rest[at + 1 + length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Programs that carry their version in their name.
const VERSIONED: [&str; 13] = [
    "python", "pypy", "perl", "ruby", "php", "node", "lua", "luajit", "pip", "tclsh", "bash",
    "ipython", "gawk",
];
