//! What is looked for: a regular expression in lines, a glob on names.

use std::ffi::OsStr;

use globset::{GlobBuilder, GlobMatcher};
use grep_matcher::Matcher as _;
use grep_regex::{ErrorKind as RegexErrorKind, RegexMatcher, RegexMatcherBuilder};
use grep_searcher::SearcherBuilder;
use hermes_tools::{ErrorKind, ToolError};

/// Compiles a pattern that is matched line by line, as ripgrep does.
pub(super) fn regex(pattern: &str) -> Result<RegexMatcher, ToolError> {
    let mut builder = RegexMatcherBuilder::new();
    // Lines end before CR LF as before LF, unless the pattern itself asks for the CR.
    let asks_for_cr = pattern.contains('\r') || pattern.contains("\\r");
    builder
        .multi_line(true)
        .line_terminator(Some(b'\n'))
        .crlf(!asks_for_cr);
    builder.build(pattern).map_err(|error| match error.kind() {
        RegexErrorKind::NotAllowed(_) => ToolError::new(
            ErrorKind::BadPattern,
            format!(
                "`{pattern}` cannot match: a search goes line by line, and no line holds its end"
            ),
        )
        .with_help("search for one of the lines, and set `context` to see the lines around it"),
        RegexErrorKind::Regex(text) if is_too_large(text) => ToolError::new(
            ErrorKind::BadPattern,
            format!("`{}` is too large a regular expression", head(pattern)),
        )
        .with_help("lower the numbers in `{}`, leave out nested repeats, or search for a part")
        .because(error),
        _ => ToolError::new(
            ErrorKind::BadPattern,
            format!(
                "`{pattern}` is not a regular expression: {}",
                reason(&error.to_string())
            ),
        )
        .with_help(
            "put a backslash before characters such as `(` `[` `{` `*` that are meant as they \
             are; look-around and back-references are not supported",
        )
        .because(error),
    })
}

/// A searcher for a pattern, as far as the two must agree.
pub(super) fn searcher(matcher: &RegexMatcher) -> SearcherBuilder {
    let mut builder = SearcherBuilder::new();
    builder.line_terminator(matcher.line_terminator().unwrap_or_default());
    builder
}

/// Whether an expression is right and only too large: once compiled, or in the depth of its groups.
fn is_too_large(error: &str) -> bool {
    error.contains("size limit") || error.contains("maximum number of nested")
}

/// The start of a pattern that may be long.
fn head(pattern: &str) -> String {
    const SHOWN: usize = 100;
    match pattern.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &pattern[..end]),
        None => pattern.to_owned(),
    }
}

/// The sentence of a regex error: its last line, without the picture of the pattern before it.
fn reason(error: &str) -> &str {
    let last = error.lines().last().unwrap_or(error);
    last.strip_prefix("error: ").unwrap_or(last)
}

/// A glob on the files of a folder.
///
/// Without a slash it is matched with the name of a file, with one against its path, from the
/// workspace or from the folder that is searched. A leading `!` turns it round.
#[derive(Debug)]
pub(super) struct NameGlob {
    glob: String,
    matcher: GlobMatcher,
    /// The end that a name must have, where that is all that the glob says of it.
    end: Option<Box<[u8]>>,
    on_path: bool,
    negated: bool,
    hidden: Vec<HiddenName>,
}

/// A part of a glob that begins with a point, and so names hidden files or folders.
#[derive(Debug, Clone)]
pub(super) struct HiddenName {
    part: String,
    matcher: GlobMatcher,
    /// Whether it is the last one, which names files.
    is_last: bool,
}

impl HiddenName {
    /// The parts of a glob that begin with a point. One that is no glob by itself names nothing.
    fn of(glob: &str) -> Vec<Self> {
        let last = glob.split('/').count() - 1;
        let parts = glob.split('/').enumerate();
        parts
            .filter(|(_, part)| part.starts_with('.') && !matches!(*part, "." | ".."))
            .filter_map(|(index, part)| {
                Some(Self {
                    part: part.to_owned(),
                    matcher: GlobBuilder::new(part)
                        .backslash_escape(true)
                        .build()
                        .ok()?
                        .compile_matcher(),
                    is_last: index == last,
                })
            })
            .collect()
    }

    /// Whether a hidden file or folder is named. What git keeps for itself is named by its whole name
    /// alone.
    pub(super) fn fits(&self, name: &OsStr, is_folder: bool) -> bool {
        if is_folder && (self.is_last || (name == ".git" && self.part != ".git")) {
            return false;
        }
        self.matcher.is_match(name)
    }
}

impl NameGlob {
    /// Compiles the glob of a parameter.
    pub(super) fn new(pattern: &str, parameter: &str) -> Result<Self, ToolError> {
        let (negated, glob) = match pattern.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let glob = glob.strip_prefix("./").unwrap_or(glob);
        let matcher = GlobBuilder::new(glob)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(|error| {
                ToolError::new(
                    ErrorKind::BadPattern,
                    format!("`{parameter}`: `{pattern}` is not a glob: {}", error.kind()),
                )
                .with_help("write a glob such as `*.rs`, `src/**/*.{ts,tsx}` or `[Mm]akefile`")
                .because(error)
            })?
            .compile_matcher();
        Ok(Self {
            glob: pattern.to_owned(),
            matcher,
            end: glob
                .strip_prefix('*')
                .filter(|end| !end.contains(['*', '?', '[', ']', '{', '}', ',', '\\', '/', '!']))
                .map(|end| end.as_bytes().into()),
            on_path: glob.contains('/'),
            hidden: if negated {
                Vec::new()
            } else {
                HiddenName::of(glob)
            },
            negated,
        })
    }

    /// Whether a file fits, by its path from the workspace and its path from the folder searched.
    pub(super) fn fits(&self, from_root: &str, from_folder: &str) -> bool {
        let found = if self.on_path {
            self.matcher.is_match(from_root) || self.matcher.is_match(from_folder)
        } else {
            self.matcher
                .is_match(from_root.rsplit('/').next().unwrap_or(from_root))
        };
        found != self.negated
    }

    /// Whether a file fits by its name; none where the path decides.
    pub(super) fn fits_name(&self, name: &OsStr) -> Option<bool> {
        let fits = || match &self.end {
            Some(end) => name.as_encoded_bytes().ends_with(end),
            None => self.matcher.is_match(name),
        };
        (!self.on_path).then(|| fits() != self.negated)
    }

    /// What it names of what is hidden otherwise.
    pub(super) fn hidden(&self) -> &[HiddenName] {
        &self.hidden
    }

    /// The folders that it begins with, as far as they are named without wildcards.
    pub(super) fn folders(&self) -> Option<&str> {
        let wild = self.glob.find(['*', '?', '[', '{', '!', '\\'])?;
        let end = self.glob[..wild].rfind('/')?;
        let folders = self.glob[..end].trim_start_matches("./");
        (!folders.is_empty() && !folders.starts_with('/')).then_some(folders)
    }

    /// The glob as it was given.
    pub(super) fn as_str(&self) -> &str {
        &self.glob
    }

    /// Whether it has no wildcard, so that it stands for one name.
    pub(super) fn is_plain(&self) -> bool {
        !self.glob.contains(['*', '?', '[', '{', '!'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_bad(pattern: &str, message: &str) {
        let error = regex(pattern).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPattern);
        assert_eq!(error.message(), message);
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_told_in_one_line() {
        check_bad(
            "[z-a]",
            "`[z-a]` is not a regular expression: invalid character class range, the start must \
             be <= the end",
        );
        check_bad("f(x", "`f(x` is not a regular expression: unclosed group");
        check_bad(
            "a(?=b)",
            "`a(?=b)` is not a regular expression: look-around, including look-ahead and \
             look-behind, is not supported",
        );
        check_bad(
            "one\\ntwo",
            "`one\\ntwo` cannot match: a search goes line by line, and no line holds its end",
        );
    }

    #[test]
    fn lines_end_before_cr_lf() {
        assert!(regex("hit$").unwrap().is_match(b"hit\r\n").unwrap());
        assert!(regex("hit\\r$").unwrap().is_match(b"hit\r\n").unwrap());
        assert!(!regex("one\\\\n$").unwrap().is_match(b"one\n").unwrap());
    }

    #[test]
    fn a_pattern_that_is_too_large_is_not_told_to_be_wrong() {
        let deep = "(".repeat(300) + &")".repeat(300);
        let shown = format!("{}...", "(".repeat(100));
        for (pattern, shown) in [("(a{1000}){1000}{1000}", None), (&deep, Some(&shown))] {
            let error = regex(pattern).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadPattern);
            assert_eq!(
                error.to_string(),
                format!(
                    "`{}` is too large a regular expression; lower the numbers in `{{}}`, leave \
                     out nested repeats, or search for a part",
                    shown.map_or(pattern, |shown| shown)
                )
            );
        }
    }

    #[track_caller]
    fn check_glob(glob: &str, fits: &[&str], others: &[&str]) {
        let glob = NameGlob::new(glob, "pattern").unwrap();
        for (paths, expected) in [(fits, true), (others, false)] {
            for path in paths {
                assert_eq!(glob.fits(path, path), expected, "{path}");
                // The shorter way says the same.
                let name = path.rsplit('/').next().unwrap();
                let by_name = glob.fits_name(OsStr::new(name));
                assert!(by_name.is_none_or(|fits| fits == expected), "{path}");
            }
        }
    }

    #[test]
    fn a_glob_without_slash_is_for_names_and_with_one_for_paths() {
        check_glob(
            "*.py",
            &["a.py", "src/deep/a.py", "-x.py"],
            &["a.pyc", "py"],
        );
        check_glob("foo.py", &["foo.py", "d/foo.py"], &["barfoo.py"]);
        check_glob("*", &["a", ".b", "d/c"], &[]);
        check_glob(
            "*_test.go",
            &["a_test.go", "d/_test.go"],
            &["a.go", "_test.gox"],
        );
        check_glob("a?.md", &["a1.md"], &["a22.md"]);
        check_glob("*.{ts,tsx}", &["a.ts", "b/c.tsx"], &["a.js"]);
        check_glob("!*.txt", &["a.py"], &["b/a.txt"]);
        check_glob(
            "src/*.py",
            &["src/a.py"],
            &["src/deep/a.py", "lib/src/a.py"],
        );
        check_glob("./src/**/*.py", &["src/a.py", "src/deep/a.py"], &["a.py"]);
        check_glob("**/*.py", &["a.py", "src/a.py"], &["a.rs"]);
    }

    #[test]
    fn a_path_counts_from_the_workspace_or_from_the_folder_searched() {
        let glob = NameGlob::new("deep/*.py", "pattern").unwrap();
        assert!(glob.fits("src/deep/a.py", "deep/a.py"));
        assert!(!glob.fits("src/deep/a.py", "a.py"));
    }

    #[test]
    fn what_is_wrong_with_a_glob_is_told() {
        let error = NameGlob::new("a[", "file_glob").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPattern);
        assert_eq!(
            error.message(),
            "`file_glob`: `a[` is not a glob: unclosed character class; missing ']'"
        );
    }
}
