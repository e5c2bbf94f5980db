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
    if state.mode == "noisy" {
        for noise in [
            "Server starting...",
            "\u{1b}[32mready\u{1b}[0m",
            "",
            "{not json}",
        ] {
            say(noise);
        }
    }
    if state.mode == "late" {
        let file = std::env::var(FILE).unwrap();
        while !std::path::Path::new(&file).exists() {
            std::thread::yield_now();
        }
    }
    while let Some(message) = received() {
        if message["method"] == "notifications/cancelled" && state.mode == "stalls" {
            let reason = message["params"]["reason"].to_string();
            std::fs::write(std::env::var(FILE).unwrap(), reason).unwrap();
        }
        if state.mode == "mute" || message["id"].is_null() {
            continue;
        }
        let Some(result) = state.answered(&message) else {
            continue;
        };
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
    say(&message.to_string());
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    write!(out, "{line}\r\n").unwrap();
    out.flush().unwrap();
}

/// Asks the client something, and gives what it answers.
fn asked(method: &str, params: &Value) -> Value {
    send(&json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": params}));
    while let Some(message) = received() {
        if message["id"] == "q" {
            return message;
        }
    }
    Value::Null
}

/// The next message of the client, until its end.
fn received() -> Option<Value> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).unwrap();
    (read > 0).then(|| serde_json::from_str(&line).unwrap())
}

const FORM: &str = r#"{"type": "object", "properties": {"name": {"type": "string", "default": "Ada"},
    "age": {"type": "integer"}}}"#;

impl State {
    /// The answer, unless the server does something else.
    fn answered(&mut self, message: &Value) -> Option<Value> {
        if message["method"] == "tools/list" && self.mode == "noisy" {
            say("[1,2,3]");
        }
        if message["method"] != "tools/call" {
            return Some(self.answer(message));
        }
        let id = &message["id"];
        match message["params"]["name"].as_str().unwrap() {
            "stall" => None,
            "half" => {
                print!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"resu");
                std::io::stdout().flush().unwrap();
                std::process::exit(1);
            }
            "twice" => {
                for _ in 0..2 {
                    let result = json!({"content": [{"type": "text", "text": "one"}]});
                    send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
                }
                None
            }
            "broken" => {
                say(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":}}"));
                let result = json!({"content": [{"type": "text", "text": "after all"}]});
                Some(result)
            }
            _ => Some(self.answer(message)),
        }
    }

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
            ("noisy", _) => {
                let names = ["big", "paint", "measure", "huge", "half", "twice", "broken"];
                json!({"tools": names.map(tool)})
            }
            ("asks", _) => {
                json!({"tools": Value::from(["form", "model", "roots"].map(tool).to_vec())})
            }
            ("many", cursor) => {
                let from: usize = cursor.map_or(0, |it| it.parse().unwrap());
                let tools: Vec<Value> = (from..from + 100)
                    .map(|it| tool(&format!("tool_{it:04}")))
                    .collect();
                json!({"tools": tools, "nextCursor": if from < 900 { Some((from + 100).to_string()) } else { None }})
            }
            ("endless", cursor) => {
                let page: usize = cursor.map_or(0, |it| it.parse().unwrap());
                json!({"tools": [], "nextCursor": (page + 1).to_string()})
            }
            ("long", _) => json!({"tools": [tool(&"x".repeat(17 * 1024 * 1024))]}),
            ("circle", _) => json!({"tools": [tool("one")], "nextCursor": "again"}),
            ("described", _) => {
                let text = std::fs::read_to_string(std::env::var(FILE).unwrap()).unwrap();
                json!({"tools": [{"name": "look", "description": text, "inputSchema": {"type": "object"}}, tool("other")]})
            }
            ("stalls", _) => json!({"tools": [tool("stall"), tool("echo")]}),
            ("dies", _) => json!({"tools": [tool("transfer")]}),
            ("changes", _) if self.stepped => json!({"tools": [tool("close"), tool("step")]}),
            ("changes", _) => {
                let extra =
                    std::env::var(FILE).is_ok_and(|file| std::path::Path::new(&file).exists());
                let names: &[&str] = if extra { &["extra", "open"] } else { &["open"] };
                json!({"tools": names.iter().map(|it| tool(it)).collect::<Vec<_>>()})
            }
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
            "big" => text(&"x".repeat(12 * 1024 * 1024)),
            "paint" => {
                let data = "Bwcd".repeat(3_000_000);
                json!({"content": [{"type": "image", "data": data, "mimeType": "image/png"}]})
            }
            "measure" => text(
                &params["arguments"]["text"]
                    .as_str()
                    .unwrap()
                    .len()
                    .to_string(),
            ),
            "huge" => text(&"x".repeat(17 * 1024 * 1024)),
            "form" => {
                let schema: Value = serde_json::from_str(FORM).unwrap();
                let answer = asked(
                    "elicitation/create",
                    &json!({"message": "Who?", "requestedSchema": schema}),
                );
                text(&answer["result"].to_string())
            }
            "model" => {
                let message = json!({"role": "user", "content": {"type": "text", "text": "hi"}});
                let answer = asked(
                    "sampling/createMessage",
                    &json!({"messages": [message], "maxTokens": 9}),
                );
                text(&answer.to_string())
            }
            "roots" => text(&asked("roots/list", &json!({}))["result"].to_string()),
            "leave" => {
                std::fs::write(std::env::var(FILE).unwrap(), "").unwrap();
                std::process::exit(0);
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
        .start_within(Duration::from_mins(5))
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
    servers.settle(Duration::from_mins(5)).await;
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
    let waited = tokio::time::timeout(Duration::from_mins(5), async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    });
    waited.await.unwrap();
}
