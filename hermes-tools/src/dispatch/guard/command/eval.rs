//! Goes through a line as the shell would, with what can be told of its words.

use std::rc::Rc;

use super::Setting;
use super::category::Category;
use super::field::{Field, Stream, Taint, UNKNOWN};
use super::parse::{parse, text_of};
use super::scope::{Scope, Value};
use super::syntax::{Assign, Assigned, Command, Item, Kind, List, Redirect, RedirectKind, Word};

/// How far a line leads into texts that it runs, and functions into functions.
const MAX_DEPTH: usize = 24;

/// How strict a judgement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    Ask,
    Block,
}

/// A line on its way.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about where a command runs"
)]
pub(super) struct Eval<'s> {
    pub(super) setting: &'s Setting,
    pub(super) scope: Scope,
    worst: Option<(Severity, Category)>,
    budget: usize,
    depth: usize,
    /// Functions that are being run, each with whether copies of it run side by side.
    calls: Vec<(String, bool)>,
    side_by_side: bool,
    /// Where it runs.
    pub(super) at: Where,
    /// Behind `sudo` or its like.
    pub(super) raised: bool,
    /// Nobody waits for it.
    pub(super) detached: bool,
    /// The program is a script of the system's start.
    pub(super) start_script: bool,
    /// The program is a file that was named by a path of a project, such as `./x`.
    pub(super) own_file: bool,
}

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// On this machine.
    Here,
    /// On another one: it is lost there as it is here, but whoever looks after it may restart it.
    Machine,
    /// In a container: nothing there is beyond consent.
    Container,
}

impl<'s> Eval<'s> {
    pub(super) fn new(setting: &'s Setting, length: usize) -> Self {
        Self {
            setting,
            scope: Scope::new(&setting.home, setting.folder.clone()),
            worst: None,
            budget: 200_000 + 60 * length,
            depth: 0,
            calls: Vec::new(),
            side_by_side: false,
            at: Where::Here,
            raised: false,
            detached: false,
            start_script: false,
            own_file: false,
        }
    }

    /// The strictest that was found, the first of its kind.
    pub(super) fn worst(&self) -> Option<(Severity, Category)> {
        self.worst
    }

    pub(super) fn ask(&mut self, category: Category) {
        self.note(Severity::Ask, category);
    }

    pub(super) fn block(&mut self, category: Category) {
        let consent = match self.at {
            Where::Here => false,
            Where::Machine => !category.is_lasting(),
            Where::Container => true,
        };
        let severity = if consent {
            Severity::Ask
        } else {
            Severity::Block
        };
        self.note(severity, category);
    }

    /// What is not looked through whole is never run, wherever it would: the rest may be anything.
    pub(super) fn give_up(&mut self) {
        self.note(Severity::Block, Category::TooInvolved);
    }

    /// What the operator has forbidden is never run, wherever it would.
    pub(super) fn forbid(&mut self) {
        self.note(Severity::Block, Category::Denied);
    }

    fn note(&mut self, severity: Severity, category: Category) {
        // What is sent away is shown on the way.
        let sent = category == Category::Exfiltration
            && self.worst == Some((severity, Category::CredentialRead));
        if sent || self.worst.is_none_or(|(worst, _)| severity > worst) {
            self.worst = Some((severity, category));
        }
    }

    /// What is found on the way, without noting it.
    pub(super) fn aside(&mut self, run: impl FnOnce(&mut Self)) -> Option<(Severity, Category)> {
        let before = self.worst.take();
        run(self);
        std::mem::replace(&mut self.worst, before)
    }

    /// Pays for work, so that no line takes more than its length allows.
    pub(super) fn spend(&mut self, work: usize) {
        self.budget = self.budget.saturating_sub(work);
        if self.budget == 0 {
            self.give_up();
        }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.budget == 0
    }

    /// Runs a text as a script.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a stream is made for whoever reads it"
    )]
    pub(super) fn script(&mut self, text: &str, input: Stream) -> Stream {
        self.spend(2 * text.len());
        if self.depth >= MAX_DEPTH || self.is_spent() {
            self.give_up();
            return Stream::unknown(Taint::NONE);
        }
        let parsed = parse(text);
        if parsed.trouble {
            self.ask(Category::Unreadable);
        }
        self.depth += 1;
        let output = self.list(&parsed.list, &input);
        self.depth -= 1;
        if parsed.too_deep {
            self.give_up();
        }
        output
    }

    /// Runs a text as a script that cannot change the variables here.
    pub(super) fn apart<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        self.spend(self.scope.weight());
        let mut scope = self.scope.clone();
        let result = run(self);
        // Files are there for everybody, also those that a subshell made.
        scope.take_files(&self.scope);
        self.scope = scope;
        result
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "a stream is made for whoever reads it"
    )]
    pub(super) fn subshell(&mut self, list: &List, input: Stream) -> Stream {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return Stream::unknown(Taint::NONE);
        }
        self.depth += 1;
        let output = self.apart(|this| this.list(list, &input));
        self.depth -= 1;
        output
    }

    pub(super) fn list(&mut self, list: &List, input: &Stream) -> Stream {
        let mut output = Stream::known("");
        for item in list {
            output = output.then(self.item(item, input.clone()));
        }
        output
    }

    fn item(&mut self, item: &Item, input: Stream) -> Stream {
        let before = (self.side_by_side, self.detached);
        self.side_by_side |= item.background || item.commands.len() > 1;
        self.detached |= item.background;
        let output = match &*item.commands {
            [command] if !item.background => self.command(command, input),
            commands => {
                let mut stream = input;
                for command in commands {
                    stream = self.apart(|this| this.command(command, stream));
                }
                stream
            }
        };
        (self.side_by_side, self.detached) = before;
        output
    }

    fn command(&mut self, command: &Command, mut input: Stream) -> Stream {
        self.spend(60);
        if self.is_spent() {
            return Stream::unknown(Taint::NONE);
        }
        let mut output_to = None;
        for redirect in &command.redirects {
            let target = self.whole(&redirect.target);
            match redirect.kind {
                RedirectKind::Here => {
                    let mut text = target.text;
                    text.push('\n');
                    input = Stream::of(Some(text), target.taint);
                }
                RedirectKind::Input => {
                    if self.is_secret(&self.path(&target)) {
                        self.ask(Category::CredentialRead);
                    }
                    input = self.read(&target);
                }
                RedirectKind::Output => {
                    self.written_to(&target);
                    output_to = Some(target);
                }
                RedirectKind::OtherOutput => self.written_to(&target),
                RedirectKind::Copy => {}
            }
        }
        let output = match &command.kind {
            // `$(< file)` is what stands in the file.
            Kind::Simple { assigns, words }
                if assigns.is_empty() && words.is_empty() && reads(&command.redirects) =>
            {
                input
            }
            Kind::Simple { assigns, words } => self.simple(assigns, words, input),
            Kind::Group(list) => self.list(list, &input),
            Kind::Subshell(list) => self.subshell(list, input),
            Kind::For { name, words, body } => self.each(name, words.as_deref(), body, &input),
            Kind::Function { name, body } => {
                self.define(name, body);
                Stream::known("")
            }
            Kind::Test(words) => {
                let texts: Vec<String> = words.iter().map(|it| self.whole(it).plain()).collect();
                let calculates = texts.iter().any(|it| CALCULATE.contains(&it.as_str()));
                for text in texts.iter().filter(|_| calculates) {
                    self.calculated(text);
                }
                Stream::known("")
            }
        };
        match output_to {
            Some(target) => {
                let path = self.path(&target);
                self.scope.write(&path, output);
                Stream::known("")
            }
            None => output,
        }
    }

    /// A text that the shell takes for the name of a variable, or calculates: the key of an array in it is
    /// gone through once more, quoted or not.
    pub(super) fn calculated(&mut self, text: &str) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let key = text
            .split_once('[')
            .filter(|(name, _)| name.ends_with(is_name))
            .map_or("", |(_, key)| key);
        if key.contains(['$', '`']) {
            self.spend(2 * text.len());
            let word = text_of(key);
            self.whole(&word);
        }
    }

    /// What is read from a file.
    pub(super) fn read(&mut self, target: &Field) -> Stream {
        let path = self.path(target);
        if let Some(stream) = self.scope.file(&path) {
            return stream;
        }
        if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
            self.ask(Category::ReverseShell);
            return Stream::unknown(Taint::REMOTE);
        }
        if path == "/dev/null" {
            return Stream::known("");
        }
        let taint = if self.is_secret(&path) {
            Taint::SECRET
        } else {
            Taint::NONE
        };
        Stream::unknown(taint.with(target.taint))
    }

    fn each(&mut self, name: &str, words: Option<&[Word]>, body: &List, input: &Stream) -> Stream {
        const MOST: usize = 16;
        let fields = match words {
            Some(words) => self.fields(words),
            None => match self.scope.get("@") {
                Some(value) => value.fields().to_vec(),
                None => vec![Field::unknown(Taint::NONE)],
            },
        };
        let mut output = Stream::known("");
        for field in fields.iter().take(MOST) {
            self.scope.set(name, Value::Scalar(field.clone()));
            output = output.then(self.list(body, input));
        }
        if fields.len() > MOST {
            self.scope
                .set(name, Value::Scalar(Field::unknown(Taint::NONE)));
            self.list(body, input);
            output = Stream::unknown(output.taint);
        }
        output
    }

    /// Looks at a function where it is defined, with arguments that cannot be told.
    fn define(&mut self, name: &str, body: &Rc<Command>) {
        self.scope.define(name, Rc::clone(body));
        self.apart(|this| {
            this.scope.arguments = None;
            this.enter(name, body, Stream::known(""));
        });
    }

    /// Runs a function.
    pub(super) fn call(
        &mut self,
        name: &str,
        body: &Rc<Command>,
        arguments: &[Field],
        input: Stream,
    ) -> Stream {
        let before = self.scope.arguments.replace(Rc::new(arguments.to_vec()));
        let output = self.enter(name, body, input);
        self.scope.arguments = before;
        output
    }

    fn enter(&mut self, name: &str, body: &Rc<Command>, input: Stream) -> Stream {
        let running = self.calls.iter().any(|(other, _)| other == name);
        if running {
            // It calls itself; where copies run side by side there is no end of them.
            if self.side_by_side {
                self.block(Category::ForkBomb);
            }
            return Stream::unknown(Taint::NONE);
        }
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return Stream::unknown(Taint::NONE);
        }
        let before = std::mem::take(&mut self.side_by_side);
        self.calls.push((name.to_owned(), before));
        self.depth += 1;
        let output = self.command(body, input);
        self.depth -= 1;
        self.calls.pop();
        self.side_by_side = before;
        output
    }

    fn simple(&mut self, assigns: &[Assign], words: &[Word], input: Stream) -> Stream {
        let fields = self.fields(words);
        let declares = fields
            .first()
            .is_some_and(|it| DECLARERS.contains(&&*it.text));
        let stays = fields.is_empty() || declares;
        let mut before = Vec::new();
        for assign in assigns {
            if !stays {
                before.push((assign.name.clone(), self.scope.get(&assign.name)));
            }
            self.assign(assign);
            if !fields.is_empty() {
                let value = self.scope.get(&assign.name).map(|value| value.first());
                self.environment(&assign.name, &value.unwrap_or_default());
            }
        }
        if fields.is_empty() {
            return Stream::known("");
        }
        let output = self.program(&fields, input);
        for (name, value) in before {
            match value {
                Some(value) => self.scope.set(&name, value),
                None => self.scope.unset(&name),
            }
        }
        output
    }

    fn assign(&mut self, assign: &Assign) {
        self.whole(&assign.key);
        let value = match &assign.value {
            Assigned::Scalar(word) => {
                let mut field = self.whole(word);
                if assign.append {
                    let before = self.scope.get(&assign.name).map(|value| value.first());
                    field.text = before.unwrap_or_default().text + &field.text;
                }
                if field.text.len() > 10_000 {
                    field = Field::unknown(field.taint);
                }
                Value::Scalar(field)
            }
            Assigned::Array(words) => {
                let mut fields = match self.scope.get(&assign.name) {
                    Some(value) if assign.append => value.fields().to_vec(),
                    _ => Vec::new(),
                };
                fields.extend(self.fields(words));
                fields.truncate(1_000);
                Value::List(fields)
            }
        };
        self.spend(self.scope.weight());
        self.scope.set(&assign.name, value);
    }

    /// The path of a word: absolute and without `.` and `..` where that can be told, or relative to
    /// the folder in which the line starts.
    pub(super) fn path(&self, field: &Field) -> String {
        normal(&field.text, self.scope.folder.as_deref())
    }

    /// Goes to a folder; where that is not known, nothing is known of relative paths.
    pub(super) fn change_folder(&mut self, to: &Field) {
        self.scope.folder = match to.known() {
            Some(path) if path != "-" && (path.starts_with('/') || self.scope.folder.is_some()) => {
                Some(normal(&path, self.scope.folder.as_deref()))
            }
            _ => None,
        };
    }
}

/// Built-in programs whose arguments are assignments.
pub(super) const DECLARERS: [&str; 5] = ["export", "declare", "local", "readonly", "typeset"];

/// A path without `.`, `..` and doubled slashes.
pub(super) fn normal(text: &str, folder: Option<&str>) -> String {
    let joined = match folder {
        Some(folder) if !text.starts_with('/') => format!("{folder}/{text}"),
        _ => text.to_owned(),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                // Above what cannot be told is nothing that can be.
                let above = parts
                    .last()
                    .is_some_and(|last| *last != ".." && !last.contains(UNKNOWN));
                if above {
                    parts.pop();
                } else if !joined.starts_with('/') || !parts.is_empty() {
                    parts.push("..");
                }
            }
            part => parts.push(part),
        }
    }
    let start = if joined.starts_with('/') { "/" } else { "" };
    let path = start.to_owned() + &parts.join("/");
    if path.is_empty() {
        ".".to_owned()
    } else {
        path
    }
}

/// Whether something is read from a file.
fn reads(redirects: &[Redirect]) -> bool {
    let mut kinds = redirects.iter().map(|redirect| redirect.kind);
    kinds.any(|kind| kind == RedirectKind::Input)
}

/// What of `[[ ... ]]` makes it calculate, or look a name up.
const CALCULATE: [&str; 8] = ["-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
