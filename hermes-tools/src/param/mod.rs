//! Parameters of tools: the static table that `#[tool]` writes, and the types it may hold.

#[cfg(feature = "schemars")]
pub mod bridge;
mod containers;
mod duration;
pub mod fields;
mod scalars;
mod shape;
#[cfg(any(feature = "chrono", feature = "time", feature = "url"))]
mod times;
mod tuples;
#[cfg(not(feature = "schemars"))]
mod unbridged;
mod value;

#[cfg(feature = "schemars")]
pub use self::bridge::{Bridge, Loss};
pub use self::containers::MapKey;
pub use self::shape::Shape;
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
pub use self::unbridged::Bridge;

use std::any::Any;
use std::fmt;

use crate::args::{Issue, Node, Reader, Unfit};
use crate::effect::Role;
use crate::schema::{Kind, Schema};

/// A type that an argument of a tool can have.
///
/// Implemented for `bool`, `char`, all integers, `f32`, `f64`, `String`, `PathBuf`, `Duration` (in
/// seconds), `Vec`, arrays, tuples, sets, maps with text keys, `Option`, `Box` and
/// `serde_json::Value` (any value).
///
/// A value is read in one of two ways. [`read`](Self::read) takes it straight from strict JSON text
/// and gives up at the first surprise; [`from_node`](Self::from_node) takes it from a tree whose
/// values already fit the schema, and explains what does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool parameter",
    label = "not a parameter type",
    note = "a parameter is text, a number, a boolean, a list, a map with text keys or an `Option` of \
            those; what the session supplies is marked `#[ctx]`"
)]
pub trait ToolParam: Sized + Send + Sync + 'static {
    /// The schema of a value inside other values.
    const SCHEMA: Schema;

    /// The schema of a whole argument, and whether it may be absent.
    const PARAM: Shape = Shape {
        schema: Self::SCHEMA,
        required: true,
    };

    /// [`PARAM`](Self::PARAM) in one place of the binary, for all tables that hold it as it is.
    #[doc(hidden)]
    const SHAPE: &'static Shape = &Self::PARAM;

    /// Reads a value from JSON text. `schema` is [`Self::SCHEMA`] with the bounds of the parameter.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when the value is not exactly what the schema asks for. Nothing is explained here:
    /// the whole call is then decoded again, from its text to a tree.
    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit>;

    /// Takes a value from a tree.
    ///
    /// # Errors
    ///
    /// An [`Issue`] when the value fits the schema and still is no value of this type.
    fn from_node(node: &Node, schema: &Schema) -> Result<Self, Issue>;

    /// The value of an argument that is absent, if there is one.
    fn absent() -> Option<Self> {
        None
    }

    /// The value as JSON text, for a default that stands in a schema.
    fn render(&self) -> String;

    /// The place that decoding fills. Written once here so that a type that is no parameter
    /// is reported once.
    #[doc(hidden)]
    fn slot(slot: &mut Option<Self>) -> &mut dyn Slot {
        slot
    }
}

/// A place for one decoded argument, whatever its type.
pub trait Slot: Send + Sync {
    /// Fills the place from strict JSON text.
    ///
    /// # Errors
    ///
    /// See [`ToolParam::read`].
    fn read(&mut self, reader: &mut Reader<'_>, schema: &Schema) -> Result<(), Unfit>;

    /// Fills the place from a tree.
    ///
    /// # Errors
    ///
    /// See [`ToolParam::from_node`].
    fn take(&mut self, node: &Node, schema: &Schema) -> Result<(), Issue>;

    /// Fills the place for an argument that is absent; false when the type has no such value.
    fn fill_absent(&mut self) -> bool;

    /// Empties the place.
    fn clear(&mut self);

    /// What the place holds.
    fn value(&self) -> Option<&dyn Any>;

    /// What the place holds, as JSON text.
    fn render(&self) -> Option<String>;
}

impl<T: ToolParam> Slot for Option<T> {
    fn read(&mut self, reader: &mut Reader<'_>, schema: &Schema) -> Result<(), Unfit> {
        *self = Some(T::read(reader, schema)?);
        Ok(())
    }

    fn take(&mut self, node: &Node, schema: &Schema) -> Result<(), Issue> {
        *self = Some(T::from_node(node, schema)?);
        Ok(())
    }

    fn fill_absent(&mut self) -> bool {
        *self = T::absent();
        self.is_some()
    }

    fn clear(&mut self) {
        *self = None;
    }

    fn value(&self) -> Option<&dyn Any> {
        self.as_ref().map(|value| value as &dyn Any)
    }

    fn render(&self) -> Option<String> {
        self.as_ref().map(T::render)
    }
}

/// One argument of a tool, as the model sees it.
///
/// The builder methods are for `#[tool]`. A row is small, since a program that is loaded at no fixed
/// address pays for every pointer in a table, in its file and at its start: all texts of a row are one,
/// the schema stands elsewhere, once for all rows of a type that put no bounds on it, and what few rows
/// say stands in [`More`].
#[derive(Clone, Copy)]
pub struct Param {
    /// The name, the default as JSON text, the description.
    texts: &'static str,
    schema: &'static Schema,
    more: Option<&'static More>,
    name_length: u16,
    default_length: u16,
    has_default: bool,
    required: bool,
    role: Option<Role>,
    plain_name: bool,
}

/// What few parameters say.
#[derive(Clone, Copy)]
pub struct More {
    aliases: &'static [&'static str],
    default: Option<fn() -> String>,
    example: Option<&'static str>,
    lock: bool,
}

/// Whether a text stands in JSON as it is.
const fn is_plain(text: &str) -> bool {
    let mut bytes = text.as_bytes();
    while let [byte, rest @ ..] = bytes {
        if *byte < 0x20 || matches!(byte, b'"' | b'\\') {
            return false;
        }
        bytes = rest;
    }
    true
}

/// The length of a text in a row.
const fn short(length: usize) -> u16 {
    assert!(
        length <= u16::MAX as usize,
        "a name or default of more than 65,535 bytes"
    );
    #[expect(clippy::cast_possible_truncation, reason = "it was compared")]
    let length = length as u16;
    length
}

impl Param {
    /// A parameter of this shape. The text is its name, of so many bytes, and its description.
    pub const fn new(texts: &'static str, name_length: usize, shape: &'static Shape) -> Self {
        Self {
            texts,
            schema: &shape.schema,
            more: None,
            name_length: short(name_length),
            default_length: 0,
            has_default: false,
            required: shape.required,
            role: None,
            plain_name: is_plain(texts.split_at(name_length).0),
        }
    }

    /// The value of an absent argument, as JSON text: so many bytes between name and description.
    #[must_use]
    pub const fn default_json(mut self, length: usize) -> Self {
        self.default_length = short(length);
        self.has_default = true;
        self.required = false;
        self
    }

    /// Adds what few parameters say.
    #[must_use]
    pub const fn more(mut self, more: &'static More) -> Self {
        self.more = Some(more);
        if more.default.is_some() {
            self.has_default = true;
            self.required = false;
        }
        self
    }

    /// What the argument stands for.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// The same field where it may be absent: in a form of a union that is shown with its others.
    pub(crate) const fn optional(mut self) -> Self {
        self.required = false;
        self.has_default = false;
        self
    }

    /// The field of two forms of a union that has one name in both.
    pub(crate) const fn united(mut self, other: &Self) -> Self {
        self.schema = match (&self.schema.kind, &other.schema.kind) {
            (Kind::Boolean, Kind::Boolean) => &const { Schema::new(Kind::Boolean) },
            (Kind::Integer, Kind::Integer) => &const { Schema::new(Kind::Integer) },
            (Kind::Number, Kind::Number) => &const { Schema::new(Kind::Number) },
            (Kind::String, Kind::String) => &const { Schema::new(Kind::String) },
            _ => &const { Schema::new(Kind::Any) },
        };
        self
    }
}

impl More {
    /// Nothing.
    pub const NONE: Self = Self {
        aliases: &[],
        default: None,
        example: None,
        lock: false,
    };

    /// Further names under which the argument is taken.
    #[must_use]
    pub const fn alias(mut self, names: &'static [&'static str]) -> Self {
        self.aliases = names;
        self
    }

    /// The value of an absent argument, rendered as JSON text when a schema is made.
    #[must_use]
    pub const fn default_with(mut self, render: fn() -> String) -> Self {
        self.default = Some(render);
        self
    }

    /// A value to show, as JSON text.
    #[must_use]
    pub const fn example_json(mut self, json: &'static str) -> Self {
        self.example = Some(json);
        self
    }

    /// Makes the argument name a resource that one call at a time may hold, for planners of batches.
    #[must_use]
    pub const fn lock(mut self) -> Self {
        self.lock = true;
        self
    }
}

/// What a parameter says of itself.
impl Param {
    /// The key in the arguments.
    #[inline]
    pub const fn name(&self) -> &'static str {
        self.texts.split_at(self.name_length as usize).0
    }

    /// The bytes of the name, which are had without looking where a character ends.
    pub(crate) const fn name_bytes(&self) -> &'static [u8] {
        self.texts.as_bytes().split_at(self.name_length as usize).0
    }

    /// Whether JSON writes the name as it is.
    pub(crate) const fn has_plain_name(&self) -> bool {
        self.plain_name
    }

    /// Text for the model.
    pub const fn description(&self) -> &'static str {
        let before = self.name_length as usize + self.default_length as usize;
        self.texts.split_at(before).1
    }

    /// The schema with the bounds of this parameter.
    pub const fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// Whether a call without it is refused.
    pub const fn is_required(&self) -> bool {
        self.required
    }

    /// Further names under which it is taken.
    pub const fn aliases(&self) -> &'static [&'static str] {
        match self.more {
            Some(more) => more.aliases,
            None => &[],
        }
    }

    /// The value of an absent argument, as JSON text.
    pub fn default_value(&self) -> Option<String> {
        if !self.has_default {
            return None;
        }
        if let Some(render) = self.more.and_then(|more| more.default) {
            return Some(render());
        }
        let (_, texts) = self.texts.split_at(usize::from(self.name_length));
        let (json, _) = texts.split_at(usize::from(self.default_length));
        Some(json.to_owned())
    }

    /// Whether the function has a value for an absent argument.
    pub const fn has_default(&self) -> bool {
        self.has_default
    }

    /// A value to show, as JSON text.
    pub const fn example(&self) -> Option<&'static str> {
        match self.more {
            Some(more) => more.example,
            None => None,
        }
    }

    /// What the argument stands for.
    pub const fn declared_role(&self) -> Option<Role> {
        self.role
    }

    /// Whether it names a resource that one call at a time may hold.
    pub const fn is_lock(&self) -> bool {
        match self.more {
            Some(more) => more.lock,
            None => false,
        }
    }
}

impl fmt::Debug for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Param")
            .field("name", &self.name())
            .field("schema", &self.schema)
            .field("required", &self.required)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for More {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("More")
            .field("aliases", &self.aliases)
            .field("example", &self.example)
            .finish_non_exhaustive()
    }
}
