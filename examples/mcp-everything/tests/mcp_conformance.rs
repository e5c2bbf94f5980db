//! The official conformance suite against the example server.
//!
//! It is installed when the test runs: `HERMES_SLOW_TESTS=1`, as `cargo xtask ci --all` has it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use hermes_tests::scratch::{Node, slow_tests};

const NAME: &str = "mcp-conformance";

/// The scenarios of the active suite when this was written; a suite with fewer was not run as a whole.
const SCENARIOS: usize = 30;

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn every_scenario_of_the_active_suite_passes() {
    if !slow_tests(NAME) {
        return;
    }
    let package = ["@modelcontextprotocol/conformance"];
    let Some(node) = Node::with(env!("CARGO_TARGET_TMPDIR"), NAME, &package) else {
        return;
    };
    let server = Command::new(env!("CARGO_BIN_EXE_mcp-everything"))
        .arg("127.0.0.1:0")
        .stderr(Stdio::piped())
        .spawn();
    let mut server = Server(server.unwrap());
    let mut line = String::new();
    let mut told = BufReader::new(server.0.stderr.take().unwrap());
    told.read_line(&mut line).unwrap();
    let url = line.trim_end().strip_prefix("serving ").unwrap();

    let output = node
        .run("node_modules/@modelcontextprotocol/conformance/dist/index.js")
        .args(["server", "--url", url, "--output-dir", "results"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let summary: Vec<&str> = text
        .lines()
        .skip_while(|it| !it.contains("SUMMARY"))
        .collect();
    println!("{}", summary.join("\n"));
    assert!(output.status.success(), "{text}");
    let passed = summary.iter().filter(|line| line.starts_with('✓')).count();
    let failed = summary.iter().filter(|line| line.starts_with('✗')).count();
    assert_eq!(failed, 0);
    assert!(passed >= SCENARIOS, "{passed} scenarios");
    println!("{NAME}: ok, {passed} scenarios");
}
