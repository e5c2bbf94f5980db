//! A minimal call that fits.

use super::{Field, JsonSchema, ROOT, Rule, RuleId, Type};
use crate::args::render_string;
use crate::schema::Number;

/// Values inside values inside values: beyond this an example teaches nothing.
const MAX_DEPTH: usize = 6;

/// So many objects and lists are written out. Required keys that refer to each other would multiply with
/// every level: six levels of a hundred keys are a million million values.
const MAX_OPENED: usize = 100;

/// So many keys of an object inside another are written.
const MAX_KEYS: usize = 50;

/// An example that is longer than this is cut down to its required keys.
const MAX_SHOWN: usize = 400;

impl JsonSchema {
    /// A minimal call that fits, as JSON text: every required argument with its example, or the
    /// plainest value.
    pub fn example(&self) -> String {
        self.plainest(ROOT, MAX_DEPTH, &mut { MAX_OPENED })
    }

    /// `left` is how many objects and lists may still be written out.
    fn plainest(&self, id: RuleId, depth: usize, left: &mut usize) -> String {
        let rule = self.rule(id);
        if let Some(value) = rule.values.first() {
            return value.to_json();
        }
        if let Some(example) = &rule.example
            && id != ROOT
            && example.len() <= MAX_SHOWN
            && self.fits_text(example, id)
        {
            return example.clone();
        }
        if let Some(form) = rule.union.first() {
            return if depth == 0 {
                "null".to_owned()
            } else {
                self.plainest(*form, depth - 1, left)
            };
        }
        match rule.types.first() {
            None => "\"...\"".to_owned(),
            Some(Type::Null) => "null".to_owned(),
            Some(Type::Boolean) => "true".to_owned(),
            Some(Type::Integer) => number(rule, true),
            Some(Type::Number) => number(rule, false),
            Some(Type::String) => {
                let most = rule.length.max.min(40) as usize;
                let count = (rule.length.min as usize).clamp(3.min(most), most.max(1));
                render_string(&".".repeat(count))
            }
            Some(Type::Array) => self.list(rule, depth, left),
            Some(Type::Object) => self.object(rule, depth, left),
        }
    }

    fn list(&self, rule: &Rule, depth: usize, left: &mut usize) -> String {
        if depth == 0 || *left == 0 {
            return "[]".to_owned();
        }
        *left -= 1;
        let first = rule
            .first
            .iter()
            .take(MAX_KEYS)
            .map(|item| self.plainest(*item, depth - 1, left));
        let mut items: Vec<String> = first.collect();
        if let Some(each) = rule.each {
            // A list in a list of its own kind would go on for ever; one item shows the rest.
            let fewest = usize::from(items.is_empty() && depth > 1);
            let count = (rule.items.min as usize).clamp(fewest, 4);
            let most = (rule.items.max as usize).min(count);
            while items.len() < most {
                items.push(self.plainest(each, depth - 1, left));
            }
        }
        format!("[{}]", items.join(","))
    }

    fn object(&self, rule: &Rule, depth: usize, left: &mut usize) -> String {
        if depth == 0 || *left == 0 {
            return "{}".to_owned();
        }
        *left -= 1;
        let most = if depth == MAX_DEPTH {
            usize::MAX
        } else {
            MAX_KEYS
        };
        let required = rule.fields.iter().filter(|field| field.required);
        let entries: Vec<String> = required
            .take(most)
            .map(|field| self.entry(field, depth, left))
            .collect();
        if entries.is_empty()
            && let super::Rest::Each(each) = rule.rest
        {
            return format!("{{\"key\":{}}}", self.plainest(each, depth - 1, left));
        }
        format!("{{{}}}", entries.join(","))
    }

    fn entry(&self, field: &Field, depth: usize, left: &mut usize) -> String {
        let value = match field.example {
            Some(example) => example.to_owned(),
            None => self.plainest(field.rule, depth - 1, left),
        };
        format!("{}:{value}", render_string(&field.name))
    }

    fn fits_text(&self, json: &str, id: RuleId) -> bool {
        crate::args::parse::parse(json).is_ok_and(|(node, _)| self.fits(&node, id))
    }
}

/// The number nearest to one within the bounds.
fn number(rule: &Rule, whole: bool) -> String {
    let low = rule
        .min
        .filter(|min| min.number.total_cmp(Number::Int(1)).is_ge());
    let high = rule
        .max
        .filter(|max| max.number.total_cmp(Number::Int(1)).is_le());
    let step = |number: Number, by: i128| match number {
        Number::Int(value) => Number::Int(value.saturating_add(by)),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "saturates, and is an example"
        )]
        Number::Float(value) if whole => Number::Int(value.floor() as i128 + i128::from(by > 0)),
        #[expect(clippy::cast_precision_loss, reason = "one or minus one")]
        Number::Float(value) => Number::Float(value + by as f64),
    };
    let chosen = match (low, high) {
        (Some(min), _) if min.exclusive => step(min.number, 1),
        (None, Some(max)) if max.exclusive => step(max.number, -1),
        (Some(min), _) if whole && matches!(min.number, Number::Float(_)) => step(min.number, 1),
        (None, Some(max)) if whole && matches!(max.number, Number::Float(_)) => step(max.number, 0),
        (Some(bound), _) | (None, Some(bound)) => bound.number,
        (None, None) => Number::Int(1),
    };
    chosen.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Node;

    fn example(schema: &str) -> String {
        let schema = JsonSchema::parse(schema).unwrap();
        let example = schema.example();
        let (node, _) = crate::args::parse::parse(&example).unwrap();
        assert!(schema.fits(&node, ROOT), "{example}");
        example
    }

    #[test]
    fn examples_hold_the_required_keys_and_fit() {
        assert_eq!(
            example(
                r#"{"properties": {
                    "path": {"type": "string", "examples": ["src"]},
                    "mode": {"enum": ["fast", "slow"]},
                    "count": {"type": "integer", "exclusiveMinimum": 4},
                    "tags": {"type": "array", "items": {"type": "boolean"}},
                    "limit": {"type": "integer"}
                }, "required": ["path", "mode", "count", "tags"]}"#
            ),
            r#"{"path":"src","mode":"fast","count":5,"tags":[true]}"#
        );
    }

    #[test]
    fn an_example_that_does_not_fit_is_not_shown() {
        assert_eq!(
            example(
                r#"{"properties": {"n": {"type": "integer", "default": "many"}}, "required": ["n"]}"#
            ),
            r#"{"n":1}"#
        );
    }

    #[test]
    fn keys_that_refer_to_each_other_do_not_multiply() {
        let keys: Vec<String> = (0..100).map(|key| format!("\"k{key}\"")).collect();
        let fields: Vec<String> = keys
            .iter()
            .map(|key| format!("{key}: {{\"$ref\": \"#/$defs/T\"}}"))
            .collect();
        let object = format!(
            "{{\"type\": \"object\", \"properties\": {{{}}}, \"required\": [{}]}}",
            fields.join(","),
            keys.join(",")
        );
        let schema = format!(
            "{{\"properties\": {{\"first\": {object}, \"last\": {{\"type\": \"integer\"}}}}, \
             \"required\": [\"first\", \"last\"], \"$defs\": {{\"T\": {object}}}}}"
        );
        let example = JsonSchema::parse(&schema).unwrap().example();
        assert!(example.len() < 100_000, "{}", example.len());
        assert!(example.ends_with(",\"last\":1}"), "{example}");
    }

    #[test]
    fn types_that_contain_themselves_end() {
        let example = example(
            r##"{"properties": {"tree": {"$ref": "#/$defs/T"}}, "required": ["tree"],
                "$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}"##,
        );
        assert_eq!(example, r#"{"tree":[[[[[]]]]]}"#);
        let node = Node::Object(Vec::new());
        assert_eq!(JsonSchema::from_node(&node).example(), "{}");
    }
}
