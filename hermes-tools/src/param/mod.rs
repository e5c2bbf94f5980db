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
/// address pays for every page of tables: the schema stands elsewhere, once for all rows of a type
/// that put no bounds on it, and what a row does not say takes no pointer.
#[derive(Clone, Copy)]
pub struct Param {
    name: &'static str,
    description: &'static str,
    schema: &'static Schema,
    required: bool,
    aliases: Option<&'static [&'static str]>,
    default: Option<DefaultValue>,
    example: Option<&'static str>,
    role: Option<Role>,
    lock: bool,
    plain_name: bool,
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

#[derive(Clone, Copy)]
enum DefaultValue {
    Json(&'static str),
    Rendered(fn() -> String),
}

impl Param {
    /// A parameter of this shape.
    pub const fn new(name: &'static str, description: &'static str, shape: &'static Shape) -> Self {
        Self {
            name,
            description,
            schema: &shape.schema,
            required: shape.required,
            aliases: None,
            default: None,
            example: None,
            role: None,
            lock: false,
            plain_name: is_plain(name),
        }
    }

    /// Further names under which the argument is taken.
    #[must_use]
    pub const fn alias(mut self, names: &'static [&'static str]) -> Self {
        self.aliases = Some(names);
        self
    }

    /// The value of an absent argument, as JSON text.
    #[must_use]
    pub const fn default_json(mut self, json: &'static str) -> Self {
        self.default = Some(DefaultValue::Json(json));
        self.required = false;
        self
    }

    /// The value of an absent argument, rendered as JSON text when a schema is made.
    #[must_use]
    pub const fn default_with(mut self, render: fn() -> String) -> Self {
        self.default = Some(DefaultValue::Rendered(render));
        self.required = false;
        self
    }

    /// A value to show, as JSON text.
    #[must_use]
    pub const fn example_json(mut self, json: &'static str) -> Self {
        self.example = Some(json);
        self
    }

    /// What the argument stands for.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Makes the argument name a resource that one call at a time may hold, for planners of batches.
    #[must_use]
    pub const fn lock(mut self) -> Self {
        self.lock = true;
        self
    }

    /// The same field where it may be absent: in a form of a union that is shown with its others.
    pub(crate) const fn optional(mut self) -> Self {
        self.required = false;
        self.default = None;
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

/// What a parameter says of itself.
impl Param {
    /// The key in the arguments.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether JSON writes the name as it is.
    pub(crate) const fn has_plain_name(&self) -> bool {
        self.plain_name
    }

    /// Text for the model.
    pub const fn description(&self) -> &'static str {
        self.description
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
        match self.aliases {
            Some(names) => names,
            None => &[],
        }
    }

    /// The value of an absent argument, as JSON text.
    pub fn default_value(&self) -> Option<String> {
        match self.default? {
            DefaultValue::Json(json) => Some(json.to_owned()),
            DefaultValue::Rendered(render) => Some(render()),
        }
    }

    /// Whether the function has a value for an absent argument.
    pub const fn has_default(&self) -> bool {
        self.default.is_some()
    }

    /// A value to show, as JSON text.
    pub const fn example(&self) -> Option<&'static str> {
        self.example
    }

    /// What the argument stands for.
    pub const fn declared_role(&self) -> Option<Role> {
        self.role
    }

    /// Whether it names a resource that one call at a time may hold.
    pub const fn is_lock(&self) -> bool {
        self.lock
    }
}

impl fmt::Debug for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Param")
            .field("name", &self.name)
            .field("schema", &self.schema)
            .field("required", &self.required)
            .finish_non_exhaustive()
    }
}
