//! Addresses with places to fill in.

use super::resources::Variables;

/// An address in which `{name}` stands for one part of the path (RFC 6570, level 1).
#[derive(Clone)]
pub(super) struct Template {
    /// What stands before each variable, and the variable.
    parts: Vec<(String, String)>,
    /// What stands behind the last one.
    end: String,
}

impl Template {
    /// Reads an address. A brace that is not closed stands for itself.
    pub(super) fn new(uri: &str) -> Self {
        let (mut parts, mut rest) = (Vec::new(), uri);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            parts.push((before.to_owned(), name.to_owned()));
            rest = after;
        }
        Self {
            parts,
            end: rest.to_owned(),
        }
    }

    /// What stands at the variables in this address; `None` when it is no such address.
    pub(super) fn variables(&self, uri: &str) -> Option<Variables> {
        let mut found = Variables::new();
        let mut rest = uri;
        for (index, (before, name)) in self.parts.iter().enumerate() {
            rest = rest.strip_prefix(before.as_str())?;
            let next = self.parts.get(index + 1).map_or(&self.end, |next| &next.0);
            let end = if next.is_empty() {
                rest.len()
            } else {
                rest.find(next.as_str())?
            };
            let value = &rest[..end];
            if value.is_empty() || value.contains(['/', '?', '#']) {
                return None;
            }
            found.insert(name.clone(), unescaped(value)?);
            rest = &rest[end..];
        }
        (rest == self.end).then_some(found)
    }
}

/// A part of an address as it was before it was escaped (RFC 3986, 2.1); `None` when it is no text.
pub(super) fn unescaped(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let byte = digit(*high)? * 16 + digit(*low)?;
        bytes.push(u8::try_from(byte).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str, uri: &str) -> Option<Vec<(String, String)>> {
        let mut found: Vec<_> = Template::new(template)
            .variables(uri)?
            .into_iter()
            .collect();
        found.sort();
        Some(found)
    }

    #[test]
    fn a_variable_is_one_part_of_the_path() {
        let one = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            filled("t://a/{id}/data", "t://a/12%20b/data"),
            Some(vec![one("id", "12 b")])
        );
        assert_eq!(
            filled("t://{x}/{y}", "t://1/2"),
            Some(vec![one("x", "1"), one("y", "2")])
        );
        for other in [
            "t://a//data",
            "t://a/1/2/data",
            "t://a/1",
            "u://a/1/data",
            "t://a/%zz/data",
        ] {
            assert_eq!(filled("t://a/{id}/data", other), None, "{other}");
        }
        assert_eq!(filled("t://{x}/{y}", "t://1/2/3"), None);
    }
}
