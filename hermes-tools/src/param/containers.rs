//! Lists, sets, maps and what may be absent, as parameters.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use super::{Shape, ToolParam};
use crate::args::{Issue, Node, Reader, Unfit, render_string};
use crate::schema::{Kind, Schema};

impl<T: ToolParam> ToolParam for Option<T> {
    const SCHEMA: Schema = T::SCHEMA.or_null();

    // As an argument the bare type, not required: several providers reject unions with null.
    const PARAM: Shape = Shape {
        schema: T::SCHEMA,
        required: false,
    };

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        if reader.null()? {
            Ok(None)
        } else {
            T::read(reader, schema).map(Some)
        }
    }

    fn from_node(node: &Node, schema: &Schema) -> Result<Self, Issue> {
        match node {
            Node::Null => Ok(None),
            _ => T::from_node(node, schema).map(Some),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn render(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), T::render)
    }
}

impl<T: ToolParam> ToolParam for Box<T> {
    const SCHEMA: Schema = T::SCHEMA;
    const PARAM: Shape = T::PARAM;

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        T::read(reader, schema).map(Self::new)
    }

    fn from_node(node: &Node, schema: &Schema) -> Result<Self, Issue> {
        T::from_node(node, schema).map(Self::new)
    }

    fn absent() -> Option<Self> {
        T::absent().map(Self::new)
    }

    fn render(&self) -> String {
        T::render(self)
    }
}

const fn list<T: ToolParam>(unique: bool) -> Schema {
    Schema::new(Kind::Array {
        items: &T::SCHEMA,
        unique,
    })
}

fn items(node: &Node) -> Result<&[Node], Issue> {
    match node {
        Node::Array(items) => Ok(items),
        _ => Err(Issue::expected("a list", node)),
    }
}

fn read_list<T: ToolParam>(reader: &mut Reader<'_>, schema: &Schema) -> Result<Vec<T>, Unfit> {
    let mut values = Vec::new();
    let own = &T::SCHEMA;
    let items = match schema.kind {
        Kind::Array { items, .. } => items,
        _ => own,
    };
    reader.array(schema, |reader| {
        values.push(T::read(reader, items)?);
        Ok(())
    })?;
    Ok(values)
}

fn list_from_node<T: ToolParam>(node: &Node) -> Result<Vec<T>, Issue> {
    items(node)?
        .iter()
        .enumerate()
        .map(|(index, item)| T::from_node(item, &T::SCHEMA).map_err(|issue| issue.at_index(index)))
        .collect()
}

fn render_list<'v, T: ToolParam + 'v>(values: impl Iterator<Item = &'v T>) -> String {
    let items: Vec<String> = values.map(T::render).collect();
    format!("[{}]", items.join(","))
}

impl<T: ToolParam> ToolParam for Vec<T> {
    const SCHEMA: Schema = list::<T>(false);

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        read_list(reader, schema)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        list_from_node(node)
    }

    fn render(&self) -> String {
        render_list(self.iter())
    }
}

impl<T: ToolParam, const N: usize> ToolParam for [T; N] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an array of four billion items is no argument"
    )]
    const SCHEMA: Schema = {
        let mut schema = list::<T>(false);
        schema.min_length = N as u32;
        schema.max_length = N as u32;
        schema
    };

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        Self::try_from(read_list(reader, schema)?).map_err(|_| Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        Self::try_from(list_from_node(node)?)
            .map_err(|_| Issue::expected(format!("a list of exactly {N} items"), node))
    }

    fn render(&self) -> String {
        render_list(self.iter())
    }
}

macro_rules! sets {
    ($([$($bound:tt)+] [$($state:ident)?] $set:ty;)*) => {$(
        impl<T: ToolParam + $($bound)+ $(, $state: BuildHasher + Default + Send + Sync + 'static)?> ToolParam for $set {
            const SCHEMA: Schema = list::<T>(true);

            fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
                let values = read_list::<T>(reader, schema)?;
                let count = values.len();
                let set: Self = values.into_iter().collect();
                // Equal items are folded on the slow way, where that is recorded.
                if set.len() == count { Ok(set) } else { Err(Unfit) }
            }

            fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
                Ok(list_from_node::<T>(node)?.into_iter().collect())
            }

            fn render(&self) -> String {
                render_list(self.iter())
            }
        }
    )*};
}

sets! {
    [Ord] [] BTreeSet<T>;
    [Eq + Hash] [S] HashSet<T, S>;
}

/// A type that the keys of a map can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map",
    label = "JSON keys are text",
    note = "use `BTreeMap<String, _>`, or a list of pairs"
)]
pub trait MapKey: Ord + Hash + Send + Sync + 'static {
    /// Makes it from a key of an object.
    fn from_key(key: String) -> Self;

    /// The key of an object that it is.
    fn as_key(&self) -> &str;
}

impl MapKey for String {
    fn from_key(key: String) -> Self {
        key
    }

    fn as_key(&self) -> &str {
        self
    }
}

macro_rules! maps {
    ($([$($state:ident)?] $map:ty;)*) => {$(
        impl<K: MapKey, T: ToolParam $(, $state: BuildHasher + Default + Send + Sync + 'static)?> ToolParam
            for $map
        {
            const SCHEMA: Schema = Schema::new(Kind::Map { values: &T::SCHEMA });

            fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
                let mut map = Self::default();
                reader.object(schema, |reader, key| {
                    match map.insert(K::from_key(key.into_owned()), T::read(reader, &T::SCHEMA)?) {
                        None => Ok(()),
                        Some(_) => Err(Unfit),
                    }
                })?;
                Ok(map)
            }

            fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
                let Node::Object(entries) = node else {
                    return Err(Issue::expected("an object", node));
                };
                entries
                    .iter()
                    .map(|(key, value)| match T::from_node(value, &T::SCHEMA) {
                        Ok(value) => Ok((K::from_key(key.clone()), value)),
                        Err(issue) => Err(issue.at_key(key)),
                    })
                    .collect()
            }

            fn render(&self) -> String {
                // Sorted, so that a default has one spelling whatever the map's order is.
                let sorted: BTreeMap<&K, &T> = self.iter().collect();
                let entries: Vec<String> = sorted
                    .into_iter()
                    .map(|(key, value)| format!("{}:{}", render_string(key.as_key()), value.render()))
                    .collect();
                format!("{{{}}}", entries.join(","))
            }
        }
    )*};
}

maps! {
    [] BTreeMap<K, T>;
    [S] HashMap<K, T, S>;
}
