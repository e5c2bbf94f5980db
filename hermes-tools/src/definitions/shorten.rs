//! Shorter descriptions, for a context window that has no room for the long ones.

use crate::args::Node;

/// Characters that descriptions keep: of a tool, and of anything inside its parameters.
pub(crate) const LEVELS: [(usize, usize); 3] = [(300, 160), (120, 60), (60, 24)];

/// Keywords whose values are data and no schemas.
const DATA: [&str; 4] = ["default", "examples", "enum", "const"];

/// A definition with shorter descriptions, or `None` when none of them is too long. No parameter is
/// left out and nothing but descriptions changes.
pub(crate) fn shorten(definition: &str, level: (usize, usize)) -> Option<String> {
    let mut node = Node::from_json(definition)?;
    let Node::Object(entries) = &mut node else {
        return None;
    };
    let mut changed = false;
    for (key, value) in entries {
        match value {
            Node::String(text) if key == "description" => changed |= cut(text, level.0),
            _ if key == "parameters" => changed |= walk(value, level.1),
            _ => {}
        }
    }
    changed.then(|| node.to_json())
}

fn walk(node: &mut Node, limit: usize) -> bool {
    match node {
        Node::Object(entries) => {
            let mut changed = false;
            for (key, value) in entries {
                match value {
                    Node::String(text) if key == "description" => changed |= cut(text, limit),
                    _ if DATA.contains(&key.as_str()) => {}
                    _ => changed |= walk(value, limit),
                }
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
}
