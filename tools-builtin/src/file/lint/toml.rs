//! TOML, by the parser that Cargo uses.

use ::toml::de::DeTable;

use super::Problem;

/// Where a text is no TOML; none when it is nested deeper than the parser goes.
pub(super) fn problems(text: &str) -> Option<Vec<Problem>> {
    let (_, errors) = DeTable::parse_recoverable(text);
    let too_deep = |message: &str| message.contains("recurs");
    if errors.iter().any(|error| too_deep(error.message())) {
        return None;
    }
    let problem = |error: &::toml::de::Error| {
        let offset = error.span().map_or(text.len(), |span| span.start);
        Problem::at(text, offset, error.message())
    };
    Some(errors.iter().map(problem).collect())
}
