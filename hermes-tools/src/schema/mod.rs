//! The schema of an argument: a tree of constants, checked and rendered without work at start-up.
//!
//! `T::SCHEMA` of a type is a value of [`Schema`] built in a constant, so the schemas of a whole
//! catalogue lie in read-only data. [`mod@write`] turns them into JSON text, byte for byte the same
//! every time: providers key their prompt caches by it.

mod bounds;
pub mod dialect;
pub mod foreign;
mod recursive;
pub mod write;

use crate::param::Param;

/// What JSON values of a type look like.
///
/// The tree is neutral: how a provider wants it spelt is decided where definitions are made.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Schema {
    /// The type.
    pub kind: Kind,
    /// What the type is for, where it has documentation of its own; empty otherwise.
    pub description: &'static str,
    /// Whether `null` is a value of its own, beside those of `kind`.
    pub nullable: bool,
    /// Smallest number allowed.
    pub min: Option<Number>,
    /// Largest number allowed.
    pub max: Option<Number>,
    /// Fewest characters of a text, or items of an array or map.
    pub min_length: u32,
    /// Most characters of a text, or items of an array or map; `u32::MAX` is no limit.
    pub max_length: u32,
    /// The only texts allowed, when not empty.
    pub values: &'static [&'static str],
    /// Further spellings of values, each with the value that it means.
    pub value_aliases: &'static [(&'static str, &'static str)],
    /// A regular expression that a text must match somewhere.
    pub pattern: Option<&'static str>,
    /// The format of a text, in the words of JSON Schema. It is shown and not checked.
    pub format: Option<&'static str>,
}

/// The type of a JSON value.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Kind {
    /// Any value at all.
    Any,
    /// `true` or `false`.
    Boolean,
    /// A whole number of any size.
    Integer,
    /// Any number.
    Number,
    /// Text.
    String,
    /// A list of equal items.
    Array {
        /// What each item looks like.
        items: &'static Schema,
        /// Whether equal items are one.
        unique: bool,
    },
    /// A list of a fixed length whose items have a type each.
    Tuple {
        /// What each item looks like, in order.
        items: &'static [Schema],
    },
    /// An object whose keys are free.
    Map {
        /// What each value looks like.
        values: &'static Schema,
    },
    /// An object with these keys.
    Object {
        /// The keys, in the order of the type.
        fields: &'static [Param],
    },
    /// An object of one of several forms, told apart by the text under one key.
    Union {
        /// The key.
        tag: &'static str,
        /// The forms, in the order of the type.
        variants: &'static [Variant],
    },
    /// A type that contains itself.
    Recursive {
        /// A name for it, the module path included.
        name: &'static str,
        /// The type; a function, since a constant cannot contain itself.
        schema: fn() -> &'static Schema,
    },
}

/// One form of a union.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// The text under the tag.
    pub name: &'static str,
    /// What the form is for.
    pub description: &'static str,
    /// Further texts under the tag that mean it.
    pub aliases: &'static [&'static str],
    /// The keys beside the tag.
    pub fields: &'static [Param],
}

/// A bound of a number, exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// A fraction; never NaN or infinite.
    Float(f64),
}

impl Schema {
    /// A type without bounds.
    pub const fn new(kind: Kind) -> Self {
        Self {
            kind,
            description: "",
            nullable: false,
            min: None,
            max: None,
            min_length: 0,
            max_length: u32::MAX,
            values: &[],
            value_aliases: &[],
            pattern: None,
            format: None,
        }
    }

    /// The whole numbers from `min` to `max`, both ends included.
    pub const fn integer(min: i128, max: i128) -> Self {
        let mut schema = Self::new(Kind::Integer);
        schema.min = Some(Number::Int(min));
        schema.max = Some(Number::Int(max));
        schema
    }

    /// The same values, and `null`.
    #[must_use]
    pub const fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// The same values, with documentation of the type.
    #[must_use]
    pub const fn describe(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// One of these texts.
    pub const fn one_of(values: &'static [&'static str]) -> Self {
        let mut schema = Self::new(Kind::String);
        schema.values = values;
        schema
    }

    /// The smallest number allowed, where it says more than that the type has a limit: the ends of
    /// integers of 32 bits and more tell a model nothing, and some providers read them as doubles.
    pub fn told_min(&self) -> Option<Number> {
        self.min.filter(|min| !min.is_type_limit())
    }

    /// The largest number allowed, where it says more than that the type has a limit.
    pub fn told_max(&self) -> Option<Number> {
        self.max.filter(|max| !max.is_type_limit())
    }

    /// Further spellings of the values.
    #[must_use]
    pub const fn value_aliases(mut self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        self.value_aliases = aliases;
        self
    }

    /// The schema behind a recursive one; itself otherwise.
    pub fn resolved(&self) -> &Self {
        match self.kind {
            Kind::Recursive { schema, .. } => schema(),
            _ => self,
        }
    }
}

impl Number {
    /// Whether it is an end of an integer type of 32 bits or more, zero apart.
    pub(crate) fn is_type_limit(self) -> bool {
        const LIMITS: [i128; 8] = [
            i32::MIN as i128,
            i32::MAX as i128,
            u32::MAX as i128,
            i64::MIN as i128,
            i64::MAX as i128,
            u64::MAX as i128,
            i128::MIN,
            i128::MAX,
        ];
        matches!(self, Self::Int(value) if LIMITS.contains(&value))
    }

    /// The order of two numbers, exact also between whole numbers and fractions.
    pub fn total_cmp(self, other: Self) -> std::cmp::Ordering {
        use std::cmp::Ordering;
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(&b),
            (Self::Float(_), Self::Int(_)) => other.total_cmp(self).reverse(),
            (Self::Int(a), Self::Float(b)) => {
                // Past the range of i128 the sign decides; inside it the whole part is exact.
                if b >= 1.8e38 {
                    Ordering::Less
                } else if b <= -1.8e38 {
                    Ordering::Greater
                } else {
                    #[expect(clippy::cast_possible_truncation, reason = "inside the range of i128")]
                    let whole = b.floor() as i128;
                    a.cmp(&whole).then(if b > b.floor() {
                        Ordering::Less
                    } else {
                        Ordering::Equal
                    })
                }
            }
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Number::{Float, Int};

    #[test]
    fn numbers_compare_exactly_across_kinds() {
        assert_eq!(Int(3).total_cmp(Float(3.0)), Ordering::Equal);
        assert_eq!(Int(3).total_cmp(Float(3.5)), Ordering::Less);
        assert_eq!(Int(-3).total_cmp(Float(-3.5)), Ordering::Greater);
        assert_eq!(Float(0.5).total_cmp(Int(0)), Ordering::Greater);
        // 2^53 + 1 has no double of its own; a detour through one would call these equal.
        assert_eq!(
            Int(9_007_199_254_740_993).total_cmp(Float(9_007_199_254_740_992.0)),
            Ordering::Greater
        );
        assert_eq!(Int(i128::MAX).total_cmp(Float(1e300)), Ordering::Less);
        assert_eq!(Int(i128::MIN).total_cmp(Float(-1e300)), Ordering::Greater);
    }
}
