//! Findings in the manner of the compiler.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use super::{Finding, Report, Severity, place};
use crate::scan::Position;

impl Report {
    /// The report in the manner of the compiler: message, place, source line with a caret, help; one
    /// summary line at the end.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut sources = Sources::new(&self.root);
        for Finding {
            rule,
            severity,
            problem,
        } in &self.findings
        {
            let head = format!("{}[{rule}]: {}", severity.as_str(), problem.message);
            let notes = problem.notes.iter().map(|note| ("note", note.as_str()));
            let notes = notes.chain([("help", problem.help.as_str())]);
            sources.write(&mut text, &head, &problem.position, notes);
        }
        for spot in &self.blind_spots {
            let head = format!("note[blind-spot]: {}", spot.reason);
            sources.write(&mut text, &head, &spot.position, []);
        }
        let _ = write!(
            text,
            "{} and {} in {}: {}, {}",
            counted(self.tools().count(), "tool"),
            counted(self.toolsets().count(), "toolset"),
            counted(self.scan.files.len(), "file"),
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
        );
        if !self.allowed.is_empty() {
            let _ = write!(text, ", {} allowed", self.allowed.len());
        }
        text.push('\n');
        text
    }
}

/// The lines of the files that findings are about, each file read once.
struct Sources<'a> {
    root: &'a Path,
    files: HashMap<String, Vec<String>>,
}

impl<'a> Sources<'a> {
    fn new(root: &'a Path) -> Self {
        Self {
            root,
            files: HashMap::new(),
        }
    }

    fn line(&mut self, position: &Position) -> Option<&str> {
        let root = self.root;
        let lines = self.files.entry(position.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(root.join(&position.file)).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            text.lines().map(str::to_owned).collect()
        });
        let line = lines.get(position.line.checked_sub(1)?)?;
        (!line.trim().is_empty()).then_some(line.as_str())
    }

    fn write<'t>(
        &mut self,
        text: &mut String,
        head: &str,
        position: &Position,
        notes: impl IntoIterator<Item = (&'static str, &'t str)>,
    ) {
        let number = position.line.to_string();
        let pad = " ".repeat(number.len());
        let _ = writeln!(text, "{head}\n{pad}--> {}", place(position));
        if let Some(line) = self.line(position) {
            let before: String = line
                .chars()
                .take(position.column - 1)
                .map(|letter| if letter == '\t' { '\t' } else { ' ' })
                .collect();
            let carets = "^".repeat(width(line, position.column));
            let _ = writeln!(text, "{pad} |\n{number} | {line}\n{pad} | {before}{carets}");
        }
        let mut notes = notes.into_iter().peekable();
        if notes.peek().is_some() {
            let _ = writeln!(text, "{pad} |");
        }
        for (kind, note) in notes {
            let _ = writeln!(text, "{pad} = {kind}: {note}");
        }
        text.push('\n');
    }
}

/// How many characters from the column on belong to what stands there: a literal or a word.
fn width(line: &str, column: usize) -> usize {
    let rest: Vec<char> = line.chars().skip(column - 1).collect();
    let count = match rest.first() {
        Some('"') => {
            let mut escaped = false;
            let end = rest.iter().skip(1).position(|letter| {
                let ends = *letter == '"' && !escaped;
                escaped = *letter == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        }
        Some('/') => rest.len(),
        _ => rest
            .iter()
            .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '#'))
            .count(),
    };
    count.max(1)
}

/// `1 tool`, `2 tools`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_mark_a_literal_or_a_word() {
        assert_eq!(width(r#"tools: ["a \" b", "c"]"#, 9), 8);
        assert_eq!(width("fn read_file() {}", 4), 9);
        assert_eq!(width("fn r#type() {}", 4), 6);
        assert_eq!(width("fn (", 4), 1);
        assert_eq!(width("x", 9), 1);
    }
}
