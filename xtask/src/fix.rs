//! Puts right what needs no thought.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::Context;
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;

use crate::report::{Finding, Report};
use crate::scan::tokens::split_commas;
use crate::workspace::Workspace;

/// The rules whose findings need no thought.
const FIXED: [&str; 3] = ["pack-not-linked", "reserved-tool-exists", "unsorted-names"];

/// Changes the sources for the findings of a report, and answers how many it put right.
///
/// - `pack-not-linked`: `link!` at the end of what the root file begins with.
/// - `reserved-tool-exists`: the name is taken out of `reserved_tools!`.
/// - `unsorted-names`: the entries of the list change places.
///
/// Fails when a file cannot be read or written.
pub fn apply(workspace: &Workspace, report: &Report) -> anyhow::Result<usize> {
    let mut by_file: BTreeMap<PathBuf, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        if FIXED.contains(&finding.rule) {
            let path = workspace.root.join(&finding.problem.position.file);
            by_file.entry(path).or_default().push(finding);
        }
    }
    let mut fixed = 0;
    for (path, findings) in by_file {
        let shown = path.display();
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
        let mut changed = text.clone();
        // From the end, so that places stay right.
        for finding in findings.into_iter().rev() {
            let next = match finding.rule {
                "pack-not-linked" => with_link(&changed, &finding.problem.help),
                "unsorted-names" => sorted(&changed, finding),
                _ => without_name(&changed, finding),
            };
            if let Some(next) = next {
                changed = next;
                fixed += 1;
            }
        }
        if changed != text {
            std::fs::write(&path, changed).with_context(|| format!("cannot write {shown}"))?;
        }
    }
    Ok(fixed)
}

/// The text with the line that the help names, after inner attributes and documentation.
fn with_link(text: &str, help: &str) -> Option<String> {
    let line = help.split('`').nth(1)?;
    let mut at = head(text)?;
    let mut gap = "";
    if at > 0 {
        let behind = &text[at..];
        at += behind
            .find('\n')
            .map_or(behind.len(), |newline| newline + 1);
        if text[at..].starts_with('\n') {
            at += 1;
        } else {
            gap = "\n";
        }
    }
    let (before, after) = text.split_at(at);
    let end = match after {
        "" => "",
        after if after.starts_with('\n') => "",
        _ => "\n",
    };
    Some(format!("{before}{gap}{line}\n{end}{after}"))
}

/// Where what a file begins with ends: a mark of its encoding, a line for the shell, inner attributes and
/// documentation.
fn head(text: &str) -> Option<usize> {
    let mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shell = match mark.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => mark.find('\n').unwrap_or(mark.len()),
        _ => 0,
    };
    let skipped = text.len() - mark.len() + shell;
    let tree = syn::parse_file(&text[skipped..]).ok()?;
    let end = tree
        .attrs
        .last()
        .map_or(0, |last| last.span().byte_range().end);
    proc_macro2::extra::invalidate_current_thread_spans();
    Some(skipped + end)
}

/// Columns that a line of a sorted list may fill.
const WIDTH: usize = 100;

/// The text with the list sorted in which the finding's name stands. Each place keeps its line and its
/// comma, unless a line gets too long: then the lines are filled anew.
fn sorted(text: &str, finding: &Finding) -> Option<String> {
    let at = offset(text, finding)?;
    let tokens: TokenStream = text.parse().ok()?;
    let places = list_around(&tokens, at)?;
    let mut names: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
    names.sort_unstable_by_key(|name| name.replace(char::is_whitespace, ""));
    let (first, last) = (places.first()?, places.last()?);
    let mut changed = String::new();
    let mut end = 0;
    for (place, name) in places.iter().zip(&names) {
        changed.push_str(&text[end..place.start]);
        changed.push_str(name);
        end = place.end;
    }
    let too_long = |line: &str| line.chars().count() > WIDTH;
    let list_start = text[..first.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    if text[first.start..last.end].contains('\n') && changed[list_start..].lines().any(too_long) {
        let indent = &text[list_start..first.start];
        changed.truncate(first.start);
        changed.push_str(&filled(&names, indent));
    }
    changed.push_str(&text[end..]);
    Some(changed)
}

/// The names in as many lines as they need; the first begins behind the indentation.
fn filled(names: &[&str], indent: &str) -> String {
    let width = |text: &str| text.chars().count();
    let mut filled = String::new();
    let mut column = width(indent);
    for (index, name) in names.iter().enumerate() {
        // A space before it and a comma behind it.
        if index > 0 && column + width(name) + 2 > WIDTH {
            filled.push('\n');
            filled.push_str(indent);
            column = width(indent);
        } else if index > 0 {
            filled.push(' ');
            column += 1;
        }
        filled.push_str(name);
        column += width(name);
        if index + 1 < names.len() {
            filled.push(',');
            column += 1;
        }
    }
    filled
}

/// The places of the entries of the innermost list around a place.
fn list_around(tokens: &TokenStream, at: usize) -> Option<Vec<Range<usize>>> {
    for tree in tokens.clone() {
        if let TokenTree::Group(group) = &tree
            && group.span().byte_range().contains(&at)
            && group.span_open().byte_range().start < at
        {
            return list_around(&group.stream(), at).or_else(|| Some(entries(group.stream())));
        }
    }
    None
}

fn entries(tokens: TokenStream) -> Vec<Range<usize>> {
    let parts = split_commas(tokens).into_iter();
    let place = |part: TokenStream| {
        let mut trees = part.into_iter();
        let first = trees.next()?.span().byte_range();
        let end = trees
            .last()
            .map_or(first.end, |last| last.span().byte_range().end);
        Some(first.start..end)
    };
    parts.filter_map(place).collect()
}

/// Where the finding stands in the text, in bytes.
fn offset(text: &str, finding: &Finding) -> Option<usize> {
    let position = &finding.problem.position;
    let line_start: usize = text
        .split_inclusive('\n')
        .take(position.line - 1)
        .map(str::len)
        .sum();
    let line = text.get(line_start..)?;
    let before = line.chars().take(position.column - 1);
    Some(line_start + before.map(char::len_utf8).sum::<usize>())
}

/// The text without the literal at the finding's place, and without the comma behind it.
fn without_name(text: &str, finding: &Finding) -> Option<String> {
    let start = offset(text, finding)?;
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let literal = text.get(start..)?.strip_prefix('"')?;
    let end = start + literal.find('"')? + 2;
    let rest = &text[end..];
    let rest = rest
        .trim_start_matches([' ', '\t'])
        .strip_prefix(',')
        .unwrap_or(rest);
    // A line of its own goes as a whole.
    let before = &text[..start];
    let own_line = before[line_start..].trim().is_empty()
        && rest.trim_start_matches([' ', '\t']).starts_with('\n');
    Some(if own_line {
        format!(
            "{}{}",
            &text[..line_start],
            rest.trim_start_matches([' ', '\t']).strip_prefix('\n')?
        )
    } else {
        format!("{before}{}", rest.trim_start_matches(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fill_lines() {
        let names = ["\"a\"", "\"b\"", &format!("\"{}\"", "c".repeat(90))];
        let expected = format!("\"a\", \"b\",\n    {}", names[2]);
        assert_eq!(filled(&names, "    "), expected);
    }

    #[test]
    fn a_link_stands_below_what_a_file_begins_with() {
        let help = "add `link!(weather);` to src/main.rs";
        assert_eq!(
            with_link(
                "//! About.\n#![deny(\n    warnings,\n)]\n\nfn main() {}\n",
                help
            )
            .unwrap(),
            "//! About.\n#![deny(\n    warnings,\n)]\n\nlink!(weather);\n\nfn main() {}\n"
        );
        let cases = [
            ("", "link!(weather);\n"),
            ("fn f() {}\n", "link!(weather);\n\nfn f() {}\n"),
            (
                "// A.\n/*! B\n*/\nuse a;\n",
                "// A.\n/*! B\n*/\n\nlink!(weather);\n\nuse a;\n",
            ),
            ("//! A.\n//! B.", "//! A.\n//! B.\nlink!(weather);\n"),
            (
                "#!/bin/x\n\nfn f() {}\n",
                "#!/bin/x\n\nlink!(weather);\n\nfn f() {}\n",
            ),
            (
                "\u{feff}#![a]\n\n\n/// C.\nfn f() {}\n",
                "\u{feff}#![a]\n\nlink!(weather);\n\n/// C.\nfn f() {}\n",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(with_link(text, help).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(with_link("fn f( {", help), None);
    }
}
