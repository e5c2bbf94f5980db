//! Patterns of texts.
//!
//! A pattern is always shown to the model. It is checked with the feature `pattern`, which `host`
//! turns on: a pack alone needs no regular expressions, and every host has them. The dialect is that
//! of `regex-lite`, which reads `\d` and `\w` as ASCII, as JSON Schema does.

/// Whether a text matches a pattern. Without the feature `pattern` every text does.
#[cfg(not(feature = "pattern"))]
pub(super) fn fits(_text: &str, _pattern: Option<&'static str>) -> bool {
    true
}

/// Whether a text matches a pattern. No text matches one that does not compile:
/// what cannot be checked is refused.
#[cfg(feature = "pattern")]
pub(super) fn fits(text: &str, pattern: Option<&'static str>) -> bool {
    pattern.is_none_or(|pattern| compiled(pattern).is_ok_and(|regex| regex.is_match(text)))
}

/// A pattern ready for use, or what is wrong with it. Each is compiled once in a process.
#[cfg(feature = "pattern")]
pub(crate) fn compiled(pattern: &'static str) -> Result<regex_lite::Regex, String> {
    use std::collections::HashMap;
    use std::sync::{LazyLock, Mutex, PoisonError};

    type Compiled = Result<regex_lite::Regex, String>;
    static KNOWN: LazyLock<Mutex<HashMap<&'static str, Compiled>>> = LazyLock::new(Mutex::default);

    // A map of finished entries is whole even when somebody panicked with it.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(pattern)
        .or_insert_with(|| regex_lite::Regex::new(pattern).map_err(|error| error.to_string()))
        .clone()
}
