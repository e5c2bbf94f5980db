//! Reads the words of a line: quotes, variables, commands inside of words.

use super::parse::Parser;
use super::syntax::{Piece, Variable, Word};

impl Parser<'_> {
    /// The word that stands here, if one does.
    pub(super) fn word(&mut self) -> Option<Word> {
        let mut word = Word::new();
        let start = self.position;
        while let Some(byte) = self.peek() {
            match byte {
                b'<' | b'>' if self.peek_at(1) == Some(b'(') => {
                    self.position += 2;
                    let list = self.deeper(Self::list);
                    self.close(")");
                    word.push(Piece::Process(list));
                }
                b'(' if is_extended_glob(&word) => {
                    self.position += 1;
                    self.skip_group();
                    bare(&mut word, "*");
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => break,
                b'\'' => {
                    self.position += 1;
                    let text = self.until('\'');
                    word.push(Piece::Quoted(text.to_owned()));
                }
                b'"' => {
                    self.position += 1;
                    // So that an empty pair of quotes is a word.
                    word.push(Piece::Quoted(String::new()));
                    self.double_quoted(&mut word, Some(b'"'));
                }
                b'\\' => self.escape(&mut word),
                b'$' => self.dollar(&mut word, false),
                b'`' => self.backticks(&mut word, false),
                _ => {
                    let rest = self.rest();
                    let end = rest
                        .find(|c: char| " \t\n;&|()<>'\"\\$`".contains(c))
                        .unwrap_or(rest.len());
                    bare(&mut word, &rest[..end]);
                    self.position += end;
                }
            }
        }
        (self.position > start).then_some(word)
    }

    fn close(&mut self, text: &str) {
        if !self.take(text) {
            self.trouble = true;
        }
    }

    /// The text up to a character, which is passed.
    fn until(&mut self, end: char) -> &str {
        let rest = self.rest();
        let Some(length) = rest.find(end) else {
            self.trouble = true;
            self.position = self.text.len();
            return rest;
        };
        self.position += length + 1;
        &rest[..length]
    }

    /// Skips to the bracket that closes a group of a glob.
    fn skip_group(&mut self) {
        let mut depth = 1;
        while let Some(byte) = self.peek() {
            self.advance();
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
        self.trouble = true;
    }

    fn escape(&mut self, word: &mut Word) {
        self.position += 1;
        match self.rest().chars().next() {
            Some('\n') => self.position += 1,
            Some(character) => {
                word.push(Piece::Quoted(character.to_string()));
                self.advance();
            }
            None => word.push(Piece::Quoted("\\".to_owned())),
        }
    }

    /// Text in double quotes, or up to the end of the text.
    fn double_quoted(&mut self, word: &mut Word, end: Option<u8>) {
        loop {
            let rest = self.rest();
            let length = rest.find(['"', '\\', '$', '`']).unwrap_or(rest.len());
            if length > 0 {
                word.push(Piece::Quoted(rest[..length].to_owned()));
                self.position += length;
            }
            match self.peek() {
                None => {
                    self.trouble |= end.is_some();
                    return;
                }
                byte @ Some(b'"') if byte == end => {
                    self.position += 1;
                    return;
                }
                Some(b'$') => self.dollar(word, true),
                Some(b'`') => self.backticks(word, true),
                Some(b'\\') => match self.peek_at(1) {
                    Some(b'\n') => self.position += 2,
                    Some(byte @ (b'"' | b'\\' | b'$' | b'`')) => {
                        word.push(Piece::Quoted(char::from(byte).to_string()));
                        self.position += 2;
                    }
                    _ => {
                        word.push(Piece::Quoted("\\".to_owned()));
                        self.position += 1;
                    }
                },
                Some(_) => {
                    word.push(Piece::Quoted("\"".to_owned()));
                    self.position += 1;
                }
            }
        }
    }

    /// The text of a here-document.
    pub(super) fn here_text(&mut self) -> Word {
        let mut word = Word::new();
        self.deeper(|this| this.double_quoted(&mut word, None));
        self.take_bodies();
        self.fill_word(&mut word);
        word
    }

    fn backticks(&mut self, word: &mut Word, quoted: bool) {
        self.position += 1;
        let mut inside = String::new();
        loop {
            let rest = self.rest();
            let Some(length) = rest.find(['`', '\\']) else {
                self.trouble = true;
                inside.push_str(rest);
                self.position = self.text.len();
                break;
            };
            inside.push_str(&rest[..length]);
            self.position += length + 1;
            if rest.as_bytes().get(length) == Some(&b'`') {
                break;
            }
            match self.peek() {
                Some(byte @ (b'`' | b'\\' | b'$')) => {
                    inside.push(char::from(byte));
                    self.position += 1;
                }
                _ => inside.push('\\'),
            }
        }
        let depth = self.depth;
        let list = self.deeper(|this| {
            let mut inner = Parser::new(&inside, depth + 1);
            let mut list = inner.list();
            inner.take_bodies();
            this.trouble |= inner.trouble || !inner.rest().is_empty();
            this.too_deep |= inner.too_deep;
            inner.fill(&mut list);
            list
        });
        word.push(Piece::Output { list, quoted });
    }

    fn dollar(&mut self, word: &mut Word, quoted: bool) {
        self.position += 1;
        let rest = self.rest();
        match rest.as_bytes().first() {
            Some(b'(') if self.is_arithmetic() => {
                self.position += 2;
                let inside = self.deeper(Self::arithmetic);
                word.push(Piece::Number(inside));
            }
            Some(b'(') => {
                self.position += 1;
                let list = self.deeper(|this| {
                    let list = this.list();
                    this.close(")");
                    list
                });
                word.push(Piece::Output { list, quoted });
            }
            Some(b'[') => {
                self.position += 1;
                let inside = self.until(']').to_owned();
                let mut inner = Parser::new(&inside, self.depth + 1);
                word.push(Piece::Number(inner.here_text()));
            }
            Some(b'{') => {
                self.position += 1;
                let variable = self.deeper(|this| this.braced(quoted));
                word.push(Piece::Variable(variable));
            }
            Some(b'\'') if !quoted => {
                self.position += 1;
                let text = self.ansi_quoted();
                word.push(Piece::Quoted(text));
            }
            Some(b'"') if !quoted => {}
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
                let end = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                self.position += end;
                word.push(plain_variable(&rest[..end], quoted));
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?$!-".contains(byte) => {
                self.position += 1;
                word.push(plain_variable(&rest[..1], quoted));
            }
            _ if quoted => word.push(Piece::Quoted("$".to_owned())),
            _ => bare(word, "$"),
        }
    }

    /// What stands in `$'...'`.
    fn ansi_quoted(&mut self) -> String {
        let mut bytes = Vec::new();
        loop {
            let Some(character) = self.rest().chars().next() else {
                self.trouble = true;
                break;
            };
            self.advance();
            match character {
                '\'' => break,
                '\\' => {
                    let rest = self.rest();
                    let (decoded, length) = ansi_escape(rest);
                    bytes.extend(decoded);
                    self.position += length;
                }
                _ => bytes.extend(character.to_string().into_bytes()),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What stands in `((...))`, up to its end.
    pub(super) fn arithmetic(&mut self) -> Word {
        let mut word = Word::new();
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            let length = rest.find(['(', ')', '$', '`', '\\']).unwrap_or(rest.len());
            if length > 0 {
                word.push(Piece::Quoted(rest[..length].to_owned()));
                self.position += length;
            }
            match self.peek() {
                None => {
                    self.trouble = true;
                    return word;
                }
                Some(b'(') => {
                    depth += 1;
                    self.position += 1;
                }
                Some(b')') if depth == 0 => {
                    self.position += 1;
                    self.close(")");
                    return word;
                }
                Some(b')') => {
                    depth -= 1;
                    self.position += 1;
                }
                Some(b'$') => self.dollar(&mut word, true),
                Some(b'`') => self.backticks(&mut word, true),
                Some(_) => self.advance(),
            }
        }
    }

    /// What stands in `${...}`, up to its end.
    fn braced(&mut self, quoted: bool) -> Variable {
        const OPERATORS: [&str; 20] = [
            ":-", ":=", ":+", ":?", "##", "%%", "//", "/#", "/%", "^^", ",,", "-", "=", "+", "?",
            "#", "%", "/", "^", ",",
        ];
        let mut prefix = "";
        let rest = self.rest();
        if rest.starts_with('!') && !rest.starts_with("!}") {
            prefix = "!";
        } else if rest.starts_with('#') && !rest.starts_with("#}") {
            prefix = "length";
        }
        self.position += usize::from(!prefix.is_empty());
        let rest = self.rest();
        let end = match rest.as_bytes().first() {
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len()),
            Some(byte) if byte.is_ascii_digit() => rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len()),
            Some(byte) if b"@*#?$!-".contains(byte) => 1,
            _ => {
                self.trouble = true;
                0
            }
        };
        let name = rest[..end].to_owned();
        self.position += end;
        let mut index = None;
        if self.take("[") {
            index = Some(self.until(']').to_owned());
        }
        let mut operator = prefix;
        let mut second = None;
        if !self.rest().starts_with('}') && prefix.is_empty() {
            let found = OPERATORS.iter().find(|operator| self.take(operator));
            operator = match found {
                Some(operator) => operator,
                None if self.take(":") => ":",
                None => "@",
            };
        }
        let stop: &[u8] = match operator {
            "/" | "//" | "/#" | "/%" => b"/}",
            ":" => b":}",
            _ => b"}",
        };
        let operand = self.operand(stop);
        if stop.len() > 1 && self.peek() == Some(stop[0]) {
            self.position += 1;
            second = Some(self.operand(b"}"));
        }
        self.close("}");
        Variable {
            name,
            operator,
            operand,
            second,
            index,
            quoted,
        }
    }

    /// A word inside of braces, up to one of these bytes.
    fn operand(&mut self, stop: &[u8]) -> Word {
        let mut word = Word::new();
        while let Some(byte) = self.peek() {
            match byte {
                byte if stop.contains(&byte) => break,
                b'\'' => {
                    self.position += 1;
                    let text = self.until('\'').to_owned();
                    word.push(Piece::Quoted(text));
                }
                b'"' => {
                    self.position += 1;
                    self.double_quoted(&mut word, Some(b'"'));
                }
                b'\\' => self.escape(&mut word),
                b'$' => self.dollar(&mut word, true),
                b'`' => self.backticks(&mut word, true),
                _ => {
                    let rest = self.rest();
                    let end = rest
                        .find(|c: char| {
                            "'\"\\$`".contains(c) || c.is_ascii() && stop.contains(&(c as u8))
                        })
                        .unwrap_or(rest.len());
                    bare(&mut word, &rest[..end]);
                    self.position += end;
                }
            }
        }
        word
    }
}

fn bare(word: &mut Word, text: &str) {
    match word.last_mut() {
        Some(Piece::Bare(last)) => last.push_str(text),
        _ => word.push(Piece::Bare(text.to_owned())),
    }
}

fn is_extended_glob(word: &Word) -> bool {
    matches!(word.last(), Some(Piece::Bare(text)) if text.ends_with(['@', '!', '?', '*', '+']))
}

fn plain_variable(name: &str, quoted: bool) -> Piece {
    Piece::Variable(Variable {
        name: name.to_owned(),
        operator: "",
        operand: Word::new(),
        second: None,
        index: None,
        quoted,
    })
}

/// What an escape in `$'...'` stands for, and how long it is. The backslash is passed.
pub(super) fn ansi_escape(rest: &str) -> (Vec<u8>, usize) {
    let Some(character) = rest.chars().next() else {
        return (b"\\".to_vec(), 0);
    };
    let digits = |from: usize, most: usize, radix: u32| {
        let end = rest
            .as_bytes()
            .iter()
            .skip(from)
            .take(most)
            .take_while(|byte| char::from(**byte).is_digit(radix))
            .count();
        let value = u32::from_str_radix(&rest[from..from + end], radix).ok();
        (value, from + end)
    };
    let of_char = |(value, length): (Option<u32>, usize)| {
        let value = value.and_then(char::from_u32);
        (
            value.map_or_else(Vec::new, |c| c.to_string().into_bytes()),
            length,
        )
    };
    let of_byte = |(value, length): (Option<u32>, usize)| {
        let byte = value.map(|value| u8::try_from(value & 0xff).unwrap_or_default());
        (byte.into_iter().collect(), length)
    };
    match character {
        'x' => of_byte(digits(1, 2, 16)),
        'u' => of_char(digits(1, 4, 16)),
        'U' => of_char(digits(1, 8, 16)),
        '0'..='7' => of_byte(digits(0, if character == '0' { 4 } else { 3 }, 8)),
        'a' => (vec![7], 1),
        'b' => (vec![8], 1),
        'e' | 'E' => (vec![27], 1),
        'f' => (vec![12], 1),
        'n' => (vec![b'\n'], 1),
        'r' => (vec![b'\r'], 1),
        't' => (vec![b'\t'], 1),
        'v' => (vec![11], 1),
        _ => (character.to_string().into_bytes(), character.len_utf8()),
    }
}
