//! Valid calls, damaged in every way that models damage them, alone and in pairs.
//!
//! What comes back equals the call that was damaged, or is refused. A wrong value is never given.

mod calls;
mod render;
mod ways;

use std::collections::BTreeMap;

use hermes_tools::args::{JsonSchema, Node, RawArguments};

use crate::calls::{Call, Random};
use crate::ways::{OUTER, Outcome, STYLES, TREE, Way};

/// What became of the calls of one way.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    made: usize,
    recovered: usize,
    refused: usize,
}

impl Tally {
    fn percent(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a share for reading")]
        let share = self.recovered as f64 * 100.0 / self.made.max(1) as f64;
        share
    }
}

/// Decodes a damaged call; a wrong value fails the test at once.
fn judge(call: &Call, schema: &JsonSchema, damaged: &ways::Damaged, names: &str) -> Outcome {
    match schema.decode(RawArguments::new(&damaged.text)) {
        Ok(decoded) => {
            assert!(
                decoded.arguments.same(&damaged.meant),
                "{names}: a wrong value\n  schema: {}\n    sent: {}\n   meant: {}\n     got: {}",
                call.schema,
                damaged.text,
                damaged.meant.to_json(),
                decoded.arguments.to_json(),
            );
            Outcome::Recovered
        }
        Err(error) => Outcome::Refused(error.to_string()),
    }
}

fn run(ways: &[&[&'static Way]], calls_a_way: usize, seed: u64) -> BTreeMap<String, Tally> {
    let mut random = Random::new(seed);
    let mut tallies = BTreeMap::new();
    for way in ways {
        let names = way
            .iter()
            .map(|way| way.name)
            .collect::<Vec<_>>()
            .join(" + ");
        let tally: &mut Tally = tallies.entry(names.clone()).or_default();
        let mut tries = 0;
        while tally.made < calls_a_way && tries < calls_a_way * 40 {
            tries += 1;
            let call = calls::call(&mut random);
            let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
            assert!(
                schema.accepts(&call.arguments),
                "{}",
                call.arguments.to_json()
            );
            let Some(damaged) = ways::damage(&call, way, &mut random) else {
                continue;
            };
            tally.made += 1;
            match judge(&call, &schema, &damaged, &names) {
                Outcome::Recovered => tally.recovered += 1,
                Outcome::Refused(why) => {
                    tally.refused += 1;
                    if std::env::var_os("SHOW_REFUSED").is_some() {
                        println!("{names}: {why}\n    sent: {}", damaged.text);
                    }
                }
            }
        }
    }
    tallies
}

fn report(tallies: &BTreeMap<String, Tally>) -> String {
    let rows = tallies.iter().map(|(name, tally)| {
        format!(
            "{name:<50} {:>4} of {:>4}  {:>5.1} %\n",
            tally.recovered,
            tally.made,
            tally.percent()
        )
    });
    rows.collect()
}

#[test]
fn valid_calls_are_untouched() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let call = calls::call(&mut random);
        let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
        let text = call.arguments.to_json();
        let decoded = schema.decode(RawArguments::new(&text)).unwrap();
        assert_eq!(decoded.arguments.to_json(), text);
        assert_eq!(decoded.repairs, []);
        let canonical = decoded.arguments.canonical();
        let again = schema.decode(RawArguments::new(&canonical)).unwrap();
        assert_eq!(again.arguments.to_json(), canonical);
    }
}

#[test]
fn each_way_alone_is_recovered_or_refused_and_never_wrong() {
    let ways: Vec<[&'static Way; 1]> = all().map(|way| [way]).collect();
    let ways: Vec<&[&'static Way]> = ways.iter().map(|way| &way[..]).collect();
    let tallies = run(&ways, 400, seed(1));
    println!("{}", report(&tallies));
    for (way, tally) in ways.iter().zip(ways.iter().map(|way| tallies[way[0].name])) {
        let floor = way[0].certain;
        assert!(tally.made > 0, "{}: nothing was damaged", way[0].name);
        assert!(
            tally.percent() >= floor,
            "{}: {:.1} % of {floor} %",
            way[0].name,
            tally.percent()
        );
    }
}

#[test]
fn pairs_of_ways_are_recovered_or_refused_and_never_wrong() {
    let all: Vec<&'static Way> = all().collect();
    let mut pairs = Vec::new();
    for (at, first) in all.iter().enumerate() {
        for second in &all[at + 1..] {
            pairs.push([*first, *second]);
        }
    }
    let pairs: Vec<&[&'static Way]> = pairs.iter().map(|pair| &pair[..]).collect();
    let tallies = run(&pairs, 12, seed(2));
    let mut whole = Tally::default();
    for tally in tallies.values() {
        whole.made += tally.made;
        whole.recovered += tally.recovered;
    }
    println!("{}", report(&tallies));
    println!(
        "pairs: {} of {}, {:.1} %",
        whole.recovered,
        whole.made,
        whole.percent()
    );
    assert!(whole.percent() >= 93.0, "{:.1} %", whole.percent());
}

#[test]
fn text_that_is_cut_in_a_string_is_always_refused_as_truncated() {
    let mut random = Random::new(3);
    let mut cuts = 0;
    for _ in 0..3_000 {
        let call = calls::call(&mut random);
        let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
        let text = call.arguments.to_json();
        let Some(end) = ways::cut_in_string(&text, &mut random) else {
            continue;
        };
        cuts += 1;
        let error = schema.decode(RawArguments::new(&text[..end])).unwrap_err();
        assert_eq!(error.code(), "truncated", "{}", &text[..end]);
    }
    assert!(cuts > 1_000);
}

#[test]
fn nothing_incomplete_passes_when_the_model_was_stopped_by_its_limit() {
    let mut random = Random::new(4);
    for _ in 0..500 {
        let call = calls::call(&mut random);
        let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
        let text = call.arguments.to_json();
        for (end, _) in text.char_indices() {
            let cut = RawArguments::new(&text[..end]).finish_reason("length");
            assert_eq!(
                schema.decode(cut).unwrap_err().code(),
                "truncated",
                "{}",
                &text[..end]
            );
        }
    }
}

#[test]
fn cut_text_is_refused_or_all_that_was_complete() {
    let mut random = Random::new(5);
    for _ in 0..500 {
        let call = calls::call(&mut random);
        let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
        let text = call.arguments.to_json();
        for (end, _) in text.char_indices().skip(1) {
            let Ok(decoded) = schema.decode(RawArguments::new(&text[..end])) else {
                continue;
            };
            let Node::Object(entries) = &decoded.arguments else {
                panic!("no object")
            };
            // A bare number may have had more digits, and a list more items; texts are whole.
            for (key, value) in entries {
                if let Node::String(_) | Node::Bool(_) = value {
                    assert_eq!(Some(value), call.arguments.get(key), "{}", &text[..end]);
                }
            }
        }
    }
}

/// `DAMAGE_SEED` gives other calls than those of every run.
fn seed(usual: u64) -> u64 {
    let given = std::env::var("DAMAGE_SEED").ok();
    given.and_then(|seed| seed.parse().ok()).unwrap_or(usual)
}

fn all() -> impl Iterator<Item = &'static Way> {
    TREE.iter().chain(STYLES).chain(OUTER)
}
