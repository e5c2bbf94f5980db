//! What tools cost to compile: generated programs of the same tools, declared in five ways.
//!
//! `compile-times [TOOLS[,TOOLS...]] [ROUNDS] [WAY...]`: 100 and 200 tools, 5 rounds and all ways unless
//! told. Each program is a package of its own in a scratch folder, with the versions of this workspace's
//! lock file, built without a compile cache into one target folder that is deleted at the end. The cold
//! check is made once, with the first number of tools, since nearly all of it is the dependencies; release
//! builds are made in every third round. What is reported is CPU time (user and system) of cargo and all
//! that it starts, so that other work on the machine counts little.

mod measure;
mod package;
mod ways;

use std::path::Path;

use measure::{Measured, Scratch};
use ways::WAYS;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let counts = arguments.next().unwrap_or_else(|| "100,200".to_owned());
    let counts: Vec<usize> = counts.split(',').map(number).collect();
    let rounds = arguments.next().map_or(5, |text| number(&text));
    let wanted: Vec<String> = arguments.collect();
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::new();
    let mut tables: Vec<Vec<(&str, Measured)>> = vec![Vec::new(); counts.len()];
    for way in WAYS {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == way.name) {
            continue;
        }
        let mut cold = None;
        for (tools, rows) in counts.iter().zip(&mut tables) {
            let package = package::write(scratch.path(), benches, way, *tools);
            println!("{}, {tools} tools", way.name);
            let cold = *cold.get_or_insert_with(|| scratch.cold(&package));
            rows.push((way.name, scratch.measure(&package, cold, rounds)));
        }
    }
    for (tools, rows) in counts.iter().zip(&tables) {
        print(*tools, rows);
    }
}

fn print(tools: usize, rows: &[(&str, Measured)]) {
    let base = rows
        .iter()
        .find(|(name, _)| *name == ways::BASE)
        .map(|(_, measured)| *measured);
    println!(
        "\n| {tools} tools | check, s | with dependencies, s | release, s | stripped, MB |\n|---|---|---|---|---|"
    );
    for (name, measured) in rows {
        let cell = |value: f64, base: Option<f64>| match base {
            Some(base) => format!("{value:.2} ({:.2})", value / base),
            None => format!("{value:.2}"),
        };
        println!(
            "| {name} | {} | {} | {} | {} |",
            cell(measured.check, base.map(|base| base.check)),
            cell(measured.cold, base.map(|base| base.cold)),
            cell(measured.release, base.map(|base| base.release)),
            cell(measured.megabytes, base.map(|base| base.megabytes)),
        );
    }
}
