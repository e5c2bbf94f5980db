//! Secret values kept out of what is told about arguments.

use super::RoleTable;
use crate::args::{ArgumentError, Issue, Repair};
use crate::effect::Role;
use crate::param::Param;
use crate::schema::{Kind, Schema};

/// What stands in place of a secret.
const HIDDEN: &str = "a secret that is not shown";

/// The problems of arguments without the values that `is_secret` says of an argument, by its name, are
/// secret.
pub(crate) fn hide_in_error(
    error: ArgumentError,
    is_secret: &dyn Fn(&str) -> bool,
) -> ArgumentError {
    match error {
        ArgumentError::Misfit(mut issues) => {
            for issue in issues
                .iter_mut()
                .filter(|issue| is_secret(first_key(&issue.path)))
            {
                hide(issue);
            }
            ArgumentError::Misfit(issues)
        }
        other => other,
    }
}

fn hide(issue: &mut Issue) {
    // What stands there may be told by kind alone; without it, what should stand there.
    issue.problem = match &issue.expected {
        Some(expected) if issue.got.is_some() => format!("expected {expected}, got {HIDDEN}"),
        Some(expected) => format!("missing; expected {expected}"),
        None => format!("does not fit; it is {HIDDEN}"),
    };
    issue.got = issue.got.take().map(|_| HIDDEN.into());
    issue.hint = None;
    issue.nearest = None;
}

/// Changes of arguments without the values that are secret.
pub(crate) fn hide_in_repairs(
    mut repairs: Vec<Repair>,
    is_secret: &dyn Fn(&str) -> bool,
) -> Vec<Repair> {
    for repair in repairs
        .iter_mut()
        .filter(|repair| is_secret(first_key(&repair.path)))
    {
        HIDDEN.clone_into(&mut repair.before);
        repair.after.clear();
    }
    repairs
}

/// The argument that a path such as `edits[2].line` begins with.
fn first_key(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

/// Whether an argument of this name is a secret, or has one inside.
pub(crate) fn is_secret_param(params: &[Param], name: &str) -> bool {
    params
        .iter()
        .any(|param| (param.name() == name || param.aliases().contains(&name)) && has_secret(param))
}

fn has_secret(param: &Param) -> bool {
    param.declared_role() == Some(Role::Secret) || schema_has_secret(param.schema(), 0)
}

fn schema_has_secret(schema: &Schema, depth: usize) -> bool {
    // A type that contains itself has been looked at by then.
    const DEEP: usize = 8;
    let fields = |fields: &[Param]| {
        fields.iter().any(|field| {
            field.declared_role() == Some(Role::Secret)
                || schema_has_secret(field.schema(), depth + 1)
        })
    };
    if depth > DEEP {
        return false;
    }
    match schema.kind {
        Kind::Array { items, .. } => schema_has_secret(items, depth + 1),
        Kind::Map { values } => schema_has_secret(values, depth + 1),
        Kind::Tuple { items } => items.iter().any(|item| schema_has_secret(item, depth + 1)),
        Kind::Object { fields: of } => fields(of),
        Kind::Union { variants, .. } => variants.iter().any(|variant| fields(variant.fields)),
        Kind::Recursive { schema, .. } => schema_has_secret(schema(), depth + 1),
        _ => false,
    }
}

impl RoleTable {
    /// Whether an argument is a secret.
    pub fn is_secret(&self, argument: &str) -> bool {
        self.of(argument).any(|role| role == Role::Secret)
    }
}
