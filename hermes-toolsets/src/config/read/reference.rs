//! References to the environment in the texts of a server: `${NAME}` and `${NAME:-text}`.

/// What stands in a text and is no reference although it begins like one, if anything does. In a text that a
/// shell may read (`for_a_shell`) other braces are the shell's.
pub(super) fn unreadable(text: &str, for_a_shell: bool) -> Option<&str> {
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let reference = &rest[at..];
        let Some(end) = reference.find('}') else {
            return Some(reference);
        };
        if !for_a_shell && !is_reference(&reference[2..end]) {
            return Some(&reference[..=end]);
        }
        rest = &reference[end + 1..];
    }
    None
}

fn is_reference(inner: &str) -> bool {
    let name = inner.split_once(":-").map_or(inner, |(name, _)| name);
    let name = name.strip_prefix("env:").unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_closed_or_names_no_variable_is_found() {
        for (text, of_plain, of_shell) in [
            ("", None, None),
            ("$HOME and {x}", None, None),
            ("${A}/${env:B_2}:${C:-a b}${D:-}", None, None),
            ("a ${A b", Some("${A b"), Some("${A b")),
            ("${A}${", Some("${"), Some("${")),
            ("${}", Some("${}"), None),
            ("${input:key}", Some("${input:key}"), None),
            ("${A}${x%y}${", Some("${x%y}"), Some("${")),
            ("${1}", Some("${1}"), None),
        ] {
            assert_eq!(unreadable(text, false), of_plain, "{text}");
            assert_eq!(unreadable(text, true), of_shell, "{text}");
        }
    }
}
