//! YAML by its syntax: several documents, tags of one's own, repeated keys and aliases of nothing are
//! right.
//!
//! Where programs that read YAML differ, a text is right that most of them take. The parser is stricter
//! than that in a few places, so a text that it refuses there is read again with the place eased.

use std::borrow::Cow;

use saphyr_parser::{Event, Marker, Parser};

use super::Problem;

/// Bytes that are parsed at most, over all readings of a text. One that would need more is not judged
/// further.
const WORK: usize = 16 << 20;

/// Where a text is no YAML: the first place, since the parser stops there. None when it is nested
/// deeper than the parser goes.
pub(super) fn problems(text: &str) -> Option<Vec<Problem>> {
    let mut reading = Reading::of(text);
    let mut left = WORK;
    while let Some(rest) = left.checked_sub(text.len() + 1) {
        left = rest;
        match reading.first_problem(&reading.text(text)) {
            Verdict::Right => break,
            Verdict::TooDeep => return None,
            Verdict::Wrong(place, message) => {
                if !reading.ease(&place, &message) {
                    return Some(vec![reading.problem(&place, message)]);
                }
            }
        }
    }
    Some(Vec::new())
}

/// What the parser says of a reading.
enum Verdict {
    Right,
    Wrong(Marker, String),
    TooDeep,
}

/// A text as it is given to the parser.
struct Reading<'t> {
    lines: Vec<Line<'t>>,
    /// Whether any line is not as it stands.
    is_eased: bool,
}

/// A line with what ends it.
struct Line<'t> {
    /// Its number in the text, from 1.
    number: usize,
    stands: &'t str,
    /// How it is read.
    read: Cow<'t, str>,
    /// Blanks that it is given at its start.
    given: usize,
}

impl<'t> Reading<'t> {
    /// Tabs are separators as blanks are, which the parser does not know everywhere, so that those behind
    /// the start of a line are read as blanks.
    fn of(text: &'t str) -> Self {
        let mut is_eased = false;
        let lines = lines(text).zip(1..).map(|(stands, number)| {
            let start = stands.len() - stands.trim_start_matches([' ', '\t']).len();
            let (before, behind) = stands.split_at(start);
            let read = if behind.contains('\t') {
                is_eased = true;
                Cow::Owned(format!("{before}{}", behind.replace('\t', " ")))
            } else {
                Cow::Borrowed(stands)
            };
            Line {
                number,
                stands,
                read,
                given: 0,
            }
        });
        Self {
            lines: lines.collect(),
            is_eased,
        }
    }

    fn text(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_eased {
            Cow::Owned(self.until(self.lines.len()))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// The first lines, as they are read.
    fn until(&self, end: usize) -> String {
        let mut text = String::new();
        for line in &self.lines[..end] {
            text.extend(std::iter::repeat_n(' ', line.given));
            text.push_str(&line.read);
        }
        text
    }

    fn line(&self, place: &Marker) -> Option<usize> {
        let index = place.line().checked_sub(1)?;
        (index < self.lines.len()).then_some(index)
    }

    /// Column of a place in its line as it stands, from 0.
    fn column(&self, place: &Marker) -> usize {
        let given = self.line(place).map_or(0, |line| self.lines[line].given);
        place.col().saturating_sub(given)
    }

    fn problem(&self, place: &Marker, message: String) -> Problem {
        let line = self.line(place);
        Problem {
            line: line.map_or(place.line(), |line| self.lines[line].number),
            column: self.column(place) + 1,
            message,
        }
    }

    fn first_problem(&self, text: &str) -> Verdict {
        // The collections that are open: whether each is in brackets.
        let mut open = Vec::new();
        // Aliases are events like others and are not expanded, so the work grows with the text alone.
        for event in Parser::new_from_str(text) {
            match event {
                Ok((event @ (Event::MappingStart(..) | Event::SequenceStart(..)), span)) => {
                    let is_sequence = matches!(event, Event::SequenceStart(..));
                    let in_brackets = open.last() == Some(&true);
                    // A collection in brackets begins with a bracket of its own, and one without may
                    // begin with its first entry.
                    let is_block = span.is_empty() && !in_brackets;
                    open.push(!is_block);
                    if is_block && self.is_indented_by_tab(&span.start, is_sequence) {
                        let message = "a tab cannot be used as indentation";
                        return Verdict::Wrong(span.start, message.to_owned());
                    }
                }
                Ok((Event::MappingEnd | Event::SequenceEnd, _)) => {
                    open.pop();
                }
                Ok(_) => {}
                Err(error) if error.info().contains("recursion limit") => return Verdict::TooDeep,
                Err(error) => return Verdict::Wrong(*error.marker(), error.info().to_owned()),
            }
        }
        Verdict::Right
    }

    /// Whether a tab is part of the indentation of a collection that begins here: of the blanks from the
    /// start of the line or from the indicator before it. The parser overlooks one before the first
    /// entry.
    fn is_indented_by_tab(&self, place: &Marker, is_sequence: bool) -> bool {
        let Some(line) = self.line(place) else {
            return false;
        };
        let line = self.lines[line].stands;
        let (before, entry) = line.split_at(byte_of(line, self.column(place)));
        // A sequence at the indentation of its key is said to begin behind its first dash, where a tab is
        // no indentation.
        if is_sequence && entry.split_whitespace().next() != Some("-") {
            return false;
        }
        let rest = before.trim_end_matches([' ', '\t']);
        let blanks = &before[rest.len()..];
        let is_indicator = |word: &str| matches!(word, "" | "-" | "?" | ":");
        blanks.contains('\t') && is_indicator(rest.rsplit([' ', '\t']).next().unwrap_or(rest))
    }

    /// Changes how the text is read where a problem is one of this parser alone. False where it is none.
    fn ease(&mut self, place: &Marker, message: &str) -> bool {
        let Some(line) = self.line(place) else {
            return false;
        };
        let eased = match message {
            // Both are said of what is in brackets alone.
            "invalid indentation" | "invalid indentation in flow construct" => self.give(line),
            "tabs disallowed within this context (block indentation)" => {
                self.is_in_brackets(line) && self.untab(line)
            }
            "while scanning a plain scalar, found a tab" => {
                // It is said of the scalar, and the tab is on one of the lines behind it.
                let tab = (line + 1..self.lines.len()).find(|line| {
                    let stands = self.lines[*line].read.trim_start_matches(' ');
                    stands.starts_with('\t') && !stands.trim().is_empty()
                });
                tab.is_some_and(|tab| self.is_in_brackets(tab) && self.untab(tab))
            }
            "tab cannot be used as indentation" => self.untab(line),
            "invalid indentation in quoted scalar" => self.give_quoted(line, place.col()),
            "missing explicit document end marker before directive" => {
                let number = self.lines[line].number;
                self.lines.insert(
                    line,
                    Line {
                        number,
                        stands: "",
                        read: Cow::Borrowed("...\n"),
                        given: 0,
                    },
                );
                true
            }
            "while parsing node, found unknown anchor" => self.unalias(line, place),
            "a block scalar content cannot start with a tab" => {
                // At the root of a document it has no indentation, so that the tab is content.
                let read = &self.lines[line].read;
                let is_root = read.starts_with("---") || read.starts_with(['|', '>']);
                is_root && line + 1 < self.lines.len() && self.untab(line + 1)
            }
            _ => false,
        };
        self.is_eased |= eased;
        eased
    }

    /// Gives a line more indentation than any block has. False where it has it.
    fn give(&mut self, line: usize) -> bool {
        let indentation = |line: &Line<'_>| {
            line.stands.len()
                - line
                    .stands
                    .trim_start_matches([' ', '\t', '-', '?', ':'])
                    .len()
        };
        let deepest = self.lines.iter().map(indentation).max().unwrap_or(0);
        let line = &mut self.lines[line];
        if line.given > 0 {
            return false;
        }
        line.given = deepest + 2;
        true
    }

    /// Reads the tabs at the start of a line as blanks, and gives it more indentation.
    fn untab(&mut self, line: usize) -> bool {
        let read = &self.lines[line].read;
        let start = read.len() - read.trim_start_matches([' ', '\t']).len();
        let (before, behind) = read.split_at(start);
        self.lines[line].read = Cow::Owned(format!("{}{behind}", before.replace('\t', " ")));
        self.give(line)
    }

    /// Gives the lines of a quoted scalar behind its first more indentation.
    fn give_quoted(&mut self, line: usize, column: usize) -> bool {
        let first = &self.lines[line];
        let column = column.saturating_sub(first.given);
        let mut rest = &first.read[byte_of(&first.read, column)..];
        let Some(quote) = rest
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''))
        else {
            return false;
        };
        rest = &rest[1..];
        let mut end = line;
        while !closes(rest, quote) && end + 1 < self.lines.len() {
            end += 1;
            rest = &self.lines[end].read;
        }
        let mut changed = false;
        for line in line + 1..=end {
            changed |= self.give(line);
        }
        changed
    }

    /// Whether a line begins within brackets: they are open when the lines before it are all there is.
    fn is_in_brackets(&self, line: usize) -> bool {
        let mut open = Vec::new();
        for event in Parser::new_from_str(&self.until(line)) {
            match event {
                Ok((Event::MappingStart(..) | Event::SequenceStart(..), span)) => {
                    open.push(!span.is_empty());
                }
                Ok((Event::MappingEnd | Event::SequenceEnd, _)) => {
                    open.pop();
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        open.contains(&true)
    }

    /// Reads an alias as a word.
    fn unalias(&mut self, line: usize, place: &Marker) -> bool {
        let column = self.column(place);
        let line = &mut self.lines[line];
        let (before, alias) = line.read.split_at(byte_of(&line.read, column));
        let ends = |character: char| {
            character.is_whitespace() || matches!(character, ',' | '[' | ']' | '{' | '}')
        };
        let length = alias.find(ends).unwrap_or(alias.len());
        if !alias.starts_with('*') {
            return false;
        }
        let word = "x".repeat(alias[..length].chars().count());
        line.read = Cow::Owned(format!("{before}{word}{}", &alias[length..]));
        true
    }
}

/// Whether a quoted scalar ends in a line.
fn closes(line: &str, quote: char) -> bool {
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote {
            // Two of them are one in the scalar, which is over after an odd number.
            if quote == '"'
                || characters
                    .as_str()
                    .chars()
                    .take_while(|next| *next == quote)
                    .count()
                    % 2
                    == 0
            {
                return true;
            }
            characters.next();
        }
    }
    false
}

fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices()
        .nth(column)
        .map_or(line.len(), |(at, _)| at)
}

/// The lines of a text as YAML has them, which a lone CR ends too.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
            None if rest.is_empty() => return None,
            None => rest.len(),
        };
        let (line, behind) = rest.split_at(end);
        rest = behind;
        Some(line)
    })
}
