//! What a model is told of a tool of the run time.

use std::fmt::Write as _;
#[cfg(feature = "host")]
use std::sync::Arc;

use super::RuntimeTool;
use crate::args::{Node, render_string};
#[cfg(feature = "host")]
use crate::schema::dialect::{Dialect, Hints, Loss};
#[cfg(feature = "host")]
use crate::schema::foreign::{self, ForeignTool, Quarantined};

impl RuntimeTool {
    /// `name` first, then the keys of the schema in their order, dynamic parts merged over them.
    pub(in crate::registry) fn definition(&self) -> String {
        let parts = self.dynamic_parts();
        let mut json = String::with_capacity(512);
        json.push_str("{\"name\":");
        json.push_str(&render_string(&self.name));
        let mut field = |key: &str, value: &Node| {
            // Writing to a `String` cannot fail.
            let _ = write!(json, ",{}:{}", render_string(key), value.to_json());
        };
        if let Some(description) = self.now("description", &parts) {
            field("description", description);
        }
        match self.now("parameters", &parts) {
            Some(parameters) => field("parameters", parameters),
            None => field("parameters", &nothing()),
        }
        let known = ["name", "description", "parameters"];
        let new = parts
            .iter()
            .filter(|(key, _)| self.part(key).is_none())
            .map(|(key, _)| key);
        for key in self.schema.iter().map(|(key, _)| key).chain(new) {
            if let Some(value) = self.now(key, &parts).filter(|_| !known.contains(&&**key)) {
                field(key, value);
            }
        }
        json.push('}');
        json
    }

    /// The value of a key: that of the dynamic parts, or that of the schema.
    fn now<'n>(&'n self, key: &str, parts: &'n [(String, Node)]) -> Option<&'n Node> {
        let mut parts = parts.iter();
        let part = parts.find(|(known, _)| known == key);
        part.map(|(_, value)| value).or_else(|| self.part(key))
    }

    /// The definition, written once unless it is dynamic.
    #[cfg(feature = "host")]
    pub(in crate::registry) fn definition_text(&self) -> Arc<str> {
        if self.is_dynamic() {
            return self.definition().into();
        }
        Arc::clone(self.text.get_or_init(|| self.definition().into()))
    }

    /// The definition in the form of a dialect, and what that form cannot say.
    ///
    /// # Errors
    ///
    /// The schema is hopeless.
    #[cfg(feature = "host")]
    pub(crate) fn in_dialect(&self, dialect: Dialect) -> Result<(String, Vec<Loss>), Quarantined> {
        let parts = self.dynamic_parts();
        let written = self.now("parameters", &parts).unwrap_or(&Node::Null);
        let description = self.now("description", &parts);
        let tool = ForeignTool {
            name: &self.name,
            description: description.and_then(Node::as_str).unwrap_or_default(),
            parameters: &written.into(),
        };
        let hints = Hints {
            title: self.display_title(),
            effect: self.declared_effect(),
            idempotent: self.is_idempotent(),
            open_world: self.open_world,
        };
        foreign::annotated(tool, written, dialect, Some(&hints))
    }

    fn dynamic_parts(&self) -> Vec<(String, Node)> {
        let Some(dynamic) = &self.dynamic else {
            return Vec::new();
        };
        let parts = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| dynamic()));
        match parts.ok().flatten().as_ref().map(Node::from) {
            Some(Node::Object(parts)) => parts,
            _ => Vec::new(),
        }
    }
}

/// A schema of no arguments.
fn nothing() -> Node {
    let entry = |key: &str, value| (key.to_owned(), value);
    Node::Object(vec![
        entry("type", Node::String("object".to_owned())),
        entry("properties", Node::Object(Vec::new())),
    ])
}
