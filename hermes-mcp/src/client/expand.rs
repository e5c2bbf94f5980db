//! References to the environment in the texts of an entry.

/// Puts the values of variables in the place of `${NAME}`, `${env:NAME}` and `${NAME:-text}`. Other
/// braces stay as they are.
///
/// # Errors
///
/// The name of a variable that is not set.
pub(super) fn expand(
    text: &str,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, reference) = rest.split_at(at);
        made.push_str(before);
        let inner = &reference[2..];
        let Some(end) = inner.find('}') else {
            made.push_str(reference);
            return Ok(made);
        };
        let (name, default) = match inner[..end].split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (&inner[..end], None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        if is_name(name) {
            let value = environment(name).filter(|value| !value.is_empty() || default.is_none());
            match (value, default) {
                (Some(value), _) => made.push_str(&value),
                (None, Some(default)) => made.push_str(default),
                (None, None) => return Err(name.to_owned()),
            }
        } else {
            made.push_str(&reference[..end + 3]);
        }
        rest = &inner[end + 1..];
    }
    made.push_str(rest);
    Ok(made)
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String, String> {
        expand(text, &|name| match name {
            "TOKEN" => Some("t${HOME}".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        })
    }

    #[test]
    fn a_reference_becomes_the_value_and_what_is_in_the_value_stays() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(expanded("Bearer ${TOKEN}!"), ok("Bearer t${HOME}!"));
        assert_eq!(expanded("${env:TOKEN}${TOKEN}"), ok("t${HOME}t${HOME}"));
        assert_eq!(expanded("${NONE:-x y}"), ok("x y"));
        assert_eq!(expanded("${EMPTY:-x}${EMPTY}"), ok("x"));
        assert_eq!(expanded("$TOKEN ${} ${a-b} ${"), ok("$TOKEN ${} ${a-b} ${"));
        assert_eq!(expanded("${input:key}"), ok("${input:key}"));
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        assert_eq!(expanded("a ${NONE} b"), Err("NONE".to_owned()));
    }
}
