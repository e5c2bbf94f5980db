//! Prints every comparison as a table of ratios. `ratios [ROUNDS]`, 1,000 unless told.
//!
//! Batches of all ways take turns, so that what slows the machine for a while slows all of them.

use hermes_benches::compare::{Way, compare};
use hermes_benches::{callers, contests};

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(1_000, |text| text.parse().expect("a number of rounds"));
    let runtime = callers::runtime();
    let print = |title: &str, mut ways: Vec<Way<'_>>, batch: u32| {
        println!("\n{title}\n\n| way | ns | times the limit | middle half |\n|---|---|---|---|");
        for row in compare(&mut ways, rounds, batch) {
            println!("{row}");
        }
    };
    print(
        "dispatch: a call of a tool that does nothing",
        contests::dispatch(&runtime),
        300,
    );
    print(
        "decode: 3 arguments, 51 bytes",
        contests::decode_small(),
        1_000,
    );
    print(
        "decode: 10 arguments, nested, 410 bytes",
        contests::decode_large(),
        200,
    );
    print(
        "decode: 3 arguments, one a text of 64 KiB",
        contests::decode_long(),
        20,
    );
    print(
        "decode: 3 arguments, one 64 KiB with escapes",
        contests::decode_escaped(),
        20,
    );
    print("registry: 100 tools", contests::registry(), 50);
}
