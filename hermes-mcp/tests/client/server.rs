//! The server, when this program is started as one.

use std::fs::OpenOptions;
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use hermes_mcp::{ServerSpec, Servers};
use hermes_tools::{Selection, Session, ToolRegistry};
use serde_json::{Value, json};

const MODE: &str = "TEST_SERVER_MODE";
const FILE: &str = "TEST_SERVER_FILE";

/// Does nothing in a usual run of the tests.
#[test]
fn server_process() {
    let Ok(mode) = std::env::var(MODE) else {
        return;
    };
    let mut state = State {
        mode,
        stepped: false,
        lists: 0,
    };
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if state.mode == "mute" || message["id"].is_null() {
            continue;
        }
        let result = state.answer(&message);
        send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    }
    std::process::exit(0);
}

struct State {
    mode: String,
    stepped: bool,
    lists: usize,
}

fn send(message: &Value) {
    let mut out = std::io::stdout().lock();
    write!(out, "{message}\r\n").unwrap();
    out.flush().unwrap();
}

impl State {
    fn answer(&mut self, message: &Value) -> Value {
        match message["method"].as_str().unwrap() {
            "initialize" => {
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "fake", "version": "1"}})
            }
            "tools/list" => {
                self.lists += 1;
                self.list(message["params"]["cursor"].as_str())
            }
            "tools/call" => self.call(&message["params"]),
            _ => json!({}),
        }
    }

    fn list(&self, cursor: Option<&str>) -> Value {
        let tool = |name: &str| json!({"name": name, "description": "Do it.", "inputSchema": {"type": "object"}});
        match (&*self.mode, cursor) {
            ("dies", _) => json!({"tools": [tool("transfer")]}),
            ("changes", _) if self.stepped => json!({"tools": [tool("close"), tool("step")]}),
            ("changes", _) => json!({"tools": [tool("open")]}),
            (_, None) => {
                json!({"tools": [tool("a.b"), tool("echo"), {"name": "bad", "inputSchema": 7}], "nextCursor": "2"})
            }
            _ => {
                json!({"tools": [tool("a_b"), tool("rm"), {"name": "look", "inputSchema": {"type": "object"},
                "annotations": {"readOnlyHint": true}}]})
            }
        }
    }

    fn call(&mut self, params: &Value) -> Value {
        let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        match params["name"].as_str().unwrap() {
            "transfer" => {
                let ledger = std::env::var(FILE).unwrap();
                let mut ledger = OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(ledger)
                    .unwrap();
                writeln!(ledger, "paid").unwrap();
                eprintln!("out of money");
                std::process::exit(1);
            }
            "open" => {
                self.stepped = true;
                for _ in 0..100 {
                    send(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
                }
                text("opened")
            }
            "step" => text(&self.lists.to_string()),
            "look" => text(&format!(
                "{} {}",
                std::env::var("SECRET_OF_THE_HOST").is_err(),
                params["arguments"]
            )),
            other => text(other),
        }
    }
}

/// This program as a server.
pub(crate) fn spec(name: &str, mode: &str) -> ServerSpec {
    let program = std::env::current_exe().unwrap();
    ServerSpec::new(name, program.to_str().unwrap())
        .unwrap()
        .args(["--exact", "server::server_process", "--nocapture"])
        .env(MODE, mode)
}

pub(crate) fn with_file(spec: ServerSpec, file: &std::path::Path) -> ServerSpec {
    spec.env(FILE, file.to_str().unwrap())
}

/// Servers that have settled, and their registry.
pub(crate) async fn start(specs: Vec<ServerSpec>) -> (Servers, Arc<ToolRegistry>) {
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let servers = Servers::start(&registry, specs, |name| match name {
        "SECRET_OF_THE_HOST" => Some("1234".to_owned()),
        name => std::env::var(name).ok(),
    });
    servers.settle(Duration::from_secs(30)).await;
    (servers, registry)
}

/// A session with these tools, also those that are not there yet.
pub(crate) fn session(registry: &Arc<ToolRegistry>, names: &[&str]) -> Session {
    let selection = Selection::of(names.iter().copied());
    Session::builder(Arc::clone(registry), selection)
        .tools_come_later()
        .build()
        .unwrap()
}

/// Waits until something holds that other tasks bring about.
pub(crate) async fn until(mut holds: impl FnMut() -> bool) {
    let waited = tokio::time::timeout(Duration::from_secs(30), async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    });
    waited.await.unwrap();
}
