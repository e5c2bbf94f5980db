//! How many damaged calls come back as they were meant, beside the peers.

use hermes_tools::args::{JsonSchema, Node, RawArguments};

use crate::calls::{Random, call};
use crate::peers::{PEERS, value};
use crate::ways::{OUTER, STYLES, TREE, Way, cut_in_string, damage};

/// Calls of each kind.
const CASES: usize = 50;

/// What one reader made of the calls of one kind.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    right: usize,
    wrong: usize,
}

impl Tally {
    fn add(&mut self, right: Option<bool>) {
        match right {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => {}
        }
    }

    fn show(self) -> String {
        match self.wrong {
            0 => self.right.to_string(),
            wrong => format!("{}, {wrong} wrong", self.right),
        }
    }
}

/// Prints the table. The peers know no schema, so they are asked only about damage of the text.
pub(crate) fn table() {
    println!(
        "\ndamaged calls that come back as they were meant, of {CASES} a kind\n\n| damage | decode |{}\n|---|---|{}",
        PEERS
            .iter()
            .map(|peer| format!(" {} |", peer.name))
            .collect::<String>(),
        "---|".repeat(PEERS.len()),
    );
    let mut random = Random::new(11);
    let mut text = vec![Tally::default(); 1 + PEERS.len()];
    let mut values = Tally::default();
    for way in STYLES.iter().chain(OUTER) {
        let tallies = of(way, &mut random);
        print(way.name, &tallies);
        for (sum, tally) in text.iter_mut().zip(tallies) {
            sum.right += tally.right;
            sum.wrong += tally.wrong;
        }
    }
    print(
        &format!(
            "damage of the text, of {}",
            CASES * (STYLES.len() + OUTER.len())
        ),
        &text,
    );
    for way in TREE {
        let tally = of(way, &mut random)[0];
        print(way.name, &[tally]);
        values.right += tally.right;
        values.wrong += tally.wrong;
    }
    print(
        &format!("damage of the values, of {}", CASES * TREE.len()),
        &[values],
    );
    print("cut in a string: any answer is wrong", &cuts(&mut random));
}

fn of(way: &'static Way, random: &mut Random) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); 1 + PEERS.len()];
    let mut made = 0;
    while made < CASES {
        let call = call(random);
        let Some(damaged) = damage(&call, &[way], random) else {
            continue;
        };
        made += 1;
        let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
        let answers = answers(&schema, &damaged.text);
        for (tally, answer) in tallies.iter_mut().zip(answers) {
            tally.add(answer.map(|answer| answer.same(&damaged.meant)));
        }
    }
    tallies
}

/// Half a text is worse than none.
fn cuts(random: &mut Random) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); 1 + PEERS.len()];
    let mut made = 0;
    while made < CASES {
        let call = call(random);
        let text = call.arguments.to_json();
        let Some(end) = cut_in_string(&text, random) else {
            continue;
        };
        made += 1;
        let schema = JsonSchema::parse(call.schema).expect("the schemas are JSON");
        for (tally, answer) in tallies.iter_mut().zip(answers(&schema, &text[..end])) {
            tally.add(answer.map(|_| false));
        }
    }
    tallies
}

/// What each reader takes a text for: ours first.
fn answers(schema: &JsonSchema, text: &str) -> Vec<Option<Node>> {
    let ours = schema.decode(RawArguments::new(text)).ok();
    let peers = PEERS.iter().map(|peer| value(&(peer.repair)(text)?));
    std::iter::once(ours.map(|decoded| decoded.arguments))
        .chain(peers)
        .collect()
}

fn print(name: &str, tallies: &[Tally]) {
    let mut cells: Vec<String> = tallies.iter().map(|tally| tally.show()).collect();
    cells.resize(1 + PEERS.len(), "-".to_owned());
    println!("| {name} | {} |", cells.join(" | "));
}
