//! A look at a file without parsing it. Most files have nothing to do with tools: of those only the
//! modules that they declare matter.

use memchr::memmem::{self, Finder};

use super::Position;
use super::facts::{Facts, Submodule};
use super::reader::read_module;

/// Words of which a file has one if it has to be parsed: every declaration has `tool` in it, as the
/// path of a macro or as the key `toolset`, but for these macros where a prelude brings them. What cannot
/// compile excludes conditions.
const WORDS: [&str; 4] = ["pack!", "link!", "include!", "compile_error!"];

/// Methods that give something to a session; they count with an argument.
const GIVING: [&str; 3] = ["state", "workspace", "environment"];

/// What a file has to contain to be parsed.
#[derive(Debug)]
pub(super) struct Words {
    tool: Finder<'static>,
    others: Vec<Finder<'static>>,
    /// Whether what is given to sessions matters.
    giving: Vec<Finder<'static>>,
}

impl Words {
    /// `crates`: names of crates whose mention matters. `hosts`: whether any code makes sessions.
    pub(super) fn new<'a>(crates: impl IntoIterator<Item = &'a str>, hosts: bool) -> Self {
        let finder = |word: &str| Finder::new(word).into_owned();
        let sessions = hosts.then_some("SessionBuilder");
        let others = WORDS.into_iter().chain(crates).chain(sessions);
        let giving = GIVING.into_iter().filter(|_| hosts);
        Self {
            tool: finder("tool"),
            others: others.map(finder).collect(),
            giving: giving.map(finder).collect(),
        }
    }

    fn in_text(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let about_tools = |at: usize| is_about_tools(word_around(bytes, at)) && in_code(bytes, at);
        let named = |word: &Finder<'_>| word.find_iter(bytes).any(|at| in_code(bytes, at));
        // `.state(value)` and `.state::<T>(value)`, and not `.state()`.
        let called = |word: &Finder<'_>| {
            word.find_iter(bytes).any(|at| {
                let rest = &bytes[at + word.needle().len()..];
                rest.starts_with(b"::<") || rest.starts_with(b"(") && !rest.starts_with(b"()")
            })
        };
        self.tool.find_iter(bytes).any(about_tools)
            || self.others.iter().any(named)
            || self.giving.iter().any(called)
            // What a comment allows is looked at wherever it stands.
            || memmem::find(bytes, crate::allow::MARK.as_bytes()).is_some()
    }
}

/// The whole word that a part of it stands in.
fn word_around(bytes: &[u8], at: usize) -> &[u8] {
    let before = bytes[..at]
        .iter()
        .rev()
        .take_while(|byte| is_word(**byte))
        .count();
    let behind = bytes[at..]
        .iter()
        .take_while(|byte| is_word(**byte))
        .count();
    &bytes[at - before..at + behind]
}

/// `tool`, `toolsets`, `hermes_tools`, and not `toolchain`.
fn is_about_tools(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'_');
    parts.any(|part| matches!(part, b"tool" | b"tools" | b"toolset" | b"toolsets"))
}

/// Whether a place is no part of a line that is a comment. A line with a quotation mark may be the end
/// of a string, and one with `*/` the end of a comment.
fn in_code(bytes: &[u8], at: usize) -> bool {
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
    let lead = bytes[start..at].trim_ascii_start();
    if !lead.starts_with(b"//") {
        return true;
    }
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline);
    let line = &bytes[start..end];
    memchr::memchr(b'"', line).is_some() || memmem::find(line, b"*/").is_some()
}

/// The facts of a file that need no parser; nothing if it has to be parsed.
pub(super) fn outline(text: &str, file: &str, words: &Words) -> Option<Facts> {
    if words.in_text(text) {
        return None;
    }
    if !declares_modules(text) {
        return Some(Facts::default());
    }
    // A condition of the whole file is one of its modules.
    let mut inner = memmem::find_iter(text.as_bytes(), b"#![cfg");
    if inner.any(|at| !text[at + 6..].starts_with(is_word_letter)) {
        return None;
    }
    let submodules = Lexer::new(text).modules(file)?;
    Some(Facts {
        submodules,
        ..Facts::default()
    })
}

/// Where the comments of a text that end with their line begin. Documentation is none.
pub(crate) fn line_comments(text: &str) -> Vec<usize> {
    let mut lexer = Lexer::new(text);
    let mut found = Vec::new();
    while let Some(&byte) = lexer.bytes.get(lexer.at) {
        let start = lexer.at;
        if lexer.skip_comment() {
            let comment = &lexer.bytes[start..];
            if comment.starts_with(b"//") && !matches!(comment.get(2), Some(b'/' | b'!')) {
                found.push(start);
            }
            continue;
        }
        lexer.skip_token(byte);
    }
    found
}

/// Whether something that looks like `mod name;` is anywhere in the text.
fn declares_modules(text: &str) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, "mod").any(|at| module_name(bytes, at).is_some())
}

/// Where the name in `mod name;` begins, if that stands at `at`.
fn module_name(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 3..)?;
    let space = rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let name = &rest[space..];
    let raw = if name.starts_with(b"r#") { 2 } else { 0 };
    let length = name[raw..]
        .iter()
        .take_while(|byte| is_word(**byte))
        .count();
    let end = name[raw + length..]
        .iter()
        .find(|byte| !byte.is_ascii_whitespace());
    (space > 0 && length > 0 && end == Some(&b';')).then_some(at + 3 + space)
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Goes over the tokens of a file as far as needed to find the items outside of all brackets.
pub(super) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
        }
    }

    /// The modules that have their own files; nothing where one stands inside something else.
    fn modules(mut self, file: &str) -> Option<Vec<Submodule>> {
        let mut found = Vec::new();
        let mut depth = 0_usize;
        let mut item = None;
        // An attribute of the whole file belongs to no item.
        let mut inner = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() || self.skip_comment() {
                self.at += usize::from(byte.is_ascii_whitespace());
                continue;
            }
            let start = self.at;
            let item_start = *item.get_or_insert(start);
            match byte {
                b'"' => self.skip_string(),
                b'\'' => self.skip_quote(),
                b'(' | b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                    if depth == 0 && (byte == b'}' || inner) {
                        item = None;
                        inner = false;
                    }
                }
                b';' => {
                    self.at += 1;
                    if depth == 0 {
                        item = None;
                    }
                }
                _ if is_word(byte) => {
                    self.skip_word();
                    if &self.bytes[start..self.at] == b"mod"
                        && let Some(name) = module_name(self.bytes, start)
                    {
                        if depth > 0 {
                            return None;
                        }
                        let end = name + memchr::memchr(b';', &self.bytes[name..])? + 1;
                        let position = self.position(name, file);
                        found.push(read_module(self.text.get(item_start..end)?, position)?);
                        self.at = end;
                        item = None;
                    }
                }
                _ => {
                    inner |= depth == 0 && self.bytes[start..].starts_with(b"#![");
                    self.at += 1;
                }
            }
        }
        (depth == 0).then_some(found)
    }

    fn position(&self, at: usize, file: &str) -> Position {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            file: file.to_owned(),
            line: memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// The byte that comes next.
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes over one byte.
    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Goes over the token that begins with this byte and is no bracket.
    pub(super) fn skip_token(&mut self, byte: u8) {
        match byte {
            b'"' => self.skip_string(),
            b'\'' => self.skip_quote(),
            _ if is_word(byte) => self.skip_word(),
            _ => self.at += 1,
        }
    }

    /// Whether what comes next begins an item or a statement, where it follows a block.
    pub(super) fn begins_item(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        match &rest[..length] {
            b"" => rest.starts_with(b"#"),
            word => !matches!(word, b"else" | b"as"),
        }
    }

    pub(super) fn skip_comment(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"//") {
            self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            return true;
        }
        if !rest.starts_with(b"/*") {
            return false;
        }
        let mut depth = 0_usize;
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                self.at += 1;
            }
        }
        true
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(offset) =
            memchr::memchr2(b'"', b'\\', &self.bytes[self.at.min(self.bytes.len())..])
        {
            self.at += offset;
            if self.bytes[self.at] == b'"' {
                self.at += 1;
                return;
            }
            self.at += 2;
        }
        self.at = self.bytes.len();
    }

    /// A character, or the mark of a lifetime.
    fn skip_quote(&mut self) {
        self.at += 1;
        let rest = &self.text.as_bytes()[self.at..];
        if rest.first() == Some(&b'\\') {
            // The escaped character may be a quote itself.
            let end = rest.get(2..).and_then(|rest| memchr::memchr(b'\'', rest));
            self.at = end.map_or(self.bytes.len(), |end| self.at + end + 3);
            return;
        }
        let letter = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        let length = letter.map_or(0, char::len_utf8);
        if rest.get(length) == Some(&b'\'') {
            self.at += length + 1;
        }
    }

    /// A word, or the raw string that it begins.
    fn skip_word(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| is_word(*byte)) {
            self.at += 1;
        }
        if !matches!(&self.bytes[start..self.at], b"r" | b"br" | b"cr") {
            return;
        }
        let rest = &self.bytes[self.at..];
        let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
        if rest.get(hashes) != Some(&b'"') {
            return;
        }
        let close = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
        let body = &rest[hashes + 1..];
        let end = memmem::find(body, &close);
        self.at = end.map_or(self.bytes.len(), |end| {
            self.at + hashes + 1 + end + close.len()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(text: &str) -> Option<Vec<String>> {
        let facts = outline(text, "lib.rs", &Words::new(["weather"], true))?;
        let name = |module: Submodule| {
            let Position { line, column, .. } = module.name.position;
            format!(
                "{} {line}:{column} [{}]",
                module.name.text,
                module.cfg.join("; ")
            )
        };
        Some(facts.submodules.into_iter().map(name).collect())
    }

    #[test]
    fn modules_of_a_file_without_tools_are_found_without_parsing_it() {
        let text = r##"
//! mod in_a_comment;
const A: &str = "mod in_a_string;"; /* mod /* nested; */ mod comment; */
const B: &str = r#"" mod raw; "#;
const C: [char; 3] = ['"', '\'', 'ü'];
fn f<'a>(_: &'a str) { let _ = "\\"; }
pub mod first;
#[cfg(unix)]
/// Documented.
pub(crate) mod r#loop ;
macro_rules! m { () => {} } mod third;
"##;
        let expected = ["first 7:9 []", "loop 10:16 [unix]", "third 11:33 []"];
        assert_eq!(modules(text).unwrap(), expected);
    }

    #[test]
    fn what_needs_a_parser_is_told_apart() {
        assert_eq!(modules("fn model() {} // modest; modern"), Some(vec![]));
        assert_eq!(modules("mod inline { mod deep; }"), None);
        assert_eq!(modules("#![cfg(unix)]\nmod a;"), None);
        let on_condition = "#![cfg_attr(docs, feature(doc_cfg))]\nmod a;";
        assert_eq!(modules(on_condition).unwrap(), ["a 2:5 []"]);
        assert_eq!(modules("use weather as _;"), None);
        assert_eq!(modules("fn tool() {}"), None);
        assert_eq!(modules("// a tool\nfn toolchain() {}"), Some(vec![]));
        assert_eq!(modules("/* */ // a tool\n"), None);
        assert_eq!(modules("r\"\n// \"; tools![];\n"), None);
        assert_eq!(modules("// check-toolsets: allow(x): y"), None);
        assert_eq!(modules("fn f() { x.state() }"), Some(vec![]));
        assert_eq!(modules("fn f() { x.state(y) }"), None);
        assert_eq!(modules("mod a; }"), None);
        assert_eq!(modules("mod a; fn f() { \""), None);
    }
}
