//! Strings of damaged text.

use super::Stop;
use super::ahead::Quote;
use super::damage::Damage;
use super::tolerant::{Tolerant, is_word};
use crate::args::escape::{Escape, escape};
use crate::args::scan::plain_end;

/// What a string has held so far that its meaning depends on.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Seen {
    /// A quote that was not escaped.
    quote: bool,
    /// Such a quote that opened a quotation which is not closed yet.
    quotation: bool,
    /// A backslash that is no escape.
    backslash: bool,
    /// The escapes `\b` or `\f`, which nobody means and regular expressions are full of.
    rare_escape: bool,
    /// The escapes `\n`, `\r` or `\t`.
    white_escape: bool,
}

impl Tolerant<'_> {
    /// Reads the string whose quote stands here.
    ///
    /// A quote inside a value that was not escaped is part of it when what stands behind it cannot
    /// follow a value. Where both readings make sense the text is refused.
    pub(super) fn string(&mut self, key: bool) -> Result<String, Stop> {
        let quote = self.bytes[self.at];
        if quote == b'\'' {
            self.damages.add(Damage::Quotes, self.at);
        }
        if !key && self.bytes[self.at..].starts_with(&[quote; 3]) {
            return self.triple(quote);
        }
        self.at += 1;
        let start = self.at;
        let mut text = String::new();
        let mut seen = Seen::default();
        loop {
            let end = plain_end(self.bytes, self.at, quote);
            if text.is_empty() {
                // Most strings end here; of the others about as much is still to come.
                text.reserve_exact(
                    (end - self.at) << usize::from(self.bytes.get(end) != Some(&quote)),
                );
            }
            text.push_str(&self.text[self.at..end]);
            self.at = end;
            match self.byte() {
                None => return Err(self.cut("the text ends inside a string")),
                Some(b'\\') => self.escape(&mut text, quote, &mut seen)?,
                Some(byte) if byte != quote => {
                    self.damages.add(Damage::Control, self.at);
                    text.push(char::from(byte));
                    self.at += 1;
                }
                Some(_) if key || self.ends(start, &mut seen)? => {
                    self.at += 1;
                    self.check_backslashes(start, &seen)?;
                    return Ok(text);
                }
                Some(_) => {
                    self.damages.add(Damage::InnerQuote, self.at);
                    text.push(char::from(quote));
                    self.at += 1;
                }
            }
        }
    }

    /// Whether the quote that stands here ends the string.
    fn ends(&mut self, start: usize, seen: &mut Seen) -> Result<bool, Stop> {
        let role = self.quote(self.at + 1, seen.quote);
        if self.budget == 0 {
            return Err(self.stop("too much damage to be certain of anything"));
        }
        if role == Quote::End && !seen.quotation {
            return Ok(true);
        }
        if role != Quote::Inner && !(role == Quote::Doubtful && seen.quotation) {
            if role == Quote::Doubtful && self.at + 1 == self.bytes.len() {
                return Err(self.cut("the text ends inside a string"));
            }
            return Err(self.stop("it is not certain where a string ends; escape quotes inside it"));
        }
        if self.is_doubled() {
            return Err(
                self.stop("a doubled quote inside a string; escape quotes with a backslash")
            );
        }
        seen.quote = true;
        seen.quotation = !seen.quotation && self.opens_quotation(start);
        Ok(false)
    }

    /// Whether the quote that stands here is written twice before a letter. `it''s` may be meant as one
    /// quote, as two, or as two strings side by side; in `print("")` nothing is doubled.
    fn is_doubled(&self) -> bool {
        let quote = self.bytes[self.at];
        let rest = &self.bytes[self.at..];
        let run = rest.iter().take_while(|byte| **byte == quote).count();
        run == 2 && rest.get(2).is_some_and(|byte| is_word(*byte))
    }

    /// Whether the quote that stands here opens a quotation, such as the first one in `say "no"`;
    /// `5" disk` holds one that does not.
    fn opens_quotation(&self, start: usize) -> bool {
        let before = (self.at > start).then(|| self.bytes[self.at - 1]);
        let after = self.bytes.get(self.at + 1).copied().unwrap_or(b' ');
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
        let apostrophe =
            self.bytes[self.at] == b'\'' && before.is_some_and(letter) && letter(after);
        let closes = after.is_ascii_whitespace() || b".,;:!?)]}".contains(&after);
        match before {
            _ if apostrophe => false,
            None => true,
            Some(before) => !closes || before.is_ascii_whitespace(),
        }
    }

    fn escape(&mut self, text: &mut String, quote: u8, seen: &mut Seen) -> Result<(), Stop> {
        let next = self.bytes.get(self.at + 1).copied();
        match escape(&self.text[self.at..]) {
            Escape::Character(character, length) => {
                seen.rare_escape |= matches!(next, Some(b'b' | b'f'));
                seen.white_escape |= matches!(next, Some(b'n' | b'r' | b't'));
                text.push(character);
                self.at += length;
                return Ok(());
            }
            Escape::Half => {
                // A pair may have been cut in two where the text was.
                if self.at + 6 >= self.bytes.len() {
                    return Err(self.cut("the text ends inside an escape"));
                }
                self.damages.add(Damage::Half, self.at);
                text.push(char::REPLACEMENT_CHARACTER);
                self.at += 6;
                return Ok(());
            }
            Escape::Impossible => {}
        }
        let python = quote == b'\'';
        self.damages.add(Damage::Escape, self.at);
        match next {
            None => return Err(self.cut("the text ends inside an escape")),
            Some(b'\'') => {
                text.push('\'');
                self.at += 2;
            }
            Some(b'x') if self.digits(self.at + 2, 2) == 2 => {
                self.python_escape(text, 2, python)?;
            }
            Some(b'U') if python && self.digits(self.at + 2, 8) == 8 => {
                self.python_escape(text, 8, python)?;
            }
            Some(b'u') if self.at + 2 + self.digits(self.at + 2, 4) == self.bytes.len() => {
                return Err(self.cut("the text ends inside an escape"));
            }
            Some(b'u') if self.digits(self.at + 2, 4) > 0 => {
                return Err(self.stop("impossible escape in a string"));
            }
            Some(0..=0x1f) => {
                return Err(self.stop("a backslash at the end of a line in a string"));
            }
            Some(_) => {
                seen.backslash = true;
                text.push('\\');
                self.at += 1;
            }
        }
        Ok(())
    }

    /// How many of the next bytes are hexadecimal digits.
    fn digits(&self, at: usize, most: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count()
    }

    /// An escape of Python that JSON lacks. In a string of JSON it is not certain what it means.
    fn python_escape(
        &mut self,
        text: &mut String,
        digits: usize,
        python: bool,
    ) -> Result<(), Stop> {
        let start = self.at + 2;
        let code = u32::from_str_radix(&self.text[start..start + digits], 16).ok();
        match code.and_then(char::from_u32) {
            Some(character) if python => text.push(character),
            _ => return Err(self.stop("impossible escape in a string")),
        }
        self.at = start + digits;
        Ok(())
    }

    /// Refuses strings in which some backslashes were meant as such and others may have been:
    /// `\d` is no escape, so `\b` beside it is none either, and in `C:\new\dir` the `\n`.
    fn check_backslashes(&self, start: usize, seen: &Seen) -> Result<(), Stop> {
        let path = seen.white_escape && self.text[start..self.at].contains(":\\");
        if seen.backslash && (seen.rare_escape || path) {
            return Err(self.stop("it is not certain which backslashes are escapes; double them"));
        }
        Ok(())
    }

    /// Reads a string between three quotes, as Python writes long ones.
    fn triple(&mut self, quote: u8) -> Result<String, Stop> {
        let start = self.at + 3;
        let fence = [quote; 3];
        let rest = &self.bytes[start..];
        let Some(length) = rest.windows(3).position(|three| three == fence) else {
            return Err(self.stop("it is not certain where a string ends; escape quotes inside it"));
        };
        let end = start + length;
        if self.quote(end + 3, true) != Quote::End || self.bytes[start..end].contains(&b'\\') {
            self.at = end;
            return Err(self.stop("it is not certain where a string ends; escape quotes inside it"));
        }
        self.damages.add(Damage::Quotes, self.at);
        self.at = end + 3;
        Ok(self.text[start..end].to_owned())
    }
}
