//! Types that already have serde and schemars derives, as parameters: `#[arg(schemars)]`.
//!
//! The schema that schemars makes is turned into ours when it is asked for first, and kept. What has
//! no counterpart is shown as any value and listed as a [`Loss`]; the type's own `Deserialize` still
//! decides what is taken. Fields stand in alphabetical order, since that is how `serde_json` keeps
//! the keys of an object.

mod convert;

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::value::value;
use super::{Param, Shape, ToolParam};
use crate::args::{Issue, Node, Reader, Unfit, trees};
use crate::schema::{Kind, Schema};

/// A value of a type that is read by `serde`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bridge<T>(pub T);

/// Something that a foreign schema says and ours cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Where, as a JSON pointer into the foreign schema.
    pub path: String,
    /// What, as a lowercase fragment.
    pub what: String,
}

/// What the schema of a parameter lost when it was turned into ours; empty for types of our own.
pub fn losses(param: &Param) -> Vec<Loss> {
    let schema: *const Schema = param.schema().resolved();
    known()
        .values()
        .find(|known| std::ptr::eq(known.schema, schema))
        .map(|known| known.losses.clone())
        .unwrap_or_default()
}

impl<T: JsonSchema + 'static> Bridge<T> {
    /// The shape of an argument of this type, under a name that no other type has.
    pub const fn shape(name: &'static str, required: bool) -> Shape {
        Shape {
            schema: Schema::new(Kind::Recursive {
                name,
                schema: schema_of::<T>,
            }),
            required,
        }
    }
}

impl<T: JsonSchema + DeserializeOwned + Send + Sync + 'static> ToolParam for Bridge<T> {
    const SCHEMA: Schema = Schema::new(Kind::Recursive {
        name: "schemars",
        schema: schema_of::<T>,
    });

    fn read(reader: &mut Reader<'_>, _schema: &Schema) -> Result<Self, Unfit> {
        let node = trees::read(reader, schema_of::<T>())?;
        Self::from_node(&node, schema_of::<T>()).map_err(|_| Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        let value =
            value(node).ok_or_else(|| Issue::expected("numbers that a double can hold", node))?;
        serde_json::from_value(value)
            .map(Self)
            .map_err(|error| Issue::new(error.to_string()))
    }

    fn absent() -> Option<Self> {
        serde_json::from_value(serde_json::Value::Null)
            .ok()
            .map(Self)
    }

    fn render(&self) -> String {
        // Reached for defaults alone, which are literals for these types.
        "null".to_owned()
    }
}

struct Known {
    schema: &'static Schema,
    losses: Vec<Loss>,
}

fn known() -> std::sync::MutexGuard<'static, HashMap<TypeId, Known>> {
    static KNOWN: LazyLock<Mutex<HashMap<TypeId, Known>>> = LazyLock::new(Mutex::default);
    // An entry is put in whole, so a panic elsewhere leaves the map as it was.
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn schema_of<T: JsonSchema + 'static>() -> &'static Schema {
    if let Some(known) = known().get(&TypeId::of::<T>()) {
        return known.schema;
    }
    // Made without the lock, since a type's own code runs here.
    let foreign = schemars::schema_for!(T).to_value();
    let (schema, losses) = convert::convert(&foreign);
    known()
        .entry(TypeId::of::<T>())
        .or_insert_with(|| Known {
            // Once for each type of the program, as if it stood in read-only data.
            schema: Box::leak(Box::new(schema)),
            losses,
        })
        .schema
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path, self.what)
    }
}
