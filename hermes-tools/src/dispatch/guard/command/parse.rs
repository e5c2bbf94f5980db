//! Reads a line as the shell does. Every byte is passed once, and depth is bounded.

use std::rc::Rc;

use super::here::Pending;
use super::syntax::{Command, Item, Kind, List, Word};

/// How deep commands may stand inside commands.
const MAX_DEPTH: usize = 40;

/// What came of a line.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) list: List,
    /// Something does not read as the shell's language, such as a quote that is never closed.
    pub(super) trouble: bool,
    /// Commands stand so deep inside others that the rest was skipped.
    pub(super) too_deep: bool,
}

/// Reads a line.
pub(super) fn parse(text: &str) -> Parsed {
    let mut parser = Parser::new(text, 0);
    let mut list = parser.list();
    while parser.position < text.len() {
        // What closes something that was not opened.
        parser.trouble = true;
        parser.advance();
        list.extend(parser.list());
    }
    parser.take_bodies();
    parser.fill(&mut list);
    Parsed {
        list,
        trouble: parser.trouble,
        too_deep: parser.too_deep,
    }
}

/// Reads a text in which only substitutions mean something.
pub(super) fn text_of(text: &str) -> Word {
    Parser::new(text, 0).here_text()
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) position: usize,
    pub(super) trouble: bool,
    pub(super) too_deep: bool,
    pub(super) depth: usize,
    pub(super) pending: Vec<Pending>,
    pub(super) bodies: Vec<Option<Word>>,
}

/// Words that end a list when they stand where a command begins.
const CLOSERS: [&str; 9] = [
    "then", "do", "else", "elif", "fi", "done", "esac", "}", "in",
];

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, depth: usize) -> Self {
        Self {
            text,
            position: 0,
            trouble: false,
            too_deep: false,
            depth,
            pending: Vec::new(),
            bodies: Vec::new(),
        }
    }

    /// Goes one level deeper, unless that is too deep: the rest is then skipped.
    pub(super) fn deeper<R: Default>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            self.position = self.text.len();
            return R::default();
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + offset).copied()
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    pub(super) fn advance(&mut self) {
        let character = self.rest().chars().next();
        self.position += character.map_or(0, char::len_utf8);
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.position += text.len();
        }
        found
    }

    /// Skips blanks, joined lines and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.position += 2,
                Some(b'#') => {
                    let line = self.rest().find('\n');
                    self.position = line.map_or(self.text.len(), |end| self.position + end);
                }
                _ => return,
            }
        }
    }

    fn newline(&mut self) {
        self.position += 1;
        self.take_bodies();
    }

    /// Commands until something closes them.
    pub(super) fn list(&mut self) -> List {
        let mut list = List::new();
        loop {
            self.separators();
            if self.rest().is_empty() || self.rest().starts_with(')') || self.is_closer() {
                return list;
            }
            let before = self.position;
            if let Some(item) = self.item() {
                list.push(item);
            }
            if self.position == before {
                return list;
            }
        }
    }

    fn separators(&mut self) {
        loop {
            self.blanks();
            match self.peek() {
                Some(b'\n') => self.newline(),
                // The end of a branch is the caller's.
                Some(b';') if !self.rest().starts_with(";;") && !self.rest().starts_with(";&") => {
                    self.position += 1;
                }
                Some(b'&') => self.position += 1,
                Some(b'|') if self.rest().starts_with("||") => self.position += 2,
                _ => return,
            }
        }
    }

    fn is_closer(&self) -> bool {
        let word = self.keyword();
        CLOSERS.contains(&word) && word != "in"
            || self.rest().starts_with(";;")
            || self.rest().starts_with(";&")
    }

    /// The bare word that stands here, when it is one and ends here.
    fn keyword(&self) -> &'t str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_{}![]".contains(c)))
            .unwrap_or(rest.len());
        let ends = rest
            .as_bytes()
            .get(end)
            .is_none_or(|byte| b" \t\n;&|()<>".contains(byte));
        if ends { &rest[..end] } else { "" }
    }

    fn item(&mut self) -> Option<Item> {
        let mut commands = Vec::new();
        loop {
            commands.extend(self.deeper(Self::command));
            self.blanks();
            if self.rest().starts_with("||") || !self.take("|") {
                break;
            }
            self.take("&");
            self.blanks();
            while self.peek() == Some(b'\n') {
                self.newline();
                self.blanks();
            }
        }
        let background = self.peek() == Some(b'&') && self.peek_at(1) != Some(b'&');
        (!commands.is_empty()).then_some(Item {
            commands,
            background,
        })
    }

    fn command(&mut self) -> Option<Command> {
        self.blanks();
        while let word @ ("!" | "coproc" | "time") = self.keyword() {
            self.position += word.len();
            self.blanks();
            while self.take("-p ") {
                self.blanks();
            }
        }
        if self.is_arithmetic() {
            self.position += 2;
            let inside = self.arithmetic();
            return Some(self.redirected(Kind::Test(vec![inside])));
        }
        if self.take("(") {
            let list = self.list();
            self.expect(")");
            return Some(self.redirected(Kind::Subshell(list)));
        }
        match self.keyword() {
            "{" => {
                self.position += 1;
                let list = self.list();
                self.expect("}");
                Some(self.redirected(Kind::Group(list)))
            }
            "if" | "while" | "until" => {
                let list = self.branches();
                Some(self.redirected(Kind::Group(list)))
            }
            "for" | "select" => Some(self.each()),
            "case" => Some(self.case()),
            "function" => {
                self.position += "function".len();
                self.blanks();
                let name = self.name();
                self.blanks();
                if self.take("(") {
                    self.blanks();
                    self.expect(")");
                }
                self.function(name)
            }
            "[[" => {
                self.position += 2;
                Some(self.test())
            }
            word if CLOSERS.contains(&word) && word != "in" => {
                self.trouble = true;
                None
            }
            _ => self.simple(),
        }
    }

    /// Whether `((` stands here and `))` closes it; otherwise it is a subshell in a subshell.
    pub(super) fn is_arithmetic(&self) -> bool {
        const FARTHEST: usize = 2_000;
        let bytes = self.text.as_bytes();
        let Some(inside) = bytes
            .get(self.position..)
            .and_then(|it| it.strip_prefix(b"(("))
        else {
            return false;
        };
        let mut depth = 0_usize;
        for (index, byte) in inside.iter().enumerate().take(FARTHEST) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 0 => return inside.get(index + 1) == Some(&b')'),
                b')' => depth -= 1,
                _ => {}
            }
        }
        false
    }

    fn expect(&mut self, text: &str) {
        self.separators();
        if !self.take(text) {
            self.trouble = true;
        }
    }

    /// Everything between `if`, `while` or `until` and its end.
    fn branches(&mut self) -> List {
        self.position += self.keyword().len();
        let mut list = self.list();
        loop {
            let word = self.keyword();
            match word {
                "then" | "do" | "else" | "elif" => {
                    self.position += word.len();
                    list.extend(self.list());
                }
                "fi" | "done" => {
                    self.position += word.len();
                    return list;
                }
                _ => {
                    self.trouble = true;
                    return list;
                }
            }
        }
    }

    fn each(&mut self) -> Command {
        self.position += self.keyword().len();
        self.blanks();
        if self.is_arithmetic() {
            self.position += 2;
            let inside = self.arithmetic();
            let mut list = vec![alone(Kind::Test(vec![inside]))];
            self.separators();
            list.extend(self.body());
            return self.redirected(Kind::Group(list));
        }
        let name = self.name();
        self.line_breaks();
        let mut words = None;
        if self.keyword() == "in" {
            self.position += 2;
            let mut given = Vec::new();
            loop {
                self.blanks();
                match self.word() {
                    Some(word) => given.push(word),
                    None => break,
                }
            }
            words = Some(given);
        }
        self.separators();
        let body = self.body();
        self.redirected(Kind::For { name, words, body })
    }

    fn body(&mut self) -> List {
        let (open, close) = match self.keyword() {
            "do" => ("do", "done"),
            _ => ("{", "}"),
        };
        if !self.take(open) {
            self.trouble = true;
            return List::new();
        }
        let list = self.list();
        self.expect(close);
        list
    }

    pub(super) fn line_breaks(&mut self) {
        self.blanks();
        while self.peek() == Some(b'\n') {
            self.newline();
            self.blanks();
        }
    }

    fn case(&mut self) -> Command {
        self.position += "case".len();
        self.blanks();
        let subject = self.word().unwrap_or_default();
        let mut list = vec![alone(Kind::Test(vec![subject]))];
        self.line_breaks();
        self.expect("in");
        loop {
            self.line_breaks();
            if self.keyword() == "esac" {
                self.position += "esac".len();
                break;
            }
            self.take("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                let Some(pattern) = self.word() else { break };
                patterns.push(pattern);
                self.blanks();
                if !self.take("|") {
                    break;
                }
            }
            if !self.take(")") {
                self.trouble = true;
                break;
            }
            list.push(alone(Kind::Test(patterns)));
            list.extend(self.list());
            let ended = self.take(";;&") || self.take(";;") || self.take(";&");
            if !ended && self.keyword() != "esac" {
                self.trouble = true;
                break;
            }
        }
        self.redirected(Kind::Group(list))
    }

    fn test(&mut self) -> Command {
        let mut words = Vec::new();
        loop {
            self.line_breaks();
            if self.take("]]") {
                break;
            }
            if let Some(word) = self.word() {
                words.push(word);
            } else if self.rest().is_empty() {
                self.trouble = true;
                break;
            } else {
                // An operator such as `&&`, `(` or `<`.
                self.advance();
            }
        }
        self.redirected(Kind::Test(words))
    }

    fn name(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| " \t\n;&|()<>".contains(c))
            .unwrap_or(rest.len());
        self.position += end;
        rest[..end].to_owned()
    }

    pub(super) fn function(&mut self, name: String) -> Option<Command> {
        self.line_breaks();
        let body = Rc::new(self.deeper(Self::command)?);
        Some(Command {
            kind: Kind::Function { name, body },
            redirects: Vec::new(),
        })
    }

    fn redirected(&mut self, kind: Kind) -> Command {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => return Command { kind, redirects },
            }
        }
    }
}

fn alone(kind: Kind) -> Item {
    Item {
        commands: vec![Command {
            kind,
            redirects: Vec::new(),
        }],
        background: false,
    }
}
