//! Schemas that hold at once, and forms of the arguments as a whole, put together into one object.

use serde_json::{Value, json};

use super::convert::{Converter, Node, Stop, short};

/// How deep `allOf` may lead through references and further `allOf`.
const MAX_CHAIN: usize = 32;

impl Converter<'_> {
    /// Puts the schemas of `allOf` into the node: all keys, all names of `required`, and of every other
    /// keyword the first.
    pub(super) fn merge_all_of(&mut self, node: &mut Node, path: &str) -> Result<(), Stop> {
        let Some(Value::Array(mut parts)) = node.remove("allOf") else {
            return Ok(());
        };
        // A single reference stays one, so that what contains itself can.
        if let [Value::Object(only)] = &parts[..]
            && only.contains_key("$ref")
            && !node.contains_key("properties")
            && !node.contains_key("type")
        {
            super::convert::overlay(node, only.clone());
            return Ok(());
        }
        parts.reverse();
        let mut steps = 0;
        while let Some(part) = parts.pop() {
            steps += 1;
            if steps > MAX_CHAIN * 8 {
                let reason = "its `allOf` leads in a circle".to_owned();
                return Err(Stop::Hopeless(reason));
            }
            let Value::Object(mut part) = part else {
                continue;
            };
            if let Some(reference) = part.remove("$ref") {
                parts.push(self.target(&reference)?.clone());
            }
            if let Some(Value::Array(inner)) = part.remove("allOf") {
                parts.extend(inner.into_iter().rev());
            }
            self.merge(node, part, path);
        }
        Ok(())
    }

    /// Puts the forms of the arguments as a whole into one object. A key is required when every form
    /// requires it; a key that tells forms apart lists the values of all.
    pub(super) fn merge_root_forms(&mut self, node: &mut Node) -> Result<(), Stop> {
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = node.remove(keyword) else {
                node.remove(keyword);
                continue;
            };
            self.lose(
                "",
                "which keys go together cannot be told at the outermost level",
            );
            let mut forms = Vec::new();
            for branch in branches {
                let Value::Object(mut form) = branch else {
                    continue;
                };
                if let Some(reference) = form.remove("$ref")
                    && let Some(target) = self.target(&reference)?.as_object()
                {
                    super::convert::overlay(&mut form, target.clone());
                }
                self.merge_all_of(&mut form, "")?;
                forms.push(form);
            }
            let has_keys = |form: &Node| form.contains_key("properties");
            let mut required: Option<Vec<Value>> = None;
            for form in forms.iter().filter(|form| has_keys(form)) {
                let names = form.get("required").and_then(Value::as_array);
                let names = names.cloned().unwrap_or_default();
                required = Some(match required {
                    Some(all) => all
                        .into_iter()
                        .filter(|name| names.contains(name))
                        .collect(),
                    None => names,
                });
            }
            for mut form in forms.into_iter().filter(has_keys) {
                let kept = form
                    .remove("properties")
                    .map(|keys| ("properties".to_owned(), keys));
                self.merge(node, kept.into_iter().collect(), "");
            }
            if let Some(required) = required.filter(|required| !required.is_empty()) {
                let part = Node::from_iter([("required".to_owned(), Value::Array(required))]);
                self.merge(node, part, "");
            }
        }
        Ok(())
    }

    fn merge(&mut self, node: &mut Node, part: Node, path: &str) {
        for (keyword, value) in part {
            match (keyword.as_str(), node.get_mut(&keyword), value) {
                ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                    let mut clashes = Vec::new();
                    for (name, schema) in more {
                        match known.get_mut(&name) {
                            None => {
                                known.insert(name, schema);
                            }
                            Some(first) if *first == schema => {}
                            Some(first) => {
                                if !join_values(first, &schema) {
                                    clashes.push(name);
                                }
                            }
                        }
                    }
                    for name in clashes {
                        self.lose(path, format!("`{name}` has several schemas; one is shown"));
                    }
                }
                ("required", Some(Value::Array(known)), Value::Array(more)) => {
                    for name in more {
                        if !known.contains(&name) {
                            known.push(name);
                        }
                    }
                }
                (_, None, value) => {
                    node.insert(keyword, value);
                }
                (keyword, Some(known), value) if *known != value => {
                    let annotation = ["title", "description", "default", "examples", "$schema"];
                    if !annotation.contains(&keyword) {
                        self.lose(path, format!("`{keyword}` {} is not shown", short(&value)));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Joins the values of two schemas that each allow some values only.
fn join_values(first: &mut Value, second: &Value) -> bool {
    let values = |schema: &Value| match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => Some(values.clone()),
        (None, Some(value)) => Some(vec![value.clone()]),
        _ => None,
    };
    let (Some(mut all), Some(more)) = (values(first), values(second)) else {
        return false;
    };
    for value in more {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    if let Value::Object(first) = first {
        first.remove("const");
        first.insert("enum".to_owned(), json!(all));
    }
    true
}
