//! "Did you mean": the nearest of some known words.

/// The known word that was most likely meant, if any is near enough.
///
/// Near enough is at most two edits, and at most one edit for each three letters of the longer
/// word: between short words two edits would reach almost anything.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let allowed = |candidate: &str| {
        let letters = word.chars().count().max(candidate.chars().count());
        (letters / 3).clamp(1, 2)
    };
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(edits, candidate)| *edits <= allowed(candidate))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// The words as a list for people: `a`, `b` or `c`.
pub(crate) fn choices<'k>(known: impl IntoIterator<Item = &'k str>) -> String {
    let quoted: Vec<String> = known.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &left) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &right) in b.iter().enumerate() {
            let replaced = above[j] + usize::from(left != right);
            let mut edits = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && left == b[j - 1] && a[i - 1] == right {
                edits = edits.min(before[j - 1] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_each_kind_of_edit_once() {
        assert_eq!(distance("toolset", "toolset"), 0);
        assert_eq!(distance("toolst", "toolset"), 1);
        assert_eq!(distance("toollset", "toolset"), 1);
        assert_eq!(distance("tuolset", "toolset"), 1);
        assert_eq!(distance("toolste", "toolset"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
    }

    #[test]
    fn two_edits_are_near_and_three_are_not() {
        assert_eq!(nearest("tolst", ["toolset"]), Some("toolset"));
        assert_eq!(nearest("tlst", ["toolset"]), None);
    }

    #[test]
    fn short_words_allow_one_edit_only() {
        assert_eq!(nearest("maz", ["min", "max"]), Some("max"));
        assert_eq!(nearest("len", ["min", "max"]), None);
    }

    #[test]
    fn the_nearest_wins_and_the_first_of_equals() {
        assert_eq!(nearest("titel", ["timeout", "title"]), Some("title"));
        assert_eq!(nearest("mix", ["min", "max"]), Some("min"));
    }

    #[test]
    fn choices_read_as_a_sentence() {
        assert_eq!(choices(["a"]), "`a`");
        assert_eq!(choices(["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(choices([]), "");
    }
}
