//! YAML by its syntax: several documents, tags of one's own and repeated keys are right.

use saphyr_parser::Parser;

use super::Problem;

/// Where a text is no YAML: the first place, since the parser stops there. None when it is nested
/// deeper than the parser goes.
pub(super) fn problems(text: &str) -> Option<Vec<Problem>> {
    // Aliases are events like others and are not expanded, so the work grows with the text alone.
    for event in Parser::new_from_str(text) {
        let Err(error) = event else { continue };
        if error.info().contains("recursion limit") {
            return None;
        }
        let place = error.marker();
        return Some(vec![Problem {
            line: place.line(),
            column: place.col() + 1,
            message: error.info().to_owned(),
        }]);
    }
    Some(Vec::new())
}
