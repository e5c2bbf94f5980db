//! Foreign tools in the form of a dialect.

use serde_json::Value;

use super::convert::{Converter, Stop};
use super::words::type_of;
use super::{MAX_DEPTH, MAX_NODES};
#[cfg(feature = "host")]
use crate::args::Node;
use crate::schema::dialect::{
    Dialect, Hints, Loss, Parts, Request, Rules, over_limits, put_together,
};

/// A tool from elsewhere: an MCP server, or made at run time.
#[derive(Debug, Clone, Copy)]
pub struct ForeignTool<'a> {
    /// The name under which a model calls it.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
    /// The schema of its arguments as it was sent; null when there was none.
    pub parameters: &'a Value,
}

/// A tool that no model is told of, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantined {
    /// The name of the tool.
    pub tool: String,
    /// What is hopeless about its schema, as a lowercase fragment.
    pub reason: String,
}

/// What a model is told of foreign tools in a dialect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ForeignDefinitions {
    /// The tools that could be told, in the order given: the name, and the definition as JSON text.
    pub definitions: Vec<(String, String)>,
    /// What the dialect could not express, tool by tool.
    pub losses: Vec<Loss>,
    /// The tools that were set aside.
    pub quarantined: Vec<Quarantined>,
}

/// Foreign tools in the form of a dialect. One with a hopeless schema is set aside alone, with its
/// reason; the others are told.
pub fn definitions<'a>(
    tools: impl IntoIterator<Item = ForeignTool<'a>>,
    dialect: Dialect,
) -> ForeignDefinitions {
    let mut all = ForeignDefinitions::default();
    let mut request = Request::default();
    for tool in tools {
        match request.settle(tool.name, dialect, |dialect| definition(tool, dialect)) {
            Ok((json, losses)) => {
                all.definitions.push((tool.name.to_owned(), json));
                all.losses.extend(losses);
            }
            Err(quarantined) => all.quarantined.push(quarantined),
        }
    }
    all
}

/// A foreign tool in the form of a dialect, and what that form cannot say.
///
/// The schema is read as JSON Schema of drafts 4 to 2020-12, with the slips that servers make: words
/// where schemas should stand, type names of programming languages, boolean `exclusiveMinimum`.
/// References are resolved in the schema as it was sent, before anything is rewritten, so none leads
/// to a place that is no longer there.
///
/// # Errors
///
/// The schema is hopeless: it is no object schema, a reference leads nowhere or to another document,
/// or it is nested too deep or too large.
pub fn definition(
    tool: ForeignTool<'_>,
    dialect: Dialect,
) -> Result<(String, Vec<Loss>), Quarantined> {
    converted(tool, dialect, None, ToString::to_string)
}

/// The same with parameters in the order of the schema as it was written, and with what MCP is told of
/// the tool's effect.
#[cfg(feature = "host")]
pub(crate) fn annotated(
    tool: ForeignTool<'_>,
    written: &Node,
    dialect: Dialect,
    hints: Option<&Hints<'_>>,
) -> Result<(String, Vec<Loss>), Quarantined> {
    converted(tool, dialect, hints, |parameters| {
        let mut parameters = Node::from(parameters);
        super::order::restore(&mut parameters, written);
        parameters.to_json()
    })
}

fn converted(
    tool: ForeignTool<'_>,
    dialect: Dialect,
    hints: Option<&Hints<'_>>,
    write: impl FnOnce(&Value) -> String,
) -> Result<(String, Vec<Loss>), Quarantined> {
    let hopeless = |reason: String| Quarantined {
        tool: tool.name.to_owned(),
        reason,
    };
    check(tool.parameters).map_err(hopeless)?;

    let mut losses = Vec::new();
    let mut strict = dialect.is_strict();
    let mut converter = Converter::new(tool.parameters, Rules::of(dialect), dialect);
    let mut parameters = converter.root();
    let obstacle = match &parameters {
        Err(Stop::NotStrict { path, reason }) => Some((path.clone(), reason.clone())),
        Ok(schema) if strict => over_limits(schema).map(|reason| (String::new(), reason)),
        _ => None,
    };
    if let Some((path, reason)) = obstacle {
        losses.push(Loss::leaves_strict(tool.name, path, &reason));
        strict = false;
        let beside = dialect.without_strict();
        converter = Converter::new(tool.parameters, Rules::of(beside), beside);
        parameters = converter.root();
    }
    let parameters = parameters.map_err(|stop| hopeless(stop.reason()))?;
    let lost = converter.losses.into_iter();
    losses.extend(lost.map(|(path, what)| Loss::new(tool.name, path, what)));

    let bare = parameters
        .get("properties")
        .and_then(Value::as_object)
        .is_none_or(serde_json::Map::is_empty);
    let parts = Parts {
        name: tool.name,
        description: tool.description,
        parameters: &write(&parameters),
        bare,
        strict,
        hints,
    };
    Ok((put_together(&parts, dialect), losses))
}

/// Refuses what is no schema of arguments, or too much of one.
fn check(parameters: &Value) -> Result<(), String> {
    let mut nodes = 0;
    let mut level = vec![parameters];
    for depth in 0.. {
        nodes += level.len();
        if depth > MAX_DEPTH {
            return Err(format!("the schema nests deeper than {MAX_DEPTH} levels"));
        }
        if nodes > MAX_NODES {
            return Err(format!("the schema has more than {MAX_NODES} values"));
        }
        level = level
            .into_iter()
            .flat_map(|value| -> Box<dyn Iterator<Item = &Value>> {
                match value {
                    Value::Array(list) => Box::new(list.iter()),
                    Value::Object(object) => Box::new(object.values()),
                    _ => Box::new(std::iter::empty()),
                }
            })
            .collect();
        if level.is_empty() {
            break;
        }
    }
    let object = |word: &Value| word.as_str().and_then(type_of) == Some("object");
    match parameters {
        Value::Null => Ok(()),
        Value::Object(schema) => match schema.get("type") {
            None => Ok(()),
            Some(Value::Array(words)) if words.is_empty() || words.iter().any(object) => Ok(()),
            Some(word) if object(word) => Ok(()),
            Some(other) => Err(format!("the arguments are of type {other}, not an object")),
        },
        other => {
            let shown: String = other.to_string().chars().take(40).collect();
            Err(format!("the schema of the arguments is no object: {shown}"))
        }
    }
}
