//! Calls of tools such as agents have.

use hermes_tools::args::{Node, RawArguments, repair_text};

/// A call that fits its schema.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) schema: &'static str,
    pub(crate) arguments: Node,
}

/// Numbers that look random and are the same in every run.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const TEXTS: [&str; 46] = [
    "src/main.rs",
    "docs",
    "hello world",
    "It's fine, isn't it?",
    "She said \"yes\" and left.",
    "print(\"hello\")\nfor x in [1, 2]:\n\tpass\n",
    "{\"a\": [1, \"b\"], \"c\": {\"d\": null}}",
    "C:\\Users\\me\\notes.txt",
    "\\d+\\.(js|ts)$",
    "<a href=\"x.html\">go</a>",
    "https://example.com/a?b=c&d=e#f",
    "他说“你好”，然后走了。",
    "他说\"你好\"。",
    "😀 done",
    "",
    "null",
    "true",
    "42",
    "1.50",
    "None",
    " leading and trailing ",
    "a, b; c: d",
    "}{][",
    "```rust\nfn main() {}\n```",
    "// not a comment",
    "# heading\n\ntext /* not a comment */",
    "a 5\" disk",
    "x,",
    "key: value",
    "grep -n \"foo\" *.rs | awk '{print $1}'",
    "SELECT * FROM t WHERE name = 'x' AND n IN (1, 2)",
    "{'a': True}",
    "[1, 2]",
    "[link](docs/a.md)",
    "line one\r\nline two",
    "tab\there",
    "fn main() { println!(\"{}\", 1); }",
    "echo \"hi\"; exit 1",
    "naïve café",
    "{\"name\": \"x\", \"arguments\": {}}",
    "a\\b",
    "100%",
    "const x = { a: 1, b: [2, 3] };",
    "\"quoted\"",
    "if (a > b) { return [a, b]; }",
    "Sure! Here is the file.",
];

const WORDS: [&str; 10] = [
    "alpha",
    "beta",
    "read",
    "src/lib.rs",
    "README.md",
    "Main St 5",
    "x",
    "north",
    "a-b",
    "v1.2",
];

type Make = fn(&mut Random) -> Vec<(&'static str, Node)>;

/// Schemas, and what makes arguments for them.
const TOOLS: [(&str, Make); 8] = [
    (
        r#"{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer","minimum":1},"limit":{"type":"integer"},"follow_links":{"type":"boolean"}},"required":["path"]}"#,
        |random| {
            let mut entries = vec![("path", word(random))];
            optional(random, &mut entries, "offset", |random| whole(random, 1));
            optional(random, &mut entries, "limit", |random| whole(random, 0));
            optional(random, &mut entries, "follow_links", flag);
            entries
        },
    ),
    (
        r#"{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"mode":{"type":"string","enum":["overwrite","append"]}},"required":["path","content"],"additionalProperties":false}"#,
        |random| {
            let mut entries = vec![("path", word(random)), ("content", text(random))];
            optional(random, &mut entries, "mode", |random| {
                Node::String(random.of(&["overwrite", "append"]).to_owned())
            });
            entries
        },
    ),
    (
        r#"{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"number"},"env":{"type":"object","additionalProperties":{"type":"string"}},"background":{"type":"boolean"}},"required":["command"]}"#,
        |random| {
            let mut entries = vec![("command", text(random))];
            optional(random, &mut entries, "timeout", fraction);
            optional(random, &mut entries, "env", |random| {
                object(vec![("HOME", word(random)), ("LANG", word(random))])
            });
            optional(random, &mut entries, "background", flag);
            entries
        },
    ),
    (
        r#"{"type":"object","properties":{"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"},"line":{"type":"integer"},"all":{"type":"boolean"}},"required":["old","new"]}},"dry_run":{"type":"boolean"}},"required":["edits"]}"#,
        |random| {
            let count = 1 + random.below(3);
            let edits = (0..count)
                .map(|_| {
                    let mut entries = vec![("old", text(random)), ("new", text(random))];
                    optional(random, &mut entries, "line", |random| whole(random, 0));
                    optional(random, &mut entries, "all", flag);
                    object(entries)
                })
                .collect();
            let mut entries = vec![("edits", Node::Array(edits))];
            optional(random, &mut entries, "dry_run", flag);
            entries
        },
    ),
    (
        r#"{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}},"max_results":{"type":"integer"},"region":{"type":["string","null"]}},"required":["queries"]}"#,
        |random| {
            let count = 1 + random.below(3);
            let queries = (0..count).map(|_| text(random)).collect();
            let mut entries = vec![("queries", Node::Array(queries))];
            optional(random, &mut entries, "max_results", |random| {
                whole(random, 0)
            });
            optional(random, &mut entries, "region", word);
            entries
        },
    ),
    (
        r##"{"type":"object","properties":{"order":{"$ref":"#/$defs/Order"},"ids":{"type":"array","items":{"type":"integer"}},"ratio":{"anyOf":[{"type":"number"},{"type":"null"}]}},"required":["order"],"$defs":{"Order":{"type":"object","properties":{"customer_id":{"type":"integer"},"notes":{"type":"array","items":{"type":"string"}},"paid":{"type":"boolean"},"address":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"integer"}}}},"required":["customer_id","paid"]}}}"##,
        |random| {
            let mut order = vec![("customer_id", whole(random, 1)), ("paid", flag(random))];
            optional(random, &mut order, "notes", |random| {
                let count = 1 + random.below(2);
                Node::Array((0..count).map(|_| text(random)).collect())
            });
            optional(random, &mut order, "address", |random| {
                object(vec![
                    ("street", word(random)),
                    ("zip", whole(random, 10_000)),
                ])
            });
            let mut entries = vec![("order", object(order))];
            optional(random, &mut entries, "ids", |random| {
                let count = 1 + random.below(4);
                Node::Array((0..count).map(|_| whole(random, 0)).collect())
            });
            optional(random, &mut entries, "ratio", fraction);
            entries
        },
    ),
    (
        r#"{"type":"object","properties":{"location":{"type":"string"},"unit":{"type":"string","enum":["celsius","fahrenheit"]},"days":{"type":"integer","minimum":1,"maximum":16}},"required":["location"]}"#,
        |random| {
            let mut entries = vec![("location", word(random))];
            optional(random, &mut entries, "unit", |random| {
                Node::String(random.of(&["celsius", "fahrenheit"]).to_owned())
            });
            optional(random, &mut entries, "days", |random| {
                Node::Number((1 + random.below(16)).to_string())
            });
            entries
        },
    ),
    (
        r#"{"type":"object","properties":{"account":{"type":"integer"},"memo":{"type":"string"},"amount":{"type":"number"},"tags":{"type":"array","items":{"type":"string"}},"meta":{"type":"object"}},"required":["account","memo"]}"#,
        |random| {
            let mut entries = vec![("account", big(random)), ("memo", text(random))];
            optional(random, &mut entries, "amount", fraction);
            optional(random, &mut entries, "tags", |random| {
                let count = random.below(3) + 1;
                Node::Array((0..count).map(|_| word(random)).collect())
            });
            optional(random, &mut entries, "meta", |random| {
                object(vec![
                    ("source", word(random)),
                    (
                        "depth",
                        object(vec![("level", whole(random, 0)), ("on", flag(random))]),
                    ),
                ])
            });
            entries
        },
    ),
];

pub(crate) fn call(random: &mut Random) -> Call {
    let (schema, make) = random.of(&TOOLS);
    Call {
        schema,
        arguments: object(make(random)),
    }
}

pub(crate) fn object(entries: Vec<(&str, Node)>) -> Node {
    Node::Object(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

/// The value of JSON text.
pub(crate) fn parse(json: &str) -> Node {
    repair_text(RawArguments::new(json)).expect("it is JSON").0
}

fn optional(
    random: &mut Random,
    entries: &mut Vec<(&'static str, Node)>,
    key: &'static str,
    make: impl Fn(&mut Random) -> Node,
) {
    if random.chance(60) {
        let value = make(random);
        entries.push((key, value));
    }
}

fn text(random: &mut Random) -> Node {
    let mut text = random.of(&TEXTS).to_owned();
    if random.chance(30) {
        text.push_str(random.of(&[" ", "\n", ", ", ""]));
        text.push_str(random.of(&TEXTS));
    }
    Node::String(text)
}

fn word(random: &mut Random) -> Node {
    Node::String(random.of(&WORDS).to_owned())
}

fn whole(random: &mut Random, least: usize) -> Node {
    Node::Number((least + random.below(500)).to_string())
}

fn big(random: &mut Random) -> Node {
    Node::Number(format!("90071992547{:05}", random.below(99_999)))
}

fn fraction(random: &mut Random) -> Node {
    Node::Number(format!("{}.{}", random.below(100), 1 + random.below(9)))
}

fn flag(random: &mut Random) -> Node {
    Node::Bool(random.chance(50))
}
