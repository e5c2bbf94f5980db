//! JSON text over many lines.

/// JSON text with one value on a line, two spaces for each level.
///
/// It moves between lines and nothing else: digits, escapes and the order of keys stay as they are,
/// which a detour through a tree of values would not keep. Text that is no JSON comes out as text that
/// is none.
///
/// ```
/// use hermes_tools::output::lay_out;
///
/// assert_eq!(lay_out(r#"{"z":1.50,"a":[]}"#), "{\n  \"z\": 1.50,\n  \"a\": []\n}");
/// ```
pub fn lay_out(json: &str) -> String {
    lay_out_with(json, |text, out| out.push_str(text))
}

/// [`lay_out`], with the texts inside written by the caller: each comes with its quotes and escapes.
pub(crate) fn lay_out_with(json: &str, mut write_text: impl FnMut(&str, &mut String)) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 4);
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '"' => text_length(rest),
            other => other.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match next {
            ' ' | '\n' | '\r' | '\t' => {}
            '{' | '[' => {
                out.push(next);
                let inside = rest.trim_start();
                if inside.starts_with(['}', ']']) {
                    out.push_str(&inside[..1]);
                    rest = &inside[1..];
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(next);
            }
            ',' => {
                out.push(next);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => write_text(token, &mut out),
            _ => out.push_str(token),
        }
    }
    out
}

/// How many bytes the text takes that stands at the beginning, quotes included.
fn text_length(json: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_stands_on_a_line_of_its_own() {
        assert_eq!(
            lay_out(r#"{"a":[1.50,{}],"b":"x, {y} \" \n"}"#),
            "{\n  \"a\": [\n    1.50,\n    {}\n  ],\n  \"b\": \"x, {y} \\\" \\n\"\n}"
        );
    }

    #[test]
    fn nothing_but_the_lines_is_changed() {
        assert_eq!(
            lay_out(r#" {"z": 1.50, "a" :123456789012345678901234567890 , "é":"{\"[,: \\"} "#),
            "{\n  \"z\": 1.50,\n  \"a\": 123456789012345678901234567890,\n  \
             \"é\": \"{\\\"[,: \\\\\"\n}"
        );
    }

    #[test]
    fn empty_and_bare_values_stay_on_one_line() {
        assert_eq!(lay_out("[]"), "[]");
        assert_eq!(lay_out("{ \n }"), "{}");
        assert_eq!(lay_out("[{},[]]"), "[\n  {},\n  []\n]");
        assert_eq!(lay_out("\"a\""), "\"a\"");
        assert_eq!(lay_out("null"), "null");
    }

    #[test]
    fn what_is_no_json_loses_nothing_but_white_space() {
        assert_eq!(lay_out("]}"), "\n]\n}");
        assert_eq!(lay_out("[\"a"), "[\n  \"a");
        assert_eq!(lay_out(""), "");
    }
}
