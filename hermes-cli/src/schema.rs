//! Types of arguments in words.

use hermes_tools::param::Param;
use hermes_tools::schema::{Kind, Schema};

/// The word for a type, as JSON Schema spells it; `any` where it could be every one.
pub(crate) fn type_name(schema: &Schema) -> &'static str {
    match schema.resolved().kind {
        Kind::Boolean => "boolean",
        Kind::Integer => "integer",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array { .. } | Kind::Tuple { .. } => "array",
        Kind::Map { .. } | Kind::Object { .. } | Kind::Union { .. } => "object",
        _ => "any",
    }
}

/// What a schema asks for, such as `integer from 1 to 2000`.
pub(crate) fn words(schema: &Schema) -> String {
    let words = match schema.kind {
        Kind::String if !schema.values.is_empty() => alternatives(schema.values.iter().copied()),
        Kind::String => format!("string{}", lengths(schema, "character")),
        Kind::Integer | Kind::Number => format!("{}{}", type_name(schema), range(schema)),
        Kind::Array { items, .. } => format!("list{} of {}", lengths(schema, "item"), words(items)),
        Kind::Tuple { items } => {
            format!(
                "list of {}",
                items.iter().map(words).collect::<Vec<_>>().join(", then ")
            )
        }
        Kind::Map { values } => format!("object{} of {}", lengths(schema, "key"), words(values)),
        Kind::Object { fields } => {
            let keys: Vec<&str> = fields.iter().map(Param::name).collect();
            format!("object with {}", keys.join(", "))
        }
        Kind::Union { tag, variants } => {
            let forms = alternatives(variants.iter().map(|variant| variant.name));
            format!("object with `{tag}`: {forms}")
        }
        // The name of the type stands for all that is in it, or the words would never end.
        Kind::Recursive { name, .. } => name.rsplit("::").next().unwrap_or(name).to_owned(),
        _ => type_name(schema).to_owned(),
    };
    if schema.nullable {
        format!("{words} or null")
    } else {
        words
    }
}

fn alternatives<'v>(values: impl Iterator<Item = &'v str>) -> String {
    values
        .map(|value| format!("\"{value}\""))
        .collect::<Vec<_>>()
        .join(" or ")
}

fn range(schema: &Schema) -> String {
    match (schema.told_min(), schema.told_max()) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" from {min}"),
        (None, Some(max)) => format!(" up to {max}"),
        (None, None) => String::new(),
    }
}

fn lengths(schema: &Schema, noun: &str) -> String {
    let s = |count| if count == 1 { "" } else { "s" };
    match (schema.min_length, schema.max_length) {
        (0, u32::MAX) => String::new(),
        (min, max) if min == max => format!(" ({min} {noun}{})", s(min)),
        (min, u32::MAX) => format!(" (at least {min} {noun}{})", s(min)),
        (0, max) => format!(" (at most {max} {noun}{})", s(max)),
        (min, max) => format!(" ({min} to {max} {noun}s)"),
    }
}

#[cfg(test)]
mod tests {
    use hermes_tools::schema::{Number, Variant};

    use super::*;

    #[test]
    fn bounds_are_told_unless_they_are_the_ends_of_a_wide_type() {
        let schema = Schema::integer(0, 255);
        assert_eq!(words(&schema), "integer from 0 to 255");
        let schema = Schema::integer(1, i128::from(u64::MAX));
        assert_eq!(words(&schema.or_null()), "integer from 1 or null");
        let mut share = Schema::new(Kind::Number);
        share.max = Some(Number::Float(0.5));
        assert_eq!(words(&share), "number up to 0.5");
        let mut text = Schema::new(Kind::String);
        (text.min_length, text.max_length) = (1, 64);
        assert_eq!(words(&text), "string (1 to 64 characters)");
    }

    #[test]
    fn containers_name_what_is_in_them() {
        static ITEM: Schema = Schema::one_of(&["content", "files"]);
        static PAIR: [Schema; 2] = [Schema::integer(0, 9), ITEM];
        let mut list = Schema::new(Kind::Array {
            items: &ITEM,
            unique: false,
        });
        list.min_length = 1;
        assert_eq!(
            words(&list),
            "list (at least 1 item) of \"content\" or \"files\""
        );
        let map = Schema::new(Kind::Map { values: &ITEM });
        assert_eq!(words(&map), "object of \"content\" or \"files\"");
        let tuple = Schema::new(Kind::Tuple { items: &PAIR });
        assert_eq!(
            words(&tuple),
            "list of integer from 0 to 9, then \"content\" or \"files\""
        );
        assert_eq!(type_name(&tuple), "array");
    }

    #[test]
    fn types_of_their_own_are_told_by_their_keys_or_name() {
        static TREE: Schema = Schema::new(Kind::Recursive {
            name: "pack::Tree",
            schema: || &LIST,
        });
        static LIST: Schema = Schema::new(Kind::Array {
            items: &TREE,
            unique: false,
        });
        static FORMS: [Variant; 2] = [
            Variant {
                name: "add",
                description: "",
                aliases: &[],
                fields: &[],
            },
            Variant {
                name: "remove",
                description: "",
                aliases: &[],
                fields: &[],
            },
        ];
        assert_eq!(words(&LIST), "list of Tree");
        assert_eq!(type_name(&TREE), "array");
        let union = Schema::new(Kind::Union {
            tag: "op",
            variants: &FORMS,
        });
        assert_eq!(words(&union), "object with `op`: \"add\" or \"remove\"");
        assert_eq!(
            (words(&Schema::new(Kind::Any)).as_str(), type_name(&union)),
            ("any", "object")
        );
    }
}
