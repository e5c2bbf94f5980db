//! Shorter descriptions, for a context window that has no room for the long ones.

use crate::args::Node;

/// Characters that descriptions keep: of a tool, and of anything inside its parameters.
pub(crate) const LEVELS: [(usize, usize); 3] = [(300, 160), (120, 60), (60, 24)];

/// Keywords whose values are data and no schemas.
const DATA: [&str; 4] = ["default", "examples", "enum", "const"];

/// A definition in any form with shorter descriptions, or `None` when none of them is too long. No
/// parameter is left out and nothing but descriptions changes.
pub(crate) fn shorten(definition: &str, level: (usize, usize)) -> Option<String> {
    let mut node = Node::from_json(definition)?;
    tool(&mut node, level).then(|| node.to_json())
}

fn tool(node: &mut Node, level: (usize, usize)) -> bool {
    let Node::Object(entries) = node else {
        return false;
    };
    let mut changed = false;
    for (key, value) in entries {
        changed |= match (key.as_str(), value) {
            ("description", Node::String(text)) => cut(text, level.0),
            // The words for the schema of arguments in the forms of all providers.
            ("parameters" | "input_schema" | "inputSchema", schema) => walk(schema, level.1),
            // `OpenAI` has everything inside of `function`.
            ("function", inner) => tool(inner, level),
            _ => false,
        };
    }
    changed
}

fn walk(node: &mut Node, limit: usize) -> bool {
    match node {
        Node::Object(entries) => {
            let mut changed = false;
            for (key, value) in entries {
                changed |= match (key.as_str(), value) {
                    ("description", Node::String(text)) => cut(text, limit),
                    // Keys are names here, and a parameter may be called `default`.
                    ("properties" | "$defs" | "definitions", Node::Object(named)) => {
                        let mut inside = false;
                        for (_, schema) in named {
                            inside |= walk(schema, limit);
                        }
                        inside
                    }
                    (key, _) if DATA.contains(&key) => false,
                    (_, value) => walk(value, limit),
                };
            }
            changed
        }
        Node::Array(items) => {
            let mut changed = false;
            for item in items {
                changed |= walk(item, limit);
            }
            changed
        }
        _ => false,
    }
}

/// Cuts a text behind the last sentence that fits, or else behind the last word.
fn cut(text: &mut String, limit: usize) -> bool {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return false;
    };
    let head = &text[..end];
    let sentence = head.rfind(". ").map(|at| at + 1);
    let word = head.rfind(char::is_whitespace);
    let short = match (sentence.filter(|at| *at * 2 > end), word) {
        (Some(at), _) => head[..at].to_owned(),
        (None, Some(at)) if at > 0 => format!("{}…", head[..at].trim_end()),
        _ => format!("{head}…"),
    };
    *text = short;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_cut_at_sentences_or_words_and_nothing_else_changes() {
        let definition = r#"{"name":"t","description":"Read a file. It must be text, and it must lie in the workspace.","parameters":{"type":"object","properties":{"description":{"type":"string","description":"What the file is for, in your own words","default":"a description that is longer than the limit"}}}}"#;
        assert_eq!(
            shorten(definition, (20, 12)).unwrap(),
            r#"{"name":"t","description":"Read a file.","parameters":{"type":"object","properties":{"description":{"type":"string","description":"What the…","default":"a description that is longer than the limit"}}}}"#
        );
        assert_eq!(shorten(definition, (80, 40)), None);
    }

    #[test]
    fn the_forms_of_all_providers_are_shortened() {
        for (definition, short) in [
            (
                r#"{"type":"function","function":{"name":"t","description":"One two three","parameters":{"properties":{"default":{"description":"four five six"}}}}}"#,
                r#"{"type":"function","function":{"name":"t","description":"One two…","parameters":{"properties":{"default":{"description":"four…"}}}}}"#,
            ),
            (
                r#"{"name":"t","input_schema":{"$defs":{"N":{"description":"four five six"}},"default":{"description":"four five six"}}}"#,
                r#"{"name":"t","input_schema":{"$defs":{"N":{"description":"four…"}},"default":{"description":"four five six"}}}"#,
            ),
            (
                r#"{"name":"t","inputSchema":{"description":"four five six"},"annotations":{"title":"One two three"}}"#,
                r#"{"name":"t","inputSchema":{"description":"four…"},"annotations":{"title":"One two three"}}"#,
            ),
        ] {
            assert_eq!(shorten(definition, (10, 6)).as_deref(), Some(short));
        }
    }
}
