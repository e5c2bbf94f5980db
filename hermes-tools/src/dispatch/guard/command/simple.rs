//! Reads a command of words: what it sets, what it runs, and where its streams go.

use super::parse::Parser;
use super::syntax::{Assign, Assigned, Command, Kind, Piece, Redirect, RedirectKind, Word};

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> Option<Command> {
        let mut assigns = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
                continue;
            }
            if let Some((name, key, append)) = self.assignment(words.is_empty()) {
                let value = if self.peek() == Some(b'(') {
                    self.position += 1;
                    Assigned::Array(self.array())
                } else {
                    Assigned::Scalar(self.word().unwrap_or_default())
                };
                assigns.push(Assign {
                    name,
                    key,
                    append,
                    value,
                });
                continue;
            }
            let Some(word) = self.word() else { break };
            if words.is_empty()
                && assigns.is_empty()
                && let [Piece::Bare(name)] = &*word
            {
                let name = name.clone();
                let before = self.position;
                self.blanks();
                if self.take("(") {
                    self.blanks();
                    if self.take(")") {
                        return self.function(name);
                    }
                }
                self.position = before;
            }
            words.push(word);
        }
        (!assigns.is_empty() || !words.is_empty() || !redirects.is_empty()).then_some(Command {
            kind: Kind::Simple { assigns, words },
            redirects,
        })
    }

    fn array(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.line_breaks();
            if self.take(")") {
                return words;
            }
            // `[key]=value` is the value.
            let Some(word) = self.word() else {
                self.trouble = true;
                return words;
            };
            words.push(word);
        }
    }

    /// The name of an assignment, when one stands here. Behind the first word only lists count.
    fn assignment(&mut self, first: bool) -> Option<(String, Word, bool)> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        if !bytes
            .first()
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        {
            return None;
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let mut at = end;
        let mut key = "";
        if bytes.get(at) == Some(&b'[') {
            // Bounded, so that a line of such words is read once.
            at += bytes[at..]
                .iter()
                .take(200)
                .position(|byte| *byte == b']')?
                + 1;
            key = &rest[end + 1..at - 1];
        }
        let append = bytes.get(at) == Some(&b'+');
        at += usize::from(append);
        if bytes.get(at) != Some(&b'=') || !first && bytes.get(at + 1) != Some(&b'(') {
            return None;
        }
        self.position += at + 1;
        Some((rest[..end].to_owned(), self.subscript(key), append))
    }

    /// The key of an array: what stands there is calculated, with its substitutions.
    fn subscript(&mut self, key: &str) -> Word {
        if !key.contains(['$', '`']) {
            return Word::new();
        }
        let mut inner = Parser::new(key, self.depth + 1);
        let word = inner.here_text();
        self.trouble |= inner.trouble;
        self.too_deep |= inner.too_deep;
        word
    }

    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        let bytes = self.text.as_bytes();
        let mut at = self.position;
        let mut descriptor = None;
        if bytes.get(at) == Some(&b'{') {
            let name = self.rest()[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
            at += 1 + name;
            if bytes.get(at) != Some(&b'}') {
                return None;
            }
            at += 1;
            descriptor = Some(9);
        } else {
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                let so_far: u32 = descriptor.unwrap_or(0);
                descriptor = Some((so_far.min(999)) * 10 + u32::from(digit - b'0'));
                at += 1;
            }
        }
        let operator = self.text.get(at..)?;
        let of = |kind| Some(kind);
        let (length, kind) = if operator.starts_with("&>>") {
            (3, of(RedirectKind::Output))
        } else if operator.starts_with("&>") && descriptor.is_none() {
            (2, of(RedirectKind::Output))
        } else if operator.starts_with("<<<") {
            (3, of(RedirectKind::Here))
        } else if operator.starts_with("<<") {
            (2, None)
        } else if operator.starts_with("<&") {
            (2, of(RedirectKind::Copy))
        } else if operator.starts_with("<>") {
            (2, of(RedirectKind::Output))
        } else if operator.starts_with("<(") || operator.starts_with(">(") {
            return None;
        } else if operator.starts_with('<') {
            (1, of(RedirectKind::Input))
        } else if operator.starts_with(">&") {
            (2, of(RedirectKind::Copy))
        } else if operator.starts_with(">>") || operator.starts_with(">|") {
            (2, of(RedirectKind::Output))
        } else if operator.starts_with('>') {
            (1, of(RedirectKind::Output))
        } else {
            return None;
        };
        self.position = at + length;
        let Some(mut kind) = kind else {
            return Some(self.here_document());
        };
        self.blanks();
        let target = self.word().unwrap_or_else(|| {
            self.trouble = true;
            Word::new()
        });
        if kind == RedirectKind::Copy && !is_descriptor(&target) {
            // `>& file` is both outputs to a file.
            kind = RedirectKind::Output;
        }
        if kind == RedirectKind::Output && descriptor.is_some_and(|number| number != 1) {
            kind = RedirectKind::OtherOutput;
        }
        Some(Redirect { kind, target })
    }
}

fn is_descriptor(word: &[Piece]) -> bool {
    match word {
        [Piece::Bare(text)] => {
            let digits = text.trim_end_matches('-');
            digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        [Piece::Variable(_)] => true,
        _ => false,
    }
}
