//! Tools of MCP servers in sessions, and `mcp add`, `remove`, `approve`, `trust`. The server is this program.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

pub(crate) const HERMES: &str = env!("CARGO_BIN_EXE_hermes");

/// The configuration of a folder with one server, which offers the file tools.
pub(crate) fn configured(more: &str) -> Folder {
    let folder = Folder::new();
    let text = format!(
        "# Kept.\n[mcp.servers.mine]\ncommand = {HERMES:?}\nargs = [\"mcp\", \"--toolset\", \"file\"]\n\
         start_timeout = 300\n{more}"
    );
    fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
    folder
}

pub(crate) fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn names(listing: &Value) -> Vec<&str> {
    let tools = listing["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn a_session_of_a_shell_has_the_tools_of_the_servers_that_are_written_down() {
    let folder = configured("include = [\"read_file\"]\neffects = { read_file = \"read\" }\n");
    let ran = folder.run(&["tools", "--config", "hermes.toml", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let listing = json_of(&ran);
    assert!(names(&listing).contains(&"read_file"));
    let tools = listing["tools"].as_array().unwrap();
    let theirs = tools
        .iter()
        .find(|it| it["name"] == "mcp__mine__read_file")
        .unwrap();
    assert_eq!(theirs["toolset"], "mcp-mine");
    assert_eq!(theirs["effect"], "read");
    assert_eq!(theirs["untrusted"], true);
    assert_eq!(
        theirs["server"],
        json!({"name": "mine", "tool": "read_file"})
    );
    assert_eq!(theirs.get("origin"), None);
    assert!(!names(&listing).contains(&"mcp__mine__write_file"));
}

#[test]
fn a_toolset_that_is_named_is_all_there_is_and_one_that_is_taken_away_starts_nothing() {
    let folder = configured("");
    let only = folder.run(&[
        "tools",
        "--config",
        "hermes.toml",
        "--toolset",
        "mine",
        "--json",
    ]);
    assert_eq!(
        names(&json_of(&only)),
        [
            "mcp__mine__patch",
            "mcp__mine__read_file",
            "mcp__mine__search_files",
            "mcp__mine__write_file"
        ]
    );
    let other = folder.run(&[
        "tools",
        "--config",
        "hermes.toml",
        "--toolset",
        "file",
        "--json",
    ]);
    assert!(
        !names(&json_of(&other))
            .iter()
            .any(|name| name.starts_with("mcp__"))
    );
    // Nothing of a server that cannot be started is told where no tool of it is asked for.
    fs::write(
        folder.workspace().join("hermes.toml"),
        "[mcp.servers.none]\ncommand = \"no-such-program-anywhere\"\n",
    )
    .unwrap();
    for words in [
        &["tools", "--config", "hermes.toml", "--without", "mcp-none"][..],
        &["tools", "--config", "hermes.toml", "--toolset", "file"],
        &["tools", "--config", "hermes.toml", "--source", "webhook"],
        &[
            "call",
            "read_file",
            "path=notes.txt",
            "--config",
            "hermes.toml",
        ],
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
        assert!(!ran.stderr.contains("server"), "{words:?}: {ran:?}");
    }
    let asked = folder.run(&["tools", "--config", "hermes.toml"]);
    assert_eq!(asked.code, 0);
    assert!(
        asked.stderr.starts_with(
            "warning: the server `none` has no tools now: `no-such-program-anywhere` cannot be started: "
        ),
        "{asked:?}"
    );
}

#[test]
fn a_tool_of_a_server_is_called_shown_and_searched_like_any_other() {
    let folder = configured("trusted = true\n");
    let with = |words: &[&str]| {
        let ran = folder.run(&[words, &["--config", "hermes.toml"]].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
        ran.stdout
    };
    let read = with(&["call", "mcp__mine__read_file", "path=notes.txt"]);
    assert!(read.contains("first"), "{read}");
    let shown = with(&["show", "mcp__mine__read_file", "--json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["server"]["tool"], "read_file");
    assert_eq!(shown["schema"]["properties"]["path"]["type"], "string");
    let shown = with(&["show", "mcp__mine__read_file"]);
    assert!(shown.contains("mcp-mine"), "{shown}");
    let told = with(&["definitions", "--toolset", "mine"]);
    assert!(told.contains("mcp__mine__patch"), "{told}");
    let found = with(&["search", "read", "text", "file", "--toolset", "mine"]);
    assert!(found.contains("mcp__mine__read_file"), "{found}");
    let why = with(&["explain", "mcp__mine__read_file"]);
    assert!(why.contains("mcp-mine"), "{why}");
    let call =
        json!({"id": "1", "name": "mcp__mine__read_file", "arguments": {"path": "notes.txt"}});
    let batch = folder.run_with(
        &["batch", "-", "--config", "hermes.toml"],
        format!("{call}\n"),
    );
    assert!(batch.stdout.contains("second"), "{batch:?}");
}

#[test]
fn a_server_of_which_every_call_is_asked_about_is_not_called_where_nobody_can_be_asked() {
    let folder = configured("approval = \"always\"\ntrusted = true\n");
    let words = [
        "call",
        "mcp__mine__read_file",
        "path=notes.txt",
        "--config",
        "hermes.toml",
    ];
    let ran = folder.run(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("every call of this server"), "{ran:?}");
    let ran = folder.run(&[&words[..], &["--yes"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn a_server_is_added_and_removed_and_comments_stay() {
    let folder = configured("");
    let add = [
        "mcp",
        "add",
        "files",
        "--config",
        "hermes.toml",
        "--exclude",
        "patch",
        "--env",
        "A=b",
        "--json",
        "--",
        HERMES,
        "mcp",
        "--toolset",
        "file",
    ];
    let ran = folder.run(&add);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert_eq!(
        json_of(&ran)["servers"][0]["tools"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let text = fs::read_to_string(folder.workspace().join("hermes.toml")).unwrap();
    assert!(text.starts_with("# Kept.\n[mcp.servers.mine]\n"), "{text}");
    assert!(text.contains("[mcp.servers.files]\n"), "{text}");
    assert!(text.contains("args = [\"mcp\", \"--toolset\", \"file\"]\nenv = { A = \"b\" }\nexclude = [\"patch\"]\n"), "{text}");
    let twice = folder.run(&add);
    assert_eq!(twice.code, 2, "{twice:?}");
    assert!(
        twice.stdout.contains("there is a server `files`"),
        "{twice:?}"
    );
    let ran = folder.run(&["mcp", "remove", "files", "--config", "hermes.toml"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = fs::read_to_string(folder.workspace().join("hermes.toml")).unwrap();
    assert!(
        !text.contains("files]") && text.contains("# Kept."),
        "{text}"
    );
    let ran = folder.run(&["mcp", "remove", "filse", "--config", "hermes.toml"]);
    assert_eq!(
        ran.stderr,
        "error: there is no server `filse` in the file; it has `mine`\n"
    );
}

#[test]
fn the_user_s_own_configuration_is_made_and_read_where_no_other_is_named() {
    let folder = Folder::new();
    let ran = folder.run(&[
        "mcp",
        "add",
        "far",
        "--url",
        "http://127.0.0.1:9/mcp",
        "--untested",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = folder.run(&["mcp", "list", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let server = &json_of(&ran)["servers"][0];
    assert_eq!(
        (&server["name"], &server["state"]),
        (&json!("far"), &json!("failed"))
    );
    assert!(
        server["why"]
            .as_str()
            .unwrap()
            .starts_with("no connection to it comes about"),
        "{server}"
    );
    assert_eq!(server["origin"], "http://127.0.0.1:9/mcp");
    let wrong = folder.run(&[
        "mcp",
        "add",
        "far2",
        "--url",
        "ftp://example.org",
        "--untested",
    ]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
}

#[test]
fn the_file_of_a_workspace_starts_nothing_before_it_is_trusted_and_after_it_has_changed() {
    let folder = Folder::new();
    let file = folder.workspace().join(".mcp.json");
    let servers = |exclude: &str| {
        json!({"mcpServers": {"mine": {"command": HERMES, "args": ["mcp", "--toolset", "file"], "exclude": [exclude]}}})
            .to_string()
    };
    fs::write(&file, servers("patch")).unwrap();
    let listed = || {
        let ran = folder.run(&["tools", "--json"]);
        let theirs = names(&json_of(&ran))
            .iter()
            .filter(|it| it.starts_with("mcp__"))
            .count();
        (theirs, ran.stderr)
    };
    let (theirs, told) = listed();
    assert_eq!(theirs, 0);
    assert_eq!(
        told,
        "warning: the `.mcp.json` of the workspace is not trusted, so its servers are not used; `hermes mcp trust` \
         shows them\n"
    );
    let nobody = folder.run(&["mcp", "trust"]);
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.stdout.contains("mcpServers"), "{nobody:?}");
    let refused = "error: nothing was trusted; say so with `--yes` where nobody can be asked\n";
    assert_eq!(nobody.stderr, refused);
    let nobody = folder.run(&["mcp", "trust", "--json"]);
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.stderr.contains("mcpServers"), "{nobody:?}");
    assert_eq!(
        nobody.json(),
        json!({"ok": false, "error": {"code": "not_approved", "message": "nothing was trusted",
            "help": "say so with `--yes` where nobody can be asked"}})
    );
    assert_eq!(listed().0, 0);
    assert_eq!(folder.run(&["mcp", "trust", "--yes"]).code, 0);
    assert_eq!(listed(), (3, String::new()));
    fs::write(&file, servers("write_file")).unwrap();
    let (theirs, told) = listed();
    assert_eq!(theirs, 0);
    assert!(told.contains("has changed since it was trusted"), "{told}");
}

#[test]
fn a_tool_that_has_changed_is_left_out_until_it_is_approved() {
    let folder = configured("");
    let tested = ["mcp", "test", "mine", "--config", "hermes.toml", "--json"];
    assert_eq!(folder.run(&tested).code, 0);
    let pins = folder.workspace().join("../state/hermes/mcp/pins.json");
    let text = fs::read_to_string(&pins).unwrap();
    let mut kept: Value = serde_json::from_str(&text).unwrap();
    let origins = kept["servers"]["mine"].as_object_mut().unwrap();
    assert_eq!(origins.len(), 1);
    origins.values_mut().next().unwrap()["patch"] = json!("0".repeat(64));
    fs::write(&pins, kept.to_string()).unwrap();
    let server = json_of(&folder.run(&tested))["servers"][0].clone();
    assert_eq!(server["tools"].as_array().unwrap().len(), 3);
    assert_eq!(server["refused"][0]["name"], "patch");
    assert!(
        server["refused"][0]["why"]
            .as_str()
            .unwrap()
            .starts_with("it is not what was approved")
    );
    let nobody = folder.run(&["mcp", "approve", "mine", "--config", "hermes.toml"]);
    assert!(
        nobody
            .stderr
            .contains("note: `patch` of `mine` is now: {\"name\":\"patch\""),
        "{nobody:?}"
    );
    assert_eq!(nobody.code, 1);
    assert!(
        nobody.stderr.ends_with(
            "error: of `mine` these tools are still left out: `patch`; say so with `--yes` where nobody can be asked\n"
        ),
        "{nobody:?}"
    );
    let nobody = folder.run(&[
        "mcp",
        "approve",
        "mine",
        "--config",
        "hermes.toml",
        "--json",
    ]);
    assert_eq!(nobody.code, 1);
    assert_eq!(
        nobody.json(),
        json!({"ok": false, "error": {"code": "not_approved",
            "message": "of `mine` these tools are still left out: `patch`",
            "help": "say so with `--yes` where nobody can be asked"}})
    );
    assert_eq!(
        json_of(&folder.run(&tested))["servers"][0]["tools"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let taken = folder.run(&["mcp", "approve", "mine", "--config", "hermes.toml", "--yes"]);
    assert_eq!(taken.code, 0, "{taken:?}");
    assert_eq!(
        json_of(&folder.run(&tested))["servers"][0]["tools"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn a_mistake_in_the_configuration_is_told_at_its_place() {
    let folder = Folder::new();
    for (text, told) in [
        (
            "[mcp.servers.a]\ncommand = \"x\"\nurl = \"y\"\n",
            "hermes.toml:1:1: expected either `command` or `url`, found both",
        ),
        (
            "[mcp.servers.a]\ncomand = \"x\"\n",
            "hermes.toml:2:1: expected the key `command`, found `comand`",
        ),
        (
            "[mcp.servers.\"a b\"]\ncommand = \"x\"\n",
            "hermes.toml:1:14: expected a name of at most 40 ASCII letters",
        ),
        (
            "[mcp.servers.a]\ncommand = \"x\"\napproval = \"maybe\"\n",
            "hermes.toml:3:12: expected `always`, `changed` or `never`, found `maybe`",
        ),
        (
            "[mcp.servers.a]\ncommand = \"x\"\ntimeout = 0\n",
            "hermes.toml:3:11: expected a whole number from 1 to 86400, found the number 0",
        ),
    ] {
        fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
        let ran = folder.run(&["tools", "--config", "hermes.toml"]);
        assert_eq!(ran.code, 2, "{text}");
        assert!(ran.stderr.contains(told), "{text}: {ran:?}");
    }
}

/// The blocks of the guide, as they stand there.
#[test]
fn the_examples_of_the_guide_are_read() {
    let page = include_str!("../../../docs/guide/mcp-servers.md");
    let block = |kind: &str| {
        let (_, rest) = page.split_once(&format!("```{kind}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let folder = Folder::new();
    fs::write(folder.workspace().join("hermes.toml"), block("toml")).unwrap();
    fs::write(folder.workspace().join("mcp.json"), block("json")).unwrap();
    let ran = folder.run(&[
        "tools",
        "--config",
        "hermes.toml",
        "--without",
        "mcp-notes",
        "--without",
        "mcp-issues",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let ran = folder.run(&["tools", "--mcp-config", "mcp.json", "--toolset", "file"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    // The lines of the shell, in order, with a program that is not there and a place where nobody listens.
    for line in block("console").lines() {
        let line = line.strip_prefix("$ hermes ").unwrap();
        let line = line.replace("https://mcp.example.org", "http://127.0.0.1:9");
        let mut words: Vec<&str> = line.split(' ').collect();
        if let Some(quoted) = words.iter().position(|word| word.starts_with('\'')) {
            words.truncate(quoted);
            words.push("Authorization=Bearer ${ISSUES_TOKEN}");
        }
        let ran = folder.run(&words);
        let right = i32::from(words[1] != "remove");
        assert_eq!(ran.code, right, "{line}: {ran:?}");
    }
    let text = fs::read_to_string(folder.workspace().join("../config/hermes/hermes.toml")).unwrap();
    assert_eq!(
        text,
        "[mcp.servers.notes]\ncommand = \"notes-server\"\nargs = [\"--folder\", \"/home/me/notes\"]\n\
         exclude = [\"wipe\"]\n"
    );
}
