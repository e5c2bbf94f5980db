//! The lines of a patch that are none of a file.

/// A line that begins with three stars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header<'p> {
    Begin,
    End,
    Update(&'p str),
    Add(&'p str),
    Delete(&'p str),
    Move(&'p str),
    MoveTo(&'p str),
    EndOfFile,
    /// It looks like one and is none.
    Unknown,
}

impl<'p> Header<'p> {
    /// Reads a line; none when it is no header. Blanks between the words do not count, and case does.
    pub(super) fn of(line: &'p str) -> Option<Self> {
        let rest = line.strip_prefix("***")?.trim();
        let (words, path) = match rest.split_once(':') {
            Some((words, path)) => (words, Some(path.trim())),
            None => (rest, None),
        };
        let mut words = words.split_whitespace();
        let found = match (words.next(), words.next(), words.next(), path) {
            (Some("Begin"), Some("Patch"), None, None) => Self::Begin,
            (Some("End"), Some("Patch"), None, None) => Self::End,
            (Some("End"), Some("of"), Some("File"), None) => Self::EndOfFile,
            (Some("Update"), Some("File"), None, Some(path)) => Self::Update(path),
            (Some("Add"), Some("File"), None, Some(path)) => Self::Add(path),
            (Some("Delete"), Some("File"), None, Some(path)) => Self::Delete(path),
            (Some("Move"), Some("File"), None, Some(path)) => Self::Move(path),
            (Some("Move"), Some("to"), None, Some(path)) => Self::MoveTo(path),
            // A rule of stars, or words between stars, may be a line of a file.
            (Some(_), Some("File" | "Patch" | "to"), None, _) => Self::Unknown,
            _ => return None,
        };
        Some(found)
    }
}

/// What stands behind `@@`: a line above the place, or nothing. Line numbers, as `diff` has them, are
/// passed over: they are those of a text that the sender has counted, not read.
pub(super) fn hint(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("@@")?.trim();
    if let Some((numbers, behind)) = rest.split_once("@@")
        && is_range(numbers.trim())
    {
        return Some(behind.trim());
    }
    let hint = rest.strip_suffix("@@").unwrap_or(rest).trim();
    Some(if is_range(hint) { "" } else { hint })
}

/// Whether a text is such as `-1,3 +1,4`.
fn is_range(text: &str) -> bool {
    let side = |part: Option<&str>, sign| {
        let digits = part.and_then(|part| part.strip_prefix(sign));
        digits.is_some_and(|digits| {
            let is_digit = |character: char| character.is_ascii_digit() || character == ',';
            !digits.is_empty() && digits.chars().all(is_digit)
        })
    };
    let mut parts = text.split_whitespace();
    side(parts.next(), '-') && side(parts.next(), '+') && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_do_not_count() {
        for line in [
            "*** Update File: a b.txt",
            "***Update File:a b.txt",
            "***  Update \t File  :   a b.txt  ",
        ] {
            assert_eq!(Header::of(line), Some(Header::Update("a b.txt")), "{line}");
        }
        assert_eq!(Header::of("***Begin Patch"), Some(Header::Begin));
        assert_eq!(Header::of("*** End of File"), Some(Header::EndOfFile));
        assert_eq!(Header::of("*** Add File: a: b"), Some(Header::Add("a: b")));
    }

    #[test]
    fn what_is_no_header_is_a_line() {
        for line in [
            "***",
            "* * *",
            "*** note ***",
            " *** Begin Patch",
            "+*** End Patch",
        ] {
            assert_eq!(Header::of(line), None, "{line}");
        }
        for line in [
            "*** Rename File: a",
            "*** update File: a",
            "*** Update File",
            "*** Begin File",
        ] {
            assert_eq!(Header::of(line), Some(Header::Unknown), "{line}");
        }
    }

    #[test]
    fn a_hint_is_what_stands_between_the_signs() {
        for (line, expected) in [
            ("@@", Some("")),
            ("@@ @@", Some("")),
            ("@@ def f():", Some("def f():")),
            ("@@ [y] @@", Some("[y]")),
            ("@@ -1,3 +1,4 @@", Some("")),
            ("@@ -1 +1 @@ fn a() {", Some("fn a() {")),
            ("@@ -x @@", Some("-x")),
            (" @@", None),
        ] {
            assert_eq!(hint(line), expected, "{line}");
        }
    }
}
