//! Parameters in the order in which the author of a schema wrote them.
//!
//! Schemas are converted as values of `serde_json`, whose objects are sorted by key unless somebody in
//! the program switches its `preserve_order` on. A library cannot do that to an application, so the
//! order is put back afterwards, by the schema as it was written.

use crate::args::Node;

/// The most places that one schema is looked up in: itself, what it refers to, its alternatives.
const MOST: usize = 32;

/// A converted schema with the properties of every object in the order of the schema that it was made
/// of; properties that stand nowhere in that come last, sorted.
pub(super) fn restore(schema: &mut Node, written: &Node) {
    sort(schema, &[written], written);
}

fn sort(schema: &mut Node, origins: &[&Node], root: &Node) {
    let Node::Object(keywords) = schema else {
        return;
    };
    let origins = unfold(origins, root);
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties", Node::Object(properties)) => {
                arrange(properties, &origins);
                for (name, property) in properties {
                    let inner = inside(&origins, "properties", name);
                    sort(property, &inner, root);
                }
            }
            ("$defs" | "definitions", Node::Object(named)) => {
                for (name, schema) in named {
                    let mut inner = inside(&[root], "$defs", name);
                    inner.extend(inside(&[root], "definitions", name));
                    sort(schema, &inner, root);
                }
            }
            ("anyOf" | "oneOf" | "allOf", Node::Array(forms)) => {
                for form in forms {
                    // Which of the alternatives it was made of is found by its properties.
                    sort(form, &origins, root);
                }
            }
            ("items" | "additionalProperties" | "not", inner) => {
                let of: Vec<&Node> = (origins.iter())
                    .filter_map(|origin| origin.get(keyword))
                    .collect();
                sort(inner, &of, root);
            }
            _ => {}
        }
    }
}

/// Puts properties in the order of the origin that has exactly these or, where none has, in the order
/// in which they are met in all of them.
fn arrange(properties: &mut [(String, Node)], origins: &[&Node]) {
    let mut order: Vec<&str> = Vec::new();
    let lists = origins.iter().filter_map(|it| match it.get("properties") {
        Some(Node::Object(entries)) => Some(entries),
        _ => None,
    });
    let lists: Vec<&Vec<(String, Node)>> = lists.collect();
    let same = lists.iter().find(|list| {
        let has = |(name, _): &(String, Node)| list.iter().any(|(known, _)| known == name);
        list.len() == properties.len() && properties.iter().all(has)
    });
    for (name, _) in same.into_iter().chain(&lists).flat_map(|list| list.iter()) {
        if !order.contains(&name.as_str()) {
            order.push(name);
        }
    }
    let place = |name: &str| order.iter().position(|known| *known == name);
    // What stands nowhere comes behind all that does.
    properties.sort_by(|(a, _), (b, _)| {
        let last = order.len();
        (place(a).unwrap_or(last).cmp(&place(b).unwrap_or(last))).then_with(|| a.cmp(b))
    });
}

/// The schemas under a key of a keyword, such as a property of its name.
fn inside<'n>(origins: &[&'n Node], keyword: &str, name: &str) -> Vec<&'n Node> {
    let under = |origin: &&'n Node| origin.get(keyword)?.get(name);
    origins.iter().filter_map(under).collect()
}

/// Schemas with all that they refer to and consist of.
fn unfold<'n>(origins: &[&'n Node], root: &'n Node) -> Vec<&'n Node> {
    let mut all: Vec<&'n Node> = Vec::new();
    let mut waiting: Vec<&'n Node> = origins.iter().rev().copied().collect();
    while let Some(schema) = waiting.pop() {
        if all.len() == MOST || all.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        all.push(schema);
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if let Some(Node::Array(forms)) = schema.get(keyword) {
                waiting.extend(forms.iter().rev());
            }
        }
        let target = schema.get("$ref").and_then(Node::as_str);
        waiting.extend(target.and_then(|pointer| resolve(root, pointer)));
    }
    all
}

/// The schema that a reference inside of the document means.
fn resolve<'n>(root: &'n Node, reference: &str) -> Option<&'n Node> {
    let mut place = root;
    for step in reference.strip_prefix('#')?.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        place = match place {
            Node::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            other => other.get(&step)?,
        };
    }
    Some(place)
}
