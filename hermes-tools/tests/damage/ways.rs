//! The ways in which calls are damaged.

use hermes_tools::args::{JsonSchema, Node, render_string};

use crate::calls::{Call, Random, object, parse};
use crate::render::{Style, render};

/// One way.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) name: &'static str,
    /// How much of it must be recovered, in percent. What is missing can be read in two ways.
    pub(crate) certain: f64,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Another value in the tree; none when there is nothing to damage.
    Tree(fn(&Node, &Call, &mut Random) -> Option<Node>),
    /// Another way of writing.
    Style(fn(&mut Style)),
    /// Something around or at the ends of the text.
    Outer(fn(&str, &mut Random) -> Option<String>),
    /// A half of a surrogate pair; the call is meant with U+FFFD in its place.
    Half,
}

/// A damaged call.
pub(crate) struct Damaged {
    pub(crate) text: String,
    pub(crate) meant: Node,
}

pub(crate) enum Outcome {
    Recovered,
    Refused(String),
}

pub(crate) const TREE: &[Way] = &[
    Way {
        name: "scalars as text",
        certain: 99.5,
        kind: Kind::Tree(|node, _, _| Some(scalars_as_text(node))),
    },
    Way {
        name: "containers as JSON text",
        certain: 99.5,
        kind: Kind::Tree(|node, call, random| containers_as_text(node, call, random, false)),
    },
    Way {
        name: "containers as Python text",
        certain: 99.5,
        kind: Kind::Tree(|node, call, random| containers_as_text(node, call, random, true)),
    },
    Way {
        name: "one item for a list",
        certain: 99.5,
        kind: Kind::Tree(|node, _, _| Some(unwrap_lists(node))),
    },
    Way {
        name: "null for an optional",
        certain: 99.5,
        kind: Kind::Tree(null_for_optional),
    },
    Way {
        name: "enum in another case",
        certain: 99.5,
        kind: Kind::Tree(|node, _, _| enum_case(node)),
    },
    Way {
        name: "keys in camel case",
        certain: 99.5,
        kind: Kind::Tree(|node, _, _| Some(keys(node, &camel))),
    },
    Way {
        name: "keys with dashes",
        certain: 99.5,
        kind: Kind::Tree(|node, _, _| Some(keys(node, &|key| key.replace('_', "-")))),
    },
    Way {
        name: "wrapper",
        certain: 99.5,
        kind: Kind::Tree(|node, _, random| Some(wrapper(node, random))),
    },
    Way {
        name: "list of one",
        certain: 99.5,
        kind: Kind::Tree(|node, _, _| Some(Node::Array(vec![node.clone()]))),
    },
];

pub(crate) const STYLES: &[Way] = &[
    Way {
        name: "Python words",
        certain: 99.5,
        kind: Kind::Style(|style| style.python_words = true),
    },
    Way {
        name: "single quotes",
        certain: 99.5,
        kind: Kind::Style(|style| style.single_quotes = true),
    },
    Way {
        name: "bare keys",
        certain: 99.5,
        kind: Kind::Style(|style| style.bare_keys = true),
    },
    Way {
        name: "comments",
        certain: 99.5,
        kind: Kind::Style(|style| style.comments = true),
    },
    Way {
        name: "trailing commas",
        certain: 99.5,
        kind: Kind::Style(|style| style.trailing_commas = true),
    },
    Way {
        name: "doubled comma",
        certain: 99.5,
        kind: Kind::Style(|style| style.doubled_comma = true),
    },
    Way {
        name: "missing comma",
        certain: 99.5,
        kind: Kind::Style(|style| style.missing_comma = true),
    },
    Way {
        name: "raw control characters",
        certain: 99.5,
        kind: Kind::Style(|style| style.raw_controls = true),
    },
    Way {
        name: "unescaped quotes",
        certain: 80.0,
        kind: Kind::Style(|style| style.inner_quotes = true),
    },
    Way {
        name: "escaped apostrophe",
        certain: 99.5,
        kind: Kind::Style(|style| style.escaped_apostrophe = true),
    },
    Way {
        name: "tuples",
        certain: 99.5,
        kind: Kind::Style(|style| style.python_tuples = true),
    },
];

pub(crate) const OUTER: &[Way] = &[
    Way {
        name: "half of a pair",
        certain: 99.5,
        kind: Kind::Half,
    },
    Way {
        name: "surplus closers",
        certain: 99.5,
        kind: Kind::Outer(|text, random| {
            Some(format!(
                "{text}{}",
                random.of(&["}", "]}", "}}", " }\n", "]"])
            ))
        }),
    },
    Way {
        name: "missing closers",
        certain: 97.0,
        kind: Kind::Outer(missing_closers),
    },
    Way {
        name: "swapped closers",
        certain: 99.5,
        kind: Kind::Outer(swapped_closers),
    },
    Way {
        name: "copies",
        certain: 99.5,
        kind: Kind::Outer(|text, random| {
            Some(format!("{text}{}{text}", random.of(&["", "\n", " "])))
        }),
    },
    Way {
        name: "fence",
        certain: 99.5,
        kind: Kind::Outer(|text, random| Some(fence(text, random))),
    },
    Way {
        name: "words around",
        certain: 99.5,
        kind: Kind::Outer(|text, random| Some(words(text, random))),
    },
    Way {
        name: "encoded twice",
        certain: 99.5,
        kind: Kind::Outer(|text, _| Some(render_string(text))),
    },
    Way {
        name: "encoded three times",
        certain: 99.5,
        kind: Kind::Outer(|text, _| Some(render_string(&render_string(text)))),
    },
    Way {
        name: "byte order mark",
        certain: 99.5,
        kind: Kind::Outer(|text, _| Some(format!("\u{feff}{text}"))),
    },
];

/// Damages a call in all of the ways; none when one of them finds nothing to damage.
pub(crate) fn damage(call: &Call, ways: &[&'static Way], random: &mut Random) -> Option<Damaged> {
    let mut node = call.arguments.clone();
    let mut meant = call.arguments.clone();
    let mut style = Style::default();
    let mut styles = 0;
    if ways.iter().any(|way| matches!(way.kind, Kind::Half)) {
        node = with_mark(&node)?;
        meant = with_replacement(&meant)?;
    }
    for way in ways {
        match way.kind {
            Kind::Tree(change) => {
                let changed = change(&node, call, random)?;
                if changed == node {
                    return None;
                }
                node = changed;
            }
            Kind::Style(change) => {
                change(&mut style);
                styles += 1;
            }
            Kind::Half | Kind::Outer(_) => {}
        }
    }
    let rendered = render(&node, &style, random);
    if rendered.faults < styles {
        return None;
    }
    let mut text = rendered.text.replace('\u{e000}', "\\ud83d");
    for way in ways {
        if let Kind::Outer(change) = way.kind {
            text = change(&text, random)?;
        }
    }
    Some(Damaged { text, meant })
}

/// A place inside a string, at which the text may end.
pub(crate) fn cut_in_string(text: &str, random: &mut Random) -> Option<usize> {
    let mut inside = false;
    let mut escaped = false;
    let mut places = Vec::new();
    for (at, character) in text.char_indices() {
        if inside {
            places.push(at);
        }
        match character {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ => {}
        }
    }
    (!places.is_empty()).then(|| random.of(&places))
}

fn map(node: &Node, change: &mut impl FnMut(&Node) -> Option<Node>) -> Node {
    if let Some(changed) = change(node) {
        return changed;
    }
    match node {
        Node::Array(items) => Node::Array(items.iter().map(|item| map(item, change)).collect()),
        Node::Object(entries) => Node::Object(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), map(value, change)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Nothing inside `meta` is described, so nothing there can be put right.
fn outside_meta(node: &Node, change: &mut impl FnMut(&Node) -> Option<Node>) -> Node {
    match node {
        Node::Object(entries) => Node::Object(
            entries
                .iter()
                .map(|(key, value)| {
                    let same = key == "meta";
                    (
                        key.clone(),
                        if same {
                            value.clone()
                        } else {
                            map(value, change)
                        },
                    )
                })
                .collect(),
        ),
        other => map(other, change),
    }
}

fn scalars_as_text(node: &Node) -> Node {
    outside_meta(node, &mut |node| match node {
        Node::Number(digits) => Some(Node::String(digits.clone())),
        Node::Bool(value) => Some(Node::String(
            if *value { "True" } else { "false" }.to_owned(),
        )),
        _ => None,
    })
}

fn containers_as_text(
    node: &Node,
    _call: &Call,
    random: &mut Random,
    python: bool,
) -> Option<Node> {
    let Node::Object(entries) = node else {
        return None;
    };
    let style = Style {
        python_words: python,
        single_quotes: python,
        ..Style::default()
    };
    let entries = entries.iter().map(|(key, value)| {
        let value = match value {
            Node::Array(_) | Node::Object(_) => Node::String(render(value, &style, random).text),
            other => other.clone(),
        };
        (key.clone(), value)
    });
    Some(Node::Object(entries.collect()))
}

/// Lists of one whose item is not itself text that looks like a list or an object.
fn unwrap_lists(node: &Node) -> Node {
    map(node, &mut |node| match node {
        Node::Array(items) if items.len() == 1 => match &items[0] {
            Node::String(text) if text.trim_start().is_empty() => None,
            Node::String(text) if text.trim_start().starts_with(['[', '{']) => None,
            item => Some(item.clone()),
        },
        _ => None,
    })
}

fn null_for_optional(node: &Node, call: &Call, _random: &mut Random) -> Option<Node> {
    let Node::Object(mut entries) = node.clone() else {
        return None;
    };
    let schema = parse(call.schema);
    let Some(Node::Object(properties)) = schema.get("properties").cloned() else {
        return None;
    };
    for (name, property) in properties {
        let nullable = property.to_json().contains("null");
        if node.get(&name).is_none() && !nullable {
            entries.push((name, Node::Null));
        }
    }
    Some(Node::Object(entries))
}

fn enum_case(node: &Node) -> Option<Node> {
    let Node::Object(entries) = node else {
        return None;
    };
    let entries = entries.iter().map(|(key, value)| {
        let value = match value {
            Node::String(text) if key == "mode" => Node::String(text.to_uppercase()),
            Node::String(text) if key == "unit" => {
                Node::String(format!("{}{}", text[..1].to_uppercase(), &text[1..]))
            }
            other => other.clone(),
        };
        (key.clone(), value)
    });
    Some(Node::Object(entries.collect()))
}

/// Keys that the schema describes, in another spelling.
fn keys(node: &Node, spell: &impl Fn(&str) -> String) -> Node {
    fn walk(node: &Node, spell: &impl Fn(&str) -> String) -> Node {
        match node {
            Node::Array(items) => Node::Array(items.iter().map(|item| walk(item, spell)).collect()),
            Node::Object(entries) => Node::Object(
                entries
                    .iter()
                    .map(|(key, value)| {
                        let free = key == "meta" || key == "env";
                        (
                            spell(key),
                            if free {
                                value.clone()
                            } else {
                                walk(value, spell)
                            },
                        )
                    })
                    .collect(),
            ),
            other => other.clone(),
        }
    }
    walk(node, spell)
}

fn camel(key: &str) -> String {
    let mut camel = String::new();
    let mut upper = false;
    for character in key.chars() {
        if character == '_' {
            upper = true;
        } else if std::mem::take(&mut upper) {
            camel.extend(character.to_uppercase());
        } else {
            camel.push(character);
        }
    }
    camel
}

fn wrapper(node: &Node, random: &mut Random) -> Node {
    let inner = if random.chance(30) {
        Node::String(node.to_json())
    } else {
        node.clone()
    };
    match random.below(6) {
        0 => object(vec![("arguments", inner)]),
        1 => object(vec![("parameters", inner)]),
        2 => object(vec![("args", inner)]),
        3 => object(vec![("input", inner)]),
        4 => object(vec![
            ("name", Node::String("the_tool".to_owned())),
            ("arguments", inner),
        ]),
        _ => object(vec![
            ("tool", Node::String("the_tool".to_owned())),
            ("parameters", inner),
        ]),
    }
}

/// Leaves out closing brackets at the end, where a complete value stands before them.
fn missing_closers(text: &str, random: &mut Random) -> Option<String> {
    let closers = text.len()
        - text
            .trim_end_matches(|c: char| "}]".contains(c) || c.is_whitespace())
            .len();
    let whole = &text[..text.len() - closers];
    if whole.ends_with(['{', '[']) {
        return None;
    }
    let left_out = 1 + random.below(closers.min(3));
    let shorter = &text[..text.len() - left_out];
    JsonSchema::parse(shorter.trim_end())
        .is_err()
        .then(|| shorter.to_owned())
}

/// Swaps two closing brackets of different kinds that stand side by side, outside of strings.
fn swapped_closers(text: &str, random: &mut Random) -> Option<String> {
    let bytes = text.as_bytes();
    let mut inside = false;
    let mut places = Vec::new();
    let mut at = 0;
    while at + 1 < bytes.len() {
        match bytes[at] {
            b'\\' if inside => at += 1,
            b'"' => inside = !inside,
            b'}' if !inside && bytes[at + 1] == b']' => places.push(at),
            b']' if !inside && bytes[at + 1] == b'}' => places.push(at),
            _ => {}
        }
        at += 1;
    }
    if places.is_empty() || text.contains('\'') {
        return None;
    }
    let at = random.of(&places);
    Some(format!(
        "{}{}{}{}",
        &text[..at],
        &text[at + 1..at + 2],
        &text[at..=at],
        &text[at + 2..]
    ))
}

fn fence(text: &str, random: &mut Random) -> String {
    let label = random.of(&["json", "", "JSON", "python", "tool_call", "javascript"]);
    let end = random.of(&["\n```", "```", "", "\n```\n"]);
    format!("```{label}\n{text}{end}")
}

fn words(text: &str, random: &mut Random) -> String {
    let before = random.of(&[
        "",
        "Sure, here it is:\n",
        "args = ",
        "<tool_call>",
        "Calling the tool now.\n\n",
        "I will [now] call it with {these} arguments:\n",
    ]);
    let after = random.of(&[
        ";",
        "\nDone.",
        "</tool_call>",
        "<|im_end|>",
        "\n\nLet me know if that's what you need.",
    ]);
    format!("{before}{text}{after}")
}

/// A mark in the first text, which is written as half of a pair.
fn with_mark(node: &Node) -> Option<Node> {
    in_first_text(node, '\u{e000}')
}

fn with_replacement(node: &Node) -> Option<Node> {
    in_first_text(node, char::REPLACEMENT_CHARACTER)
}

fn in_first_text(node: &Node, mark: char) -> Option<Node> {
    let mut done = false;
    let changed = map(node, &mut |node| match node {
        Node::String(text) if !done && text.chars().count() > 12 => {
            done = true;
            Some(Node::String(format!("{mark}{text}")))
        }
        _ => None,
    });
    done.then_some(changed)
}
