//! The official SDKs and the inspector as clients of `hermes mcp`, over stdio and over HTTP.
//!
//! They are installed when the test runs: `HERMES_SLOW_TESTS=1`, as `cargo xtask ci --all` has it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use hermes_tests::scratch::{Node, Python, slow_tests};
use serde_json::{Value, json};
use tempfile::TempDir;

const TARGET: &str = env!("CARGO_TARGET_TMPDIR");
const HERMES: &str = env!("CARGO_BIN_EXE_hermes");

/// The options of the server.
fn words(workspace: &Path) -> [&str; 5] {
    let workspace = workspace.to_str().unwrap();
    ["mcp", "--toolset", "file", "--workspace", workspace]
}

fn workspace() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "first\nsecond\n").unwrap();
    fs::create_dir(folder.path().join("many")).unwrap();
    for number in 0..100 {
        let name = format!("many/{number}.txt");
        fs::write(folder.path().join(name), format!("{number}\n")).unwrap();
    }
    folder
}

/// A server over HTTP that ends with this.
struct Server(Child, String);

impl Server {
    fn start(workspace: &Path) -> Self {
        let mut server = Command::new(HERMES)
            .args(words(workspace))
            .args(["--http", "127.0.0.1:0"])
            .env_remove("HERMES_MCP_TOKEN")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut told = BufReader::new(server.stderr.take().unwrap());
        told.read_line(&mut line).unwrap();
        let url = line.trim_end().strip_prefix("note: serving ").unwrap();
        Self(server, url.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a client over stdio and over HTTP, and looks at what it saw.
fn check(client: impl Fn() -> Command) {
    let folder = workspace();
    let server = Server::start(folder.path());
    let over_stdio = [&["-", HERMES], &words(folder.path())[..]].concat();
    for words in [over_stdio, vec![server.1.as_str()]] {
        let seen = printed(client().args(&words));
        assert_eq!(
            seen["tools"],
            json!(["patch", "read_file", "search_files", "write_file"])
        );
        assert_eq!(seen["parameters"], json!(["path", "offset", "limit"]));
        let read = seen["read"].as_str().unwrap();
        assert!(read.contains("1|first"), "{read}");
        assert_eq!(seen["outside"][0], true);
        let outside = seen["outside"][1].as_str().unwrap();
        assert!(outside.contains("outside_workspace"), "{outside}");
        assert_eq!(seen["many"], 100);
    }
}

/// What a program prints: one JSON value.
fn printed(command: &mut Command) -> Value {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/mcp_clients")
        .join(name)
}

#[test]
fn the_python_sdk_uses_the_tools() {
    let name = "mcp-python-sdk";
    if !slow_tests(name) {
        return;
    }
    let Some(python) = Python::with(TARGET, name, &["mcp"]) else {
        return;
    };
    check(|| python.run(script("client.py")));
    println!("{name}: ok");
}

#[test]
fn the_typescript_sdk_uses_the_tools() {
    let name = "mcp-typescript-sdk";
    if !slow_tests(name) {
        return;
    }
    let Some(node) = Node::with(TARGET, name, &["@modelcontextprotocol/sdk"]) else {
        return;
    };
    // Packages are found from where the script stands.
    fs::copy(script("client.mjs"), node.folder().join("client.mjs")).unwrap();
    check(|| node.run("client.mjs"));
    println!("{name}: ok");
}

#[test]
fn the_inspector_lists_and_calls() {
    let name = "mcp-inspector";
    if !slow_tests(name) {
        return;
    }
    let Some(node) = Node::with(TARGET, name, &["@modelcontextprotocol/inspector"]) else {
        return;
    };
    let folder = workspace();
    let server = Server::start(folder.path());
    let inspect = || {
        let mut command = node.run("node_modules/.bin/mcp-inspector");
        command.arg("--cli");
        command
    };
    let listed = printed(
        inspect()
            .arg(HERMES)
            .args(words(folder.path()))
            .args(["--method", "tools/list"]),
    );
    assert_eq!(listed["tools"].as_array().unwrap().len(), 4);
    let call = [
        "--method",
        "tools/call",
        "--tool-name",
        "read_file",
        "--tool-arg",
        "path=notes.txt",
    ];
    let read = printed(
        inspect()
            .args([&*server.1, "--transport", "http"])
            .args(call),
    );
    let text = read["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("2|second"), "{text}");
    println!("{name}: ok");
}
