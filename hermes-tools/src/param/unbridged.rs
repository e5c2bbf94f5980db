//! What `#[arg(schemars)]` says without the feature `schemars`.

use super::{Shape, ToolParam};
use crate::args::{Issue, Node, Reader, Unfit};
use crate::schema::{Kind, Schema};

/// A value of a type that is read by `serde`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bridge<T>(pub T);

/// Nothing is this without the feature.
#[diagnostic::on_unimplemented(
    message = "`#[arg(schemars)]` needs the feature `schemars` of hermes-tools",
    label = "a type that schemars describes",
    note = "add `schemars` to the features of hermes-tools in Cargo.toml"
)]
pub trait HasFeature: Send + Sync + 'static {}

impl<T> Bridge<T> {
    /// The shape that an argument would have.
    pub const fn shape(_name: &'static str, required: bool) -> Shape {
        Shape {
            schema: Schema::new(Kind::Any),
            required,
        }
    }
}

impl<T: HasFeature> ToolParam for Bridge<T> {
    const SCHEMA: Schema = Schema::new(Kind::Any);

    fn read(_reader: &mut Reader<'_>, _schema: &Schema) -> Result<Self, Unfit> {
        Err(Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        Err(Issue::expected("nothing", node))
    }

    fn render(&self) -> String {
        "null".to_owned()
    }
}
