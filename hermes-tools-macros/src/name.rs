//! Names that models and providers accept.

/// Longest name that every provider takes.
pub(crate) const MAX_NAME: usize = 64;

/// What is wrong with a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NameFault {
    /// Nothing is there.
    Empty,
    /// It does not start with a letter.
    Start(char),
    /// A character is not allowed.
    Character(char),
    /// It has too many characters.
    Length(usize),
}

/// What is wrong with the name of a tool or toolset: lower case, digits, `_`, `-`, a letter first.
pub(crate) fn tool_fault(name: &str) -> Option<NameFault> {
    fault(name, |c| c.is_ascii_lowercase())
}

/// What is wrong with the name of an argument: as for a tool, and upper case is allowed.
pub(crate) fn argument_fault(name: &str) -> Option<NameFault> {
    fault(name, |c| c.is_ascii_alphabetic())
}

/// The nearest good name, its words joined by `joint`; `fallback` where nothing can be kept.
pub(crate) fn corrected(name: &str, joint: char, fallback: &str) -> String {
    let mut good = String::new();
    let mut before = ' ';
    let mut characters = name.chars().peekable();
    while let Some(c) = characters.next() {
        let word_ends = before.is_ascii_lowercase() || before.is_ascii_digit();
        let initials_end =
            before.is_ascii_uppercase() && characters.peek().is_some_and(char::is_ascii_lowercase);
        if c.is_ascii_uppercase() && (word_ends || initials_end) {
            good.push(joint);
        }
        before = c;
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => good.push(c.to_ascii_lowercase()),
            _ if good.ends_with(joint) => {}
            _ => good.push(joint),
        }
    }
    let good: String = good
        .trim_start_matches(|c: char| !c.is_ascii_lowercase())
        .chars()
        .take(MAX_NAME)
        .collect();
    let good = good.trim_end_matches(['_', '-']);
    if good.is_empty() {
        fallback.to_owned()
    } else {
        good.to_owned()
    }
}

/// A character as a message shows it.
pub(crate) fn shown(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '`' => "a backtick".to_owned(),
        c => format!("`{}`", c.escape_debug()),
    }
}

fn fault(name: &str, is_letter: impl Fn(char) -> bool) -> Option<NameFault> {
    let allowed = |c: char| is_letter(c) || c.is_ascii_digit() || c == '_' || c == '-';
    let Some(first) = name.chars().next() else {
        return Some(NameFault::Empty);
    };
    if let Some(bad) = name.chars().find(|c| !allowed(*c)) {
        return Some(NameFault::Character(bad));
    }
    if !is_letter(first) {
        return Some(NameFault::Start(first));
    }
    let length = name.chars().count();
    (length > MAX_NAME).then_some(NameFault::Length(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_names_have_no_fault() {
        for name in ["a", "read_file", "browser-cdp", "x2"] {
            assert_eq!(tool_fault(name), None, "{name}");
        }
        assert_eq!(tool_fault(&"a".repeat(64)), None);
        assert_eq!(argument_fault("filePath"), None);
    }

    #[test]
    fn each_fault_is_told_apart() {
        assert_eq!(tool_fault(""), Some(NameFault::Empty));
        assert_eq!(tool_fault("read file"), Some(NameFault::Character(' ')));
        assert_eq!(tool_fault("ReadFile"), Some(NameFault::Character('R')));
        assert_eq!(tool_fault("2nd"), Some(NameFault::Start('2')));
        assert_eq!(tool_fault("_hidden"), Some(NameFault::Start('_')));
        assert_eq!(tool_fault(&"a".repeat(65)), Some(NameFault::Length(65)));
        assert_eq!(argument_fault("größe"), Some(NameFault::Character('ö')));
    }

    #[test]
    fn corrections_are_good_names() {
        for (name, joint, good) in [
            ("My Tools", '-', "my-tools"),
            ("read file", '_', "read_file"),
            ("ReadFile", '_', "read_file"),
            ("readHTTPBody", '_', "read_http_body"),
            ("2nd_tool", '_', "nd_tool"),
            ("_path", '_', "path"),
            ("web  /  search!", '_', "web_search"),
            ("", '_', "other"),
            ("漢字", '-', "other"),
        ] {
            let corrected = corrected(name, joint, "other");
            assert_eq!(corrected, good, "{name}");
            assert_eq!(tool_fault(&corrected), None, "{name}");
        }
        assert_eq!(corrected(&"a".repeat(70), '_', "other"), "a".repeat(64));
    }

    #[test]
    fn characters_are_shown_so_that_they_can_be_seen() {
        assert_eq!(shown(' '), "a space");
        assert_eq!(shown('\n'), "`\\n`");
        assert_eq!(shown('é'), "`é`");
    }
}
