//! Prints every comparison as a table of ratios. `ratios [ROUNDS [TITLE]]`: 1,000 rounds unless told, and
//! the comparisons whose title begins so.
//!
//! Batches of all ways take turns, so that what slows the machine for a while slows all of them.

use hermes_benches::compare::{Way, compare};
use hermes_benches::{callers, contests, registry, search};

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(1_000, |text| text.parse().expect("a number of rounds"));
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let print = |title: &str, ways: &dyn Fn() -> Vec<Way<'static>>, batch: u32, rounds: usize| {
        if !title.starts_with(&wanted) {
            return;
        }
        println!("\n{title}\n\n| way | ns | times the first | middle half |\n|---|---|---|---|");
        for row in compare(&mut ways(), rounds, batch) {
            println!("{row}");
        }
    };
    let runtime: &'static _ = Box::leak(Box::new(callers::runtime()));
    print(
        "dispatch: a call of a tool that does nothing",
        &|| contests::dispatch(runtime),
        300,
        rounds,
    );
    let decode: [(&str, fn() -> Vec<Way<'static>>, u32); 4] = [
        (
            "decode: 3 arguments, 51 bytes",
            contests::decode_small,
            1_000,
        ),
        (
            "decode: 10 arguments, nested, 410 bytes",
            contests::decode_large,
            200,
        ),
        (
            "decode: 3 arguments, one a text of 64 KiB",
            contests::decode_long,
            20,
        ),
        (
            "decode: 3 arguments, one 64 KiB with escapes",
            contests::decode_escaped,
            20,
        ),
    ];
    for (title, ways, batch) in decode {
        print(title, &ways, batch, rounds);
    }
    let registry: [(&str, fn() -> Vec<Way<'static>>, u32, usize); 6] = [
        ("registry: 100 linked tools", contests::registry, 50, 1),
        (
            "registry: definitions of 100 tools, kept",
            registry::kept,
            200,
            1,
        ),
        ("registry: their text", registry::text, 20, 1),
        (
            "registry: their text from the tables",
            registry::cold,
            10,
            2,
        ),
        (
            "registry: 10,000 registrations",
            registry::registrations,
            1,
            50,
        ),
        (
            "registry: a lookup under a writing thread",
            registry::lookups,
            2_000,
            10,
        ),
    ];
    for (title, ways, batch, fewer) in registry {
        print(title, &ways, batch, (rounds / fewer).max(5));
    }
    for (count, batch, fewer) in [(100, 20, 10), (1_000, 10, 20), (10_000, 10, 50)] {
        let tools: &'static [_] = search::catalogue(count).leak();
        let rounds = (rounds / fewer).max(5);
        let title = |what| format!("search: {what} {count} tools");
        print(
            &title("building an index of"),
            &|| search::build(tools),
            1,
            rounds,
        );
        print(&title("asking"), &|| search::ask(tools), batch, rounds);
        print(
            &title("changing one and asking"),
            &|| search::follow(tools),
            1,
            rounds,
        );
    }
}
