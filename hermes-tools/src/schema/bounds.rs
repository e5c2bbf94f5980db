//! Bounds that a parameter puts on the schema of its type. One that the type cannot have does not
//! compile.

use super::{Kind, Number, Schema};

impl Schema {
    /// Smallest number allowed.
    #[must_use]
    #[track_caller]
    pub const fn min(mut self, min: Number) -> Self {
        self.for_numbers(min);
        self.min = Some(min);
        self
    }

    /// Largest number allowed.
    #[must_use]
    #[track_caller]
    pub const fn max(mut self, max: Number) -> Self {
        self.for_numbers(max);
        self.max = Some(max);
        self
    }

    /// Fewest and most characters of a text, or items of a list or map; `u32::MAX` is no limit.
    ///
    /// # Panics
    ///
    /// The type has no length.
    #[must_use]
    #[track_caller]
    pub const fn length(mut self, min: u32, max: u32) -> Self {
        assert!(
            matches!(
                self.kind,
                Kind::String | Kind::Array { .. } | Kind::Map { .. }
            ),
            "`len` is for text and lists; use `min` and `max` for numbers"
        );
        self.min_length = min;
        self.max_length = max;
        self
    }

    /// The only texts allowed.
    #[must_use]
    #[track_caller]
    pub const fn values(mut self, values: &'static [&'static str]) -> Self {
        self.for_text(
            "`values` is for text; use an enum with `#[derive(ToolParam)]` for other types",
        );
        self.values = values;
        self
    }

    /// A regular expression that a text must match somewhere.
    #[must_use]
    #[track_caller]
    pub const fn pattern(mut self, pattern: &'static str) -> Self {
        self.for_text("`pattern` is for text; use `min` and `max` for numbers");
        self.pattern = Some(pattern);
        self
    }

    /// The format of a text, in the words of JSON Schema.
    #[must_use]
    #[track_caller]
    pub const fn format(mut self, format: &'static str) -> Self {
        self.for_text("`format` is for text; other types have the format of their type");
        self.format = Some(format);
        self
    }

    /// The schema of a list's items.
    ///
    /// # Panics
    ///
    /// The type is no list.
    #[must_use]
    #[track_caller]
    pub const fn item(&self) -> Self {
        match self.kind {
            Kind::Array { items, .. } => *items,
            _ => panic!("`items` is for lists; write its bounds as keys of their own"),
        }
    }

    /// Whether it takes any value, itself or in its items.
    pub(crate) const fn takes_anything(&self) -> bool {
        match self.kind {
            Kind::Any => true,
            Kind::Array { items, .. } => items.takes_anything(),
            Kind::Map { values } => values.takes_anything(),
            Kind::Tuple { items } => {
                let mut index = 0;
                while index < items.len() {
                    if items[index].takes_anything() {
                        return true;
                    }
                    index += 1;
                }
                false
            }
            // Fields are held to this where they are declared.
            _ => false,
        }
    }

    #[track_caller]
    const fn for_numbers(&self, bound: Number) {
        assert!(
            matches!(self.kind, Kind::Integer | Kind::Number),
            "`min` and `max` are for numbers; use `len` for text and lists"
        );
        if let Number::Int(bound) = bound {
            let above = matches!(self.max, Some(Number::Int(max)) if bound > max);
            let below = matches!(self.min, Some(Number::Int(min)) if bound < min);
            assert!(
                !above && !below,
                "the type has no such value; give a bound within it, or take a wider type"
            );
        }
    }

    #[track_caller]
    const fn for_text(&self, otherwise: &'static str) {
        assert!(matches!(self.kind, Kind::String), "{}", otherwise);
    }
}

impl Kind {
    /// Whether JSON text may be a value, by its first character.
    pub(crate) const fn may_be(&self, json: &str) -> bool {
        let [first, ..] = json.as_bytes() else {
            return false;
        };
        match self {
            Self::Boolean => matches!(first, b't' | b'f'),
            Self::Integer | Self::Number => matches!(first, b'-' | b'0'..=b'9'),
            Self::String => *first == b'"',
            Self::Array { .. } | Self::Tuple { .. } => *first == b'[',
            Self::Map { .. } | Self::Object { .. } | Self::Union { .. } => *first == b'{',
            Self::Any | Self::Recursive { .. } => true,
        }
    }
}
