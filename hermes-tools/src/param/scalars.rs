//! Texts, numbers and booleans as parameters.

use std::path::PathBuf;

use super::ToolParam;
use crate::args::{Issue, Node, Reader, Unfit, number, render_string};
use crate::schema::{Kind, Number, Schema};

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl ToolParam for $int {
            const SCHEMA: Schema = Schema::integer(<$int>::MIN as i128, <$int>::MAX as i128);

            fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
                let value = reader.integer(schema)?;
                Self::try_from(value).map_err(|_| Unfit)
            }

            fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
                node.number_text()
                    .and_then(number::Decimal::parse)
                    .and_then(|decimal| decimal.to_integer())
                    .and_then(|value| Self::try_from(value).ok())
                    .ok_or_else(|| {
                        Issue::expected(
                            format!("a whole number from {} to {}", Self::MIN, Self::MAX),
                            node,
                        )
                    })
            }

            fn render(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

impl ToolParam for u128 {
    const SCHEMA: Schema = {
        // The largest has no place among bounds, which are `i128`.
        let mut schema = Schema::new(Kind::Integer);
        schema.min = Some(Number::Int(0));
        schema
    };

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        // Larger ones than `i128` holds are read through the tree.
        Self::try_from(reader.integer(schema)?).map_err(|_| Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        node.number_text()
            .and_then(number::Decimal::parse)
            .and_then(|decimal| decimal.whole_text()?.parse().ok())
            .ok_or_else(|| Issue::expected(format!("a whole number from 0 to {}", Self::MAX), node))
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl ToolParam for $float {
            const SCHEMA: Schema = Schema::new(Kind::Number);

            fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
                let value: Self = reader.number(schema)?.parse().map_err(|_| Unfit)?;
                if value.is_finite() { Ok(value) } else { Err(Unfit) }
            }

            fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
                node.number_text()
                    .and_then(|text| text.parse::<Self>().ok())
                    .filter(|value| value.is_finite())
                    .ok_or_else(|| {
                        Issue::expected(concat!("a number that fits ", stringify!($float)), node)
                    })
            }

            fn render(&self) -> String {
                // JSON has no word for what is not finite, and such a default cannot be sent anyway.
                if self.is_finite() { format!("{self:?}") } else { "null".to_owned() }
            }
        }
    )*};
}

floats! { f32 f64 }

impl ToolParam for bool {
    const SCHEMA: Schema = Schema::new(Kind::Boolean);

    fn read(reader: &mut Reader<'_>, _schema: &Schema) -> Result<Self, Unfit> {
        reader.boolean()
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        match node {
            Node::Bool(value) => Ok(*value),
            _ => Err(Issue::expected("true or false", node)),
        }
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

impl ToolParam for String {
    const SCHEMA: Schema = Schema::new(Kind::String);

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        reader.text(schema).map(std::borrow::Cow::into_owned)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        match node {
            Node::String(text) => Ok(text.clone()),
            _ => Err(Issue::expected("text", node)),
        }
    }

    fn render(&self) -> String {
        render_string(self)
    }
}

impl ToolParam for PathBuf {
    const SCHEMA: Schema = Schema::new(Kind::String);

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        String::read(reader, schema).map(Self::from)
    }

    fn from_node(node: &Node, schema: &Schema) -> Result<Self, Issue> {
        String::from_node(node, schema).map(Self::from)
    }

    fn render(&self) -> String {
        render_string(&self.to_string_lossy())
    }
}

impl ToolParam for char {
    const SCHEMA: Schema = {
        let mut schema = Schema::new(Kind::String);
        schema.min_length = 1;
        schema.max_length = 1;
        schema
    };

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        single(&reader.text(schema)?).ok_or(Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        match node {
            Node::String(text) => single(text),
            _ => None,
        }
        .ok_or_else(|| Issue::expected("one character", node))
    }

    fn render(&self) -> String {
        render_string(self.encode_utf8(&mut [0; 4]))
    }
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}
