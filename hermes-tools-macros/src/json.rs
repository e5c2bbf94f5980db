//! JSON text of Rust literals.

use syn::{Expr, Lit};

use crate::number::Number;
use crate::value::{literal, peel};

/// The JSON text of one literal: text, number, boolean or character.
pub(crate) fn scalar(expr: &Expr) -> Option<String> {
    if let Some(number) = Number::read(expr) {
        return Some(number.json());
    }
    match literal(expr)? {
        Lit::Str(text) => Some(quoted(&text.value())),
        Lit::Char(c) => Some(quoted(&c.value().to_string())),
        Lit::Bool(flag) => Some(flag.value.to_string()),
        _ => None,
    }
}

/// The JSON text of a literal or of a list of them.
pub(crate) fn value(expr: &Expr) -> Option<String> {
    match peel(expr) {
        Expr::Array(array) => {
            let items: Option<Vec<String>> = array.elems.iter().map(value).collect();
            Some(format!("[{}]", items?.join(",")))
        }
        expr => scalar(expr),
    }
}

fn quoted(text: &str) -> String {
    let mut json = String::from('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            c if c < ' ' => json.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use syn::parse_str;

    use super::*;

    #[test]
    fn literals_and_lists_have_json_text() {
        for (rust, json) in [
            ("\"src\"", "\"src\""),
            ("\"a \\\"b\\\"\\n\\u{1}é\"", "\"a \\\"b\\\"\\n\\u0001é\""),
            ("r\"C:\\dir\"", "\"C:\\\\dir\""),
            ("'x'", "\"x\""),
            ("true", "true"),
            ("-1", "-1"),
            ("[1, 2]", "[1,2]"),
            ("[[\"a\"], []]", "[[\"a\"],[]]"),
        ] {
            assert_eq!(
                value(&parse_str(rust).unwrap()).as_deref(),
                Some(json),
                "{rust}"
            );
        }
    }

    #[test]
    fn other_expressions_have_none() {
        for rust in ["make()", "b\"x\"", "[1, make()]", "None", "Mode::Fast"] {
            assert_eq!(value(&parse_str(rust).unwrap()), None, "{rust}");
        }
        assert_eq!(scalar(&parse_str("[1]").unwrap()), None);
    }
}
