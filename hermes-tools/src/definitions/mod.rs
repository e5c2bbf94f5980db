//! What a model is told of its tools: one JSON text, made once and shared.

mod cache;
pub(crate) mod shorten;
mod spelled;
mod told;

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

pub(crate) use self::cache::DefinitionsCache;
pub(crate) use self::spelled::spelled;
pub(crate) use self::told::Told;
use crate::schema::dialect::{Dialect, Loss};

/// The definitions of a session's tools at one moment: a JSON array of objects, sorted by name, byte
/// for byte the same for the same tools. It reads as its text.
#[derive(Debug)]
pub struct Definitions {
    text: String,
    /// Names, each with the place of its definition in the text and its size.
    parts: Vec<Part>,
    shrinking: Shrinking,
    dialect: Option<Dialect>,
    losses: Vec<Loss>,
}

#[derive(Debug)]
struct Part {
    name: Box<str>,
    place: Range<usize>,
    characters: usize,
}

/// How large one definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefinitionSize<'a> {
    /// Name of the tool.
    pub name: &'a str,
    /// Characters of the JSON text.
    pub characters: usize,
    /// Tokens, estimated.
    pub tokens: usize,
}

/// What was done so that definitions take less room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shrinking {
    /// Tools that the tool search offers in place of definitions, sorted by name.
    pub deferred: Vec<Box<str>>,
    /// Tools whose descriptions are shortened, sorted by name. Parameters are never left out.
    pub shortened: Vec<Box<str>>,
    /// Tokens, estimated, that the definitions are still too large.
    pub beyond: usize,
}

/// Tokens that a JSON text takes, estimated: a quarter of its characters, rounded up.
///
/// The rule is that of hermes-agent.
pub const fn estimated_tokens(characters: usize) -> usize {
    characters.div_ceil(4)
}

impl Definitions {
    pub(crate) fn of(parts: &[(Box<str>, Arc<str>)], shrinking: Shrinking) -> Self {
        let length: usize = parts.iter().map(|(_, text)| text.len() + 1).sum();
        let mut text = String::with_capacity(length + 2);
        text.push('[');
        let mut placed = Vec::with_capacity(parts.len());
        for (index, (name, definition)) in parts.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            let start = text.len();
            text.push_str(definition);
            placed.push(Part {
                name: name.clone(),
                place: start..text.len(),
                characters: definition.chars().count(),
            });
        }
        text.push(']');
        Self {
            text,
            parts: placed,
            shrinking,
            dialect: None,
            losses: Vec::new(),
        }
    }

    /// Says in which form they are, and what it could not express.
    pub(crate) fn in_dialect(mut self, dialect: Option<Dialect>, losses: Vec<Loss>) -> Self {
        self.dialect = dialect;
        self.losses = losses;
        self
    }

    /// The JSON array.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Each tool's name with its definition, one JSON object, in the order of the array.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let part = |part: &Part| self.text.get(part.place.clone()).unwrap_or_default();
        self.parts.iter().map(move |it| (&*it.name, part(it)))
    }

    /// How large each definition is, in the order of the array.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = DefinitionSize<'_>> {
        self.parts.iter().map(|part| DefinitionSize {
            name: &part.name,
            characters: part.characters,
            tokens: estimated_tokens(part.characters),
        })
    }

    /// Tokens that all definitions take, estimated.
    pub fn tokens(&self) -> usize {
        self.sizes().map(|size| size.tokens).sum()
    }

    /// How many definitions there are.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// The form in which a provider takes them; `None`: `name`, `description` and `parameters` as the
    /// tools say them.
    pub const fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    /// What the form of the provider could not express, tool by tool. A tool that it cannot take at
    /// all is left out, and stands here.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// What was done so that they take less room.
    pub const fn shrinking(&self) -> &Shrinking {
        &self.shrinking
    }
}

impl Deref for Definitions {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for Definitions {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Definitions are equal when their texts are.
impl PartialEq for Definitions {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
