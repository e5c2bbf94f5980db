//! What a model is told of a tool, when that depends on the session.

use crate::args::{Node, render_string};
use crate::entry::ToolEntry;
use crate::schema::write;

/// A tool as a model is told of it, to be changed by the function of `schema_patch`.
///
/// A patch changes what is shown, never what is accepted: arguments are decoded against the
/// parameters of the function. So it may narrow and explain, and not promise more.
///
/// ```
/// use hermes_tools::{CheckContext, Definition, tool};
///
/// fn name_region(cx: &CheckContext<'_>, definition: &mut Definition) {
///     if let Some(region) = cx.env("REGION") {
///         definition.describe_parameter("city", &format!("A city in {region}."));
///     }
/// }
///
/// /// Look up the weather.
/// #[tool(toolset = "weather", effect = "read", schema_patch = name_region, inline)]
/// fn weather(
///     /// A city.
///     city: String,
/// ) -> String {
///     city
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Definition {
    /// Name of the tool; a patch that changes it is ignored.
    pub name: &'static str,
    /// Text for the model.
    pub description: String,
    /// The parameters as a JSON Schema object, keys in their order.
    pub parameters: Node,
}

impl Definition {
    /// The definition of a tool as it was declared.
    pub fn of(entry: &ToolEntry) -> Self {
        let json = write::parameters(entry.params());
        Self {
            name: entry.name(),
            description: write::description(entry).into_owned(),
            // What we wrote ourselves is JSON.
            parameters: Node::from_json(&json).unwrap_or(Node::Object(Vec::new())),
        }
    }

    /// The schema of a parameter.
    pub fn parameter_mut(&mut self, name: &str) -> Option<&mut Node> {
        child(child(&mut self.parameters, "properties")?, name)
    }

    /// Sets the text of a parameter; false when there is no such parameter.
    pub fn describe_parameter(&mut self, name: &str, text: &str) -> bool {
        self.set(name, "description", Node::String(text.to_owned()))
    }

    /// Sets the values that a parameter is shown with; false when there is no such parameter.
    pub fn set_values<'v>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = &'v str>,
    ) -> bool {
        let values = values
            .into_iter()
            .map(|value| Node::String(value.to_owned()));
        self.set(name, "enum", Node::Array(values.collect()))
    }

    /// The definition as a JSON object with `name`, `description` and `parameters`.
    pub fn to_json(&self) -> String {
        format!(
            "{{\"name\":{},\"description\":{},\"parameters\":{}}}",
            render_string(self.name),
            render_string(&self.description),
            self.parameters.to_json()
        )
    }

    fn set(&mut self, name: &str, keyword: &str, value: Node) -> bool {
        let Some(Node::Object(keywords)) = self.parameter_mut(name) else {
            return false;
        };
        match keywords.iter_mut().find(|(key, _)| key == keyword) {
            Some((_, old)) => *old = value,
            None => keywords.push((keyword.to_owned(), value)),
        }
        true
    }
}

fn child<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    match node {
        Node::Object(entries) => entries
            .iter_mut()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value),
        _ => None,
    }
}
