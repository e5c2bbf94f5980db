//! The way of a call's arguments: fast where they fit, slow and explained where they do not.

#[cfg(test)]
mod tests;

use std::fmt;

use super::envelope;
use super::fit;
use super::number::trimmed;
use super::parse::{Broken, parse, parse_or_break};
use super::reader::read_arguments;
use super::repair::{self, Damages, Options, Reading, Stop};
use super::rules::{JsonSchema, ROOT};
use super::{Issue, Node, REPAIRS, RawArguments, Repair, SyntaxError};
use crate::param::{Param, Slot};

/// Arguments that no tool can be called with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentError {
    /// The text is not JSON, and what was meant is not certain.
    Malformed(SyntaxError),
    /// The text was cut off.
    Truncated(SyntaxError),
    /// The text is JSON that does not fit the parameters. At least one issue.
    Misfit(Vec<Issue>),
}

/// Arguments that fit their schema.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decoded {
    /// An object. Keys stand in the order of the text.
    pub arguments: Node,
    /// What had to be changed.
    pub repairs: Vec<Repair>,
}

/// Arguments are opened as text or as a wrapper at most so many times.
const MAX_LAYERS: usize = 5;

/// Decodes the arguments of a call into the places of its parameters.
///
/// Nothing but white space, `null` and `None` mean no arguments. Gives back what had to be changed.
///
/// # Errors
///
/// All problems of the call at once. The places then hold nothing that may be used.
pub fn decode(
    params: &[Param],
    arguments: RawArguments<'_>,
    slots: &mut [&mut dyn Slot],
) -> Result<Vec<Repair>, ArgumentError> {
    if read_arguments(arguments.text(), params, slots).is_ok() {
        return Ok(Vec::new());
    }
    decode_slowly(params, arguments, slots)
}

#[cold]
fn decode_slowly(
    params: &[Param],
    arguments: RawArguments<'_>,
    slots: &mut [&mut dyn Slot],
) -> Result<Vec<Repair>, ArgumentError> {
    for slot in slots.iter_mut() {
        slot.clear();
    }
    let rules = JsonSchema::of(params);
    let decoded = if REPAIRS {
        rules.decode(arguments)?
    } else {
        // The fast way has been tried.
        rules.decode_strictly(arguments)?
    };
    let Node::Object(entries) = &decoded.arguments else {
        return Err(not_an_object(&decoded.arguments));
    };
    take_fields(entries, params, slots).map_err(|issue| ArgumentError::Misfit(vec![issue]))?;
    Ok(decoded.repairs)
}

/// Fills the places of all fields from the entries of an object that fits them.
///
/// # Errors
///
/// The first value that fits its schema and still is no value of its type.
pub fn take_fields(
    entries: &[(String, Node)],
    fields: &[Param],
    slots: &mut [&mut dyn Slot],
) -> Result<(), Issue> {
    for (field, slot) in fields.iter().zip(slots) {
        match entries.iter().find(|(key, _)| key == field.name()) {
            Some((key, value)) => {
                slot.take(value, field.schema())
                    .map_err(|issue| issue.at_key(key))?;
            }
            None if field.has_default() => {}
            None => {
                if !slot.fill_absent() {
                    return Err(Issue::new("missing").at_key(field.name()));
                }
            }
        }
    }
    Ok(())
}

impl JsonSchema {
    /// Decodes the arguments of a call.
    ///
    /// Nothing but white space, `null` and `None` mean no arguments.
    ///
    /// # Errors
    ///
    /// All problems of the call at once.
    pub fn decode(&self, arguments: RawArguments<'_>) -> Result<Decoded, ArgumentError> {
        match fit::read(arguments.text(), self) {
            Ok(arguments) => Ok(Decoded {
                arguments,
                repairs: Vec::new(),
            }),
            Err(detour) if REPAIRS => self.decode_tree(arguments, detour),
            Err(_) => self.decode_strictly(arguments),
        }
    }

    /// The way through a tree where nothing may be changed: only to tell what does not fit.
    fn decode_strictly(&self, arguments: RawArguments<'_>) -> Result<Decoded, ArgumentError> {
        let text = arguments.text();
        let nothing = matches!(text.trim(), "" | "None") && !arguments.is_cut();
        let parsed = if nothing {
            parse_or_break("{}")
        } else {
            parse_or_break(text)
        };
        let (mut node, notes) = parsed.map_err(|Broken { error, at_end }| {
            if at_end || arguments.is_cut() {
                ArgumentError::Truncated(error)
            } else {
                ArgumentError::Malformed(error)
            }
        })?;
        if node == Node::Null {
            node = Node::Object(Vec::new());
        }
        if !matches!(node, Node::Object(_)) {
            return Err(not_an_object(&node));
        }
        let mut issues = notes.issues();
        let fitted = fit::fit(&mut node, self).finish(Vec::new());
        match fitted {
            Ok(repairs) if issues.is_empty() => Ok(Decoded {
                arguments: node,
                repairs,
            }),
            Ok(_) => Err(ArgumentError::Misfit(issues)),
            Err(more) => {
                issues.extend(more);
                Err(ArgumentError::Misfit(issues))
            }
        }
    }

    /// The way through a tree, for arguments that do not fit as they stand.
    fn decode_tree(
        &self,
        arguments: RawArguments<'_>,
        detour: fit::Detour,
    ) -> Result<Decoded, ArgumentError> {
        let reading = match detour {
            fit::Detour::Misfit => read(arguments, Some(self), true)?,
            fit::Detour::Damaged => read_damaged(arguments, Some(self), true)?,
        };
        self.decode_layer(reading, arguments, 0)
            .map(|layer| layer.decoded)
    }

    /// Decodes what stands inside so many wrappers.
    fn decode_layer(
        &self,
        reading: Reading,
        arguments: RawArguments<'_>,
        depth: usize,
    ) -> Result<Layer, ArgumentError> {
        let reading = unquote(reading, arguments, self)?;
        let inside = envelope::inside(&reading.node, self)
            .filter(|_| depth < MAX_LAYERS)
            .map(|(node, wrapper)| {
                let damages = reading.damages.clone();
                (
                    Reading {
                        node: node.clone(),
                        damages,
                    },
                    wrapper,
                )
            });
        let outer = self.fit_reading(reading, arguments.text());
        let Some((inside, wrapper)) = inside else {
            return outer;
        };
        // What fits as it stands is what was meant, even if it looks like a wrapper.
        if outer.as_ref().is_ok_and(|layer| layer.undeclared == 0) {
            return outer;
        }
        match self.decode_layer(inside, arguments, depth + 1) {
            Ok(mut layer) if layer.undeclared == 0 => {
                let opened = Repair {
                    path: String::new(),
                    what: "wrapper opened",
                    before: wrapper,
                    after: String::new(),
                };
                layer.decoded.repairs.insert(0, opened);
                Ok(layer)
            }
            _ => outer,
        }
    }

    fn fit_reading(&self, reading: Reading, text: &str) -> Result<Layer, ArgumentError> {
        let closed = reading.is_closed();
        let joined = reading.is_joined();
        let Reading { mut node, damages } = reading;
        if node == Node::Null {
            node = Node::Object(Vec::new());
        }
        if !matches!(node, Node::Object(_)) {
            return Err(not_an_object(&node));
        }
        let report = fit::fit(&mut node, self);
        let undeclared = report.undeclared;
        let repairs = report
            .finish(damages.repairs(text))
            .map_err(ArgumentError::Misfit)?;
        if closed && (undeclared > 0 || self.has_swallowed(&node, joined)) {
            let message = "it is not certain where closing brackets are missing";
            return Err(ArgumentError::Malformed(SyntaxError::at(
                text,
                text.len(),
                message,
            )));
        }
        Ok(Layer {
            decoded: Decoded {
                arguments: node,
                repairs,
            },
            undeclared,
        })
    }

    /// Whether an argument that is absent stands inside another one: then a closing bracket was
    /// missing before it, not at the end. Where commas were missing too, the same goes for one that is
    /// there: the text may hold a second copy of the call.
    fn has_swallowed(&self, arguments: &Node, joined: bool) -> bool {
        let fields = self.rule(ROOT).fields.iter();
        let absent: Vec<&str> = fields
            .map(|field| &*field.name)
            .filter(|name| joined || arguments.get(name).is_none())
            .collect();
        let Node::Object(entries) = arguments else {
            return false;
        };
        !absent.is_empty() && entries.iter().any(|(_, value)| holds_key(value, &absent))
    }
}

/// Decoded arguments, and how many of their keys the schema does not declare.
struct Layer {
    decoded: Decoded,
    undeclared: usize,
}

fn holds_key(node: &Node, names: &[&str]) -> bool {
    match node {
        Node::Array(items) => items.iter().any(|item| holds_key(item, names)),
        Node::Object(entries) => entries
            .iter()
            .any(|(key, value)| names.contains(&&**key) || holds_key(value, names)),
        _ => false,
    }
}

/// Reads a text that may be damaged, without a schema: what the model meant, and what was put
/// right. Nothing at all and `None` are an empty object.
///
/// # Errors
///
/// What was meant is not certain, or the text was cut off.
pub fn repair_text(arguments: RawArguments<'_>) -> Result<(Node, Vec<Repair>), ArgumentError> {
    let Reading { node, damages } = read(arguments, None, true)?;
    Ok((node, damages.repairs(arguments.text())))
}

/// The tree of arguments that are only looked at.
pub(crate) fn tree(arguments: RawArguments<'_>) -> Option<Node> {
    if REPAIRS {
        return repair_text(arguments).ok().map(|(node, _)| node);
    }
    parse(arguments.text()).ok().map(|(node, _)| node)
}

/// Reads a text: strictly, and where that fails tolerantly. `close` allows closing brackets to be
/// added.
fn read(
    arguments: RawArguments<'_>,
    schema: Option<&JsonSchema>,
    close: bool,
) -> Result<Reading, ArgumentError> {
    if let Ok((node, notes)) = parse(arguments.text()) {
        let mut damages = Damages::default();
        for key in notes.repeated {
            damages.repeated(key);
        }
        damages.halves(notes.halves);
        return Ok(Reading { node, damages });
    }
    read_damaged(arguments, schema, close)
}

/// Reads a text that is not JSON.
fn read_damaged(
    arguments: RawArguments<'_>,
    schema: Option<&JsonSchema>,
    close: bool,
) -> Result<Reading, ArgumentError> {
    let text = arguments.text();
    let nothing = matches!(trimmed(text), "" | "None");
    if nothing && !arguments.is_cut() {
        return Ok(Reading {
            node: Node::Object(Vec::new()),
            damages: Damages::default(),
        });
    }
    let options = Options {
        close: close && !arguments.is_cut(),
        prose: true,
        keys: schema.map(JsonSchema::known_keys),
    };
    repair::read(text, options).map_err(|Stop { at, message, cut }| {
        let error = SyntaxError::at(text, at, message);
        if cut || arguments.is_cut() {
            ArgumentError::Truncated(error)
        } else {
            ArgumentError::Malformed(error)
        }
    })
}

/// Opens arguments that were sent as text, also when that was done more than once.
fn unquote(
    mut reading: Reading,
    arguments: RawArguments<'_>,
    schema: &JsonSchema,
) -> Result<Reading, ArgumentError> {
    for _ in 0..MAX_LAYERS {
        let Node::String(text) = &reading.node else {
            break;
        };
        let inner = RawArguments {
            text,
            cut: arguments.is_cut(),
        };
        let begins = text.trim_start().starts_with(['{', '[', '"', '\\', '`']);
        // Where a text that is damaged seems to end, what is in it may not be complete.
        let close = reading.damages.is_empty();
        let mut inside = match read(inner, Some(schema), close) {
            Ok(inside) if begins || matches!(inside.node, Node::Object(_)) => inside,
            Err(error) if begins => return Err(error),
            _ => break,
        };
        inside.damages.extend(reading.damages);
        inside.damages.encoded();
        reading = inside;
    }
    Ok(reading)
}

fn not_an_object(node: &Node) -> ArgumentError {
    ArgumentError::Misfit(vec![
        Issue::expected("an object with one key for each argument", node)
            .with_hint("send `{\"name\": value}`"),
    ])
}

/// A minimal call that fits: every required argument with its example, or the plainest value.
pub fn example(params: &[Param]) -> String {
    JsonSchema::of(params).example()
}

impl ArgumentError {
    /// The stable code of the kind of error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed_arguments",
            Self::Truncated(_) => "truncated",
            Self::Misfit(_) => "invalid_arguments",
        }
    }

    /// The problems, with their places. Empty for text that is not JSON.
    pub fn issues(&self) -> &[Issue] {
        match self {
            Self::Malformed(_) | Self::Truncated(_) => &[],
            Self::Misfit(issues) => issues,
        }
    }

    /// What to do next, as a lowercase fragment in the imperative. `example` is a call that fits.
    pub fn help(&self, example: &str) -> String {
        match self {
            Self::Truncated(_) => {
                "nothing was run; send the whole call again, and long content in several calls"
                    .to_owned()
            }
            // A call without arguments would fit, and teaches nothing of those that were wrong.
            Self::Misfit(_) if example == "{}" => {
                "send the call again with these arguments corrected".to_owned()
            }
            Self::Malformed(_) if example == "{}" => "send one JSON object".to_owned(),
            _ => format!("send arguments such as {example}"),
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "the arguments are not JSON: {error}"),
            Self::Truncated(error) => write!(f, "the arguments were cut off: {error}"),
            Self::Misfit(issues) => {
                for (index, issue) in issues.iter().enumerate() {
                    if index > 0 {
                        f.write_str("; ")?;
                    }
                    issue.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for ArgumentError {}
