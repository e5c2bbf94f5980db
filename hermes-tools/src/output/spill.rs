//! Results that are too long for a model: kept in the store, with a preview in their place.

use std::borrow::Cow;
use std::path::PathBuf;

use super::sanitize::mark_untrusted;
use super::store::{SessionFolder, lay_out_short};
use super::truncate::{beginning, last};
use super::{Budget, Content, Output, bound_as};
use crate::registry::Tool;

/// How much of a result a model sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// All of it.
    Whole,
    /// Both ends of its text; the rest is lost.
    Cut,
    /// Both ends of its text; all of the text is in this file, which the session may read.
    Stored(PathBuf),
}

/// Where long results of a turn go.
pub(crate) struct Spill<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) folder: Option<&'a SessionFolder>,
    pub(crate) turn: u64,
    /// Names of the session's tools that read files.
    pub(crate) readers: &'a [Tool],
}

/// Whose result it is.
#[derive(Clone, Copy)]
pub(crate) struct Author<'a> {
    pub(crate) tool: &'a str,
    pub(crate) call_id: Option<&'a str>,
    pub(crate) untrusted: bool,
}

/// Characters that may stand around a preview, the end of the text among them.
const NOTE: usize = 450;

/// How much of the end is shown at most, and at least.
const TAIL: usize = 200;
const LEAST_TAIL: usize = 60;

impl Budget {
    /// Whether a result is so short that nothing has to be counted.
    pub(crate) fn surely_holds(&self, output: &Output, tool: &Tool) -> bool {
        let most = self.threshold(tool.name(), Some(tool.result_limit()), false);
        bytes(output) <= most
    }
}

impl Spill<'_> {
    /// Bounds the result of a tool: where its text is longer than the tool's threshold it goes into the
    /// store. It is marked when it is from outside.
    pub(crate) fn bound(
        &self,
        output: Output,
        tool: &Tool,
        call_id: Option<&str>,
    ) -> (Output, Fit) {
        let author = Author {
            tool: tool.name(),
            call_id,
            untrusted: tool.is_untrusted(),
        };
        let cap = tool.result_limit();
        let threshold = self
            .budget
            .threshold(tool.name(), Some(cap), !tool.may_spill());
        if threshold == usize::MAX {
            // Such a result is never stored here, and cut to what its tool allows.
            let fit = if is_longer(&output, cap) {
                Fit::Cut
            } else {
                Fit::Whole
            };
            return (bound_as(output, tool.name(), cap, author.untrusted), fit);
        }
        if !is_longer(&output, threshold) {
            return (
                bound_as(output, tool.name(), usize::MAX, author.untrusted),
                Fit::Whole,
            );
        }
        if self.folder.is_none() && threshold < self.budget.preview() + NOTE {
            // A preview would be longer than what the tool allows.
            return (
                bound_as(output, tool.name(), threshold, author.untrusted),
                Fit::Cut,
            );
        }
        self.shorten(&output, author)
    }

    /// Puts a preview in the place of the text of a result, and the text into the store. Parts that are no
    /// text stay as they are.
    pub(crate) fn shorten(&self, output: &Output, author: Author<'_>) -> (Output, Fit) {
        let texts: Vec<Cow<'_, str>> = output
            .parts()
            .filter(|part| part.is_text())
            .map(|part| match part {
                Content::Json(json) => Cow::Owned(lay_out_short(json)),
                other => Cow::Borrowed(other.as_text()),
            })
            .collect();
        let json = output.parts().any(|part| matches!(part, Content::Json(_)));
        let whole = match <[_; 1]>::try_from(texts) {
            Ok([only]) => only,
            Err(several) => Cow::Owned(several.join("\n")),
        };
        let (preview, fit) = self.preview(&whole, json, author);
        let mut preview = Some(Content::Text(Cow::Owned(preview)));
        let parts = output.parts().filter_map(|part| {
            if part.is_text() {
                preview.take()
            } else {
                Some(part.clone())
            }
        });
        (Output::new(parts.collect()), fit)
    }

    fn preview(&self, whole: &str, json: bool, author: Author<'_>) -> (String, Fit) {
        let total = whole.chars().count();
        let mark = |text: String| {
            if author.untrusted {
                mark_untrusted(author.tool, &text)
            } else {
                text
            }
        };
        let head = beginning(whole, self.budget.preview());
        let shown = head.chars().count();
        let kind = if json {
            "characters of JSON"
        } else {
            "characters"
        };
        let note = match self.keep(whole, author) {
            Some(Ok(path)) => {
                let line = head.matches('\n').count() + 1 + usize::from(author.untrusted);
                let readers = self.readers();
                let note = format!(
                    "The result has {total} {kind}; all of it is in `{}`. What follows is cut. \
                     To go on, read that file from line {line} on{readers}.",
                    path.display()
                );
                Ok((note, path))
            }
            Some(Err(error)) => Err(format!("it could not be kept ({error})")),
            None => Err("nothing keeps it".to_owned()),
        };
        let room = |note: &str| {
            let around = note.chars().count() + 100 + if author.untrusted { 150 } else { 0 };
            NOTE.saturating_sub(around).clamp(LEAST_TAIL, TAIL)
        };
        match note {
            Ok((note, path)) => {
                let tail = end(whole, room(&note).min(total - shown));
                let missing = total - shown - tail.chars().count();
                let both = mark(format!(
                    "{head}\n[... {missing} characters left out ...]\n{tail}"
                ));
                let text = format!("<persisted-output>\n{note}\n{both}\n</persisted-output>");
                (text, Fit::Stored(path))
            }
            Err(why) => {
                let tail = end(whole, room(&why).min(total - shown));
                let missing = total - shown - tail.chars().count();
                let text = mark(format!(
                    "{head}\n[... {missing} of {total} {kind} left out: {why}; ask for a smaller \
                     part ...]\n{tail}"
                ));
                (text, Fit::Cut)
            }
        }
    }

    fn keep(&self, whole: &str, author: Author<'_>) -> Option<Result<PathBuf, String>> {
        let id = author.call_id.unwrap_or("call");
        // What is read from the store later has lost whose it is, so it is marked there.
        let marked = author.untrusted.then(|| mark_untrusted(author.tool, whole));
        let text = marked.as_deref().unwrap_or(whole);
        let stored = self.folder?.put(self.turn, id, text);
        Some(stored.map_err(|error| error.to_string()))
    }

    fn readers(&self) -> String {
        let names: Vec<String> = self
            .readers
            .iter()
            .map(|tool| format!("`{}`", tool.name()))
            .collect();
        if names.is_empty() {
            String::new()
        } else {
            format!(" with {}", names.join(" or "))
        }
    }

    /// Brings all results of one answer within its budget, the largest first, of equal ones the first.
    /// One that would not become shorter stays.
    pub(crate) fn fit_turn(&self, results: &mut [TurnResult<'_>]) {
        let mut sizes: Vec<usize> = results.iter().map(|result| length(result.output)).collect();
        let mut sum: usize = sizes.iter().sum();
        let mut order: Vec<usize> = (0..results.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(sizes[*index]));
        for index in order {
            if sum <= self.budget.per_turn() {
                break;
            }
            let result = &mut results[index];
            // A preview is longer than this; storing it first would leave a file behind for nothing.
            let gains = sizes[index] > self.budget.preview() + NOTE;
            if matches!(result.fit, Fit::Stored(_)) || !gains {
                continue;
            }
            let (output, fit) = self.shorten(result.output, result.author);
            let shorter = length(&output);
            if shorter < sizes[index] {
                sum -= sizes[index] - shorter;
                sizes[index] = shorter;
                *result.output = output;
                *result.fit = fit;
            }
        }
    }
}

/// One result of an answer.
pub(crate) struct TurnResult<'a> {
    pub(crate) output: &'a mut Output,
    pub(crate) fit: &'a mut Fit,
    pub(crate) author: Author<'a>,
}

/// Characters of all text of a result.
fn length(output: &Output) -> usize {
    let texts = output.parts().filter(|part| part.is_text());
    texts.map(|part| part.as_text().chars().count()).sum()
}

/// Whether the text of a result has more than so many characters.
fn is_longer(output: &Output, limit: usize) -> bool {
    // A text of so many bytes has at most so many characters, so most are not counted.
    bytes(output) > limit && length(output) > limit
}

/// Bytes of all text of a result.
fn bytes(output: &Output) -> usize {
    let texts = output.parts().filter(|part| part.is_text());
    texts.map(|part| part.as_text().len()).sum()
}

/// The last so many characters, cut behind the first line end when that lies in the first half.
fn end(text: &str, characters: usize) -> &str {
    let tail = last(text, characters);
    match tail.find('\n') {
        Some(end) if tail[..end].chars().count() < characters / 2 => &tail[end + 1..],
        _ => tail,
    }
}
