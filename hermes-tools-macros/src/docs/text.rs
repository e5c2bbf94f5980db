//! Cleaning the text of doc comments.

/// Headings of sections that tell a model nothing.
const DROPPED: [&str; 5] = ["example", "examples", "errors", "panics", "safety"];

/// Takes comments line by line and makes text of them.
#[derive(Default)]
pub(crate) struct Cleaner {
    text: String,
    /// Whether a blank line is due before the next text.
    gap: bool,
    /// Whether the last line may be continued by the next.
    open: bool,
    /// The fence that ends the code block we are in.
    fence: Option<String>,
    /// Level of the heading whose section is being left out.
    dropped: Option<usize>,
}

impl Cleaner {
    /// Takes one comment: a `///` line, or a whole `/** ... */` block.
    pub(crate) fn comment(&mut self, comment: &str) {
        match comment.split_once('\n') {
            None => self.line(comment.strip_prefix(' ').unwrap_or(comment)),
            Some((first, rest)) => {
                self.line(first.strip_prefix(' ').unwrap_or(first));
                for line in unindented(rest) {
                    self.line(line);
                }
            }
        }
    }

    /// The text so far, trimmed. What follows starts anew.
    pub(crate) fn take(&mut self) -> String {
        self.gap = false;
        self.open = false;
        std::mem::take(&mut self.text).trim().to_owned()
    }

    /// Whether the last section is one that is left out.
    pub(crate) fn in_dropped_section(&self) -> bool {
        self.dropped.is_some()
    }

    fn line(&mut self, line: &str) {
        let line = line.trim_end();
        let content = line.trim_start();
        if let Some(fence) = &self.fence {
            let closes = content.starts_with(fence.as_str());
            self.verbatim(line);
            if closes {
                self.fence = None;
                self.open = false;
            }
            return;
        }
        if let Some(fence) = fence(content) {
            self.fence = Some(fence);
            self.verbatim(line);
            return;
        }
        if let Some((level, title)) = heading(content) {
            self.heading(level, title, content);
            return;
        }
        if content.is_empty() {
            self.gap = true;
            self.open = false;
        } else if !self.open && line.starts_with("    ") {
            // Code by its indentation.
            self.verbatim(line);
        } else if starts_line(content) {
            self.verbatim(line);
            self.open = !content.starts_with('|');
        } else if self.open && self.dropped.is_none() {
            self.text.push(' ');
            self.text.push_str(content);
        } else {
            self.verbatim(content);
            self.open = true;
        }
    }

    fn heading(&mut self, level: usize, title: &str, line: &str) {
        if self.dropped.is_some_and(|dropped| level > dropped) {
            return;
        }
        let title = title.trim().to_lowercase();
        self.dropped = DROPPED.contains(&title.as_str()).then_some(level);
        self.verbatim(line);
        self.open = false;
    }

    /// A line of its own.
    fn verbatim(&mut self, line: &str) {
        if self.dropped.is_some() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(if self.gap { "\n\n" } else { "\n" });
        }
        self.gap = false;
        self.text.push_str(line);
    }
}

/// The lines of a block comment without the column of stars or the indentation they share.
fn unindented(rest: &str) -> Vec<&str> {
    let lines: Vec<&str> = rest.lines().collect();
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    if filled().all(|line| line.trim_start().starts_with('*')) {
        let without_star = |line: &&'_ str| {
            let line = line.trim_start();
            line.strip_prefix('*')
                .map_or(0, |rest| line.len() - rest.len())
        };
        return lines
            .iter()
            .map(|line| {
                let text = &line.trim_start()[without_star(line)..];
                text.strip_prefix(' ').unwrap_or(text)
            })
            .collect();
    }
    let shared = filled()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(shared..).unwrap_or(""))
        .collect()
}

fn fence(line: &str) -> Option<String> {
    ['`', '~'].into_iter().find_map(|mark| {
        let length = line.chars().take_while(|c| *c == mark).count();
        (length >= 3).then(|| mark.to_string().repeat(length))
    })
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line.get(level..)?;
    ((1..=6).contains(&level) && title.starts_with(' ')).then_some((level, title))
}

/// Whether Markdown gives the line a place of its own: items of lists, quotes, tables.
fn starts_line(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "> ", "|"]
        .iter()
        .any(|mark| line.starts_with(mark))
        || (numbered.len() < line.len()
            && (numbered.starts_with(". ") || numbered.starts_with(") ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(lines: &[&str]) -> String {
        let mut cleaner = Cleaner::default();
        for line in lines {
            cleaner.comment(line);
        }
        cleaner.take()
    }

    #[test]
    fn paragraphs_are_joined_and_kept_apart() {
        assert_eq!(
            clean(&[" One", " two.", "", "", " Three."]),
            "One two.\n\nThree."
        );
    }

    #[test]
    fn items_of_lists_stay_on_lines_of_their_own() {
        assert_eq!(
            clean(&[
                " Modes:",
                " - `a`: the",
                "   first.",
                " - `b`",
                "",
                " 1. x",
                " 2) y"
            ]),
            "Modes:\n- `a`: the first.\n- `b`\n\n1. x\n2) y"
        );
    }

    #[test]
    fn code_is_left_as_it_is() {
        assert_eq!(
            clean(&[
                " Send:",
                " ```json",
                " {",
                "   \"a\": 1",
                "",
                " # b",
                " }",
                " ```",
                " Done."
            ]),
            "Send:\n```json\n{\n  \"a\": 1\n\n# b\n}\n```\nDone."
        );
        assert_eq!(
            clean(&[" Send:", "", "     a", "       b"]),
            "Send:\n\n    a\n      b"
        );
    }

    #[test]
    fn dropped_sections_end_at_a_heading_of_their_level_or_above() {
        assert_eq!(
            clean(&[
                " A.",
                " ## Panics",
                " no",
                " ### Deep",
                " no",
                " ## Use",
                " B."
            ]),
            "A.\n## Use\nB."
        );
        assert_eq!(clean(&[" # Errors", " ```", " # Use", " ```", " no"]), "");
        assert_eq!(
            clean(&[
                " A.",
                " # Errors",
                " no",
                " # Panics",
                " no",
                " # Use",
                " B."
            ]),
            "A.\n# Use\nB."
        );
    }

    #[test]
    fn block_comments_lose_their_stars_or_indentation() {
        assert_eq!(
            clean(&["\n     * One\n     * two.\n     *\n     * Three.\n     "]),
            "One two.\n\nThree."
        );
        assert_eq!(
            clean(&[" One\n    two.\n\n    - a\n    - b\n"]),
            "One two.\n\n- a\n- b"
        );
    }

    #[test]
    fn a_hash_without_a_space_is_text() {
        assert_eq!(clean(&[" See", " #12."]), "See #12.");
    }
}
