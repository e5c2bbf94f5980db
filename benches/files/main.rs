//! Prints how fast files are searched and read, beside the crates that ripgrep is made of, and beside
//! `rg` itself where there is one. `files [ROUNDS]`, 20 unless told.
//!
//! The program `hermes` is taken from the folder of this program or from `HERMES`, and `rg` from the path
//! or from `RG`.

mod bare;
mod edit;
mod process;
mod read;
mod search;
mod tree;

use std::time::Duration;

use hermes_benches::compare::{Row, Way, compare};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(20, |text| text.parse().expect("a number of rounds"));
    let tree = tree::make();
    search::in_process(tree.path(), rounds);
    process::table(tree.path(), rounds);
    drop(tree);
    read::pages(rounds);
    edit::tables(rounds);
}

/// A way that is timed by the processor time of all threads of this program, which other programs do not
/// add to.
fn of_processor<'w, T>(name: &'static str, mut work: impl FnMut() -> T + 'w) -> Way<'w> {
    Way::timed(name, move |count| {
        let start = processor_time();
        for _ in 0..count {
            std::hint::black_box(work());
        }
        processor_time() - start
    })
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).expect("time goes on"),
        u32::try_from(time.tv_nsec).expect("below a second"),
    )
}

/// Compares ways whose piece of work takes milliseconds.
fn print(title: &str, mut ways: Vec<Way<'_>>, rounds: usize) {
    println!("\n{title}");
    let rows: Vec<Row> = compare(&mut ways, rounds, 1);
    for row in rows {
        println!(
            "  {:<44} {:>9.2} ms  {:>6.2} times  ({:.2} to {:.2})",
            row.name,
            row.nanoseconds.median / 1e6,
            row.ratio.median,
            row.ratio.low,
            row.ratio.high
        );
    }
}
