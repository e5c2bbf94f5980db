//! YAML by its syntax: several documents, tags of one's own and repeated keys are right.

use saphyr_parser::{Event, Marker, Parser};

use super::Problem;

/// Where a text is no YAML: the first place, since the parser stops there. None when it is nested
/// deeper than the parser goes.
pub(super) fn problems(text: &str) -> Option<Vec<Problem>> {
    // Only a text with a tab can have one in a wrong place.
    let lines: Vec<&str> = match memchr::memchr(b'\t', text.as_bytes()) {
        Some(_) => text.lines().collect(),
        None => Vec::new(),
    };
    // Aliases are events like others and are not expanded, so the work grows with the text alone.
    for event in Parser::new_from_str(text) {
        let problem = match event {
            Ok((Event::MappingStart(..) | Event::SequenceStart(..), span)) => {
                // A flow collection begins with a bracket of its own, and tabs may stand before it.
                let is_block = span.is_empty();
                if !is_block || !is_indented_by_tab(&lines, &span.start) {
                    continue;
                }
                problem(&span.start, "a tab cannot be used as indentation")
            }
            Ok(_) => continue,
            Err(error) if error.info().contains("recursion limit") => return None,
            Err(error) => problem(error.marker(), error.info()),
        };
        return Some(vec![problem]);
    }
    Some(Vec::new())
}

fn problem(place: &Marker, message: &str) -> Problem {
    Problem {
        line: place.line(),
        column: place.col() + 1,
        message: message.to_owned(),
    }
}

/// Whether a tab is part of the indentation of what begins here: of the blanks from the start of the line
/// or from the indicator before it. The parser overlooks one before the first entry.
fn is_indented_by_tab(lines: &[&str], place: &Marker) -> bool {
    let line = place.line().checked_sub(1).and_then(|at| lines.get(at));
    let Some(line) = line else { return false };
    let end = line.char_indices().nth(place.col());
    let before = &line[..end.map_or(line.len(), |(at, _)| at)];
    let rest = before.trim_end_matches([' ', '\t']);
    let blanks = &before[rest.len()..];
    let is_indicator = |word: &str| matches!(word, "" | "-" | "?" | ":");
    blanks.contains('\t') && is_indicator(rest.rsplit([' ', '\t']).next().unwrap_or(rest))
}
