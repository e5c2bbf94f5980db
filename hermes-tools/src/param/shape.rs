//! What a type is as a whole argument, and the bounds that a parameter puts on it.

use crate::schema::{Kind, Number, Schema};

/// What a type is as a whole argument.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The schema shown to the model.
    pub schema: Schema,
    /// Whether the argument must be there.
    pub required: bool,
}

/// Bounds, for `#[tool]`. A bound that the type cannot have is a panic in a constant, so that it does
/// not compile, and is reported at the type.
#[expect(
    clippy::missing_panics_doc,
    reason = "said once above: each panics for types that cannot have the bound"
)]
impl Shape {
    /// Smallest number allowed.
    #[must_use]
    #[track_caller]
    pub const fn min(mut self, min: Number) -> Self {
        self.schema = self.schema.min(min);
        self
    }

    /// Largest number allowed.
    #[must_use]
    #[track_caller]
    pub const fn max(mut self, max: Number) -> Self {
        self.schema = self.schema.max(max);
        self
    }

    /// Fewest and most characters of a text, or items of a list; `u32::MAX` is no limit.
    #[must_use]
    #[track_caller]
    pub const fn length(mut self, min: u32, max: u32) -> Self {
        self.schema = self.schema.length(min, max);
        self
    }

    /// The only texts allowed.
    #[must_use]
    #[track_caller]
    pub const fn values(mut self, values: &'static [&'static str]) -> Self {
        self.schema = self.schema.values(values);
        self
    }

    /// A regular expression that a text must match somewhere. Shown to the model; checked with the
    /// feature `pattern`.
    #[must_use]
    #[track_caller]
    pub const fn pattern(mut self, pattern: &'static str) -> Self {
        self.schema = self.schema.pattern(pattern);
        self
    }

    /// The format of a text, in the words of JSON Schema. Shown to the model, not checked.
    #[must_use]
    #[track_caller]
    pub const fn format(mut self, format: &'static str) -> Self {
        self.schema = self.schema.format(format);
        self
    }

    /// Bounds of the items of a list, made by the methods of [`Schema`] from those of the type.
    #[must_use]
    #[track_caller]
    pub const fn items(mut self, items: &'static Schema) -> Self {
        let Kind::Array { unique, .. } = self.schema.kind else {
            panic!("`items` is for lists; write its bounds as keys of their own");
        };
        self.schema.kind = Kind::Array { items, unique };
        self
    }

    /// Shows the model that `null` may be sent.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.schema.nullable = true;
        self
    }
}

/// What the type of a parameter must be, for `#[tool]`. What it is not does not compile.
#[expect(clippy::missing_panics_doc, reason = "said once above")]
impl Shape {
    /// The same shape; one that takes any value does not compile, since several providers reject
    /// parameters without a type.
    #[must_use]
    #[track_caller]
    pub const fn typed(&'static self) -> &'static Self {
        assert!(
            !self.schema.takes_anything(),
            "several providers reject parameters without a type; give a type, or write `any` in the attribute"
        );
        self
    }

    /// The same shape; a boolean does not compile, since it cannot name a resource.
    #[must_use]
    #[track_caller]
    pub const fn lockable(&'static self) -> &'static Self {
        assert!(
            !matches!(self.schema.kind, Kind::Boolean),
            "a boolean cannot name a resource; put `lock` on the argument that does"
        );
        self
    }

    /// The same JSON text; one that is of another type does not compile.
    #[must_use]
    #[track_caller]
    pub const fn example(&self, json: &'static str) -> &'static str {
        assert!(
            self.schema.kind.may_be(json),
            "the example is no value of the parameter's type; write one that the model may send"
        );
        json
    }
}
