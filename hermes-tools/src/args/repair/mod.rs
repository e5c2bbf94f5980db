//! Damaged text to a tree, where nothing can be lost.
//!
//! Brackets, commas, quotes and words around the arguments may be wrong; what is inside a string is
//! the model's own and never changes. Whatever can be read in two ways is refused, and so is text
//! that was cut off anywhere but behind a complete value: half a command is worse than a retry.

mod ahead;
mod damage;
mod string;
mod tolerant;

#[cfg(test)]
mod tests;

use self::damage::Damage;
pub(super) use self::damage::Damages;
pub(super) use self::tolerant::{KnownKeys, Options};
use self::tolerant::{Tolerant, bare_key_end};
use super::Node;
use super::parse::parse;
use super::scan::plain_end;

/// Why a text is not read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop {
    /// Where, in bytes.
    pub(super) at: usize,
    /// Why, as a lowercase fragment.
    pub(super) message: &'static str,
    /// Whether the text was cut off.
    pub(super) cut: bool,
}

/// A tree, and what was wrong with its text.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) node: Node,
    pub(super) damages: Damages,
}

impl Reading {
    /// Whether closing brackets were added at the end or in between.
    pub(super) fn is_closed(&self) -> bool {
        self.damages.has(Damage::MissingCloser)
    }

    /// Whether commas were added.
    pub(super) fn is_joined(&self) -> bool {
        self.damages.has(Damage::MissingComma)
    }
}

/// More values than this in one text are no copies of one call.
const MAX_COPIES: usize = 64;

/// The list or object that a text inside arguments is: JSON, also in a fence, also as Python
/// writes it. Nothing is added to it and nothing is dropped.
pub(super) fn embedded(text: &str) -> Option<Node> {
    let node = if let Ok((node, _)) = parse(text) {
        node
    } else {
        let options = Options {
            close: false,
            prose: false,
            keys: None,
        };
        if text.starts_with('(') {
            tuple(text, options)?
        } else {
            read(text, options).ok()?.node
        }
    };
    (matches!(node, Node::Array(_) | Node::Object(_)) && is_finite(&node)).then_some(node)
}

/// The list that a text is as a tuple of Python; none for a value in brackets.
fn tuple(text: &str, options: Options<'_>) -> Option<Node> {
    let (reading, end) = read_value(text, 0, options).ok()?;
    (end == text.len()).then_some(reading.node)
}

/// Whether all numbers are finite as doubles.
fn is_finite(node: &Node) -> bool {
    match node {
        Node::Number(text) => text.parse::<f64>().is_ok_and(f64::is_finite),
        Node::Array(items) => items.iter().all(is_finite),
        Node::Object(entries) => entries.iter().all(|(_, value)| is_finite(value)),
        _ => true,
    }
}

/// Reads the one list or object of a text that is not JSON.
pub(super) fn read(text: &str, options: Options<'_>) -> Result<Reading, Stop> {
    let mut outer = Damages::default();
    let mut start = 0;
    let trimmed = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if trimmed.len() < text.len() {
        start = text.len() - trimmed.len();
        if text[..start].contains('\u{feff}') {
            outer.add(Damage::ByteOrderMark, 0);
        }
    }
    if let Some(reading) = read_inside(trimmed, options) {
        let mut reading = reading?;
        reading.damages.extend(outer);
        return Ok(reading);
    }
    if let Some(unescaped) = unescape(trimmed) {
        let mut reading = match parse(&unescaped) {
            Ok((node, _)) => Reading {
                node,
                damages: Damages::default(),
            },
            Err(_) => read(&unescaped, options)?,
        };
        reading.damages.encoded();
        return Ok(reading);
    }
    let value = find_value(text, start, options)?;
    if value > start {
        outer.add(Damage::Surroundings, start);
    }
    let (mut reading, end) = read_value(text, value, options)?;
    reading.damages.extend(outer);
    check_rest(text, end, options, &mut reading)?;
    Ok(reading)
}

/// A value, where it ends, and whether closers were added to it at the end of the text.
struct Attempt {
    reading: Reading,
    end: usize,
    ended: bool,
}

/// Reads the value at `at`, and gives back where it ends.
///
/// What is meant is found out first, and then whether closers may be added at the end: a text must
/// not become certain by being allowed less.
fn read_value(text: &str, at: usize, options: Options<'_>) -> Result<(Reading, usize), Stop> {
    let Attempt {
        reading,
        end,
        ended,
    } = choose(text, at, options)?;
    if ended && !options.close {
        return Err(Stop {
            at: end,
            message: "the text ends before the arguments do",
            cut: true,
        });
    }
    Ok((reading, end))
}

/// Closers in the wrong order are either swapped, or some are missing and some too many; when both
/// readings work they must agree.
fn choose(text: &str, at: usize, options: Options<'_>) -> Result<Attempt, Stop> {
    let attempt = |swap: bool| {
        let mut reader = Tolerant::new(text, at, options, swap);
        let read = reader.read();
        let mismatched = reader.mismatched;
        let attempt = read.map(|node| Attempt {
            end: reader.at,
            ended: reader.ended,
            reading: Reading {
                node,
                damages: reader.damages,
            },
        });
        (attempt, mismatched)
    };
    let (plain, mismatched) = attempt(false);
    if !mismatched {
        return plain;
    }
    let whole = |attempt: &Attempt| rest_is_harmless(&text[attempt.end..]);
    match (plain, attempt(true).0) {
        (Ok(plain), Ok(swapped)) => {
            let same = plain.reading.node.same(&swapped.reading.node);
            if same && plain.end == swapped.end {
                return Ok(plain);
            }
            match (whole(&plain), whole(&swapped)) {
                (true, false) => Ok(plain),
                (false, true) => Ok(swapped),
                (true, true) if same => Ok(plain),
                _ => Err(Stop {
                    at,
                    message: "closing brackets do not match, in more than one way",
                    cut: false,
                }),
            }
        }
        (Err(_), Ok(swapped)) => Ok(swapped),
        (plain, Err(_)) => plain,
    }
}

/// Whether nothing of a call stands in what follows it.
fn rest_is_harmless(rest: &str) -> bool {
    !rest.contains(['"', '{', '[']) && !holds_entries(rest)
}

/// Where the list or object begins.
fn find_value(text: &str, start: usize, options: Options<'_>) -> Result<usize, Stop> {
    let stop = |at, message| Stop {
        at,
        message,
        cut: false,
    };
    let bytes = text.as_bytes();
    let first = match fence_end(text, start) {
        Some(end) => end,
        None if options.prose || matches!(bytes.get(start), Some(b'{' | b'[')) => start,
        None => return Err(stop(start, "expected a list or an object")),
    };
    // Text that begins with a list is one, whatever is in it.
    if bytes.get(first) == Some(&b'[') && begins_list(bytes, first) {
        return Ok(first);
    }
    let prose = options.prose;
    let found = (first..bytes.len()).find(|at| match bytes[*at] {
        b'{' => begins_object(bytes, *at),
        b'[' => begins_list_of_containers(bytes, *at),
        _ => false,
    });
    match found {
        Some(at) if at == first || (prose && !holds_entries(&text[start..at])) => Ok(at),
        _ if matches!(bytes.get(start), Some(b'"' | b'\''))
            && !text[start + 1..].contains(['"', '\'']) =>
        {
            Err(Stop {
                at: text.len(),
                message: "the text ends inside a string",
                cut: true,
            })
        }
        _ if bytes.get(first) == Some(&b'{') && found.is_none() => {
            Err(stop(first, "expected a key in double quotes"))
        }
        _ => Err(stop(start, "expected an object")),
    }
}

/// Whether words around a value hold something like a key and its value, which must not be lost.
fn holds_entries(words: &str) -> bool {
    let bytes = words.as_bytes();
    let quoted = |at: usize| match bytes[at] {
        b'"' => matches!(next_byte(bytes, at + 1), Some(b':' | b',') | None),
        b'\'' => next_byte(bytes, at + 1) == Some(b':'),
        _ => false,
    };
    let after_comma = words.trim_start().strip_prefix(',').is_some_and(|rest| {
        let rest = rest.trim_start().as_bytes();
        let end = bare_key_end(rest, 0);
        end > 0 && next_byte(rest, end) == Some(b':')
    });
    after_comma || (0..bytes.len()).any(quoted)
}

/// The end of the fence and its label that begin at `start`.
fn fence_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| rest.starts_with(mark))?;
    let label = rest.trim_start_matches(&mark[..1]);
    let label = label.trim_start_matches(|c: char| c.is_alphanumeric() || "_+-.".contains(c));
    Some(text.len() - label.trim_start().len())
}

fn next_byte(bytes: &[u8], at: usize) -> Option<u8> {
    bytes
        .get(at..)?
        .iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace())
}

/// Whether the brace at `at` begins an object, and not a word in braces.
fn begins_object(bytes: &[u8], at: usize) -> bool {
    let next = at
        + 1
        + bytes[at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    match bytes.get(next) {
        None | Some(b'"' | b'\'' | b'}' | b',' | b'\\' | b'/' | b'#') => true,
        Some(_) => {
            let end = bare_key_end(bytes, next);
            end > next && matches!(next_byte(bytes, end), Some(b':') | None)
        }
    }
}

fn begins_list(bytes: &[u8], at: usize) -> bool {
    match next_byte(bytes, at + 1) {
        None | Some(b'"' | b'\'' | b'{' | b'[' | b'(' | b']' | b'-' | b'0'..=b'9' | b',') => true,
        Some(byte) => {
            let rest =
                String::from_utf8_lossy(&bytes[at + 1..bytes.len().min(at + 24)]).into_owned();
            let words = ["true", "false", "null", "True", "False", "None"];
            byte.is_ascii_alphabetic()
                && words.iter().any(|word| rest.trim_start().starts_with(word))
        }
    }
}

/// Words hold lists of numbers and names; a list of objects is arguments.
fn begins_list_of_containers(bytes: &[u8], at: usize) -> bool {
    matches!(next_byte(bytes, at + 1), Some(b'{' | b'['))
}

/// Looks at what follows the value: nothing of a call may stand there but copies of it.
fn check_rest(
    text: &str,
    end: usize,
    options: Options<'_>,
    reading: &mut Reading,
) -> Result<(), Stop> {
    let stop = |at, message| Stop {
        at,
        message,
        cut: false,
    };
    let bytes = text.as_bytes();
    let mut at = end;
    let mut plain_from = end;
    let mut copies = 0;
    while at < bytes.len() {
        let value = match bytes[at] {
            b'{' => begins_object(bytes, at),
            b'[' => begins_list(bytes, at),
            _ => false,
        };
        if !value {
            at += 1;
            continue;
        }
        copies += 1;
        if !options.prose || copies > MAX_COPIES {
            return Err(stop(at, "expected the end of the text"));
        }
        if holds_entries(&text[plain_from..at]) {
            return Err(stop(
                plain_from,
                "parts of the arguments stand outside of them",
            ));
        }
        let (copy, copy_end) = read_value(
            text,
            at,
            Options {
                close: false,
                ..options
            },
        )?;
        if !copy.node.same(&reading.node) {
            return Err(stop(at, "the text holds two different values; send one"));
        }
        reading.damages.add(Damage::Copy, at);
        at = copy_end;
        plain_from = copy_end;
    }
    let rest = &text[plain_from..];
    if holds_entries(rest) || ends_like_a_string(rest) {
        return Err(stop(
            plain_from,
            "parts of the arguments stand outside of them",
        ));
    }
    let behind = rest.trim_start_matches(|c: char| c.is_whitespace() || "}])".contains(c));
    if behind.starts_with('{') {
        return Err(stop(
            plain_from,
            "another object begins behind the arguments",
        ));
    }
    let words = rest.trim_matches(|c: char| c.is_whitespace() || "}])".contains(c));
    let fence = words.is_empty() || words.chars().all(|c| c == '`' || c == '~');
    let nothing_else = fence && rest.trim_start().len() == words.len();
    if !options.prose && !nothing_else {
        return Err(stop(plain_from, "expected the end of the text"));
    }
    if !rest.trim().is_empty() {
        let closers = rest.trim().chars().all(|c| "}])".contains(c));
        let damage = if closers {
            Damage::SurplusCloser
        } else {
            Damage::Surroundings
        };
        reading.damages.add(damage, plain_from);
    }
    Ok(())
}

/// Whether words end in a quote and closing brackets: the end of arguments whose beginning was
/// taken for the whole.
fn ends_like_a_string(words: &str) -> bool {
    let words = words.trim_end_matches(|c: char| c.is_whitespace() || "`~;".contains(c));
    let open = words.trim_end_matches(|c: char| c.is_whitespace() || "}])".contains(c));
    open.len() < words.len() && open.ends_with(['"', '\''])
}

/// Reads arguments that were sent as text, with something around the text.
fn read_inside(text: &str, options: Options<'_>) -> Option<Result<Reading, Stop>> {
    let quote = text.find('"')?;
    let inner = text[quote + 1..].trim_start_matches(['\\', '"']);
    if !options.prose || !inner.starts_with(['{', '[']) || holds_value(&text[..quote]) {
        return None;
    }
    let mut end = quote + 1;
    loop {
        end = plain_end(text.as_bytes(), end, b'"');
        match text.as_bytes().get(end)? {
            b'"' => break,
            b'\\' => end += 2,
            _ => return None,
        }
    }
    if !rest_is_harmless(&text[end + 1..]) {
        return None;
    }
    let mut damages = Damages::default();
    if quote > 0 || end + 1 < text.trim_end().len() {
        damages.add(Damage::Surroundings, 0);
    }
    match parse(text.get(quote..=end)?) {
        Ok((node, _)) => Some(Ok(Reading { node, damages })),
        Err(_) => None,
    }
}

fn holds_value(words: &str) -> bool {
    let bytes = words.as_bytes();
    (0..bytes.len()).any(|at| match bytes[at] {
        b'{' => begins_object(bytes, at),
        b'[' => begins_list_of_containers(bytes, at),
        _ => false,
    })
}

/// Text whose quotes are all escaped, as it stands inside a string of JSON: its plain form.
fn unescape(text: &str) -> Option<String> {
    let inner = text.strip_prefix(['"', '\'']).unwrap_or(text);
    let body = inner.trim_start_matches(|c: char| c.is_whitespace() || "[{".contains(c));
    if body.len() == inner.len() || !body.starts_with("\\\"") {
        return None;
    }
    let end = inner.trim_end_matches(|c: char| c.is_whitespace() || c == ';');
    let end = end
        .strip_suffix(['"', '\''])
        .filter(|end| !end.ends_with('\\'))
        .unwrap_or(end);
    match parse(&format!("\"{}\"", end.replace('\n', "\\n"))) {
        Ok((Node::String(plain), _)) => Some(plain),
        _ => None,
    }
}
