//! `hermes explain`, `hermes search`, `hermes doctor`, and the configuration file.

use std::fs;

use serde_json::{Value, json};

use crate::folder::Folder;

#[test]
fn explain_says_why_a_tool_is_in_or_out() {
    let ran = Folder::new().run(&["explain", "read_file", "--toolset", "debugging"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stdout,
        "read_file: in, selected through debugging > file\n"
    );

    let ran = Folder::new().run(&["explain", "read_file", "--source", "webhook", "--json"]);
    assert_eq!(
        ran.json(),
        json!({
            "tool": "read_file",
            "offered": false,
            "why": "not_selected",
            "explanation": "not selected: enable `file`, `coding`, `debugging` or one of 23 more",
        })
    );
    let ran = Folder::new().run(&["explain", "raed_file"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: there is no tool `raed_file`; did you mean `read_file`?\n"
    );
}

#[test]
fn search_finds_tools_by_what_they_do() {
    let ran = Folder::new().run(&["search", "--json", "replace", "text", "in", "a", "file"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.json()["tools"][0]["name"], "patch");
    let ran = Folder::new().run(&["search", "cappuccino"]);
    assert_eq!((ran.code, &*ran.stdout), (0, ""));
    assert_eq!(
        ran.stderr,
        "note: no tool matches; try other words, or `--all`\n"
    );
}

#[test]
fn doctor_tells_what_cannot_be_used_in_its_exit_code() {
    let ran = Folder::new().run(&["doctor", "--json"]);
    assert_eq!(ran.code, 0);
    let findings = ran.json();
    assert_eq!(findings["ok"], true);
    assert_eq!(findings["toolsets"][0]["name"], "file");
}

#[test]
fn a_broken_configuration_stops_everything_with_its_place() {
    let folder = Folder::new();
    let broken = [
        (
            "enabled = [\"file\"\n",
            "hermes.toml:1:18: expected `]`, found unclosed array",
        ),
        (
            "enable = [\"file\"]\n",
            "hermes.toml:1:1: expected the key `enabled`, found `enable`",
        ),
        (
            "disabled = [\"file\", \"terminl\"]\n",
            "hermes.toml:1:21: expected a toolset such as `terminal`, found `terminl`",
        ),
        (
            "[toolsets.mine]\nincludes = [\"fiel\"]\n",
            "hermes.toml:2:13: expected a toolset such as `file`, found `fiel`",
        ),
        (
            "[toolsets.mine]\nmax_effect = \"reed\"\n",
            "hermes.toml:2:14: expected `read`, `write` or `destructive`, found `reed`",
        ),
    ];
    for (text, error) in broken {
        fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
        let ran = folder.run(&["tools", "--config", "hermes.toml"]);
        assert_eq!(ran.code, 2, "{text}");
        assert_eq!(ran.stderr, format!("error: {error}\n"));
        assert_eq!(ran.stdout, "", "{text}");
    }
    let ran = folder.run(&["tools", "--config", "absent.toml"]);
    assert_eq!(ran.code, 2);
    let start = "error: absent.toml: expected a file that can be read, found ";
    assert!(ran.stderr.starts_with(start), "{ran:?}");
}

#[test]
fn a_configured_toolset_is_bounded() {
    let folder = Folder::new();
    let text =
        "enabled = [\"look\"]\n[toolsets.look]\nincludes = [\"file\"]\nmax_effect = \"read\"\n";
    fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
    let ran = folder.run(&["tools", "--config", "hermes.toml", "--json"]);
    let listing = ran.json();
    let names: Vec<&Value> = listing["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["read_file", "search_files"]);
    assert_eq!(
        ran.stderr.lines().next().unwrap(),
        "warning: tool `patch` of toolset `file` is left out: its effect is write, and read \
         is the most here"
    );
}
