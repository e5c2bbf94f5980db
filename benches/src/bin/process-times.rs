//! Times small programs as whole processes, in turn: an empty `main`, and three that link a hundred
//! tools and do ever more with them.
//!
//! `process-times [ROUNDS]`, 300 unless told. The programs lie beside this one, so build all of them
//! first: `cargo build --release --bins`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hermes_benches::compare::{Row, Way, compare};

const PROGRAMS: [(&str, &str); 4] = [
    ("empty-main", "empty `main`"),
    ("linked-100", "100 tools linked, `main` empty"),
    ("map-100", "100 tools in a `HashMap`"),
    ("registry-100", "100 tools in `ToolRegistry::linked`"),
];

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(300, |text| text.parse().expect("a number of rounds"));
    let program = std::env::current_exe().expect("the place of this program");
    let folder = program.parent().expect("a program lies in a folder");
    let mut ways = PROGRAMS.map(|(file, name)| {
        let program = folder.join(file);
        Way::timed(name, move |count| run(&program, count))
    });
    let rows = compare(&mut ways, rounds, 1);

    println!("| process | µs | middle half | times the empty `main` |\n|---|---|---|---|");
    for Row {
        name,
        nanoseconds: time,
        ratio,
    } in &rows
    {
        let [low, median, high] = [time.low, time.median, time.high].map(|time| time / 1e3);
        println!(
            "| {name} | {median:.0} | {low:.0} to {high:.0} | {:.3} |",
            ratio.median
        );
    }
    let last = rows[3].nanoseconds;
    for row in &rows[..3] {
        let within = row.nanoseconds.lies_within(&last) && last.lies_within(&row.nanoseconds);
        let verb = if within { "lie" } else { "do not lie" };
        println!(
            "medians of {} and the registry {verb} within each other's middle half",
            row.name
        );
    }
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
