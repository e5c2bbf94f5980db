//! The known name that a mistyped one most likely meant.

/// The candidate nearest to `name`, when it is near enough to be a slip: at most a third of the
/// letters differ. Ties go to the name that sorts first.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_slip_and_ties_go_to_the_first_name() {
        assert_eq!(nearest("abc", ["acb", "abd"]), Some("abd"));
        assert_eq!(nearest("bac", ["abc", "xyz"]), Some("abc"));
        assert_eq!(nearest("file", ["file"]), None);
    }

    #[test]
    fn far_names_are_not_offered() {
        assert_eq!(nearest("terminal", ["file", "web"]), None);
        assert_eq!(nearest("serch", ["search", "web"]), Some("search"));
    }
}
