//! Names of a folder that may have been meant by one that is not there.

use std::cmp::Reverse;

use crate::names;

/// Most names that are told.
const MOST: usize = 5;

/// The names that are most like `wanted`, the likest first.
///
/// Alike are names that differ in case and separators or by a few letters, names of one stem, names of
/// which one begins with the other or stands in it, and at last names of one ending that share most of
/// their letters.
pub(super) fn similar<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    // A name of hundreds of characters is no slip of the pen.
    if wanted.is_empty() || wanted.len() > 255 {
        return Vec::new();
    }
    let lower = wanted.to_lowercase();
    let mut ranked: Vec<(Reverse<u32>, &str)> = names
        .into_iter()
        .map(|name| (Reverse(likeness(wanted, &lower, name)), name))
        .filter(|(likeness, _)| likeness.0 > 0)
        .collect();
    ranked.sort_unstable();
    ranked.truncate(MOST);
    ranked.into_iter().map(|(_, name)| name).collect()
}

fn likeness(wanted: &str, lower: &str, name: &str) -> u32 {
    let other = name.to_lowercase();
    if other == lower {
        return 100;
    }
    let (stem, ending) = parts(lower);
    let (other_stem, other_ending) = parts(&other);
    if stem == other_stem {
        return 90;
    }
    if names::nearest(wanted, [name]).is_some() {
        return 80;
    }
    if other.starts_with(lower) || (lower.starts_with(&other) && other.chars().count() > 2) {
        return 70;
    }
    if other.contains(lower) {
        return 60;
    }
    if other.chars().count() > 2 && lower.contains(&other) {
        return 40;
    }
    if !ending.is_empty() && ending == other_ending && share_letters(stem, other_stem) {
        return 30;
    }
    0
}

/// The stem of a name and what comes behind its last dot. A dot at the start begins no ending.
fn parts(name: &str) -> (&str, &str) {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, ending),
        _ => (name, ""),
    }
}

/// Whether at least two thirds of the letters of both stand in the other.
fn share_letters(one: &str, other: &str) -> bool {
    let mut left: Vec<char> = other.chars().collect();
    let all = one.chars().count() + left.len();
    let mut shared = 0;
    for letter in one.chars() {
        if let Some(place) = left.iter().position(|other| *other == letter) {
            left.swap_remove(place);
            shared += 2;
        }
    }
    3 * shared >= 2 * all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, names: &[&str], expected: &[&str]) {
        assert_eq!(similar(wanted, names.iter().copied()), expected);
    }

    #[test]
    fn the_likest_names_come_first() {
        check("readme.md", &["README.md", "LICENSE"], &["README.md"]);
        check("handler", &["handlers.py", "other.py"], &["handlers.py"]);
        check("app.yaml", &["app.toml", "main.rs"], &["app.toml"]);
        check("util", &["my_utils.py", "lib.rs"], &["my_utils.py"]);
        check("read.rs.bak", &["read.rs", "write.rs"], &["read.rs"]);
        let many: Vec<String> = (0..40).map(|number| format!("aa{number:03}.log")).collect();
        let names = many.iter().map(String::as_str).chain(["ab.toml"]);
        assert_eq!(similar("ab.tml", names), ["ab.toml"]);
    }

    #[test]
    fn what_is_not_alike_is_not_told() {
        check("zzz.txt", &["a.txt", "notes.txt"], &[]);
        check("", &["a"], &[]);
    }

    #[test]
    fn at_most_five_are_told() {
        let names = ["x1", "x2", "x3", "x4", "x5", "x6", "x7"];
        assert_eq!(similar("x", names).len(), 5);
    }
}
