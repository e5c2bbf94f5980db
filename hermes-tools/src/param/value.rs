//! Any JSON value as a parameter, for tools that pass it on.

use serde_json::{Map, Number, Value};

use super::ToolParam;
use crate::args::{Issue, Node, Reader, Unfit};
use crate::schema::{Kind, Schema};

/// Several providers reject parameters without a type, so the parameter says `#[arg(any)]`.
impl ToolParam for Value {
    const SCHEMA: Schema = Schema::new(Kind::Any);

    fn read(reader: &mut Reader<'_>, _schema: &Schema) -> Result<Self, Unfit> {
        value(&reader.tree()?).ok_or(Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        value(node).ok_or_else(|| Issue::expected("numbers that a double can hold", node))
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

/// A tree as a value; `None` for a number that is neither an integer of 64 bits nor a double.
///
/// Numbers are read by the standard library, since the parser of `serde_json` rounds some doubles
/// to a neighbour.
pub(super) fn value(node: &Node) -> Option<Value> {
    Some(match node {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Number(text) => Value::Number(number(text)?),
        Node::String(text) => Value::String(text.clone()),
        Node::Array(items) => Value::Array(items.iter().map(value).collect::<Option<_>>()?),
        Node::Object(entries) => {
            let mut map = Map::new();
            for (key, entry) in entries {
                map.insert(key.clone(), value(entry)?);
            }
            Value::Object(map)
        }
    })
}

fn number(text: &str) -> Option<Number> {
    if let Ok(value) = text.parse::<u64>() {
        return Some(value.into());
    }
    if let Ok(value) = text.parse::<i64>() {
        return Some(value.into());
    }
    Number::from_f64(text.parse().ok()?)
}
