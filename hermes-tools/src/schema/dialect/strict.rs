//! Which tools a strict dialect can take.

use super::{Dialect, Loss, Rules};
use crate::param::Param;
use crate::schema::{Kind, Schema};

/// Levels of nesting, properties and values of enums that `OpenAI` takes in one strict schema
/// ("Structured outputs", supported schemas).
const MAX_LEVELS: usize = 10;
const MAX_PROPERTIES: usize = 5_000;
const MAX_VALUES: usize = 1_000;

/// The rules for a tool in a dialect, what it loses by them, and whether they are strict.
///
/// A tool that cannot be strict gets the rules of the dialect beside it.
pub(super) fn rules(params: &[Param], dialect: Dialect) -> (Rules, Vec<Loss>, bool) {
    if !dialect.is_strict() {
        return (Rules::of(dialect), Vec::new(), false);
    }
    let mut search = Search::default();
    search.fields(params, "", 1);
    match search.obstacle {
        None => (Rules::of(dialect), Vec::new(), true),
        Some((path, reason)) => {
            let loss = Loss::new(
                "",
                path,
                format!("{reason}, so the tool leaves strict mode"),
            );
            (Rules::of(dialect.without_strict()), vec![loss], false)
        }
    }
}

/// Looks for the first thing that strict mode has no form for.
#[derive(Default)]
struct Search {
    obstacle: Option<(String, String)>,
    properties: usize,
    values: usize,
    seen: Vec<&'static str>,
}

impl Search {
    fn fields(&mut self, fields: &[Param], path: &str, level: usize) {
        self.properties += fields.len();
        if self.properties > MAX_PROPERTIES {
            self.found(
                path,
                format!("there are more than {MAX_PROPERTIES} properties"),
            );
        }
        if level > MAX_LEVELS {
            self.found(path, format!("values nest deeper than {MAX_LEVELS} levels"));
        }
        for field in fields {
            let path = super::render::join(path, field.name());
            self.schema(field.schema(), &path, level);
        }
    }

    fn schema(&mut self, schema: &Schema, path: &str, level: usize) {
        if self.obstacle.is_some() {
            return;
        }
        self.values += schema.values.len();
        if self.values > MAX_VALUES {
            self.found(
                path,
                format!("there are more than {MAX_VALUES} values of enums"),
            );
        }
        match schema.kind {
            Kind::Any => self.found(path, "a value of any type has no form".to_owned()),
            Kind::Map { .. } => self.found(path, "a map with free keys has no form".to_owned()),
            Kind::Array { items, .. } => self.schema(items, &format!("{path}[]"), level + 1),
            Kind::Tuple { items } => {
                for (index, item) in items.iter().enumerate() {
                    self.schema(item, &format!("{path}[{index}]"), level + 1);
                }
            }
            Kind::Object { fields } => self.fields(fields, path, level + 1),
            Kind::Union { variants, .. } => {
                for variant in variants {
                    self.fields(variant.fields, path, level + 2);
                }
            }
            Kind::Recursive { name, schema } => {
                if !self.seen.contains(&name) {
                    self.seen.push(name);
                    self.schema(schema(), path, level);
                }
            }
            Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => {}
        }
    }

    fn found(&mut self, path: &str, reason: String) {
        self.obstacle.get_or_insert((path.to_owned(), reason));
    }
}
