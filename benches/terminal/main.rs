//! Prints what the tool `terminal` costs beside `std::process::Command`. `terminal [ROUNDS]`, 20 unless
//! told.

use std::path::Path;
use std::process::{Command, Stdio};

use hermes_benches::compare::{Row, Way, compare};
use hermes_tools::output::store::ResultStore;
use hermes_tools::workspace::Confined;
use hermes_tools::{CallResult, Selection, Session, SessionFacts, SessionSource, ToolRegistry, Workspace};

hermes_tools::link!(tools_builtin);

/// Bytes of the stream.
const STREAM: u64 = 1 << 30;

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(20, |text| text.parse().expect("a number of rounds"));
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("results");
    let (plain, keeping) = (session(folder.path(), None), session(folder.path(), Some(&store)));
    starting(&plain, rounds);
    streaming(&plain, &keeping, rounds.min(5));
}

fn session(folder: &Path, store: Option<&Path>) -> Session {
    let facts = SessionFacts::new(SessionSource::Cli).environment(|name| std::env::var(name).ok());
    let registry = ToolRegistry::linked().expect("names of their own");
    let mut builder = Session::builder(registry, Selection::of(["terminal"]))
        .facts(facts)
        .workspace(Workspace::new(Confined::open(folder).expect("a workspace")));
    if let Some(store) = store {
        builder = builder.result_store(ResultStore::at(store).expect("a store"));
    }
    builder.build().expect("a session")
}

fn run(session: &Session, command: &str) -> CallResult {
    let result = session.call_blocking("terminal", &format!("{{\"command\": \"{command}\"}}"));
    assert!(result.outcome.is_ok(), "{:?}", result.outcome);
    result
}

/// A shell that does nothing: by the tool, by `Command` with a pipe for the output, and the program alone.
fn starting(session: &Session, rounds: usize) {
    let ways = vec![
        Way::new("Command, bash -c true, output piped", || {
            Command::new("bash").args(["-c", "true"]).stdin(Stdio::null()).output().expect("bash")
        }),
        Way::new("terminal, true", || run(session, "true")),
        Way::new("Command, true", || {
            Command::new("true").stdin(Stdio::null()).output().expect("true")
        }),
    ];
    print("starting a command", ways, rounds, 20);
}

/// A gibibyte through a pipe: into `cat` and from there to nowhere, and into the tool, which keeps both
/// ends, and with a store the first 64 MiB in a file without escape sequences and secrets.
fn streaming(session: &Session, keeping: &Session, rounds: usize) {
    let stream = format!("yes some words of output | head -c {STREAM}");
    let ways = vec![
        Way::new("bash, into cat", || {
            let line = format!("{stream} | cat > /dev/null");
            Command::new("bash").args(["-c", &line]).status().expect("bash")
        }),
        Way::new("terminal", || run(session, &stream)),
        Way::new("terminal, with a store", || run(keeping, &stream)),
    ];
    print("1 GiB of output", ways, rounds, 1);
}

fn print(title: &str, mut ways: Vec<Way<'_>>, rounds: usize, count: u32) {
    println!("\n{title}");
    let rows: Vec<Row> = compare(&mut ways, rounds, count);
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
