//! What is wrong with an argument, and what was put right.

use std::fmt;

use super::{Node, render_string};

/// One problem of a call's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issue {
    /// Where, such as `edits[2].line`; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong, as a lowercase fragment that reads after the path.
    pub problem: String,
    /// What to write instead, where that is known.
    pub hint: Option<String>,
    /// What should stand there, where that can be said.
    pub expected: Option<Box<str>>,
    /// What stands there, shortened.
    pub got: Option<Box<str>>,
    /// The name or value that was probably meant, in its quotes.
    pub nearest: Option<Box<str>>,
}

/// One change that made an argument fit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Where, such as `edits[2].line`; empty for the text as a whole.
    pub path: String,
    /// What was done, as a lowercase fragment.
    pub what: &'static str,
    /// What was sent, shortened; for a change of the text itself, the place.
    pub before: String,
    /// What the tool got, shortened; empty when it got nothing.
    pub after: String,
}

impl Issue {
    /// A problem at the value itself; the caller adds where that is.
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            problem: problem.into(),
            hint: None,
            expected: None,
            got: None,
            nearest: None,
        }
    }

    /// The value is not what it should be.
    pub fn expected(what: impl fmt::Display, got: &Node) -> Self {
        let what = what.to_string();
        let got = got.describe();
        Self {
            expected: Some(what.as_str().into()),
            got: Some(got.as_str().into()),
            ..Self::new(format!("expected {what}, got {got}"))
        }
    }

    /// The value must be there and is not.
    pub fn missing(expected: String) -> Self {
        Self {
            problem: format!("missing; expected {expected}"),
            expected: Some(expected.into()),
            ..Self::new("")
        }
    }

    /// Whether it is about a parameter and not about something inside of one.
    pub(super) fn is_at_parameter(&self) -> bool {
        !self.path.contains(['.', '['])
            || self.path.starts_with("[\"") && self.path.ends_with("\"]")
    }

    /// Adds what was probably meant, in its quotes.
    #[must_use]
    pub(crate) fn near(mut self, nearest: Option<String>) -> Self {
        if let Some(nearest) = &nearest {
            self.hint = Some(format!("did you mean {nearest}?"));
        }
        self.nearest = nearest.map(String::into);
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Places the problem into an entry of an object.
    #[must_use]
    pub fn at_key(mut self, key: &str) -> Self {
        join(&mut self.path, &key_step(key));
        self
    }

    /// Places the problem into an item of a list.
    #[must_use]
    pub fn at_index(mut self, index: usize) -> Self {
        join(&mut self.path, &format!("[{index}]"));
        self
    }
}

/// A key as a step of a path. One that could be taken for two steps stands in brackets.
pub(super) fn key_step(key: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "_-$@".contains(character);
    if !key.is_empty() && key.chars().all(plain) {
        key.to_owned()
    } else {
        format!("[{}]", render_string(key))
    }
}

/// Puts a step before a path.
fn join(path: &mut String, step: &str) {
    if !path.is_empty() && !path.starts_with('[') {
        path.insert(0, '.');
    }
    path.insert_str(0, step);
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        f.write_str(&self.problem)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        f.write_str(self.what)?;
        if self.after.is_empty() {
            write!(f, " ({})", self.before)
        } else {
            write!(f, " ({} to {})", self.before, self.after)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_grow_from_the_inside() {
        let issue = Issue::new("is empty")
            .at_key("line")
            .at_index(2)
            .at_key("edits");
        assert_eq!(issue.path, "edits[2].line");
        assert_eq!(issue.to_string(), "`edits[2].line`: is empty");
        assert_eq!(Issue::new("").at_key("a.b").at_key("c").path, "c[\"a.b\"]");
    }
}
