//! What can be wrong with toolsets and with what is asked of them.

use std::fmt;

use hermes_tools::{Origin, SessionSource};

/// Two declarations of one toolset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "toolset `{name}` is declared twice, at {}:{} and at {}:{}: rename one of them",
    first.file, first.line, second.file, second.line
)]
#[non_exhaustive]
pub struct DuplicateToolset {
    /// The name that both have.
    pub name: &'static str,
    /// Where one of them stands.
    pub first: &'static Origin,
    /// Where the other stands.
    pub second: &'static Origin,
}

/// Why a selection cannot be made. Nothing is selected then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// Names that no toolset answers to, in the order in which they were given, none twice.
    #[error("{}", UnknownList(.0))]
    UnknownToolsets(Vec<UnknownToolset>),
    /// No toolset was named, and the source of the session has none of its own.
    #[error(
        "session source `{source_name}` has no default toolset: \
         enable toolsets by name, or define `hermes-{source_name}`"
    )]
    NoDefault {
        /// The source's name.
        source_name: Box<str>,
    },
}

/// A name that no toolset answers to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownToolset {
    /// The name as it was given.
    pub name: Box<str>,
    /// The toolset that was probably meant: one with nearly this name, or the one that owns the tool
    /// of this name.
    pub nearest: Option<Box<str>>,
}

impl SelectError {
    pub(crate) fn no_default(source: &SessionSource) -> Self {
        Self::NoDefault {
            source_name: source.name().into(),
        }
    }
}

/// Writes all unknown names in one line.
struct UnknownList<'e>(&'e [UnknownToolset]);

impl fmt::Display for UnknownList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [one] = self.0 {
            write!(f, "unknown toolset `{}`", one.name)?;
            return match &one.nearest {
                Some(nearest) => write!(f, ", did you mean `{nearest}`?"),
                None => f.write_str(": `hermes toolsets` lists all names"),
            };
        }
        f.write_str("unknown toolsets ")?;
        for (index, unknown) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "`{}`", unknown.name)?;
            if let Some(nearest) = &unknown.nearest {
                write!(f, " (did you mean `{nearest}`?)")?;
            }
        }
        f.write_str(": `hermes toolsets` lists all names")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(name: &str, nearest: Option<&str>) -> UnknownToolset {
        UnknownToolset {
            name: name.into(),
            nearest: nearest.map(Into::into),
        }
    }

    #[test]
    fn one_unknown_name_is_told_with_the_nearest() {
        let error = SelectError::UnknownToolsets(vec![unknown("wbe", Some("web"))]);
        assert_eq!(
            error.to_string(),
            "unknown toolset `wbe`, did you mean `web`?"
        );
    }

    #[test]
    fn all_unknown_names_are_told_in_one_line() {
        let names = vec![unknown("wbe", Some("web")), unknown("none", None)];
        assert_eq!(
            SelectError::UnknownToolsets(names).to_string(),
            "unknown toolsets `wbe` (did you mean `web`?), `none`: `hermes toolsets` lists all names"
        );
    }

    #[test]
    fn two_declarations_of_one_name_are_told_with_both_places() {
        const FIRST: Origin = Origin {
            package: "p",
            module: "p::m",
            file: "src/m.rs",
            line: 3,
        };
        const SECOND: Origin = Origin { line: 9, ..FIRST };
        let error = DuplicateToolset {
            name: "web",
            first: &FIRST,
            second: &SECOND,
        };
        assert_eq!(
            error.to_string(),
            "toolset `web` is declared twice, at src/m.rs:3 and at src/m.rs:9: rename one of them"
        );
    }
}
