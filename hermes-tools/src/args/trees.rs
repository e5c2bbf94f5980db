//! Values that are read as trees: those of types that no reader knows, and those of arguments that
//! are one value as a whole.

use super::fit::fit;
use super::rules::JsonSchema;
use super::{ArgumentError, Issue, Node, Reader, Repair, Unfit};
use crate::param::{Param, Slot, ToolParam};
use crate::schema::{Kind, Schema};

impl Node {
    /// The tree of strict JSON text; `None` for anything else, and for an object with a key twice.
    pub fn from_json(text: &str) -> Option<Self> {
        let mut reader = Reader::new(text);
        let node = reader.tree().ok()?;
        reader.end().ok()?;
        Some(node)
    }
}

/// Reads a tree that fits the schema as it is.
///
/// # Errors
///
/// [`Unfit`] when anything would have to be changed.
pub(crate) fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Node, Unfit> {
    let mut node = reader.tree()?;
    let report = fit(&mut node, &JsonSchema::of_schema(schema));
    match report.finish(Vec::new()) {
        Ok(repairs) if repairs.is_empty() => Ok(node),
        _ => Err(Unfit),
    }
}

/// Reads the text of a default into its place; false when it is no value of the type.
pub(crate) fn fill(slot: &mut dyn Slot, json: &str, schema: &Schema) -> bool {
    let mut reader = Reader::new(json);
    slot.read(&mut reader, schema).is_ok() && reader.end().is_ok()
}

/// A tree as a parameter: any value, kept as it was sent.
impl ToolParam for Node {
    const SCHEMA: Schema = Schema::new(Kind::Any);

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        read(reader, schema)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        Ok(node.clone())
    }

    fn render(&self) -> String {
        self.to_json()
    }
}

/// The place of a value that may be absent.
type Place = Option<Option<Node>>;

/// The arguments of a tool whose one parameter is all of them.
#[derive(Debug)]
pub(crate) struct Whole {
    params: &'static [Param],
    values: Vec<Place>,
}

impl Whole {
    /// Places for these fields.
    pub(crate) fn new(params: &'static [Param]) -> Self {
        Self {
            params,
            values: vec![None; params.len()],
        }
    }

    /// The places.
    pub(crate) fn slots(&mut self) -> Vec<&mut dyn Slot> {
        self.values
            .iter_mut()
            .map(|place| place as &mut dyn Slot)
            .collect()
    }

    /// The one value that the filled places are, and what more had to be changed for it.
    ///
    /// # Errors
    ///
    /// All that does not fit, such as a field that the chosen form of a union needs.
    pub(crate) fn assemble<T: ToolParam>(self) -> Result<(T, Vec<Repair>), ArgumentError> {
        let entries = self.params.iter().zip(self.values);
        let entries = entries
            .filter_map(|(param, value)| Some((param.name().to_owned(), value??)))
            .collect();
        let mut node = Node::Object(entries);
        let report = fit(&mut node, &JsonSchema::of_schema(&T::SCHEMA));
        let repairs = report.finish(Vec::new()).map_err(ArgumentError::Misfit)?;
        match T::from_node(&node, &T::SCHEMA) {
            Ok(value) => Ok((value, repairs)),
            Err(issue) => Err(ArgumentError::Misfit(vec![issue])),
        }
    }
}
