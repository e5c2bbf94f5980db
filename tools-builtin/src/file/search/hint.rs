//! What a model is told beside the results: why there are none, and what is missing.

use super::output::Found;
use super::pattern::NameGlob;
use super::walk::Seen;
use crate::file::text::counted;

/// What was asked for, as far as hints speak of it.
#[derive(Debug)]
pub(super) struct Asked {
    /// The folder or file that was searched.
    pub(super) scope: String,
    /// The pattern, when it is a glob.
    pub(super) names: Option<NameGlob>,
    pub(super) file_glob: Option<NameGlob>,
}

impl Asked {
    /// What to tell of a result.
    pub(super) fn hint(
        &self,
        found: &Found,
        seen: &Seen,
        offset: u64,
        is_late: bool,
    ) -> Option<String> {
        let mut hints = Vec::new();
        if seen.stopped {
            let (why, next) = if is_late {
                ("the time was up", "narrow `path` or `file_glob`")
            } else {
                (
                    "the search was cancelled",
                    "do not repeat it unless the user asks",
                )
            };
            hints.push(format!(
                "{why}: results and totals cover what was searched until then; {next}"
            ));
        }
        let results = found
            .total_files
            .filter(|_| found.counts.is_some())
            .unwrap_or(found.total_count);
        if results == 0 && !seen.stopped {
            hints.push(self.why_none(seen));
        } else if results > 0 && offset >= results {
            hints.push(format!(
                "offset {offset} is past the last of {}",
                counted(results, "result")
            ));
        }
        (!hints.is_empty()).then(|| hints.join(". "))
    }

    fn why_none(&self, seen: &Seen) -> String {
        let scope = &self.scope;
        let searched = seen.files.saturating_sub(seen.skipped.count());
        if searched == 0 && seen.skipped.count() > 0 {
            return format!("nothing in `{scope}` could be searched; `skipped` says why");
        }
        let all = counted(seen.files + seen.others, "file");
        if seen.files + seen.others == 0 {
            return format!(
                "there are no files in `{scope}` beside hidden and ignored ones, which are searched \
                 only when `path` names them"
            );
        }
        match (&self.names, &self.file_glob) {
            (Some(names), None) if names.is_plain() => format!(
                "none of {all} in `{scope}` is called `{0}`; a part of a name is `*{0}*`",
                names.as_str()
            ),
            (Some(names), None) => format!("none of {all} in `{scope}` fits `{}`", names.as_str()),
            (Some(names), Some(glob)) => format!(
                "none of {all} in `{scope}` fits both `{}` and `{}`",
                names.as_str(),
                glob.as_str()
            ),
            (None, Some(glob)) if seen.files == 0 => {
                format!("none of {all} in `{scope}` fits `{}`", glob.as_str())
            }
            (None, _) => format!(
                "no line matches in {} of `{scope}`; case counts, `(?i)` in front ignores it",
                counted(searched, "file")
            ),
        }
    }
}
