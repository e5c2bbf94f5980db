//! What an answer is remembered under.

use std::fmt;

use serde_json::json;

use crate::registry::Tool;

/// What an answer for the session or for always is remembered under: the tool, what was asked of it,
/// and for a command its exact text.
///
/// A tool of an MCP server goes by the names that the server knows, so that no two tools of two servers
/// answer to one key. The text of a key is JSON; it may be stored, and is compared as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GrantKey(Box<str>);

impl GrantKey {
    /// The key of `what` is asked of a tool, for exactly this text of its arguments where one is
    /// given.
    pub(crate) fn of(tool: &Tool, what: &str, exact: &[&str]) -> Self {
        // Names stand in the order of the alphabet: a tree sorts them or keeps their order, as the features of
        // the build say, and a stored key must be found by every build.
        let server = tool.runtime().and_then(|tool| tool.raw_names());
        let owner = match server {
            Some((server, tool)) => json!({"server": server, "tool": tool}),
            None => json!({"tool": tool.name(), "toolset": tool.toolset()}),
        };
        Self(json!([owner, what, exact]).to_string().into())
    }

    /// The key that a store has kept as text.
    pub fn from_text(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GrantKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::registry::RuntimeTool;

    #[test]
    fn tools_of_servers_go_by_their_raw_names_and_commands_by_their_text() {
        let tool = |server, raw| Tool::from(RuntimeTool::of_server(server, raw, Map::new()));
        let key = |tool: &Tool, exact: &[&str]| GrantKey::of(tool, "effect", exact);
        assert_eq!(
            key(&tool("a", "b.c"), &["rm -rf x"]).as_str(),
            r#"[{"server":"a","tool":"b.c"},"effect",["rm -rf x"]]"#
        );
        assert_ne!(key(&tool("a", "b.c"), &[]), key(&tool("a.b", "c"), &[]));
        assert_ne!(key(&tool("a", "b-c"), &[]), key(&tool("a", "b.c"), &[]));
        assert_ne!(
            key(&tool("a", "b"), &["x\",\"y"]),
            key(&tool("a", "b"), &["x", "y"])
        );
        let own = Tool::from(RuntimeTool::new("b", "a", "", json!({})));
        assert_ne!(key(&own, &[]), key(&tool("a", "b"), &[]));
    }
}
