//! `mcp --http`: the built program as a server over HTTP.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::folder::Folder;

/// A server at a port of its own.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(folder: &Folder, words: &[&str]) -> Self {
        Self::start_with(folder, &[&["--toolset", "file"], words].concat())
    }

    fn start_with(folder: &Folder, words: &[&str]) -> Self {
        let words = [&["mcp", "--http", "127.0.0.1:0"], words].concat();
        let mut process = folder
            .command(&words)
            .env_remove("HERMES_MCP_TOKEN")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut told = BufReader::new(process.stderr.take().unwrap());
        told.read_line(&mut line).unwrap();
        let address = line.strip_prefix("note: serving http://");
        let address = address.and_then(|rest| rest.trim_end().strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { process, address }
    }

    /// Posts a message and gives the status, the id of the session, and the last message of the answer.
    fn post(&self, headers: &[(&str, &str)], message: &Value) -> (u16, String, Value) {
        let body = message.to_string();
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
            self.address,
            body.len()
        );
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let field = |name: &str| {
            let mut found = answer.lines().rev();
            let found = found.find_map(|line| line.strip_prefix(name));
            found.unwrap_or_default().trim().to_owned()
        };
        let message = serde_json::from_str(&field("data:")).unwrap_or_default();
        (status, field("mcp-session-id:"), message)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}})
}

#[test]
fn a_client_reads_a_file_of_the_workspace_over_http() {
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    let (status, session, hello) = server.post(&[], &hello());
    assert_eq!(
        (status, &hello["result"]["serverInfo"]["name"]),
        (200, &json!("hermes"))
    );
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
        {"name": "read_file", "arguments": {"path": "notes.txt", "limit": 1}}});
    let (_, _, read) = server.post(&[("Mcp-Session-Id", &session)], &call);
    let text = read["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("1|first"), "{read}");
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_told_to() {
    let folder = Folder::new();
    let mut server = Server::start(&folder, &[]);
    server.post(&[], &hello());
    let id = server.process.id().to_string();
    let killed = std::process::Command::new("kill")
        .arg(&id)
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}

/// Foreground and background, of a client that is still there.
#[cfg(unix)]
#[test]
fn commands_end_with_the_server() {
    for signal in ["TERM", "INT", "HUP"] {
        let folder = Folder::new();
        let mut server = Server::start_with(&folder, &["--toolset", "terminal"]);
        let (_, session, _) = server.post(&[], &hello());
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
            {"name": "terminal", "arguments": {"command": "echo $$ > pid; exec sleep 300", "background": true}}});
        server.post(&[("Mcp-Session-Id", &session)], &call);
        let pid = folder.workspace().join("pid");
        let known = || {
            fs::read_to_string(&pid)
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        while known().is_empty() {
            std::thread::yield_now();
        }
        let id = server.process.id().to_string();
        let told = std::process::Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap();
        assert!(told.success());
        assert_eq!(server.process.wait().unwrap().code(), Some(0), "{signal}");
        let begun = std::time::Instant::now();
        while std::path::Path::new("/proc").join(known()).exists() {
            assert!(begun.elapsed().as_secs() < 300, "{signal}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn the_token_of_a_file_is_asked_for() {
    let folder = Folder::new();
    fs::write(folder.workspace().join("token"), "0123456789abcdef\n").unwrap();
    let server = Server::start(&folder, &["--token-file", "token"]);
    assert_eq!(server.post(&[], &hello()).0, 401);
    let known = [("Authorization", "Bearer 0123456789abcdef")];
    assert_eq!(server.post(&known, &hello()).0, 200);
}

#[test]
fn what_cannot_be_served_safely_is_not_served() {
    let folder = Folder::new();
    fs::write(folder.workspace().join("token"), "short").unwrap();
    for (words, says) in [
        (
            vec!["--http", "0.0.0.0:0"],
            "error: `0.0.0.0:0` can be reached from other machines; set a token, or serve a loopback address \
             such as `127.0.0.1:0`\n",
        ),
        (
            vec!["--http", "127.0.0.1:0", "--token-file", "token"],
            "error: the token cannot be used; take 16 or more visible ASCII characters, without spaces\n",
        ),
    ] {
        let mut command = folder.command(&[&["mcp"], &words[..]].concat());
        let output = command.env_remove("HERMES_MCP_TOKEN").output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), says);
        assert_eq!(output.status.code(), Some(2));
    }
    let ran = folder.run(&["mcp", "--token-file", "token"]);
    assert_eq!(ran.code, 2);
}
