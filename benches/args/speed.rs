//! How long decoding takes, times `serde_json` in the same run.

use std::hint::black_box;

use hermes_benches::arguments::{LARGE, Large, SMALL, Small, large, schemas, small};
use hermes_benches::compare::{Row, Way, compare};
use hermes_tools::args::{JsonSchema, Node, RawArguments};
use serde_json::Value;

use crate::calls::{Random, object};
use crate::peers::{PEERS, value};
use crate::render::{Style, render};

/// Valid calls: into the places of a typed tool, and into the tree of one that has only a schema.
pub(crate) fn valid(rounds: usize) {
    println!(
        "valid calls, times `serde_json::from_str` into a struct\n\n| call | typed tool | run-time tool |\n|---|---|---|"
    );
    let [small_schema, large_schema] = schemas();
    let mut ways = [
        Way::new("serde", || serde_json::from_str::<Small>(black_box(SMALL))),
        Way::new("typed", || small(black_box(SMALL))),
        Way::new("run time", || decode(&small_schema, black_box(SMALL))),
    ];
    row(
        "3 arguments, 51 bytes",
        &compare(&mut ways, 5 * rounds, 1_000),
    );
    let mut ways = [
        Way::new("serde", || serde_json::from_str::<Large>(black_box(LARGE))),
        Way::new("typed", || large(black_box(LARGE))),
        Way::new("run time", || decode(&large_schema, black_box(LARGE))),
    ];
    row(
        "10 arguments, nested, 410 bytes",
        &compare(&mut ways, 5 * rounds, 200),
    );
}

/// Damaged calls of several lengths, each beside `serde_json` on the text without its damage.
pub(crate) fn damaged(rounds: usize) {
    println!(
        "\ndamaged calls, times `serde_json::from_str::<Value>` of the sound text\n\n| damage | length | decode |{}\n|---|---|---|{}",
        PEERS
            .iter()
            .map(|peer| format!(" {} |", peer.name))
            .collect::<String>(),
        "---|".repeat(PEERS.len()),
    );
    let schema = JsonSchema::parse(SCHEMA).expect("it is JSON");
    for (name, damage) in DAMAGES {
        for (length, size) in [("1 KiB", 1 << 10), ("64 KiB", 64 << 10), ("1 MiB", 1 << 20)] {
            let call = call(size);
            let sound = call.to_json();
            let text = damage(&call);
            let decoded = schema.decode(RawArguments::new(&text));
            let decoded = decoded.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(
                !decoded.repairs.is_empty() && decoded.arguments.same(&call),
                "{name}"
            );
            let mut ways = vec![
                Way::new("serde", || serde_json::from_str::<Value>(black_box(&sound))),
                Way::new("decode", || decode(&schema, black_box(&text))),
            ];
            for peer in PEERS {
                ways.push(Way::new(peer.name, || (peer.repair)(black_box(&text))));
            }
            let (rounds, batch) = effort(rounds, size);
            let rows = compare(&mut ways, rounds, batch);
            let mut cells = vec![format!("{:.2}", rows[1].ratio.median)];
            for (row, peer) in rows[2..].iter().zip(PEERS) {
                let answer = (peer.repair)(&text).and_then(|answer| value(&answer));
                let right = answer.is_some_and(|answer| answer.same(&call));
                let note = if right { "" } else { ", wrong" };
                cells.push(format!("{:.2}{note}", row.ratio.median));
            }
            println!("| {name} | {length} | {} |", cells.join(" | "));
        }
    }
}

/// Whether time grows with the length and no faster.
pub(crate) fn growth(rounds: usize) {
    println!(
        "\ntime a byte at 4 MiB, times that at 64 KiB\n\n| damage | decode | `serde_json`, sound text |\n|---|---|---|"
    );
    let schema = JsonSchema::parse(SCHEMA).expect("it is JSON");
    for (name, damage) in DAMAGES {
        let measured = [64 << 10, 4 << 20].map(|size| {
            let call = call(size);
            let (sound, text) = (call.to_json(), damage(&call));
            let mut ways = [
                Way::new("serde", || serde_json::from_str::<Value>(black_box(&sound))),
                Way::new("decode", || decode(&schema, black_box(&text))),
            ];
            let (rounds, batch) = effort(rounds, size);
            let rows = compare(&mut ways, rounds, batch);
            #[expect(clippy::cast_precision_loss, reason = "a length")]
            let length = text.len() as f64;
            [
                rows[0].nanoseconds.median / length,
                rows[1].nanoseconds.median / length,
            ]
        });
        let [serde, ours] = [0, 1].map(|way| measured[1][way] / measured[0][way]);
        println!("| {name} | {ours:.2} | {serde:.2} |");
    }
}

/// Rounds and the size of a batch for texts of a length.
fn effort(rounds: usize, size: usize) -> (usize, u32) {
    match size {
        ..=1_024 => (rounds, 50),
        ..=65_536 => (rounds.div_ceil(2), 1),
        _ => (rounds.div_ceil(10), 1),
    }
}

fn decode(schema: &JsonSchema, text: &str) -> Option<hermes_tools::args::Decoded> {
    schema.decode(RawArguments::new(text)).ok()
}

fn row(name: &str, rows: &[Row]) {
    let ratios = rows[1..]
        .iter()
        .map(|row| format!(" {:.2} |", row.ratio.median));
    println!("| {name} |{}", ratios.collect::<String>());
}

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string"},"edits":{"type":"array","items":{"type":"object","properties":{"line":{"type":"integer"},"old":{"type":"string"},"new":{"type":"string"},"all":{"type":"boolean"}},"required":["line","old","new","all"]}},"dry_run":{"type":"boolean"}},"required":["path","edits","dry_run"]}"#;

type Damage = fn(&Node) -> String;

const DAMAGES: [(&str, Damage); 9] = [
    ("fence and words", |call| {
        format!("Here it is:\n```json\n{}\n```\n", call.to_json())
    }),
    ("trailing commas", |call| {
        styled(call, |style| style.trailing_commas = true)
    }),
    ("missing commas", |call| {
        styled(call, |style| style.missing_comma = true)
    }),
    ("bare keys", |call| {
        styled(call, |style| style.bare_keys = true)
    }),
    ("Python", |call| {
        styled(call, |style| {
            style.single_quotes = true;
            style.python_words = true;
        })
    }),
    ("comments", |call| {
        styled(call, |style| style.comments = true)
    }),
    ("raw control characters", |call| {
        styled(call, |style| style.raw_controls = true)
    }),
    ("unescaped quotes", |call| {
        styled(call, |style| style.inner_quotes = true)
    }),
    ("missing closer", |call| {
        let text = call.to_json();
        text[..text.len() - 1].to_owned()
    }),
];

fn styled(call: &Node, change: fn(&mut Style)) -> String {
    let mut style = Style::default();
    change(&mut style);
    render(call, &style, &mut Random::new(5)).text
}

/// An edit of a file in many places, as long as is asked.
fn call(size: usize) -> Node {
    let text = |text: &str| Node::String(text.to_owned());
    let edit = |line: usize| {
        object(vec![
            ("line", Node::Number(line.to_string())),
            (
                "old",
                text("let total = items.iter().sum::<u64>();\n\tprintln!(\"{total}\");\n"),
            ),
            (
                "new",
                text("let total: u64 = items.iter().copied().sum();\n\tlog(\"sum\");\n"),
            ),
            ("all", Node::Bool(line % 3 == 0)),
        ])
    };
    let length = edit(1_000).to_json().len() + 1;
    let count = size.saturating_sub(60) / length;
    object(vec![
        ("path", text("src/main.rs")),
        (
            "edits",
            Node::Array((0..count.max(1)).map(|at| edit(1_000 + at)).collect()),
        ),
        ("dry_run", Node::Bool(false)),
    ])
}
