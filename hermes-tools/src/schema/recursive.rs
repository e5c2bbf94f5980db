//! The types that contain themselves, and their names under `$defs`.

use super::{Kind, Schema};
use crate::param::Param;

/// Gives the schema of a type that contains itself.
type SchemaFn = fn() -> &'static Schema;

/// The types in a schema that contain themselves.
#[derive(Default)]
pub(super) struct RecursiveTypes {
    /// In the order of their full names, so that it is the same every time. There are few.
    types: Vec<Recursive>,
    /// The names on the way to where the walk is.
    open: Vec<&'static str>,
}

struct Recursive {
    name: &'static str,
    schema: SchemaFn,
    short: String,
}

impl RecursiveTypes {
    /// Those in the types of parameters.
    pub(super) fn of(fields: &[Param]) -> Self {
        let mut this = Self::default();
        for field in fields {
            this.collect(field.schema());
        }
        this.name();
        this
    }

    /// Those in a schema.
    pub(super) fn of_schema(schema: &Schema) -> Self {
        let mut this = Self::default();
        this.collect(schema);
        this.name();
        this
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Whether a type contains itself.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// The place of a type, or where it would be.
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.types.binary_search_by(|known| known.name.cmp(name))
    }

    /// What a type says of itself, where that is not said under `$defs`.
    pub(super) fn description(&self, schema: &Schema) -> &'static str {
        match schema.kind {
            Kind::Recursive {
                name,
                schema: inner,
            } if schema.description.is_empty() && !self.contains(name) => inner().description,
            _ => schema.description,
        }
    }

    /// The pointer to a type.
    pub(super) fn pointer(&self, name: &str) -> String {
        format!("#/$defs/{}", self.short(name))
    }

    /// The name of a type under `$defs`.
    pub(super) fn short<'n>(&'n self, name: &'n str) -> &'n str {
        self.find(name)
            .map_or(name, |index| &self.types[index].short)
    }

    /// The types with their names, in the order of their full names.
    pub(super) fn definitions(&self) -> Vec<(String, SchemaFn)> {
        self.types
            .iter()
            .map(|recursive| (recursive.short.clone(), recursive.schema))
            .collect()
    }

    fn collect(&mut self, schema: &Schema) {
        match schema.kind {
            Kind::Array { items: inner, .. } | Kind::Map { values: inner } => self.collect(inner),
            Kind::Tuple { items } => items.iter().for_each(|item| self.collect(item)),
            Kind::Object { fields } => {
                for field in fields {
                    self.collect(field.schema());
                }
            }
            Kind::Union { variants, .. } => {
                let fields = variants.iter().flat_map(|variant| variant.fields);
                fields.for_each(|field| self.collect(field.schema()));
            }
            Kind::Recursive { name, schema } => {
                // Only what is met again on the way to itself contains itself; the mark alone says
                // that it might.
                let Err(place) = self.find(name) else { return };
                if self.open.contains(&name) {
                    let short = String::new();
                    let found = Recursive {
                        name,
                        schema,
                        short,
                    };
                    self.types.insert(place, found);
                } else {
                    self.open.push(name);
                    self.collect(schema());
                    self.open.pop();
                }
            }
            Kind::Any | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => {}
        }
    }

    /// Types of one short name in different modules are numbered, in the order of their full names.
    fn name(&mut self) {
        for index in 0..self.types.len() {
            let (named, rest) = self.types.split_at_mut(index);
            let name = rest[0].name;
            let last = name.rsplit("::").next().unwrap_or(name);
            let mut short = last.to_owned();
            let mut number = 2;
            while named.iter().any(|known| known.short == short) {
                short = format!("{last}{number}");
                number += 1;
            }
            rest[0].short = short;
        }
    }
}
