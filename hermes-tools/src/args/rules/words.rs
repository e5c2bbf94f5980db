//! What a rule asks for, in words for a model.

use super::{Bound, JsonSchema, Rule, RuleId, Size, Type};
use crate::args::Node;

/// More allowed values than this are not listed; an answer must stay short.
const MAX_VALUES: usize = 20;

impl JsonSchema {
    /// What the rule asks for, as a lowercase fragment that reads after "expected".
    pub(in crate::args) fn expectation(&self, id: RuleId) -> String {
        let rule = self.rule(id);
        if rule.never {
            return "nothing here".to_owned();
        }
        let mut ways = if !rule.values.is_empty() {
            vec![one_of(&rule.values)]
        } else if let Some(tag) = &rule.tag {
            vec![format!("an object with `{tag}`")]
        } else if !rule.union.is_empty() {
            let mut ways: Vec<String> = Vec::new();
            for form in &rule.union {
                // One level only: a union may contain itself.
                let way = self.plain(self.rule(*form));
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
            ways
        } else {
            vec![self.plain(rule)]
        };
        if rule.nullable {
            ways.push("null".to_owned());
        }
        ways.join(" or ")
    }

    fn plain(&self, rule: &Rule) -> String {
        if !rule.values.is_empty() {
            return one_of(&rule.values);
        }
        let ways: Vec<String> = rule
            .types
            .iter()
            .map(|wanted| self.typed(*wanted, rule))
            .collect();
        if ways.is_empty() {
            "any value".to_owned()
        } else {
            ways.join(" or ")
        }
    }

    fn typed(&self, wanted: Type, rule: &Rule) -> String {
        match wanted {
            Type::Null => "null".to_owned(),
            Type::Boolean => "true or false".to_owned(),
            Type::Integer => format!("a whole number{}", range(rule)),
            Type::Number => format!("a number{}", range(rule)),
            Type::String => {
                let text = format!("text{}", size(rule.length, "character"));
                match rule.pattern {
                    Some(pattern) => format!("{text} that matches `{pattern}`"),
                    None => text,
                }
            }
            Type::Array if !rule.first.is_empty() && rule.each.is_none() => {
                format!("a list of exactly {} items", rule.first.len())
            }
            Type::Array => {
                let items = rule.each.map_or("values", |each| plural(self.rule(each)));
                format!("a list{} of {items}", size(rule.items, "item"))
            }
            Type::Object => {
                let required = rule.fields.iter().filter(|field| field.required);
                let keys: Vec<String> = required.map(|field| format!("`{}`", field.name)).collect();
                if keys.is_empty() {
                    format!("an object{}", size(rule.keys, "key"))
                } else {
                    format!("an object with {}", keys.join(", "))
                }
            }
        }
    }
}

/// The allowed values.
pub(in crate::args) fn one_of(values: &[Node]) -> String {
    let shown: Vec<String> = values
        .iter()
        .take(MAX_VALUES)
        .map(Node::describe_value)
        .collect();
    let more = values.len().saturating_sub(MAX_VALUES);
    let list = shown.join(", ");
    match (values.len(), more) {
        (1, _) => list,
        (_, 0) => format!("one of {list}"),
        _ => format!("one of {list} and {more} others"),
    }
}

fn range(rule: &Rule) -> String {
    let told = |bound: &Bound| !bound.number.is_type_limit();
    let low = rule.min.filter(told).map(|min| {
        (
            if min.exclusive {
                "more than"
            } else {
                "at least"
            },
            min.number,
        )
    });
    let high = rule.max.filter(told).map(|max| {
        (
            if max.exclusive {
                "less than"
            } else {
                "at most"
            },
            max.number,
        )
    });
    match (low, high) {
        (Some(("at least", min)), Some(("at most", max))) => format!(" from {min} to {max}"),
        (Some((low, min)), Some((high, max))) => format!(" of {low} {min} and {high} {max}"),
        (Some((word, bound)), None) | (None, Some((word, bound))) => format!(" of {word} {bound}"),
        (None, None) => String::new(),
    }
}

fn size(size: Size, noun: &str) -> String {
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    match (size.min, size.max) {
        (0, u32::MAX) => String::new(),
        (min, max) if min == max => format!(" of exactly {min} {noun}{}", plural(min)),
        (min, u32::MAX) => format!(" of at least {min} {noun}{}", plural(min)),
        (0, max) => format!(" of at most {max} {noun}{}", plural(max)),
        (min, max) => format!(" of {min} to {max} {noun}s"),
    }
}

fn plural(rule: &Rule) -> &'static str {
    match rule.types[..] {
        [Type::Boolean] => "booleans",
        [Type::Integer] => "whole numbers",
        [Type::Number] => "numbers",
        [Type::String] => "texts",
        [Type::Array] => "lists",
        [Type::Object] => "objects",
        _ if rule.tag.is_some() => "objects",
        _ => "values",
    }
}
