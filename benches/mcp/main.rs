//! Prints what a server of the Model Context Protocol costs beside the SDK alone: a session of a
//! thousand calls in one process and over pipes, and the time from the start of a process to the answered
//! list. `mcp [ROUNDS]`, 20 unless told.
//!
//! `mcp serve ours` and `mcp serve plain` are the servers; `mcp duplex ours` and `mcp duplex plain` make one
//! session in the process, for counting instructions.

mod ours;
mod plain;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hermes_benches::compare::{Way, compare};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, DuplexStream, duplex, split};
use tokio::runtime::{Builder, Runtime};

/// Calls of a session.
const CALLS: u64 = 1_000;

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
    "\n"
);

const READY: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

const LIST: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}\n";

/// What both servers do in a tool.
pub(crate) fn echo(text: &str, times: u32, loud: Option<bool>) -> String {
    let text = text.repeat(usize::try_from(times).expect("a small number"));
    if loud == Some(true) {
        text.to_uppercase()
    } else {
        text
    }
}

/// Half of the calls give structured content.
fn call(id: u64) -> String {
    if id % 2 == 0 {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"add\",\"arguments\":\
             {{\"a\":{id},\"b\":2}}}}}}\n"
        )
    } else {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":\
             {{\"text\":\"number {id} \",\"times\":2,\"loud\":true}}}}}}\n"
        )
    }
}

/// Looks at an answer, so that no way is fast by being wrong.
fn check(id: u64, line: &str) {
    if id != 2 && id != 3 {
        return;
    }
    let answer: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(answer["id"], id);
    if id == 2 {
        assert_eq!(answer["result"]["structuredContent"]["total"], 4);
    } else {
        assert_eq!(answer["result"]["content"][0]["text"], "NUMBER 3 NUMBER 3 ");
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["serve", "ours"] => ours::serve_stdio(),
        ["serve", "plain"] => plain::serve_stdio(),
        ["duplex", which] => {
            in_process(&runtime(), which, 1);
        }
        _ => {
            let rounds = words.first().map_or(20, |text| text.parse().expect("a number of rounds"));
            report(rounds);
        }
    }
}

fn report(rounds: usize) {
    let runtime = runtime();
    for (title, by) in [
        ("a session in the process", in_process as fn(&Runtime, &str, u32) -> Duration),
        ("a session over pipes, without the start", over_pipes),
        ("from the start to the list", start),
    ] {
        println!("\n{title}\n\n| server | ns | ratio | middle half |\n|---|---|---|---|");
        let mut ways = [
            Way::timed("rmcp", |count| by(&runtime, "plain", count)),
            Way::timed("hermes-mcp", |count| by(&runtime, "ours", count)),
        ];
        for row in compare(&mut ways, rounds, 1) {
            println!("{row}");
        }
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Sessions over a duplex in memory.
fn in_process(runtime: &Runtime, which: &str, sessions: u32) -> Duration {
    let mut took = Duration::ZERO;
    for _ in 0..sessions {
        took += runtime.block_on(async {
            let (client, server) = duplex(1 << 16);
            let started = Instant::now();
            let served = match which {
                "ours" => tokio::spawn(ours::serve(server)),
                _ => tokio::spawn(plain::serve(server)),
            };
            talk(client).await;
            let took = started.elapsed();
            served.await.expect("the server ends with its input");
            took
        });
    }
    took
}

async fn talk(client: DuplexStream) {
    let (read, mut write) = split(client);
    let mut read = tokio::io::BufReader::new(read);
    let mut line = String::new();
    let mut ask = async |text: &str, id: Option<u64>| {
        write.write_all(text.as_bytes()).await.expect("the server reads");
        if let Some(id) = id {
            line.clear();
            read.read_line(&mut line).await.expect("the server writes");
            check(id, &line);
        }
    };
    ask(HELLO, Some(0)).await;
    ask(READY, None).await;
    ask(LIST, Some(1)).await;
    for id in 2..CALLS + 2 {
        ask(&call(id), Some(id)).await;
    }
    write.shutdown().await.expect("the server reads");
}

/// A server in a process of its own, after the handshake.
struct Process {
    child: std::process::Child,
    read: BufReader<std::process::ChildStdout>,
    line: String,
}

impl Process {
    fn start(which: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("a path"))
            .args(["serve", which])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the bench itself");
        let read = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            read,
            line: String::new(),
        }
    }

    fn ask(&mut self, text: &str, id: Option<u64>) {
        let write = self.child.stdin.as_mut().expect("a pipe");
        write.write_all(text.as_bytes()).expect("the server reads");
        if let Some(id) = id {
            self.line.clear();
            self.read.read_line(&mut self.line).expect("the server writes");
            check(id, &self.line);
        }
    }

    fn end(mut self) {
        self.child.stdin = None;
        self.child.wait().expect("the server ends");
    }
}

fn over_pipes(_: &Runtime, which: &str, sessions: u32) -> Duration {
    let mut took = Duration::ZERO;
    for _ in 0..sessions {
        let mut server = Process::start(which);
        server.ask(HELLO, Some(0));
        let started = Instant::now();
        server.ask(READY, None);
        server.ask(LIST, Some(1));
        for id in 2..CALLS + 2 {
            server.ask(&call(id), Some(id));
        }
        took += started.elapsed();
        server.end();
    }
    took
}

fn start(_: &Runtime, which: &str, sessions: u32) -> Duration {
    let mut took = Duration::ZERO;
    for _ in 0..sessions {
        let started = Instant::now();
        let mut server = Process::start(which);
        server.ask(HELLO, Some(0));
        server.ask(READY, None);
        server.ask(LIST, Some(1));
        took += started.elapsed();
        server.end();
    }
    took
}
