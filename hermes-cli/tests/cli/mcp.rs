//! `mcp`: the built program as the server of a client.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

/// A client with its server.
struct Client {
    server: Child,
    write: Option<ChildStdin>,
    read: Lines<BufReader<ChildStdout>>,
}

impl Client {
    fn start(folder: &Folder, words: &[&str]) -> Self {
        let mut server = folder
            .command(&[&["mcp"], words].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let read = BufReader::new(server.stdout.take().unwrap()).lines();
        let write = server.stdin.take();
        Self {
            server,
            write,
            read,
        }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.write.as_mut().unwrap(), "{message}").unwrap();
    }

    fn request(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message: Value = serde_json::from_str(&self.read.next().unwrap().unwrap()).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn open(&mut self) -> Value {
        self.open_with(&json!({}))
    }

    fn open_with(&mut self, capabilities: &Value) -> Value {
        let answer = self.request(
            0,
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"}}),
        );
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    /// Lists the tools until this one is there: that of a server which is late comes later.
    fn until_listed(&mut self, tool: &str) {
        for id in 1_000.. {
            let listed = self.request(id, "tools/list", &json!({}));
            let tools = listed["result"]["tools"].as_array().unwrap();
            if tools.iter().any(|it| it["name"] == tool) {
                return;
            }
        }
    }

    /// The same of a client that is asked meanwhile, and always answers so; and what it was asked.
    fn request_answering(&mut self, id: u64, params: &Value, action: &str) -> (Value, Vec<String>) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
        let mut asked = Vec::new();
        loop {
            let message: Value = serde_json::from_str(&self.read.next().unwrap().unwrap()).unwrap();
            if message["method"] == "elicitation/create" {
                asked.push(message["params"]["message"].as_str().unwrap().to_owned());
                let mut answer = json!({"action": action});
                if action == "accept" {
                    answer["content"] = json!({});
                }
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": answer}));
            } else if message["id"] == id {
                return (message, asked);
            }
        }
    }

    /// The exit code, once the server has ended, and what it wrote to the standard error.
    fn ended(mut self) -> (Option<i32>, String) {
        let begun = Instant::now();
        while self.server.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_mins(5), "it goes on");
            std::thread::yield_now();
        }
        let output = self.server.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }
}

#[test]
fn a_client_lists_the_tools_and_calls_them_in_the_workspace() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &["--toolset", "file"]);
    assert_eq!(client.open()["result"]["serverInfo"]["name"], "hermes");
    let listed = client.request(1, "tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["patch", "read_file", "search_files", "write_file"]);
    assert_eq!(tools[1]["annotations"]["readOnlyHint"], true);
    let read = client.request(
        2,
        "tools/call",
        &json!({"name": "read_file", "arguments": {"path": "notes.txt", "limit": 1}}),
    );
    let text = read["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("1|first"), "{read}");
    let outside = client.request(
        3,
        "tools/call",
        &json!({"name": "read_file", "arguments": {"path": "../secret.txt"}}),
    );
    assert_eq!(outside["result"]["isError"], true);
    client.write = None;
    assert_eq!(client.ended(), (Some(0), String::new()));
}

/// Case 164.
#[test]
fn the_server_ends_with_its_input_and_when_nobody_reads_its_output() {
    let folder = Folder::new();
    let mut silent = Client::start(&folder, &[]);
    silent.write = None;
    assert_eq!(silent.ended(), (Some(0), String::new()));
    let mut deaf = Client::start(&folder, &[]);
    deaf.open();
    let Client {
        server,
        mut write,
        read,
    } = deaf;
    drop(read);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    // An answer may still find a reader: what other tests start holds every pipe until it runs.
    let begun = Instant::now();
    while writeln!(write.as_mut().unwrap(), "{ping}").is_ok() {
        assert!(begun.elapsed() < Duration::from_mins(5), "it goes on");
        std::thread::yield_now();
    }
    let deaf = Client {
        server,
        write,
        read: Client::start(&folder, &[]).read,
    };
    assert_eq!(deaf.ended(), (Some(0), String::new()));
}

#[test]
fn what_needs_consent_is_refused_where_the_client_cannot_ask() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &["--toolset", "file", "--ask", "write"]);
    client.open();
    let write = json!({"name": "write_file", "arguments": {"path": "new.txt", "content": "x"}});
    let refused = client.request(1, "tools/call", &write);
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    let error: Value = serde_json::from_str(text).unwrap();
    assert_eq!(error["code"], "approval_denied");
    assert!(!folder.workspace().join("new.txt").exists());
    client.write = None;
    assert_eq!(client.ended(), (Some(0), String::new()));
}

/// The program twice: one behind the other, which asks before it writes.
#[test]
fn a_question_of_a_server_behind_this_one_reaches_the_client() {
    let folder = Folder::new();
    let hermes = env!("CARGO_BIN_EXE_hermes");
    let servers = json!({"mcpServers": {
        "inner": {"command": hermes, "args": ["mcp", "--toolset", "file", "--ask", "write"]}}});
    std::fs::write(folder.workspace().join("mcp.json"), servers.to_string()).unwrap();
    let words = ["--mcp-config", "mcp.json", "--toolset", "inner"];
    let new = folder.workspace().join("new.txt");
    let write =
        json!({"name": "mcp__inner__write_file", "arguments": {"path": "new.txt", "content": "x"}});

    let mut client = Client::start(&folder, &words);
    client.open_with(&json!({"elicitation": {}}));
    client.until_listed("mcp__inner__write_file");
    let (answer, asked) = client.request_answering(1, &write, "decline");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(answer.to_string().contains("approval_denied"), "{answer}");
    assert!(!new.exists());
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0].starts_with(
            "The MCP server `inner`, which is used through this one, asks: Allow the call of `write_file`?\n"
        ),
        "{asked:?}"
    );
    let (answer, asked) = client.request_answering(2, &write, "accept");
    assert_eq!(
        (&answer["result"]["isError"], asked.len()),
        (&json!(false), 1),
        "{answer}"
    );
    assert_eq!(std::fs::read_to_string(&new).unwrap(), "x");
    std::fs::remove_file(&new).unwrap();
    client.write = None;
    assert_eq!(client.ended().0, Some(0));

    let mut mute = Client::start(&folder, &words);
    mute.open();
    mute.until_listed("mcp__inner__write_file");
    let (answer, asked) = mute.request_answering(1, &write, "accept");
    assert!(answer.to_string().contains("approval_denied"), "{answer}");
    assert_eq!((asked.len(), new.exists()), (0, false));
}

/// Who has sent the last request closes its half, and reads on.
#[test]
fn calls_that_run_when_the_input_ends_are_answered() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &["--toolset", "terminal", "--isolation", "off"]);
    client.open();
    for (id, command) in [(1, "sleep 0.3; echo done"), (2, "sleep 60")] {
        let params = json!({"name": "terminal", "arguments": {"command": command}});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }
    client.write = None;
    let mut answers = std::collections::BTreeMap::new();
    for line in client.read.by_ref() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if let Some(id) = message["id"].as_u64() {
            answers.insert(id, message["result"].to_string());
        }
    }
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[&2].contains("cancelled"), "{answers:?}");
    assert_eq!(client.ended().0, Some(0));
}

#[cfg(unix)]
#[test]
fn the_server_ends_when_it_is_told_to() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[]);
    client.open();
    let id = client.server.id().to_string();
    let killed = std::process::Command::new("kill")
        .arg(&id)
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(client.ended(), (Some(0), String::new()));
}

#[test]
fn a_client_of_another_protocol_is_told_so() {
    let folder = Folder::new();
    let ran = folder.run_with(&["mcp", "--toolset", "nothing"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("nothing"), "{ran:?}");
}

#[test]
fn servers_of_a_file_are_started_and_shown() {
    let folder = Folder::new();
    let hermes = env!("CARGO_BIN_EXE_hermes");
    let servers = json!({"mcpServers": {
        "mine": {"command": hermes, "args": ["mcp", "--toolset", "file"], "exclude": ["patch"]},
        "none": {"command": "no-such-program-anywhere"},
    }});
    std::fs::write(folder.workspace().join("mcp.json"), servers.to_string()).unwrap();
    let ran = folder.run(&["mcp", "list", "--servers", "mcp.json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "mine\tready\t3");
    assert!(
        lines[1].starts_with("none\tfailed: `no-such-program-anywhere` cannot be started: "),
        "{ran:?}"
    );
    assert_eq!(
        folder.run(&["mcp", "test", "mine", "--servers", "mcp.json", "--json"]),
        Ran::wrote(&format!(
            "{{\"ok\":true,\"servers\":[{{\"name\":\"mine\",\"state\":\"ready\",\"tools\":\
             [\"mcp__mine__read_file\",\"mcp__mine__search_files\",\"mcp__mine__write_file\"],\"refused\":[],\
             \"source\":\"mcp.json\",\"origin\":\"{hermes} mcp --toolset file\"}}]}}\n"
        ))
    );
    let ran = folder.run(&["mcp", "test", "mein", "--servers", "mcp.json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: there is no server `mein` in the file; it has `mine`, `none`\n"
    );
}
