//! Times `empty-main` and `registry-100` as whole processes, in turn.
//!
//! `process-times [ROUNDS]`, 300 unless told. Both programs lie beside this one, so build all of them
//! first: `cargo build --release --bins`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hermes_benches::compare::{Row, Way, compare};

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(300, |text| text.parse().expect("a number of rounds"));
    let program = std::env::current_exe().expect("the place of this program");
    let folder = program.parent().expect("a program lies in a folder");
    let (empty, registry) = (folder.join("empty-main"), folder.join("registry-100"));
    let mut ways = [
        Way::timed("empty `main`", |count| run(&empty, count)),
        Way::timed("registry of 100 linked tools", |count| {
            run(&registry, count)
        }),
    ];
    let rows = compare(&mut ways, rounds, 1);

    println!("| process | median µs | middle half | ratio |");
    println!("|---|---|---|---|");
    for Row {
        name,
        nanoseconds: time,
        ratio,
    } in &rows
    {
        println!(
            "| {name} | {:.0} | {:.0} to {:.0} | {:.3} |",
            time.median / 1e3,
            time.low / 1e3,
            time.high / 1e3,
            ratio.median
        );
    }
    let (empty, registry) = (rows[0].nanoseconds, rows[1].nanoseconds);
    let within = empty.lies_within(&registry) && registry.lies_within(&empty);
    println!("each median lies within the other's middle half: {within}");
}

fn run(program: &Path, count: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..count {
        let status = Command::new(program)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .expect("build all programs first: `cargo build --release --bins`");
        assert!(status.success(), "{} failed", program.display());
    }
    start.elapsed()
}
