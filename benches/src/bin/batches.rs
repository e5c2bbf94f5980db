//! Prints what batches cost beside tokio alone. `batches [ROUNDS]`, 40 unless told.
//!
//! The ways take turns, so that what slows the machine for a while slows all of them.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use hermes_benches::compare::Quartiles;
use hermes_tools::workspace::Confined;
use hermes_tools::{Batch, Selection, Session, ToolCall, ToolRegistry, Workspace, tool, tools};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

/// How long a tool of a batch takes.
const WORK: Duration = Duration::from_millis(50);

/// How many calls a batch has.
const CALLS: usize = 8;

/// How many calls the planner is given.
const PLANNED: usize = 1_000;

/// Take a while on a thread.
#[tool(toolset = "bench", effect = "read")]
fn block(
    /// Which call.
    number: u32,
) -> String {
    std::thread::sleep(WORK);
    number.to_string()
}

/// Take a while without a thread.
#[tool(toolset = "bench", effect = "read")]
async fn wait(
    /// Which call.
    number: u32,
) -> String {
    tokio::time::sleep(WORK).await;
    number.to_string()
}

/// Read a file, if it were one.
#[tool(toolset = "bench", effect = "read", inline)]
fn read(
    /// Path.
    #[arg(role = "path")]
    path: String,
) -> String {
    path
}

/// Write a file, if it were one.
#[tool(toolset = "bench", effect = "write", inline)]
fn write(
    /// Path.
    #[arg(role = "path")]
    path: String,
) -> String {
    path
}

/// A session with the tools of batches, and the runtime that they are polled in.
struct Batches {
    session: Session,
    runtime: Runtime,
}

impl Batches {
    /// A session on this folder, in which nothing is made.
    fn new(folder: &Path) -> Self {
        let registry = ToolRegistry::of(tools![block, wait, read, write]).expect("names differ");
        let workspace = Workspace::new(Confined::open(folder).expect("a folder"));
        Self {
            session: Session::builder(registry, Selection::of(["block", "wait", "read", "write"]))
                .workspace(workspace)
                .build()
                .expect("the tools take no state"),
            runtime: Builder::new_multi_thread()
                .worker_threads(2)
                .enable_time()
                .build()
                .expect("a runtime"),
        }
    }

    /// A batch of calls of a tool that takes 50 ms, less those 50 ms: what is left is overhead.
    fn batch(&self, tool: &'static str) -> Duration {
        let calls = (0..CALLS).map(|number| {
            ToolCall::new(tool, format!(r#"{{"number": {number}}}"#)).id(number.to_string())
        });
        let batch = Batch::new(calls);
        let start = Instant::now();
        let results = self.runtime.block_on(self.session.call_batch(batch));
        let took = start.elapsed();
        assert!(results.iter().all(|result| result.outcome.is_ok()));
        took.saturating_sub(WORK)
    }

    /// A batch of tools that block a thread, through the session.
    fn blocking(&self) -> Duration {
        self.batch("block")
    }

    /// A batch of tools that wait, through the session.
    fn waiting(&self) -> Duration {
        self.batch("wait")
    }

    /// The same blocking work on warm threads of tokio alone.
    fn spawn_blocking(&self) -> Duration {
        let start = Instant::now();
        self.runtime.block_on(async {
            let mut all = JoinSet::new();
            for number in 0..CALLS {
                all.spawn_blocking(move || {
                    std::thread::sleep(WORK);
                    number.to_string()
                });
            }
            black_box(all.join_all().await);
        });
        start.elapsed().saturating_sub(WORK)
    }

    /// The same waiting side by side in one task.
    fn join_all(&self) -> Duration {
        let start = Instant::now();
        self.runtime.block_on(async {
            let all = (0..CALLS).map(|number| async move {
                tokio::time::sleep(WORK).await;
                number.to_string()
            });
            black_box(futures_util::future::join_all(all).await);
        });
        start.elapsed().saturating_sub(WORK)
    }

    /// The planner for a thousand calls: reads and writes in many folders, some of the same files.
    fn plan(&self) -> Duration {
        let calls = (0..PLANNED).map(|number| {
            let tool = if number % 3 == 0 { "write" } else { "read" };
            let path = format!("folder{}/sub/file{}.txt", number % 50, number % 200);
            ToolCall::new(tool, format!(r#"{{"path": "{path}"}}"#))
        });
        let batch = Batch::new(calls).run_repeats();
        let start = Instant::now();
        black_box(self.session.plan_blocking(&batch));
        start.elapsed()
    }
}

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(40, |text| text.parse().expect("a number of rounds"));
    let batches = Batches::new(&std::env::temp_dir());
    // The threads are warm afterwards.
    let _ = (batches.blocking(), batches.spawn_blocking());
    let print = |name: &str, limit: &dyn Fn() -> Duration, ours: &dyn Fn() -> Duration| {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let (limits, ours): (Vec<f64>, Vec<f64>) = (0..rounds)
            .map(|round| {
                if round % 2 == 0 {
                    let limit = micros(limit());
                    (limit, micros(ours()))
                } else {
                    let ours = micros(ours());
                    (micros(limit()), ours)
                }
            })
            .unzip();
        let (limit, ours) = (Quartiles::of(limits), Quartiles::of(ours));
        println!(
            "| {name} | {:.0} | {:.0} | {:.2} | {:.3} |",
            limit.median,
            ours.median,
            ours.median / limit.median,
            (50_000.0 + ours.median) / (50_000.0 + limit.median),
        );
    };
    println!("| batch of 8, 50 ms each | tokio, us over 50 ms | ours | overhead | whole time |");
    println!("|---|---|---|---|---|");
    print(
        "blocking, beside warm `spawn_blocking`",
        &|| batches.spawn_blocking(),
        &|| batches.blocking(),
    );
    print(
        "async, beside `join_all`",
        &|| batches.join_all(),
        &|| batches.waiting(),
    );
    let plans = (0..rounds).map(|_| batches.plan().as_secs_f64() * 1e6);
    println!(
        "\nplanner, {PLANNED} calls: {:.0} us",
        Quartiles::of(plans).median
    );
}
