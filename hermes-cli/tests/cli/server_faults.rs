//! What is told of servers that are at fault, and of entries that do not fit them.

use std::fs;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::servers::{HERMES, configured, json_of};

#[test]
fn approvals_that_cannot_be_read_are_told_and_nothing_is_approved() {
    let folder = configured("");
    let state = folder.workspace().join("../state/hermes/mcp");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("pins.json"), "{ half").unwrap();
    let listed = folder.run(&["mcp", "list", "--config", "hermes.toml", "--json"]);
    assert_eq!(listed.code, 1, "{listed:?}");
    let server = json_of(&listed)["servers"][0].clone();
    assert_eq!(server["tools"], json!([]));
    let fault = server["pins_fault"].as_str().unwrap();
    assert!(
        fault.contains("pins.json`: key must be a string"),
        "{fault}"
    );
    assert_eq!(
        server["refused"][0],
        json!({"name": "patch", "why": format!("what was approved cannot be read or kept: {fault}")})
    );
    let listed = folder.run(&["mcp", "list", "--config", "hermes.toml"]);
    assert!(
        listed.stdout.contains(&format!(
            "warning: what was approved cannot be read or kept: {fault}; put that right, or remove the file"
        )),
        "{listed:?}"
    );
    let words = [
        "mcp",
        "approve",
        "mine",
        "--config",
        "hermes.toml",
        "--yes",
        "--json",
    ];
    let approved = folder.run(&words);
    assert_eq!(approved.code, 1, "{approved:?}");
    assert_eq!(
        approved.json(),
        json!({"ok": false, "error": {"code": "not_approved",
            "message": format!("nothing was approved of `mine`: {fault}"),
            "help": "put that right, or remove the file, after which every tool counts as new"}})
    );
}

#[test]
fn a_server_of_which_every_tool_is_left_out_is_of_no_use() {
    let folder = configured("");
    let tested = ["mcp", "test", "mine", "--config", "hermes.toml"];
    let listed = ["mcp", "list", "--config", "hermes.toml"];
    assert_eq!(folder.run(&tested).code, 0);
    let path = folder.workspace().join("../state/hermes/mcp/pins.json");
    let change = |left: usize| {
        let text = fs::read_to_string(&path).unwrap();
        let mut kept: Value = serde_json::from_str(&text).unwrap();
        let origin = kept["servers"]["mine"].as_object_mut().unwrap();
        let tools = origin.values_mut().next().unwrap().as_object_mut().unwrap();
        for digest in tools.values_mut().skip(left) {
            *digest = json!("0".repeat(64));
        }
        fs::write(&path, kept.to_string()).unwrap();
    };
    // One that is left makes it useful.
    change(1);
    assert_eq!(folder.run(&tested).code, 0);
    change(0);
    let help = "every tool of a server is left out, so that it is of no use; `hermes mcp approve NAME` takes tools \
                that have changed";
    for words in [tested.as_slice(), &listed] {
        let ran = folder.run(words);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stdout.starts_with("mine\tready\t0\n"), "{ran:?}");
        assert_eq!(ran.stderr, format!("note: {help}\n"));
        let ran = folder.run(&[words, &["--json"]].concat());
        assert_eq!((ran.code, &ran.json()["ok"]), (1, &json!(false)), "{ran:?}");
        assert_eq!(ran.json()["help"], help);
    }
}

#[test]
fn names_that_no_tool_of_a_server_has_are_warned_of() {
    let folder = configured("exclude = [\"pach\"]\neffects = { read_fil = \"read\" }\n");
    let told = |name: &str| {
        format!("no tool of it is called `{name}`, as its `include`, `exclude` or `effects` say")
    };
    let tested = folder.run(&["mcp", "test", "mine", "--config", "hermes.toml", "--json"]);
    assert_eq!(tested.code, 0, "{tested:?}");
    let server = &json_of(&tested)["servers"][0];
    assert_eq!(server["unknown_names"], json!(["pach", "read_fil"]));
    let listed = folder.run(&["mcp", "list", "--config", "hermes.toml"]);
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(lines[0], "mine\tready\t4");
    assert_eq!(lines[1].trim(), format!("warning: {}", told("pach")));
    assert_eq!(lines[2].trim(), format!("warning: {}", told("read_fil")));
    let session = folder.run(&["tools", "--config", "hermes.toml", "--toolset", "mine"]);
    assert_eq!(
        session.stderr,
        format!(
            "warning: the server `mine`: {}\nwarning: the server `mine`: {}\n",
            told("pach"),
            told("read_fil")
        )
    );
}

#[test]
fn a_server_that_is_added_and_cannot_be_used_comes_with_the_way_out() {
    let folder = Folder::new();
    let add = |name: &str, more: &[&str]| {
        let words = ["mcp", "add", name, "--config", "hermes.toml"];
        folder.run(&[&words[..], more, &["--", "/no/such"]].concat())
    };
    let help = |name: &str| {
        format!(
            "the entry stays all the same; `hermes mcp remove {name} --config hermes.toml` takes it out"
        )
    };
    let ran = add("x", &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.ends_with(&format!("note: {}\n", help("x"))),
        "{ran:?}"
    );
    let ran = add("y", &["--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.json()["help"], help("y"));
    let ran = folder.run(&["mcp", "add", "z", "--config", "hermes.toml"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(
        ran.stderr,
        "error: the server `z` has neither a command nor an address; write `hermes mcp add NAME -- COMMAND`, or \
         `hermes mcp add NAME --url URL`\n"
    );
}

/// A server in a shell, whose one tool is described with what drives a terminal.
#[test]
fn what_a_server_says_of_a_tool_drives_no_terminal_also_through_a_pipe() {
    let folder = Folder::new();
    let script = r#"
id() { printf '%s' "$1" | sed 's/.*"id":\([0-9]*\).*/\1/'; }
while read -r line; do
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$(id "$line")";;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"look","title":"T\\u001b[2J","description":"One.\\n\\u001b]0;owned\\u0007Two.","inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"x\\n\\u001b[31my"}}}}]}}\n' "$(id "$line")";;
  esac
done
"#;
    let servers = json!({"mcpServers": {"s": {"command": "sh", "args": ["-c", script]}}});
    fs::write(folder.workspace().join("mcp.json"), servers.to_string()).unwrap();
    let words = ["show", "mcp__s__look", "--mcp-config", "mcp.json"];
    for more in [&[][..], &["--dialect", "anthropic"]] {
        let ran = folder.run(&[&words[..], more].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.stdout.contains("One.\nTwo."), "{ran:?}");
        assert!(!ran.stdout.contains(['\u{1b}', '\u{7}']), "{ran:?}");
    }
}

/// Nobody knows how far the start of a server is.
#[cfg(unix)]
#[test]
fn the_start_of_servers_shows_no_bar() {
    use std::io::Read as _;

    let folder = configured("trusted = true\n");
    let (pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(pty_process::Size::new(24, 200)).unwrap();
    let mut child = pty_process::blocking::Command::new(HERMES)
        .args([
            "call",
            "mcp__mine__read_file",
            "path=notes.txt",
            "--config",
            "hermes.toml",
        ])
        .current_dir(folder.workspace())
        .env("TERM", "xterm")
        .env("XDG_STATE_HOME", folder.workspace().join("../state"))
        .stdout(std::process::Stdio::null())
        .spawn(pts)
        .unwrap();
    let mut shown = Vec::new();
    // A terminal that nobody writes to any more ends with an error.
    let _ = (&pty).read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("starting mine"), "{shown:?}");
    assert!(!shown.contains("0/0"), "{shown:?}");
}

#[test]
fn a_server_that_is_removed_leaves_the_approvals_of_another_of_its_name() {
    let folder = configured("");
    let other =
        format!("[mcp.servers.mine]\ncommand = {HERMES:?}\nargs = [\"mcp\", \"--toolset=file\"]\n");
    fs::write(folder.workspace().join("other.toml"), other).unwrap();
    let mcp = |words: &[&str], config: &str| {
        let ran = folder.run(&[&["mcp"], words, &["mine", "--config", config]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
    };
    let pins = || -> Value {
        let path = folder.workspace().join("../state/hermes/mcp/pins.json");
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    mcp(&["test"], "hermes.toml");
    let first = pins();
    mcp(&["test"], "other.toml");
    assert_eq!(pins()["servers"]["mine"].as_object().unwrap().len(), 2);
    mcp(&["remove"], "other.toml");
    assert_eq!(pins(), first);
    mcp(&["remove"], "hermes.toml");
    assert_eq!(pins(), json!({"servers": {}}));
}

#[cfg(unix)]
#[test]
fn a_no_to_what_has_changed_is_an_error() {
    use std::io::{Read as _, Write as _};

    let folder = configured("");
    let tested = ["mcp", "test", "mine", "--config", "hermes.toml"];
    assert_eq!(folder.run(&tested).code, 0);
    let path = folder.workspace().join("../state/hermes/mcp/pins.json");
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let origins = kept["servers"]["mine"].as_object_mut().unwrap();
    origins.values_mut().next().unwrap()["patch"] = json!("0".repeat(64));
    fs::write(&path, kept.to_string()).unwrap();
    for (answer, code, end) in [("n\n", 1, "nobody can be asked"), ("y\n", 0, "")] {
        let words = ["mcp", "approve", "mine", "--config", "hermes.toml"];
        let (mut child, mut pty) = folder.at_terminal(&words);
        pty.write_all(answer.as_bytes()).unwrap();
        let mut shown = Vec::new();
        // A terminal that nobody writes to any more ends with an error.
        let _ = pty.read_to_end(&mut shown);
        let shown = String::from_utf8_lossy(&shown);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{shown}");
        assert!(shown.contains("take it as it is now?"), "{shown}");
        assert!(shown.trim_end().contains(end), "{shown}");
    }
}
