//! From the text of a patch to its operations.

use std::borrow::Cow;
use std::path::{Component, Path};

use hermes_tools::{ErrorKind, ToolError};

use super::header::{Header, hint};
use super::{Hunk, Line, Operation, Patch};

impl<'p> Patch<'p> {
    /// Reads a patch. Words before it and behind it are passed over, and the markers around it may be
    /// missing. What stands in it must be understood, to the last line.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadPatch`], with the line of the patch; [`ErrorKind::OutsideWorkspace`] for a path
    /// with `..`.
    pub(in crate::file) fn parse(text: &'p str) -> Result<Self, ToolError> {
        let mut parser = Parser {
            operations: Vec::new(),
            section: None,
            inside: false,
            line: 0,
        };
        // A carriage return at the end of a line is how the patch came, and none of a file.
        for line in text.split('\n') {
            parser.line += 1;
            parser.take(line.strip_suffix('\r').unwrap_or(line))?;
        }
        parser.finish()?;
        if parser.operations.is_empty() {
            return Err(bad("the patch holds no operation").with_help(
                "write `*** Update File: path`, `*** Add File: path`, `*** Delete File: path` or \
                 `*** Move File: from -> to`, and the lines below it",
            ));
        }
        Ok(Self {
            operations: parser.operations,
        })
    }
}

struct Parser<'p> {
    operations: Vec<Operation<'p>>,
    /// What the lines belong to.
    section: Option<Section<'p>>,
    /// Whether the patch has begun and not ended.
    inside: bool,
    /// Number of the line, counted from 1.
    line: usize,
}

enum Section<'p> {
    Add {
        path: &'p str,
        lines: Vec<&'p str>,
        /// Empty lines that may be the end of the section.
        bare: usize,
        /// Whether the last line has no line feed.
        unfinished: bool,
    },
    Update {
        path: &'p str,
        moved_to: Option<&'p str>,
        hunks: Vec<Hunk<'p>>,
        /// Where the section begins.
        line: usize,
    },
}

fn bad(message: impl Into<Cow<'static, str>>) -> ToolError {
    ToolError::new(ErrorKind::BadPatch, message)
}

impl<'p> Parser<'p> {
    fn take(&mut self, line: &'p str) -> Result<(), ToolError> {
        match Header::of(line) {
            Some(header) => self.header(header, line),
            None => self.body(line),
        }
    }

    fn header(&mut self, header: Header<'p>, line: &str) -> Result<(), ToolError> {
        match header {
            Header::EndOfFile => {
                match &mut self.section {
                    Some(Section::Update { hunks, .. }) if !hunks.is_empty() => {
                        if let Some(hunk) = hunks.last_mut() {
                            hunk.at_end = true;
                        }
                    }
                    Some(Section::Add { .. }) => {}
                    _ => return Err(self.stray(line)),
                }
                return Ok(());
            }
            Header::MoveTo(to) => {
                let to = self.path(to)?;
                return match &mut self.section {
                    Some(Section::Update {
                        moved_to, hunks, ..
                    }) if moved_to.is_none() && hunks.is_empty() => {
                        *moved_to = Some(to);
                        Ok(())
                    }
                    _ => Err(self.stray(line)),
                };
            }
            Header::Unknown => {
                return Err(
                    bad(format!("line {} is no known header: `{line}`", self.line)).with_help(
                        "headers are `*** Update File:`, `*** Add File:`, `*** Delete File:`, \
                         `*** Move File:` and `*** Move to:`; a line of a file begins with a \
                         blank, `+` or `-`",
                    ),
                );
            }
            _ => {}
        }
        self.finish()?;
        self.inside = header != Header::End;
        match header {
            Header::Update(path) => {
                self.section = Some(Section::Update {
                    path: self.path(path)?,
                    moved_to: None,
                    hunks: Vec::new(),
                    line: self.line,
                });
            }
            Header::Add(path) => {
                self.section = Some(Section::Add {
                    path: self.path(path)?,
                    lines: Vec::new(),
                    bare: 0,
                    unfinished: false,
                });
            }
            Header::Delete(path) => {
                let path = self.path(path)?;
                self.operations.push(Operation::Delete { path });
            }
            Header::Move(paths) => {
                let mut parts = paths.split(" -> ");
                let (Some(from), Some(to), None) = (parts.next(), parts.next(), parts.next())
                else {
                    return Err(bad(format!(
                        "line {}: a move has two paths: `{paths}`",
                        self.line
                    ))
                    .with_help("write `*** Move File: from -> to`"));
                };
                let (path, to) = (self.path(from.trim())?, self.path(to.trim())?);
                self.operations.push(Operation::Move { path, to });
            }
            _ => {}
        }
        Ok(())
    }

    fn path(&self, path: &'p str) -> Result<&'p str, ToolError> {
        if path.is_empty() {
            return Err(bad(format!("line {}: the header has no path", self.line))
                .with_help("write the path behind the colon"));
        }
        // A patch names its files from the workspace down, also where the way up stays inside.
        if Path::new(path)
            .components()
            .any(|part| part == Component::ParentDir)
        {
            return Err(ToolError::new(
                ErrorKind::OutsideWorkspace,
                format!("line {}: `{path}` leads upwards by `..`", self.line),
            )
            .with_help("write the path in the header without `..`"));
        }
        Ok(path)
    }

    fn stray(&self, line: &str) -> ToolError {
        bad(format!(
            "line {}: `{line}` does not belong there",
            self.line
        ))
        .with_help(
            "`*** Move to:` stands directly below `*** Update File:`, and `*** End of File` behind \
             the lines of a hunk",
        )
    }

    fn body(&mut self, line: &'p str) -> Result<(), ToolError> {
        let number = self.line;
        match &mut self.section {
            None if self.inside && line.starts_with(['@', '+', '-']) => {
                Err(bad(format!("line {number} belongs to no file: `{line}`"))
                    .with_help("write `*** Update File: path` above the lines of a file"))
            }
            // Words around the patch.
            None => Ok(()),
            Some(Section::Add {
                lines,
                bare,
                unfinished,
                ..
            }) => {
                if let Some(line) = line.strip_prefix('+') {
                    lines.extend(std::iter::repeat_n("", *bare));
                    lines.push(line);
                    *bare = 0;
                } else if line.is_empty() {
                    *bare += 1;
                } else if is_unfinished(line) {
                    *unfinished = true;
                } else {
                    return Err(bad(format!(
                        "line {number}: every line of a new file begins with `+`: `{line}`"
                    ))
                    .with_help("put `+` before each of its lines"));
                }
                Ok(())
            }
            Some(Section::Update { hunks, .. }) => {
                if let Some(hint) = hint(line) {
                    let opened = hunks.last_mut().filter(|hunk| hunk.lines.is_empty());
                    let hints = hint_or_none(hint);
                    match opened {
                        // Several in a row lead to the place, one after the other.
                        Some(hunk) => hunk.hints.extend(hints),
                        None => hunks.push(Hunk {
                            hints: hints.into_iter().collect(),
                            ..Hunk::default()
                        }),
                    }
                    return Ok(());
                }
                if is_unfinished(line) || (line.is_empty() && hunks.is_empty()) {
                    return Ok(());
                }
                if hunks.last().is_none_or(|hunk| hunk.at_end) {
                    hunks.push(Hunk::default());
                }
                if let Some(hunk) = hunks.last_mut() {
                    hunk.lines.push(Line::of(line));
                }
                Ok(())
            }
        }
    }

    /// Ends the section at hand.
    fn finish(&mut self) -> Result<(), ToolError> {
        match self.section.take() {
            None => {}
            Some(Section::Add {
                path,
                lines,
                unfinished,
                ..
            }) => {
                let mut text = lines.join("\n");
                if !lines.is_empty() && !unfinished {
                    text.push('\n');
                }
                self.operations.push(Operation::Add { path, text });
            }
            Some(Section::Update {
                path,
                moved_to,
                mut hunks,
                line,
            }) => {
                hunks.iter_mut().for_each(Hunk::trim);
                hunks.retain(|hunk| !hunk.lines.is_empty());
                if hunks.is_empty() && moved_to.is_none() {
                    return Err(
                        bad(format!("line {line}: the update of `{path}` has no lines")).with_help(
                            "write the lines that stand there, `-` before those that go and `+` \
                             before those that come",
                        ),
                    );
                }
                self.operations.push(Operation::Update {
                    path,
                    moved_to,
                    hunks,
                });
            }
        }
        Ok(())
    }
}

fn hint_or_none(hint: &str) -> Option<&str> {
    (!hint.is_empty()).then_some(hint)
}

/// Whether a line is what `diff` says of a last line without a line feed.
fn is_unfinished(line: &str) -> bool {
    line.starts_with("\\ ")
}

impl<'p> Line<'p> {
    /// A line by its first character; one without any of them is context whose blank was forgotten.
    fn of(line: &'p str) -> Self {
        let mut characters = line.chars();
        match characters.next() {
            None => Self::Bare,
            Some(' ') => Self::Context(characters.as_str()),
            Some('-') => Self::Removed(characters.as_str()),
            Some('+') => Self::Added(characters.as_str()),
            Some(_) => Self::Context(line),
        }
    }
}

impl Hunk<'_> {
    /// Takes off the bare lines at both ends: they part a hunk from what is around it.
    fn trim(&mut self) {
        let is_bare = |line: &Line<'_>| *line == Line::Bare;
        let start = self.lines.iter().take_while(|line| is_bare(line)).count();
        self.lines.drain(..start);
        let end = self
            .lines
            .iter()
            .rev()
            .take_while(|line| is_bare(line))
            .count();
        self.lines.truncate(self.lines.len() - end);
    }
}

#[cfg(test)]
mod tests;
