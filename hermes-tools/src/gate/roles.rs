//! The texts of arguments that have a role, found in typed places and in trees.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use crate::args::{ForeignArguments, Node, Values};
use crate::effect::Role;
use crate::output::{ErrorKind, ToolError};
use crate::param::{Param, Slot};
use crate::schema::{Kind, Schema};

/// One text of an argument that has a role.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subject {
    /// Where it stands, such as `edits[2].path`.
    pub argument: String,
    /// What it stands for.
    pub role: Role,
    /// The text.
    pub text: String,
}

/// Which top-level arguments of a tool with a JSON schema have roles.
#[derive(Debug, Clone, Default)]
pub struct RoleTable {
    rows: Vec<(Box<str>, Role)>,
}

impl RoleTable {
    pub(crate) fn add(&mut self, argument: Box<str>, role: Role) {
        self.rows.push((argument, role));
    }

    /// Whether no argument has a role.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether an argument has this role.
    pub fn has(&self, role: Role) -> bool {
        self.rows.iter().any(|(_, own)| *own == role)
    }

    /// The roles of an argument.
    pub fn of(&self, argument: &str) -> impl Iterator<Item = Role> {
        let rows = self.rows.iter();
        rows.filter_map(move |(name, role)| (**name == *argument).then_some(*role))
    }

    pub(super) fn subjects(&self, arguments: &ForeignArguments) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for (name, role) in &self.rows {
            if let Some(value) = arguments.get(name) {
                texts(value, *role, &mut name.to_string(), &mut subjects);
            }
        }
        subjects
    }
}

/// Whether an argument, or anything inside one, has a role or is a lock. A type that contains itself may.
pub(crate) const fn has_roles(params: &[Param]) -> bool {
    let mut index = 0;
    while index < params.len() {
        if params[index].declared_role().is_some()
            || params[index].is_lock()
            || schema_has_roles(params[index].schema())
        {
            return true;
        }
        index += 1;
    }
    false
}

const fn schema_has_roles(schema: &Schema) -> bool {
    match schema.kind {
        Kind::Any | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => false,
        Kind::Array { items, .. } => schema_has_roles(items),
        Kind::Map { values } => schema_has_roles(values),
        Kind::Tuple { items } => {
            let mut index = 0;
            while index < items.len() {
                if schema_has_roles(&items[index]) {
                    return true;
                }
                index += 1;
            }
            false
        }
        Kind::Object { fields } => has_roles(fields),
        Kind::Union { variants, .. } => {
            let mut index = 0;
            while index < variants.len() {
                if has_roles(variants[index].fields) {
                    return true;
                }
                index += 1;
            }
            false
        }
        // What stands behind a function cannot be looked at in a constant.
        Kind::Recursive { .. } => true,
    }
}

/// The texts with roles in the places of typed arguments.
///
/// # Errors
///
/// A value with a role whose texts cannot be found: what cannot be seen cannot be guarded.
pub(super) fn of_values(params: &[Param], values: &dyn Values) -> Result<Vec<Subject>, ToolError> {
    let mut subjects = Vec::new();
    for (index, param) in params.iter().enumerate() {
        let Some(slot) = values.slot(index) else {
            continue;
        };
        let Some(value) = slot.value() else { continue };
        let mut place = param.name().to_owned();
        match param.declared_role() {
            Some(role) => {
                let text = value
                    .downcast_ref::<String>()
                    .or_else(|| value.downcast_ref::<Option<String>>()?.as_ref())
                    .map(String::as_str)
                    .or_else(|| value.downcast_ref::<PathBuf>()?.to_str());
                match text {
                    Some(text) => subjects.push(Subject {
                        argument: place,
                        role,
                        text: text.to_owned(),
                    }),
                    None => texts(&tree(param, slot)?, role, &mut place, &mut subjects),
                }
            }
            None if schema_has_roles(param.schema()) => {
                let tree = tree(param, slot)?;
                inside(&tree, param.schema(), &mut place, &mut subjects);
            }
            None => {}
        }
    }
    Ok(subjects)
}

/// The value of a place as a tree.
pub(super) fn tree(param: &Param, slot: &dyn Slot) -> Result<Node, ToolError> {
    slot.render()
        .as_deref()
        .and_then(Node::from_json)
        .ok_or_else(|| {
            ToolError::new(
                ErrorKind::GuardFailed,
                format!("the value of `{}` cannot be looked at", param.name()),
            )
            .with_help("this is a fault of the tool; use another way")
        })
}

/// Follows a tree by its schema to the fields that have roles.
fn inside(node: &Node, schema: &Schema, place: &mut String, subjects: &mut Vec<Subject>) {
    match (schema.kind, node) {
        (Kind::Array { items, .. }, Node::Array(values)) => {
            for (index, value) in values.iter().enumerate() {
                at_index(place, index, |place| inside(value, items, place, subjects));
            }
        }
        (Kind::Tuple { items }, Node::Array(values)) => {
            for (index, (value, item)) in values.iter().zip(items).enumerate() {
                at_index(place, index, |place| inside(value, item, place, subjects));
            }
        }
        (Kind::Map { values }, Node::Object(entries)) => {
            for (key, value) in entries {
                at_key(place, key, |place| inside(value, values, place, subjects));
            }
        }
        (Kind::Object { fields }, Node::Object(entries)) => {
            in_fields(entries, fields, place, subjects);
        }
        (Kind::Union { tag, variants }, Node::Object(entries)) => {
            let form = entries.iter().find(|(key, _)| key == tag);
            let form = form.and_then(|(_, value)| value.as_str());
            for variant in variants {
                // A form that cannot be told is looked at as every form.
                if form.is_none_or(|form| form == variant.name || variant.aliases.contains(&form)) {
                    in_fields(entries, variant.fields, place, subjects);
                }
            }
        }
        (Kind::Recursive { schema, .. }, node) => inside(node, schema(), place, subjects),
        _ => {}
    }
}

fn in_fields(
    entries: &[(String, Node)],
    fields: &[Param],
    place: &mut String,
    subjects: &mut Vec<Subject>,
) {
    for field in fields {
        let Some((_, value)) = entries.iter().find(|(key, _)| key == field.name()) else {
            continue;
        };
        at_key(place, field.name(), |place| match field.declared_role() {
            Some(role) => texts(value, role, place, subjects),
            None => inside(value, field.schema(), place, subjects),
        });
    }
}

/// Every text in a value that has a role, keys of maps too. A list of a command is taken both as
/// commands and as one program with its arguments.
fn texts(node: &Node, role: Role, place: &mut String, subjects: &mut Vec<Subject>) {
    let mut add = |place: &str, text: String| {
        subjects.push(Subject {
            argument: place.to_owned(),
            role,
            text,
        });
    };
    match node {
        Node::String(text) => add(place, text.clone()),
        Node::Array(values) => {
            if role == Role::Command
                && let Some(words) = values.iter().map(Node::as_str).collect::<Option<Vec<_>>>()
            {
                add(
                    place,
                    words.into_iter().map(quoted).collect::<Vec<_>>().join(" "),
                );
            }
            for (index, value) in values.iter().enumerate() {
                at_index(place, index, |place| texts(value, role, place, subjects));
            }
        }
        Node::Object(entries) => {
            for (key, value) in entries {
                at_key(place, key, |place| {
                    subjects.push(Subject {
                        argument: place.clone(),
                        role,
                        text: key.clone(),
                    });
                    texts(value, role, place, subjects);
                });
            }
        }
        Node::Number(_) if role == Role::Secret => add(place, node.to_json()),
        Node::Null | Node::Bool(_) | Node::Number(_) => {}
    }
}

/// A word as the shell takes it literally.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn at_index<R>(place: &mut String, index: usize, then: impl FnOnce(&mut String) -> R) -> R {
    let length = place.len();
    // Writing to a `String` cannot fail.
    let _ = write!(place, "[{index}]");
    let result = then(place);
    place.truncate(length);
    result
}

fn at_key<R>(place: &mut String, key: &str, then: impl FnOnce(&mut String) -> R) -> R {
    let length = place.len();
    place.push('.');
    place.push_str(key);
    let result = then(place);
    place.truncate(length);
    result
}

/// The secret texts among subjects.
pub(crate) fn secrets_of(subjects: &[Subject]) -> Vec<Box<str>> {
    let secrets = subjects.iter().filter(|it| it.role == Role::Secret);
    secrets.map(|it| it.text.as_str().into()).collect()
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match self.role {
            Role::Secret => "***",
            _ => &self.text,
        };
        f.debug_struct("Subject")
            .field("argument", &self.argument)
            .field("role", &self.role)
            .field("text", &shown)
            .finish()
    }
}
