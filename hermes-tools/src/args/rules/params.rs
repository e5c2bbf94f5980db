//! Rules of typed tools, from schemas of constants.

use std::borrow::Cow;

use super::{Bound, Field, JsonSchema, ROOT, Rest, Rule, RuleId, Size, Type};
use crate::args::Node;
use crate::param::Param;
use crate::schema::{Kind, Schema, Variant};

pub(super) fn of(params: &[Param]) -> JsonSchema {
    let mut compiler = Compiler::default();
    compiler.rules.push(Rule::default());
    let rule = compiler.object(params);
    compiler.set(ROOT, rule);
    JsonSchema::of_rules(compiler.rules)
}

pub(super) fn of_schema(schema: &Schema) -> JsonSchema {
    let mut compiler = Compiler::default();
    compiler.rule(schema);
    JsonSchema::of_rules(compiler.rules)
}

#[derive(Default)]
struct Compiler {
    rules: Vec<Rule>,
    /// The rules of types that contain themselves, by their full names and whether they are nullable.
    /// The types that contain themselves, with their rules. There are few.
    recursive: Vec<((&'static str, bool), RuleId)>,
}

impl Compiler {
    fn rule(&mut self, schema: &Schema) -> RuleId {
        let id = self.rules.len();
        self.rules.push(Rule::default());
        if let Kind::Recursive {
            name,
            schema: inner,
        } = schema.kind
        {
            let key = (name, schema.nullable);
            if let Some((_, known)) = self.recursive.iter().find(|(known, _)| *known == key) {
                self.rules.pop();
                return *known;
            }
            self.recursive.push((key, id));
            let mut rule = self.plain(inner());
            rule.nullable |= schema.nullable;
            self.set(id, rule);
        } else {
            let rule = self.plain(schema);
            self.set(id, rule);
        }
        id
    }

    fn set(&mut self, id: RuleId, mut rule: Rule) {
        rule.index();
        self.rules[id] = rule;
    }

    fn plain(&mut self, schema: &Schema) -> Rule {
        let size = Size {
            min: schema.min_length,
            max: schema.max_length,
        };
        let typed = |wanted| Rule {
            types: vec![wanted],
            ..Rule::default()
        };
        let mut rule = match schema.kind {
            Kind::Any => Rule::default(),
            Kind::Recursive { schema, .. } => self.plain(schema()),
            Kind::Boolean => typed(Type::Boolean),
            Kind::Integer => typed(Type::Integer),
            Kind::Number => typed(Type::Number),
            Kind::String => Rule {
                values: schema
                    .values
                    .iter()
                    .map(|value| Node::String((*value).to_owned()))
                    .collect(),
                aliases: schema.value_aliases.to_vec(),
                pattern: schema.pattern,
                length: size,
                ..typed(Type::String)
            },
            Kind::Array { items, .. } => Rule {
                each: Some(self.rule(items)),
                items: size,
                ..typed(Type::Array)
            },
            Kind::Tuple { items } => {
                let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
                Rule {
                    first: items.iter().map(|item| self.rule(item)).collect(),
                    items: Size {
                        min: count,
                        max: count,
                    },
                    ..typed(Type::Array)
                }
            }
            Kind::Map { values } => Rule {
                rest: Rest::Each(self.rule(values)),
                keys: size,
                ..typed(Type::Object)
            },
            Kind::Object { fields } => Rule {
                keys: size,
                ..self.object(fields)
            },
            Kind::Union { tag, variants } => self.union(tag, variants),
        };
        if !matches!(schema.kind, Kind::Any) {
            let bound = |number| Bound {
                number,
                exclusive: false,
            };
            rule.min = schema.min.map(bound);
            rule.max = schema.max.map(bound);
        }
        rule.nullable |= schema.nullable;
        rule
    }

    fn object(&mut self, fields: &[Param]) -> Rule {
        let fields = fields
            .iter()
            .map(|field| Field {
                name: Cow::Borrowed(field.name()),
                rule: self.rule(field.schema()),
                required: field.is_required(),
                aliases: field.aliases(),
                example: field.example(),
            })
            .collect();
        Rule {
            types: vec![Type::Object],
            fields,
            rest: Rest::Closed,
            ..Rule::default()
        }
    }

    /// Each form is an object whose tag has one value.
    fn union(&mut self, tag: &'static str, variants: &[Variant]) -> Rule {
        let forms = variants
            .iter()
            .map(|variant| {
                let id = self.rules.len();
                self.rules.push(Rule::default());
                let mut rule = self.object(variant.fields);
                let name = self.rules.len();
                self.rules.push(Rule {
                    types: vec![Type::String],
                    values: vec![Node::String(variant.name.to_owned())],
                    aliases: variant
                        .aliases
                        .iter()
                        .map(|alias| (*alias, variant.name))
                        .collect(),
                    ..Rule::default()
                });
                let tag = Field {
                    name: Cow::Borrowed(tag),
                    rule: name,
                    required: true,
                    aliases: &[],
                    example: None,
                };
                rule.fields.insert(0, tag);
                self.set(id, rule);
                id
            })
            .collect();
        Rule {
            union: forms,
            tag: Some(Cow::Borrowed(tag)),
            ..Rule::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::RawArguments;
    use crate::param::ToolParam;
    use crate::schema::Schema;

    const TREE: Schema = Schema::new(Kind::Recursive {
        name: "tests::Tree",
        schema: || &NODE,
    });
    const CHILDREN: Schema = Schema::new(Kind::Array {
        items: &TREE,
        unique: false,
    });
    static NODE: Schema = Schema::new(Kind::Object {
        fields: &[
            Param::new("size", 4, u8::SHAPE),
            Param::new(
                "children",
                8,
                &crate::param::Shape {
                    schema: CHILDREN,
                    required: false,
                },
            ),
        ],
    });
    const SHAPE: Schema = Schema::new(Kind::Union {
        tag: "kind",
        variants: &[
            Variant {
                name: "circle",
                aliases: &["disc"],
                description: "",
                fields: &[Param::new("radius", 6, f64::SHAPE)],
            },
            Variant {
                name: "none",
                aliases: &[],
                description: "",
                fields: &[],
            },
        ],
    });
    const PAIR: Schema = Schema::new(Kind::Tuple {
        items: &[u8::SCHEMA, bool::SCHEMA],
    });

    fn decoded(schema: Schema, value: &str) -> String {
        let shape = crate::param::Shape {
            schema,
            required: true,
        };
        let schema = of(&[Param::new("value", 5, Box::leak(Box::new(shape)))]);
        let raw = format!("{{\"value\":{value}}}");
        match schema.decode(RawArguments::new(&raw)) {
            Ok(decoded) => decoded
                .arguments
                .get("value")
                .map_or_else(String::new, Node::to_json),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn types_that_contain_themselves_are_fitted_at_every_depth() {
        assert_eq!(
            decoded(
                TREE,
                r#"{"size":"1","children":[{"Size":2,"children":"[]"}]}"#
            ),
            r#"{"size":1,"children":[{"size":2,"children":[]}]}"#
        );
        assert_eq!(
            decoded(TREE, r#"{"size":1,"children":[{"children":[]}]}"#),
            "`value.children[0].size`: missing; expected a whole number from 0 to 255"
        );
    }

    #[test]
    fn a_form_is_chosen_by_its_tag_and_explained_alone() {
        assert_eq!(
            decoded(SHAPE, r#"{"kind":"Circle","radius":"2.5"}"#),
            r#"{"kind":"circle","radius":2.5}"#
        );
        assert_eq!(
            decoded(SHAPE, r#"{"kind":"disc","radius":1}"#),
            r#"{"kind":"circle","radius":1}"#
        );
        assert_eq!(
            decoded(SHAPE, r#"{"kind":"circle"}"#),
            "`value.radius`: missing; expected a number"
        );
        assert_eq!(
            decoded(SHAPE, r#"{"kind":"circel","radius":1}"#),
            "`value.kind`: expected one of \"circle\", \"none\", got \"circel\"; \
             did you mean \"circle\"?"
        );
        assert_eq!(
            decoded(SHAPE, "{}"),
            "`value.kind`: missing; expected one of \"circle\", \"none\""
        );
    }

    #[test]
    fn the_items_of_a_tuple_have_a_type_each() {
        assert_eq!(decoded(PAIR, r#"["7","TRUE"]"#), "[7,true]");
        assert_eq!(
            decoded(PAIR, "[7]"),
            "`value`: expected a list of exactly 2 items, got a list of 1 item"
        );
    }
}
