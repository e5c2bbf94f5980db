//! JSON, judged to its end: after a problem the reading goes on, so that one does not hide the next.
//!
//! Nesting has no limit, since what is open stands in a list and not on the stack. Numbers of any
//! size, halves of surrogate pairs, repeated keys, and the `NaN` and `Infinity` that many programs
//! write are taken.

use super::Problem;

/// Problems after which the reading ends.
const MOST: usize = 20;

/// Where a text is no JSON.
pub(super) fn problems(text: &str) -> Vec<Problem> {
    let mut reader = Reader {
        text,
        at: 0,
        open: Vec::new(),
        state: State::Value,
        comma: None,
        found: Vec::new(),
    };
    while reader.found.len() < MOST && reader.step() {}
    let problem = |(offset, message)| Problem::at(text, offset, message);
    reader.found.into_iter().map(problem).collect()
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    /// The first value of an array, or its end.
    FirstValue,
    Key,
    /// The first key of an object, or its end.
    FirstKey,
    Colon,
    /// A comma, or the end of what is open.
    Next,
    /// Nothing but white space.
    End,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The brackets that are open: where they stand.
    open: Vec<usize>,
    state: State,
    /// The comma after which something must come.
    comma: Option<usize>,
    found: Vec<(usize, String)>,
}

impl Reader<'_> {
    /// Reads one token. False at the end.
    fn step(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        let start = self.at;
        match bytes.get(start).copied() {
            None => {
                self.end();
                false
            }
            Some(b'"') => self.string(start) && self.scalar(start),
            Some(b'\'') => self.quoted(start) && self.scalar(start),
            Some(b'[' | b'{') => self.bracket(start),
            Some(end @ (b']' | b'}')) => self.close(start, end),
            Some(b',') => self.separator(start),
            Some(b':') => self.colon(start),
            Some(b'/') if matches!(bytes.get(start + 1), Some(b'/' | b'*')) => self.comment(start),
            Some(_) => self.word(start),
        }
    }

    fn report(&mut self, at: usize, message: impl Into<String>) {
        self.found.push((at, message.into()));
    }

    /// What is missing when something else stands in its place.
    fn expected(&self) -> &'static str {
        match self.state {
            State::Value | State::FirstValue => "a value",
            State::Key | State::FirstKey => "a key in double quotes",
            State::Colon => "`:`",
            State::Next if self.is_object() => "`,` or `}`",
            State::Next => "`,` or `]`",
            State::End => "the end of the file",
        }
    }

    fn is_object(&self) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| self.text.as_bytes()[*open] == b'{')
    }

    /// What follows a whole value.
    fn after_value(&self) -> State {
        if self.open.is_empty() {
            State::End
        } else {
            State::Next
        }
    }

    /// Makes the state one in which a value, or a key, may begin, and reports what is missing. False
    /// where nothing can be made of it.
    fn make_way(&mut self, at: usize) -> bool {
        match self.state {
            State::Colon | State::Next => {
                let expected = self.expected();
                self.report(at, format!("expected {expected}"));
                self.state = match (self.state, self.is_object()) {
                    (State::Next, true) => State::Key,
                    _ => State::Value,
                };
            }
            State::End => {
                self.report(at, "expected the end of the file: it holds one value alone");
                return false;
            }
            _ => {}
        }
        self.comma = None;
        true
    }

    /// A string or a word, as a key or as a value.
    fn scalar(&mut self, start: usize) -> bool {
        if !self.make_way(start) {
            return false;
        }
        self.state = match self.state {
            State::Key | State::FirstKey => State::Colon,
            _ => self.after_value(),
        };
        true
    }

    fn bracket(&mut self, start: usize) -> bool {
        if !self.make_way(start) {
            return false;
        }
        if matches!(self.state, State::Key | State::FirstKey) {
            self.report(start, "expected a key in double quotes");
        }
        self.at += 1;
        self.open.push(start);
        self.state = if self.is_object() {
            State::FirstKey
        } else {
            State::FirstValue
        };
        true
    }

    fn close(&mut self, start: usize, end: u8) -> bool {
        self.at += 1;
        let Some(open) = self.open.pop() else {
            self.report(
                start,
                format!("nothing is open that `{}` could close", char::from(end)),
            );
            return false;
        };
        let opener = self.text.as_bytes()[open];
        if opener + 2 != end {
            let (opener, end) = (char::from(opener), char::from(end));
            self.report(
                start,
                format!("`{end}` does not close the `{opener}` before it"),
            );
            // What is meant is not known any more.
            return false;
        }
        match self.state {
            State::Value | State::Key => match self.comma.take() {
                Some(comma) => self.report(comma, "a comma must not stand before the end"),
                None => self.report(start, "expected a value"),
            },
            State::Colon => self.report(start, "expected `:` and a value"),
            _ => {}
        }
        self.state = self.after_value();
        true
    }

    fn separator(&mut self, start: usize) -> bool {
        self.at += 1;
        match self.state {
            State::Next => {
                self.state = if self.is_object() {
                    State::Key
                } else {
                    State::Value
                };
            }
            State::End => {
                self.report(
                    start,
                    "expected the end of the file: it holds one value alone",
                );
                return false;
            }
            _ => {
                let expected = self.expected();
                self.report(start, format!("expected {expected}, found `,`"));
                if self.is_object() {
                    self.state = State::Key;
                }
            }
        }
        self.comma = Some(start);
        true
    }

    fn colon(&mut self, start: usize) -> bool {
        self.at += 1;
        if self.state == State::Colon {
            self.state = State::Value;
        } else {
            let expected = self.expected();
            self.report(start, format!("expected {expected}, found `:`"));
        }
        true
    }

    fn comment(&mut self, start: usize) -> bool {
        self.report(start, "JSON has no comments");
        let rest = &self.text[start + 2..];
        let (end, length) = match self.text.as_bytes()[start + 1] {
            b'/' => (rest.find('\n'), 1),
            _ => (rest.find("*/"), 2),
        };
        self.at = end.map_or(self.text.len(), |end| start + 2 + end + length);
        true
    }

    /// A string in double quotes. False when it is not closed, so that nothing is known of the rest.
    fn string(&mut self, start: usize) -> bool {
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at).copied() {
                Some(b'"') => break,
                Some(b'\\') => at += self.escape(at),
                None | Some(b'\n' | b'\r') => {
                    self.report(start, "a string is not closed on its line");
                    return false;
                }
                Some(control @ ..b' ') => {
                    self.report(at, format!("U+{control:04X} must be escaped in a string"));
                    at += 1;
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        true
    }

    /// An escape sequence; its length.
    fn escape(&mut self, at: usize) -> usize {
        let rest = &self.text[at + 1..];
        let digits = rest.bytes().skip(1).take(4);
        match rest.bytes().next() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if digits.filter(u8::is_ascii_hexdigit).count() == 4 => 6,
            None | Some(b'\n' | b'\r') => 1,
            Some(_) => {
                let letter = rest.chars().next().unwrap_or_default();
                self.report(at, format!("`\\{letter}` is no escape sequence of JSON"));
                1 + letter.len_utf8()
            }
        }
    }

    /// A string in single quotes.
    fn quoted(&mut self, start: usize) -> bool {
        self.report(start, "strings stand in double quotes");
        let rest = &self.text[start + 1..];
        match rest.find(['\'', '\n']) {
            Some(end) if rest.as_bytes()[end] == b'\'' => {
                self.at = start + 1 + end + 1;
                true
            }
            _ => false,
        }
    }

    /// Anything else: a number, a word, or what is neither.
    fn word(&mut self, start: usize) -> bool {
        let rest = &self.text[start..];
        let ends = |character: char| {
            character.is_whitespace()
                || matches!(character, ',' | ':' | '[' | ']' | '{' | '}' | '"')
        };
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        // An odd kind of white space is a word of its own.
        let length = match word.len() {
            0 => rest.chars().next().map_or(1, char::len_utf8),
            length => length,
        };
        self.at += length;
        let word = &rest[..length];
        if matches!(self.state, State::Key | State::FirstKey) {
            self.report(
                start,
                format!("expected a key in double quotes, found `{}`", brief(word)),
            );
        } else if self.state != State::End && !is_word(word) && !is_number(word) {
            self.report(start, format!("`{}` is no value of JSON", brief(word)));
        }
        self.scalar(start)
    }

    fn end(&mut self) {
        match (self.open.last().copied(), self.state) {
            (Some(open), _) => {
                let opener = char::from(self.text.as_bytes()[open]);
                self.report(open, format!("`{opener}` is never closed"));
            }
            (None, State::End) => {}
            (None, _) => self.report(
                self.text.len(),
                "expected a value, found the end of the file",
            ),
        }
    }
}

fn brief(word: &str) -> &str {
    let end = word
        .char_indices()
        .nth(40)
        .map_or(word.len(), |(end, _)| end);
    &word[..end]
}

fn is_word(word: &str) -> bool {
    matches!(
        word,
        "true" | "false" | "null" | "NaN" | "Infinity" | "-Infinity"
    )
}

/// Whether a word is a number: digits without leading zeros, perhaps a fraction and an exponent.
fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str, problems: &[(usize, usize, &str)]) {
        let found = super::problems(text);
        let found: Vec<(usize, usize, &str)> = found
            .iter()
            .map(|problem| (problem.line, problem.column, &*problem.message))
            .collect();
        assert_eq!(found, problems, "{text}");
    }

    #[test]
    fn json_has_no_problems() {
        for text in [
            r#""hi""#,
            " [] ",
            r#"{"a": [1, -0.5e+9, 1e999, true, null, {}], "a": "\ud800 \/ \n"}"#,
            "[NaN, -Infinity]",
            "{\r\n\t\"b\": 12345678901234567890123\r\n}\r\n",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn what_serde_takes_has_no_problems_and_what_it_refuses_has_some() {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "1", "01", "tru", " ", "\n",
        ];
        // Every text of up to five pieces.
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer = texts
                .iter()
                .flat_map(|text| pieces.map(|piece| format!("{text}{piece}")));
            texts = longer.collect();
            texts.sort();
            texts.dedup();
            for text in &texts {
                let right = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
                assert_eq!(super::problems(text).is_empty(), right, "{text:?}");
            }
        }
    }

    #[test]
    fn each_problem_is_told_at_its_place() {
        check(
            "{\n  \"a\": 1,\n  \"b\": 2,\n}\n",
            &[(3, 9, "a comma must not stand before the end")],
        );
        check("{'a': 1}", &[(1, 2, "strings stand in double quotes")]);
        check(
            "{a: 1}",
            &[(1, 2, "expected a key in double quotes, found `a`")],
        );
        check("[01]", &[(1, 2, "`01` is no value of JSON")]);
        check(
            "\"\\x41\"",
            &[(1, 2, "`\\x` is no escape sequence of JSON")],
        );
        check("{\"a\": 1\n", &[(1, 1, "`{` is never closed")]);
        check("", &[(1, 1, "expected a value, found the end of the file")]);
        check(
            "{\"a\": \"x\ny\"}",
            &[(1, 7, "a string is not closed on its line")],
        );
        check("// c\n1", &[(1, 1, "JSON has no comments")]);
        check("{\"é\" 1}", &[(1, 6, "expected `:`")]);
        check("[1}", &[(1, 3, "`}` does not close the `[` before it")]);
        check(
            "{}\n{}",
            &[(
                2,
                1,
                "expected the end of the file: it holds one value alone",
            )],
        );
    }

    #[test]
    fn one_problem_does_not_hide_the_next() {
        check(
            "{\n \"a\": 1,,\n \"b\" 2\n \"c\": x\n}\n",
            &[
                (2, 9, "expected a key in double quotes, found `,`"),
                (3, 6, "expected `:`"),
                (4, 2, "expected `,` or `}`"),
                (4, 7, "`x` is no value of JSON"),
            ],
        );
    }

    #[test]
    fn deep_nesting_is_read() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        check(&deep, &[]);
    }
}
