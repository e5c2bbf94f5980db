//! Findings as workflow commands of GitHub Actions, which show them beside the changed lines.

use std::fmt::Write as _;

use super::{Report, Severity};

impl Report {
    /// Paths start at the repository that the workspace is in. One command a line: `::error file=...,line=...,col=...,title=...::message`.
    pub fn to_github(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let kind = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let problem = &finding.problem;
            let mut message = problem.message.clone();
            for note in &problem.notes {
                let _ = write!(message, "\nnote: {note}");
            }
            let _ = write!(message, "\nhelp: {}", problem.help);
            let position = &problem.position;
            let _ = writeln!(
                text,
                "::{kind} file={},line={},col={},title={}::{}",
                property(&self.in_repository(&position.file)),
                position.line,
                position.column,
                finding.rule,
                data(&message)
            );
        }
        text
    }
}

/// Escapes what would end a message.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes what would end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("100%\na: b"), "100%25%0Aa: b");
        assert_eq!(property("c:\\a,b"), "c%3A\\a%2Cb");
    }
}
