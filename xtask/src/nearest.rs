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
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters to insert, remove, replace or swap with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(a != b))
                .min(rows[i][j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_a_swap_once() {
        assert_eq!(distance("raed_file", "read_file"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("file", "file"), 0);
        assert_eq!(distance("fil", "file"), 1);
    }

    #[test]
    fn far_names_are_not_offered() {
        assert_eq!(nearest("terminal", ["file", "web"]), None);
        assert_eq!(nearest("serch", ["search", "web"]), Some("search"));
    }
}
