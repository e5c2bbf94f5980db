//! Looking ahead: where a string ends, and what is between values.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::Stop;
use super::damage::Damage;
use super::tolerant::{Frame, Tolerant, bare_key_end};
use crate::args::envelope;
use crate::args::number::json_length;
use crate::args::scan::plain_end;

/// What a quote is, judged by what stands behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    /// The end of the string.
    End,
    /// Part of the string.
    Inner,
    /// It looks like the end, but what follows does not go on as it should.
    Doubtful,
}

/// Words that are values in JSON or Python.
const WORDS: [&[u8]; 9] = [
    b"true", b"false", b"null", b"True", b"False", b"None", b"TRUE", b"FALSE", b"NULL",
];

/// No key is longer than this.
const MAX_KEY: usize = 256;

impl Tolerant<'_> {
    /// Passes white space and comments.
    pub(super) fn skip_gap(&mut self) -> Result<(), Stop> {
        loop {
            let before = self.at;
            self.at = space_end(self.bytes, self.at);
            let Some(end) = self.comment_end(self.at) else {
                return Ok(());
            };
            let comment = &self.bytes[self.at..end];
            // A comment up to the end of the text may have swallowed what stood on the next line
            // before line breaks were lost.
            if end == self.bytes.len() && comment.contains(&b'"') {
                return Err(self.stop("a comment that does not end"));
            }
            self.damages.add(Damage::Comment, self.at);
            self.at = end;
            debug_assert!(self.at > before, "a comment is never empty");
        }
    }

    /// The end of the white space and comments that begin at `at`. When the budget is used up it is
    /// the end of the text, so that nothing that follows is taken for certain.
    pub(super) fn gap(&mut self, at: usize) -> usize {
        if self.budget == 0 {
            return self.bytes.len();
        }
        let mut end = at;
        loop {
            end = space_end(self.bytes, end);
            match self.comment_end(end) {
                Some(comment) => end = comment,
                None => break,
            }
        }
        let passed = end.saturating_sub(at) + 1;
        if passed > self.budget {
            self.budget = 0;
            return self.bytes.len();
        }
        self.budget -= passed;
        end
    }

    /// What the quote before `next` is, for a value of the innermost list or object. `damaged` says
    /// that the string has held a quote already.
    pub(super) fn quote(&mut self, next: usize, damaged: bool) -> Quote {
        let depth = self.frames.len();
        let at = self.gap(next);
        // A comment behind a damaged string may as well be part of it.
        if damaged && at != space_end(self.bytes, next) && at < self.bytes.len() {
            return Quote::Inner;
        }
        match self.next(at) {
            None if damaged => Quote::Doubtful,
            None => Quote::End,
            Some(b',') => self.after_comma(at + 1, depth, damaged),
            Some(b'}' | b']' | b')') => self.after_closers(at, damaged),
            Some(b':') => Quote::Doubtful,
            Some(_) => self.missing_comma(next, at, depth, damaged),
        }
    }

    /// The byte at `at`; none at the end of the text, or of what of it is the model's call: at the
    /// end of a fence or at a tag, with nothing of a call behind it.
    pub(super) fn next(&self, at: usize) -> Option<u8> {
        let byte = self.bytes.get(at).copied()?;
        let mark = matches!(byte, b'`' | b'~' | b'<')
            && self.is_beyond(&self.last_structure, b"\"{[:", at)
            && [&b"```"[..], b"~~~", b"</", b"<|"]
                .iter()
                .any(|mark| self.bytes[at..].starts_with(mark));
        (!mark).then_some(byte)
    }

    /// Whether a value may end before a place where the comma is missing.
    fn missing_comma(&mut self, next: usize, at: usize, depth: usize, damaged: bool) -> Quote {
        let is_quote = matches!(self.bytes.get(at), Some(b'"' | b'\''));
        let spaced = at > next;
        if self.frames[depth - 1].is_object() {
            let certain = (is_quote || spaced) && self.is_whole_key(at, depth);
            return if certain { Quote::End } else { Quote::Inner };
        }
        if !self.is_value(at) {
            return Quote::Inner;
        }
        if damaged {
            return if is_quote {
                Quote::Doubtful
            } else {
                Quote::Inner
            };
        }
        match (spaced, is_quote) {
            (true, _) => Quote::End,
            // Two strings side by side, or a quote that is doubled to escape it.
            (false, true) => Quote::Doubtful,
            (false, false) => Quote::Inner,
        }
    }

    fn after_comma(&mut self, at: usize, depth: usize, damaged: bool) -> Quote {
        let behind = space_end(self.bytes, at);
        let mut at = self.gap(at);
        if damaged && at != behind {
            return Quote::Doubtful;
        }
        while self.bytes.get(at) == Some(&b',') {
            at = self.gap(at + 1);
        }
        let good = match self.next(at) {
            None => !damaged,
            Some(b'}' | b']' | b')') => return self.after_closers_from(at, depth, damaged),
            Some(_) if self.frames[depth - 1].is_object() => self.is_key(at, depth),
            Some(_) if damaged => self.is_item(at, depth),
            Some(_) => self.is_value(at),
        };
        if good { Quote::End } else { Quote::Doubtful }
    }

    fn after_closers(&mut self, at: usize, damaged: bool) -> Quote {
        self.after_closers_from(at, self.frames.len(), damaged)
    }

    /// Follows closing brackets to what stands behind them. Behind a damaged string they must be
    /// the right ones: two faults at one place are one too many to be certain.
    fn after_closers_from(&mut self, at: usize, depth: usize, damaged: bool) -> Quote {
        let mut at = at;
        let mut depth = depth;
        while let Some(closer @ (b'}' | b']' | b')')) = self.bytes.get(at) {
            let outer = self.frames[..depth]
                .iter()
                .rposition(|frame| frame.closer == *closer);
            if damaged && depth > 0 && outer != Some(depth - 1) {
                return Quote::Doubtful;
            }
            depth = outer.unwrap_or(depth);
            at = self.gap(at + 1);
        }
        let good = match self.next(at) {
            None => !damaged || depth == 0,
            Some(_) if depth == 0 => !damaged || self.is_clean_from(at),
            Some(b',') => return self.after_comma(at + 1, depth, damaged),
            Some(_) if self.frames[depth - 1].is_object() => self.is_whole_key(at, depth),
            Some(_) => !damaged && self.is_value(at),
        };
        if good { Quote::End } else { Quote::Doubtful }
    }

    /// Whether no string can begin or end from here on.
    fn is_clean_from(&self, at: usize) -> bool {
        self.is_beyond(&self.last_quote, b"\"'", at)
    }

    /// Whether none of these bytes stands at `at` or behind it. The last one is looked for once.
    fn is_beyond(&self, known: &OnceCell<Option<usize>>, wanted: &[u8], at: usize) -> bool {
        let find = || self.bytes.iter().rposition(|byte| wanted.contains(byte));
        known.get_or_init(find).is_none_or(|last| last < at)
    }

    /// Whether a key of an object that is so deep, a colon and the beginning of a value stand here. Text that ends before that is
    /// known counts as one: it is found to be cut when it is read.
    pub(super) fn is_key(&mut self, at: usize, depth: usize) -> bool {
        self.key_at(at, depth).unwrap_or(true)
    }

    /// The same; text that ends before that is known does not count.
    fn is_whole_key(&mut self, at: usize, depth: usize) -> bool {
        self.key_at(at, depth).unwrap_or(false)
    }

    /// Whether a key with its colon and value stands here; `None` when the text ends too early.
    fn key_at(&mut self, at: usize, depth: usize) -> Option<bool> {
        let (start, end) = match self.bytes.get(at) {
            Some(quote @ (b'"' | b'\'')) => {
                let limit = self.bytes.len().min(at + 1 + MAX_KEY);
                let end = plain_end(&self.bytes[..limit], at + 1, *quote);
                if end == self.bytes.len() {
                    return None;
                }
                if self.bytes[end] != *quote {
                    return Some(false);
                }
                (at + 1, end)
            }
            _ => (at, bare_key_end(self.bytes, at)),
        };
        self.budget = self.budget.saturating_sub(end - start);
        if !self.is_known(&self.text[start..end], depth) {
            return Some(false);
        }
        let quoted = usize::from(start > at);
        if end + quoted == at {
            return Some(false);
        }
        let colon = self.gap(end + quoted);
        match self.bytes.get(colon) {
            None => None,
            Some(b':') => {
                let value = self.gap(colon + 1);
                Some(self.is_value(value))
            }
            Some(_) => Some(false),
        }
    }

    /// Whether a value begins here, and as far as can be seen from here also ends.
    fn is_item(&mut self, at: usize, depth: usize) -> bool {
        let rest = &self.bytes[at..];
        let length = match rest.first() {
            Some(b'-' | b'0'..=b'9') => json_length(rest),
            Some(byte) if byte.is_ascii_alphabetic() && self.is_value(at) => Some(
                rest.iter()
                    .take_while(|byte| byte.is_ascii_alphabetic())
                    .count(),
            ),
            // Where a string or a container ends is not looked for, but a key is no item.
            Some(b'"' | b'\'') => return self.key_at(at, 0) != Some(true),
            Some(b'{' | b'[' | b'(') => return true,
            _ => None,
        };
        let Some(length) = length else { return false };
        let behind = self.gap(at + length);
        let closer = self.frames[depth - 1].closer;
        self.next(behind)
            .is_none_or(|byte| byte == b',' || byte == closer)
    }

    /// Whether an object that is so deep may have this key; at depth 0, any object. The keys of a wrapper stand among their
    /// like only.
    fn is_known(&self, key: &str, depth: usize) -> bool {
        let Some(keys) = self.options.keys.filter(|_| depth > 0) else {
            return true;
        };
        let wraps = |frame: &Frame| frame.is_wrapper();
        let among = if depth > 1 || self.frames.iter().take(1).any(wraps) {
            &keys.all
        } else {
            &keys.outermost
        };
        let known = |keys: &FxHashSet<String>| {
            keys.contains(key) || keys.contains(&crate::names::fold(key))
        };
        among.as_ref().is_none_or(known) || (self.frames.iter().any(wraps) && envelope::is_key(key))
    }

    /// Whether a value begins here.
    fn is_value(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            None | Some(b'"' | b'\'' | b'{' | b'[' | b'(' | b'-' | b'0'..=b'9') => true,
            Some(byte) if byte.is_ascii_alphabetic() => {
                let rest = &self.bytes[at..];
                let length = rest
                    .iter()
                    .take(6)
                    .take_while(|byte| byte.is_ascii_alphabetic())
                    .count();
                // A word that the end of the text cuts is found to be cut when it is read.
                let word = &rest[..length];
                let cut = length == rest.len();
                WORDS
                    .iter()
                    .any(|known| *known == word || (cut && known.starts_with(word)))
            }
            Some(_) => false,
        }
    }
}

impl Tolerant<'_> {
    /// The end of the comment that begins at `at`, when one does. A block that is not closed is
    /// none.
    fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..)?;
        match rest {
            [b'#', ..] | [b'/', b'/', ..] => Some(
                at + rest
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .unwrap_or(rest.len()),
            ),
            [b'/', b'*', body @ ..] => {
                let last = self.last_block.get_or_init(|| self.text.rfind("*/"));
                if last.is_none_or(|last| last < at + 2) {
                    return None;
                }
                let end = body.windows(2).position(|two| two == b"*/")?;
                Some(at + 2 + end + 2)
            }
            _ => None,
        }
    }
}

fn space_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) => at += 1,
            // A no-break space, which keyboards and web pages put in.
            Some(0xc2) if bytes.get(at + 1) == Some(&0xa0) => at += 2,
            _ => return at,
        }
    }
}
