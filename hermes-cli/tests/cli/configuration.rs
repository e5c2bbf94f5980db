//! Every key of `hermes.toml`, through the command.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

/// A run with this text as the configuration.
fn configured(text: &str, words: &[&str]) -> Ran {
    let folder = Folder::new();
    fs::write(folder.workspace().join("hermes.toml"), text).unwrap();
    let mut all = words.to_vec();
    all.extend(["--config", "hermes.toml"]);
    folder.run(&all)
}

/// Names of the tools that a session with this configuration has.
fn tools(text: &str, words: &[&str]) -> Vec<String> {
    let mut all = vec!["tools", "--json"];
    all.extend(words);
    let listing = configured(text, &all).json();
    let tools = listing["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

fn sizes(text: &str, words: &[&str]) -> Value {
    let mut all = vec!["definitions", "--sizes", "--json"];
    all.extend(words);
    configured(text, &all).json()
}

const FILE: [&str; 4] = ["patch", "read_file", "search_files", "write_file"];

/// What is linked of the core list.
const CORE: [&str; 6] = [
    "patch",
    "process",
    "read_file",
    "search_files",
    "terminal",
    "write_file",
];

/// What is left of it without the files.
const TERMINAL: [&str; 2] = ["process", "terminal"];

#[test]
fn what_is_enabled_and_disabled_and_the_options_before_it() {
    assert_eq!(tools("enabled = [\"file\"]", &[]), FILE);
    assert_eq!(tools("enabled = []", &[]), [""; 0]);
    assert_eq!(tools("disabled = [\"file\"]", &[]), TERMINAL);
    assert_eq!(tools("enabled = []", &["--toolset", "file"]), FILE);
    // What the operator has disabled stays so.
    assert_eq!(
        tools("disabled = [\"file\"]", &["--toolset", "file"]),
        [""; 0]
    );
    let both = "enabled = [\"file\"]\ndisabled = [\"web\"]";
    assert_eq!(tools(both, &["--without", "file"]), [""; 0]);
}

#[test]
fn a_source_goes_before_all_sessions() {
    let text = "enabled = []\n[sources.cron]\nenabled = [\"file\"]\n[sources.slack]\n\
                disabled = [\"file\"]\n";
    assert_eq!(tools(text, &["--source", "cron"]), FILE);
    assert_eq!(tools(text, &[]), [""; 0]);
    let text = "enabled = [\"file\"]\n[sources.slack]\ndisabled = [\"file\"]\n";
    assert_eq!(tools(text, &["--source", "slack"]), [""; 0]);
    assert_eq!(tools(text, &[]), FILE);
}

#[test]
fn a_toolset_of_the_file_has_every_part() {
    let text = "enabled = [\"mine\"]\n[toolsets.mine]\ndescription = \"My own.\"\n\
                tools = [\"read_file\"]\nincludes = [\"inner\"]\n\
                [toolsets.inner]\ntools = [\"search_files\", \"patch\"]\nmax_effect = \"read\"\n";
    assert_eq!(tools(text, &[]), ["read_file", "search_files"]);
    // One that replaces a preset, with effect on all that include it.
    let text = "enabled = [\"debugging\"]\n[toolsets.file]\ntools = [\"patch\"]\n";
    assert_eq!(tools(text, &[]), ["patch", "process", "terminal"]);
    // It is no wider than it is written, and what is disabled is as much as the name could mean.
    let text = "disabled = [\"file\"]\n[toolsets.file]\ntools = [\"patch\"]\n";
    assert_eq!(tools(text, &[]), TERMINAL);
    // A tool that is only lent goes with its lender unless another toolset grants it.
    let lent = |enabled: &str| {
        let text = format!(
            "enabled = [{enabled}]\ndisabled = [\"lender\"]\n\
             [toolsets.lender]\ntools = [\"patch\"]\nlent = [\"patch\"]\n\
             [toolsets.owner]\ntools = [\"patch\"]\n"
        );
        tools(&text, &[])
    };
    assert_eq!(lent("\"lender\", \"owner\""), ["patch"]);
    assert_eq!(lent("\"lender\""), [""; 0]);
    // Disabling a posture leaves the core list, and disabling another toolset does not.
    for (posture, left) in [("true", &FILE[..]), ("false", &[])] {
        let text = format!(
            "enabled = [\"file\"]\ndisabled = [\"calm\"]\n\
             [toolsets.calm]\nincludes = [\"file\"]\nposture = {posture}\n"
        );
        assert_eq!(tools(&text, &[]), left, "{posture}");
    }
    // The core list belongs to a toolset that says so.
    for (core, left) in [("true", &CORE[..]), ("false", &[])] {
        let text = format!("enabled = [\"base\"]\n[toolsets.base]\ncore = {core}\n");
        assert_eq!(tools(&text, &[]), left, "{core}");
    }
}

#[test]
fn what_a_plugin_will_bring_is_known_before_it_is_there() {
    let text = "enabled = [\"shiny\", \"sparkle\", \"hermes-irc\"]\n[plugins.entries.shiny]\n\
                allow_tool_override = true\ntoolsets = [\"sparkle\"]\nplatforms = [\"irc\"]\n\
                [sources.irc]\nenabled = [\"file\"]\n";
    // The bundle of a platform is the core list.
    assert_eq!(tools(text, &[]), CORE);
    assert_eq!(tools(text, &["--source", "irc"]), FILE);
    let ran = configured(
        "enabled = [\"shiny\"]\n[plugins.entries.shiny]\n",
        &["tools"],
    );
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            0,
            "warning: no tool is selected: the enabled toolsets have no tools: enable another one\n"
        )
    );
    // Without the entry the name means nothing.
    let ran = configured("enabled = [\"shiny\"]\n", &["tools"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn definitions_are_shortened_to_the_budget_and_the_report_says_which() {
    let whole = sizes("enabled = [\"file\"]\n", &[]);
    assert_eq!(whole["shortened"], json!([]));
    assert_eq!(whole["beyond"], 0);
    let tokens = whole["tokens"].as_u64().unwrap();
    assert!(tokens > 400, "{tokens}");

    let text = "enabled = [\"file\"]\ndefinitions_budget = 400\n";
    for dialect in [None, Some("anthropic"), Some("openai-strict"), Some("mcp")] {
        let words: Vec<&str> = dialect.iter().flat_map(|it| ["--dialect", it]).collect();
        let less = sizes(text, &words);
        assert_eq!(less["dialect"].as_str(), dialect);
        assert!(!less["shortened"].as_array().unwrap().is_empty());
        let left = less["tokens"].as_u64().unwrap();
        assert_eq!(less["beyond"].as_u64().unwrap(), left.saturating_sub(400));
        let names: Vec<&Value> = less["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["name"])
            .collect();
        assert_eq!(names, FILE);
    }
    let rows = configured(text, &["definitions", "--sizes"]).stdout;
    let last = rows.lines().last().unwrap();
    assert!(last.starts_with("all\t"), "{rows}");
    assert!(rows.contains("\tshortened"), "{rows}");
}

#[test]
fn every_value_of_every_key_is_read() {
    for text in [
        "tool_search = \"auto\"",
        "tool_search = \"on\"",
        "tool_search = \"off\"",
        "tool_search = true",
        "tool_search = false",
        "context_window = 128_000",
        "[tool_search]\nenabled = \"on\"\nthreshold_pct = 2.5\nsearch_default_limit = 3\n\
         max_search_limit = 9",
        "[tool_search]\nenabled = false",
        "[files]\nstale = \"warn\"\nlint = \"refuse\"",
    ] {
        let ran = configured(text, &["tools"]);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{text}");
    }
}

/// Whether every command tells of this fault, and does nothing.
#[track_caller]
fn told(text: &str, error: &str) {
    for command in ["tools", "definitions", "doctor"] {
        let ran = configured(text, &[command]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{text}");
        assert_eq!(ran.stderr, format!("error: hermes.toml:{error}\n"));
    }
}

#[test]
fn values_that_cannot_both_be_meant_are_told() {
    for (text, error) in [
        (
            "[tool_search]\nsearch_default_limit = 9\nmax_search_limit = 5",
            "2:24: expected at most the `max_search_limit`, which is 5, found the number 9",
        ),
        (
            "[tool_search]\nsearch_default_limit = 21",
            "2:24: expected at most the `max_search_limit`, which is without being written 20, found the number 21",
        ),
        (
            "context_window = 8_000\ndefinitions_budget = 8_001",
            "2:22: expected at most the `context_window`, which is 8000, found the number 8001",
        ),
        (
            "[toolsets.a]\ntools = [\"patch\"]\nlent = [\"patch\", \"read_file\"]",
            "3:18: expected a name that `tools` has, too, since only those are lent, found `read_file`",
        ),
        (
            "[toolsets.a]\nincludes = [\"file\", \"a\"]",
            "2:21: expected a toolset that does not include `a` itself, found `a`",
        ),
        (
            "[toolsets.a]\nincludes = [\"b\"]\n[toolsets.b]\nincludes = [\"c\", \"file\"]\n\
             [toolsets.c]\nincludes = [\"a\"]",
            "2:13: expected a toolset that does not include `a` itself, found `b`",
        ),
        (
            "[toolsets.a]\ntools = [\"patch\", \" \"]",
            "2:19: expected a name with letters in it, found a text without any",
        ),
        (
            "[toolsets.\"\"]\ntools = [\"patch\"]",
            "1:11: expected a name with letters in it, found a text without any",
        ),
        (
            "[terminal]\nisolation = \"off\"\nhidden = [\"/srv/key\"]",
            "2:13: expected another word than `off` beside `hidden`, since nothing is hidden without isolation, \
             found `off`",
        ),
        (
            "[terminal]\nhidden = [\"/srv\"]\nreadable = [\"/srv/key\"]",
            "3:13: expected a path that is not below `/srv`, which is `hidden`, found `/srv/key`",
        ),
    ] {
        told(text, error);
    }
}

#[test]
fn what_makes_no_server_is_told() {
    for (text, error) in [
        (
            "[mcp.servers.a]\ncommand = \"a\"\ninclude = []",
            "3:11: expected a list with a name in it, or no `include` for all tools, or `enabled = false` for none, \
             found a list",
        ),
        (
            "[mcp.servers.a]\ncommand = \"a\"\ninclude = [\"x\", \"y\"]\nexclude = [\"y\"]",
            "4:12: expected a name that `include` does not have, found `y`",
        ),
        (
            "[mcp.servers.a]\ncommand = \"a\"\ninclude = [\"x\"]\neffects = { x = \"read\", b = \"read\" }",
            "4:25: expected a tool that `include` has, since no other is taken, found `b`",
        ),
        (
            "[mcp.servers.a]\ncommand = \"a\"\neffects = { b = \"read\" }\nexclude = [\"b\"]",
            "3:13: expected a tool that `exclude` does not leave out, found `b`",
        ),
        (
            "[mcp.servers.a]\ncommand = \"\"",
            "2:11: expected a program, found ``",
        ),
        (
            "[mcp.servers.a]\ncommand = \"a\"\nargs = [\"-x\", \"${HOME/notes\"]",
            "3:15: expected `${NAME}` or `${NAME:-text}` for a variable of the environment, found `${HOME/notes`",
        ),
        (
            "[mcp.servers.a]\ncommand = \"a\"\nenv = { KEY = \"${KEY\" }",
            "3:15: expected `${NAME}` or `${NAME:-text}` for a variable of the environment, found `${KEY`",
        ),
        (
            "[mcp.servers.a]\ncommand = \"a\"\nenv = { \"A=B\" = \"x\" }",
            "3:9: expected the name of an environment variable, found `A=B`",
        ),
        (
            "[mcp.servers.a]\nurl = \"https://a.example\"\nheaders = { \"X Key\" = \"x\" }",
            "3:13: expected the name of a header, such as `Authorization`, found `X Key`",
        ),
        (
            "[mcp.servers.a]\nurl = \"https://a.example\"\nheaders = { Key = \"${input:key}\" }",
            "3:19: expected `${NAME}` or `${NAME:-text}` for a variable of the environment, found `${input:key}`",
        ),
        (
            "[mcp.servers.a]\nurl = \"a.example\"",
            "2:7: expected the address of a server, such as `https://example.org/mcp`, found `a.example`: it has no \
             scheme; write such as `https://example.org/mcp`",
        ),
    ] {
        told(text, error);
    }
}

#[test]
fn every_fault_has_its_place_and_opens_nothing() {
    for (text, error) in [
        (
            "tool_search = \"sometimes\"",
            "1:15: expected `auto`, `on` or `off`, found `sometimes`",
        ),
        (
            "tool_search = 3",
            "1:15: expected `auto`, `on`, `off` or a table, found the number 3",
        ),
        (
            "[tool_search]\nmax_search_limit = 51",
            "2:20: expected a whole number from 1 to 50, found the number 51",
        ),
        (
            "[tool_search]\nsearch_default_limit = 2.5",
            "2:24: expected a whole number from 1 to 50, found the number 2.5",
        ),
        (
            "[tool_search]\nthreshold_pct = 101",
            "2:17: expected a number from 0 to 100, found the number 101",
        ),
        (
            "context_window = 0",
            "1:18: expected a whole number from 1 to 1000000000, found the number 0",
        ),
        (
            "definitions_budget = \"much\"",
            "1:22: expected a whole number from 1 to 1000000000, found `much`",
        ),
        (
            "[files]\nstale = \"maybe\"",
            "2:9: expected `warn` or `refuse`, found `maybe`",
        ),
        (
            "[files]\nlints = \"warn\"",
            "2:1: expected the key `lint`, found `lints`",
        ),
        (
            "enabled = \"file\"",
            "1:11: expected a list of names, found `file`",
        ),
        (
            "disabled = [[\"file\"]]",
            "1:13: expected a name in quotes, found a list",
        ),
        ("toolsets = []", "1:12: expected a table, found a list"),
        (
            "enabled = [\"all\"]\n[toolsets.all]\ntools = [\"patch\"]",
            "2:11: expected a name of its own for the toolset, since this one means all tools, \
             found `all`",
        ),
        (
            "[toolsets.a]\nexcludes = []",
            "2:1: expected the key `includes`, found `excludes`",
        ),
        (
            "[toolsets.a]\ncore = \"yes\"",
            "2:8: expected `true` or `false`, found `yes`",
        ),
        (
            "# ä\n[sources.webhok]\nenabled = []",
            "2:10: expected a session source such as `webhook`, found `webhok`",
        ),
        (
            "[sources.cron]\nenabled = [\"file\", \"fiel\"]",
            "2:20: expected a toolset such as `file`, found `fiel`",
        ),
        (
            "[plugins.entries.a]\nallow_tool_overide = true",
            "2:1: expected the key `allow_tool_override`, found `allow_tool_overide`",
        ),
        (
            "[plugins.entries.a]\nallow_tool_override = \"true\"",
            "2:23: expected `true` or `false`, found `true`",
        ),
        (
            "[plugins]\nentry = {}",
            "2:1: expected one of the keys `entries`, found `entry`",
        ),
    ] {
        told(text, error);
    }
    let folder = Folder::new();
    fs::write(folder.workspace().join("hermes.toml"), b"# ok\n# \xff\n").unwrap();
    let ran = folder.run(&["tools", "--config", "hermes.toml"]);
    assert_eq!(
        ran.stderr,
        "error: hermes.toml:2:3: expected text in UTF-8, found the byte 0xff\n"
    );
    // Two values of one key: neither holds.
    let ran = configured("enabled = []\nenabled = [\"all\"]\n", &["tools"]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(
        ran.stderr.starts_with("error: hermes.toml:2:1: "),
        "{ran:?}"
    );
}

/// The example of the guide holds every key, and can be used as it stands.
#[test]
fn the_example_of_the_guide_works() {
    let page = include_str!("../../../docs/guide/configuration.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (example, rest) = rest.split_once("```").unwrap();
    let ran = configured(example, &["tools", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let keys = rest.lines().filter_map(|line| {
        let (key, _) = line.strip_prefix("| `")?.split_once('`')?;
        key.rsplit('.').next()
    });
    for key in keys.filter(|key| !["lent", "core", "posture"].contains(key)) {
        let known = [format!("{key} = "), format!("[{key}]")];
        assert!(known.iter().any(|it| example.contains(it)), "{key}");
    }
}

#[test]
fn a_mark_at_the_start_and_line_ends_of_other_systems_change_nothing() {
    let text = "\u{feff}enabled = [\"file\"]\r\ndisabled = [\"web\"]\r\n";
    assert_eq!(tools(text, &[]), FILE);
    let ran = configured("\u{feff}enabled = 5\r\n", &["tools"]);
    let fault = "hermes.toml:1:11: expected a list of names, found the number 5";
    assert_eq!(ran.stderr, format!("error: {fault}\n"));
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_no_configuration() {
    let ran = Folder::new().run(&["tools", "--config", "/dev/zero"]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: /dev/zero: expected a file that can be read, found no regular file; name a file that is a \
         configuration\n"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_configuration_holds_nobody_up() {
    let folder = Folder::new();
    let pipe = folder.workspace().join("pipe.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let pipe = pipe.to_str().unwrap();
    let ran = folder.run(&["tools", "--config", pipe]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert_eq!(
        ran.stderr,
        format!(
            "error: {pipe}: expected a file that can be read, found no regular file; name a file that is a \
             configuration\n"
        )
    );
    let ran = folder.run(&["mcp", "remove", "notes", "--config", pipe]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.contains("it is no regular file"), "{ran:?}");
}

/// What it forbids must not be allowed by a mistake in its name.
#[test]
fn a_file_that_the_environment_names_and_is_not_there_is_an_error() {
    let folder = Folder::new();
    let mut command = folder.command(&["tools"]);
    let output = command.env("HERMES_CONFIG", "none.toml").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with("error: ") && told.contains("none.toml"),
        "{told}"
    );
    assert_eq!(folder.run(&["tools"]).code, 0);
}

/// A repository could bring one.
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_servers_of_a_workspace_holds_nobody_up() {
    let folder = Folder::new();
    let pipe = folder.workspace().join(".mcp.json");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.unwrap().success());
    assert_eq!(folder.run(&["tools"]).code, 0);
    let trust = folder.run(&["mcp", "trust"]);
    assert_eq!(trust.code, 2);
    assert!(trust.stderr.contains("it is no file"), "{}", trust.stderr);
}
