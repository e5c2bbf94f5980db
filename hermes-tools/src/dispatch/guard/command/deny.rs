//! Commands that the operator has forbidden.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};

use super::category::Category;
use super::eval::Eval;
use super::field::Field;
use super::program::program_name;

/// A pattern of commands that are never run: `*` and `?` in it, in any case.
#[derive(Clone)]
pub(crate) struct Deny {
    pattern: String,
    matcher: Option<GlobMatcher>,
}

/// How many options before the first operand are passed over.
const MAX_OPTIONS: usize = 16;

impl Deny {
    pub(crate) fn new(pattern: &str) -> Self {
        let pattern = spaced(pattern);
        let glob = GlobBuilder::new(&pattern).case_insensitive(true).build();
        Self {
            matcher: glob.ok().map(|glob| glob.compile_matcher()),
            pattern,
        }
    }

    /// The pattern, where it does not read as one.
    pub(in super::super) fn unreadable(&self) -> Option<&str> {
        self.matcher.is_none().then_some(self.pattern.as_str())
    }

    /// Whether it matches a line. `git push *` also means `git push` alone.
    pub(super) fn matches(&self, line: &str) -> bool {
        let line = spaced(line);
        self.matcher
            .as_ref()
            .is_none_or(|matcher| matcher.is_match(&line) || matcher.is_match(line + " "))
    }

    /// Whether it may match words of which some cannot be told.
    fn may_match(&self, name: &str, arguments: &[Field]) -> bool {
        let mut parts = self.pattern.split(' ');
        let is_glob = |part: &str| part.contains(['*', '?', '[', '{', '\\']);
        let first = parts.next().unwrap_or("");
        if !is_glob(first) && !first.eq_ignore_ascii_case(name) {
            return false;
        }
        for (part, word) in parts.zip(arguments) {
            if is_glob(part) || !word.is_known() || word.has_glob() {
                return true;
            }
            if !part.eq_ignore_ascii_case(&word.text) {
                return false;
            }
        }
        false
    }
}

impl fmt::Debug for Deny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.pattern, f)
    }
}

impl Eval<'_> {
    /// Whether the operator has forbidden what would run: a program by its name or its path, with its
    /// arguments, also without the options that stand before the first of them.
    pub(super) fn denied(&mut self, program: &Field, arguments: &[Field]) {
        let setting = self.setting;
        if setting.deny.is_empty() {
            return;
        }
        let path = program.plain();
        let base = path.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
        let name = program_name(&path);
        let mut from = 0;
        loop {
            let rest = arguments.get(from..).unwrap_or_default();
            let words: Vec<String> = rest.iter().map(Field::plain).collect();
            let words = words.join(" ");
            self.spend(words.len());
            for deny in &setting.deny {
                for name in [&path, &base, &name] {
                    if deny.matches(&format!("{name} {words}")) {
                        self.forbid();
                    } else if deny.may_match(name, rest) {
                        let told = rest.iter().all(|it| it.is_known() && !it.has_glob());
                        if !told {
                            self.ask(Category::Unresolvable);
                        }
                    }
                }
            }
            let is_option = |at: usize| arguments.get(at).is_some_and(Field::is_option);
            // The value of an option may stand behind it.
            let is_value = from > 0 && from < arguments.len() && is_option(from - 1);
            if !is_option(from) && !is_value {
                return;
            }
            from += 1;
            if from > MAX_OPTIONS {
                return self.give_up();
            }
        }
    }
}

/// A line with one space for all that stands between its words.
fn spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
