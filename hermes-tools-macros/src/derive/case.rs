//! Conventions of names.

/// How names are written for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
}

/// The words of `rename_all`, as `serde` has them.
pub(super) const CASES: &[(&str, Case)] = &[
    ("snake_case", Case::Snake),
    ("camelCase", Case::Camel),
    ("kebab-case", Case::Kebab),
    ("PascalCase", Case::Pascal),
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
];

impl Case {
    /// A Rust name of a field or variant in this convention.
    pub(super) fn apply(self, name: &str) -> String {
        let words = words(name);
        let capital = |word: &String| {
            let mut letters = word.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        };
        match self {
            Self::Lower => words.concat(),
            Self::Upper => words.concat().to_uppercase(),
            Self::Snake => words.join("_"),
            Self::ScreamingSnake => words.join("_").to_uppercase(),
            Self::Kebab => words.join("-"),
            Self::Pascal => words.iter().map(capital).collect(),
            Self::Camel => {
                let (first, rest) = words
                    .split_first()
                    .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
                first.to_owned() + &rest.iter().map(capital).collect::<String>()
            }
        }
    }
}

/// The words of a name in lower case: parted by `_`, and before a capital letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut starts = true;
    for c in name.chars() {
        if c == '_' {
            starts = true;
            continue;
        }
        if starts || c.is_uppercase() {
            words.push(String::new());
            starts = false;
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_and_fields_follow_the_convention() {
        for (case, variant, field) in [
            ("snake_case", "slow_lane", "line_count"),
            ("camelCase", "slowLane", "lineCount"),
            ("kebab-case", "slow-lane", "line-count"),
            ("PascalCase", "SlowLane", "LineCount"),
            ("lowercase", "slowlane", "linecount"),
            ("UPPERCASE", "SLOWLANE", "LINECOUNT"),
            ("SCREAMING_SNAKE_CASE", "SLOW_LANE", "LINE_COUNT"),
        ] {
            let (_, case) = CASES.iter().find(|(word, _)| *word == case).unwrap();
            assert_eq!(case.apply("SlowLane"), variant);
            assert_eq!(case.apply("line_count"), field);
        }
    }
}
