//! Here-documents: texts that stand behind the line that reads them.

use std::rc::Rc;

use super::parse::Parser;
use super::syntax::{Assigned, Command, Kind, List, Piece, Redirect, RedirectKind, Word};

/// A here-document whose text has not come yet.
#[derive(Debug)]
pub(super) struct Pending {
    end: String,
    strip_tabs: bool,
    literal: bool,
    number: usize,
}

impl Parser<'_> {
    pub(super) fn here_document(&mut self) -> Redirect {
        let strip_tabs = self.take("-");
        self.blanks();
        let word = self.word().unwrap_or_default();
        let literal = word.iter().any(|piece| matches!(piece, Piece::Quoted(_)));
        let end = word
            .iter()
            .map(|piece| match piece {
                Piece::Bare(text) | Piece::Quoted(text) => text.as_str(),
                _ => "",
            })
            .collect();
        let number = self.bodies.len();
        self.bodies.push(None);
        self.pending.push(Pending {
            end,
            strip_tabs,
            literal,
            number,
        });
        // The text comes behind the line; its number stands here until then.
        Redirect {
            kind: RedirectKind::Here,
            target: vec![Piece::Number(vec![Piece::Bare(number.to_string())])],
        }
    }

    /// Reads the here-documents of the line that ended here.
    pub(super) fn take_bodies(&mut self) {
        for document in std::mem::take(&mut self.pending) {
            let mut body = String::new();
            loop {
                let rest = self.rest();
                if rest.is_empty() {
                    break;
                }
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                self.position = (self.position + line.len() + 1).min(self.text.len());
                let line = if document.strip_tabs {
                    line.trim_start_matches('\t')
                } else {
                    line
                };
                if line == document.end {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            let word = if document.literal {
                vec![Piece::Quoted(body)]
            } else {
                let mut inner = Parser::new(&body, self.depth + 1);
                let word = inner.here_text();
                self.trouble |= inner.trouble;
                self.too_deep |= inner.too_deep;
                word
            };
            if let Some(place) = self.bodies.get_mut(document.number) {
                *place = Some(word);
            }
        }
    }

    /// Puts the texts of here-documents where they belong.
    pub(super) fn fill(&mut self, list: &mut List) {
        for item in list {
            for command in &mut item.commands {
                self.fill_command(command);
            }
        }
    }

    fn fill_command(&mut self, command: &mut Command) {
        for redirect in &mut command.redirects {
            if redirect.kind == RedirectKind::Here
                && let [Piece::Number(number)] = &*redirect.target
                && let [Piece::Bare(number)] = &**number
                && let Some(body) = number
                    .parse()
                    .ok()
                    .and_then(|n: usize| self.bodies.get_mut(n))
            {
                redirect.target = body.take().unwrap_or_default();
            }
            self.fill_word(&mut redirect.target);
        }
        match &mut command.kind {
            Kind::Simple { assigns, words } => {
                for assign in assigns {
                    self.fill_word(&mut assign.key);
                    match &mut assign.value {
                        Assigned::Scalar(word) => self.fill_word(word),
                        Assigned::Array(words) => self.fill_words(words),
                    }
                }
                self.fill_words(words);
            }
            Kind::Group(list) | Kind::Subshell(list) => self.fill(list),
            Kind::For { words, body, .. } => {
                if let Some(words) = words {
                    self.fill_words(words);
                }
                self.fill(body);
            }
            Kind::Function { body, .. } => {
                if let Some(body) = Rc::get_mut(body) {
                    self.fill_command(body);
                }
            }
            Kind::Test(words) => self.fill_words(words),
        }
    }

    fn fill_words(&mut self, words: &mut [Word]) {
        for word in words {
            self.fill_word(word);
        }
    }

    pub(super) fn fill_word(&mut self, word: &mut Word) {
        for piece in word {
            match piece {
                Piece::Output { list, .. } | Piece::Process(list) => self.fill(list),
                Piece::Number(word) => self.fill_word(word),
                Piece::Variable(variable) => {
                    self.fill_word(&mut variable.operand);
                    if let Some(second) = &mut variable.second {
                        self.fill_word(second);
                    }
                }
                Piece::Bare(_) | Piece::Quoted(_) => {}
            }
        }
    }
}
