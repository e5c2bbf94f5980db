//! Lines that are known to fail.

use std::collections::BTreeMap;

/// The rows of `exceptions.txt` for one vector file: id and reason.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Exceptions {
    reasons: BTreeMap<String, String>,
}

impl Exceptions {
    /// Reads the rows of one vector file: file, id and reason, separated by white space. Empty
    /// rows and rows that start with `#` count for nothing.
    pub(crate) fn parse(text: &str, file: &str) -> Result<Self, String> {
        let mut reasons = BTreeMap::new();
        for (index, row) in text.lines().enumerate() {
            let row = row.trim();
            if row.is_empty() || row.starts_with('#') {
                continue;
            }
            let mut words = row.splitn(3, char::is_whitespace);
            let (Some(name), Some(id), Some(reason)) = (words.next(), words.next(), words.next())
            else {
                return Err(format!(
                    "exceptions.txt:{}: a row is `file id reason`",
                    index + 1
                ));
            };
            if name == file
                && reasons
                    .insert(id.to_owned(), reason.trim().to_owned())
                    .is_some()
            {
                return Err(format!(
                    "exceptions.txt:{}: `{id}` stands there twice",
                    index + 1
                ));
            }
        }
        Ok(Self { reasons })
    }

    /// Why this line may fail.
    pub(crate) fn reason(&self, id: &str) -> Option<&str> {
        self.reasons.get(id).map(String::as_str)
    }

    /// Every id that is listed.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.reasons.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_other_files_are_left_alone() {
        let text = "# note\n\na one first reason\nb two second\n";
        let exceptions = Exceptions::parse(text, "a").unwrap();
        assert_eq!(exceptions.reason("one"), Some("first reason"));
        assert_eq!(exceptions.reason("two"), None);
    }

    #[test]
    fn a_row_without_a_reason_is_an_error() {
        assert_eq!(
            Exceptions::parse("a one", "a").unwrap_err(),
            "exceptions.txt:1: a row is `file id reason`"
        );
    }

    #[test]
    fn a_line_is_listed_once() {
        assert_eq!(
            Exceptions::parse("a one x\na one y", "a").unwrap_err(),
            "exceptions.txt:2: `one` stands there twice"
        );
    }
}
