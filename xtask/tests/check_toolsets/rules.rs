//! Each rule: what it says, and what it leaves alone.

use crate::fixture::report;

/// Asserts that nothing is found.
#[track_caller]
fn assert_clean(fixture: &str) {
    let report = report(fixture);
    assert!(report.ends_with(": 0 errors, 0 warnings\n"), "{report}");
    assert_eq!(report.lines().count(), 1, "{report}");
}

#[test]
fn two_tools_of_one_name() {
    let fixture = r#"
//- src/lib.rs
mod reading;

#[tool(toolset = "file", effect = "read")]
fn read_file() {}
//- src/reading.rs
#[tool(toolset = "file", name = "read_file", effect = "read")]
fn read() {}
"#;
    let expected = r#"error[duplicate-tool]: tool `read_file` is declared twice
 --> src/reading.rs:1:33
  |
1 | #[tool(toolset = "file", name = "read_file", effect = "read")]
  |                                 ^^^^^^^^^^^
  |
  = note: first declared at src/lib.rs:4:4
  = help: rename one of them with `name = "..."`

2 tools and 0 toolsets in 2 files: 1 error, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn tools_of_two_packs_clash_in_the_application_that_has_both() {
    let packs = r#"
//- Cargo.toml
[workspace]
members = ["app", "one", "two"]
resolver = "3"
//- one/Cargo.toml
[package]
name = "one"
edition = "2024"
//- one/src/lib.rs
#[tool(toolset = "web", effect = "read")]
fn search() {}
//- two/Cargo.toml
[package]
name = "two"
edition = "2024"
//- two/src/lib.rs
#[tool(toolset = "file", effect = "read")]
fn search() {}
//- app/src/main.rs
fn main() {}
//- app/Cargo.toml
[package]
name = "app"
edition = "2024"
"#;
    assert_clean(packs);
    let both = format!("{packs}[dependencies]\none.path = \"../one\"\ntwo.path = \"../two\"\n");
    let expected = r#"error[duplicate-tool]: tool `search` is declared twice
 --> two/src/lib.rs:2:4
  |
2 | fn search() {}
  |    ^^^^^^
  |
  = note: first declared at one/src/lib.rs:2:4
  = help: rename one of them with `name = "..."`

2 tools and 0 toolsets in 3 files: 1 error, 0 warnings
"#;
    assert_eq!(report(&both), expected);
}

#[test]
fn tools_that_never_meet_do_not_clash() {
    assert_clean(
        r#"
//- src/lib.rs
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
mod system;

#[tool(toolset = "file", effect = "read")]
fn read_file() {}

#[tool(toolset = "file", name = "read_file", effect = "read", overrides)]
fn better_read_file() {}

#[cfg(test)]
mod tests {
    #[tool(toolset = "file", effect = "read")]
    fn read_file() {}
}
//- src/unix.rs
#[tool(toolset = "terminal", effect = "read")]
fn list_processes() {}
//- src/system.rs
#[tool(toolset = "terminal", effect = "read")]
fn list_processes() {}
//- tests/it.rs
#[tool(toolset = "file", effect = "read")]
fn read_file() {}
"#,
    );
}

#[test]
fn what_macros_take_apart_does_not_clash() {
    assert_clean(
        r#"
//- src/lib.rs
cfg_if! {
    if #[cfg(unix)] { mod unix; } else if #[cfg(windows)] { mod windows; } else { mod other; }
}
cfg_rt! { mod runtime; }
cfg_not_rt! { mod blocking; }
//- src/unix.rs
#[tool(toolset = "a", effect = "read")] fn list() {}
//- src/windows.rs
#[tool(toolset = "a", effect = "read")] fn list() {}
//- src/other.rs
#[tool(toolset = "a", effect = "read")] fn list() {}
//- src/runtime.rs
#[tool(toolset = "a", effect = "read")] fn run() {}
//- src/blocking.rs
#[tool(toolset = "a", effect = "read")] fn run() {}
"#,
    );
}

#[test]
fn what_cannot_be_compiled_together_does_not_clash() {
    let fixture = r#"
//- src/lib.rs
mod refused;
#[cfg(feature = "a")]
#[tool(toolset = "a", effect = "read")] fn list() {}
#[cfg(feature = "b")]
#[tool(toolset = "a", name = "list", effect = "read")] fn list() {}
//- src/refused.rs
"#;
    let refused =
        "#[cfg(all(feature = \"a\", feature = \"b\"))]\ncompile_error!(\"one of them\");\n";
    assert_clean(&format!("{fixture}{refused}"));
    let found = report(fixture);
    assert!(found.contains("tool `list` is declared twice"), "{found}");
}

#[test]
fn a_file_that_two_targets_share_does_not_clash_with_itself() {
    assert_clean(
        r#"
//- src/lib.rs
mod reading;
//- src/main.rs
mod reading;
fn main() {}
//- src/reading.rs
#[tool(toolset = "file", effect = "read")]
fn read_file() {}
"#,
    );
}

#[test]
fn two_toolsets_of_one_name() {
    let fixture = r#"
//- src/lib.rs
hermes_tools::toolset! { name: "file", description: "Files." }
hermes_tools::toolset! { name: "file", description: "Files again." }
"#;
    let expected = r#"error[duplicate-toolset]: toolset `file` is declared twice
 --> src/lib.rs:2:32
  |
2 | hermes_tools::toolset! { name: "file", description: "Files again." }
  |                                ^^^^^^
  |
  = note: first declared at src/lib.rs:1:32
  = help: rename one of them, or merge their lists

0 tools and 2 toolsets in 1 file: 1 error, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn toolsets_that_include_each_other() {
    let fixture = r#"
//- src/lib.rs
toolset! { name: "b", description: "", includes: ["c"] }
toolset! { name: "c", description: "", includes: ["a"] }
toolset! { name: "a", description: "", includes: ["d", "b"] }
toolset! { name: "d", description: "", includes: [] }
toolset! { name: "e", description: "", includes: ["e"] }
"#;
    let expected = r#"error[include-cycle]: toolset `a` includes itself: `a` -> `b` -> `c` -> `a`
 --> src/lib.rs:3:56
  |
3 | toolset! { name: "a", description: "", includes: ["d", "b"] }
  |                                                        ^^^
  |
  = help: remove one of these includes

error[include-cycle]: toolset `e` includes itself: `e` -> `e`
 --> src/lib.rs:5:51
  |
5 | toolset! { name: "e", description: "", includes: ["e"] }
  |                                                   ^^^
  |
  = help: remove one of these includes

0 tools and 5 toolsets in 1 file: 2 errors, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn toolsets_that_share_an_include_are_no_cycle() {
    assert_clean(
        r#"
//- src/lib.rs
toolset! { name: "top", description: "", includes: ["left", "right"] }
toolset! { name: "left", description: "", includes: ["base"] }
toolset! { name: "right", description: "", includes: ["base"] }
toolset! { name: "base", description: "", includes: ["all", "mcp-github"] }
"#,
    );
}

#[test]
fn an_include_that_nothing_declares() {
    let fixture = r#"
//- src/lib.rs
toolset! { name: "browser", description: "", includes: ["serch", "payments"] }
toolset! { name: "search", description: "" }
"#;
    let expected = r#"error[unknown-include]: toolset `browser` includes `serch`, which nothing declares
 --> src/lib.rs:1:57
  |
1 | toolset! { name: "browser", description: "", includes: ["serch", "payments"] }
  |                                                         ^^^^^^^
  |
  = help: did you mean `search`?

error[unknown-include]: toolset `browser` includes `payments`, which nothing declares
 --> src/lib.rs:1:66
  |
1 | toolset! { name: "browser", description: "", includes: ["serch", "payments"] }
  |                                                                  ^^^^^^^^^^
  |
  = help: declare it with `toolset! { name: "payments", ... }`

0 tools and 2 toolsets in 1 file: 2 errors, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn a_tool_that_a_toolset_lists_and_nothing_declares() {
    let fixture = r#"
//- src/lib.rs
toolset! {
    name: "file",
    description: "Files.",
    tools: ["raed_file", "read_file", "todo", "frobnicate"],
    lent: ["teleport"],
}
reserved_tools! { "todo", "memory" }

#[tool(toolset = "file", effect = "read")]
fn read_file() {}
"#;
    let expected = r#"error[unknown-tool-in-toolset]: toolset `file` lists tool `raed_file`, which nothing declares
 --> src/lib.rs:4:13
  |
4 |     tools: ["raed_file", "read_file", "todo", "frobnicate"],
  |             ^^^^^^^^^^^
  |
  = help: did you mean `read_file`?

error[unknown-tool-in-toolset]: toolset `file` lists tool `frobnicate`, which nothing declares
 --> src/lib.rs:4:47
  |
4 |     tools: ["raed_file", "read_file", "todo", "frobnicate"],
  |                                               ^^^^^^^^^^^^
  |
  = help: write the tool, or add the name to `reserved_tools!`

error[unknown-tool-in-toolset]: toolset `file` lists tool `teleport`, which nothing declares
 --> src/lib.rs:5:12
  |
5 |     lent: ["teleport"],
  |            ^^^^^^^^^^
  |
  = help: write the tool, or add the name to `reserved_tools!`

1 tool and 1 toolset in 1 file: 3 errors, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn a_reserved_tool_that_has_been_written() {
    let fixture = r#"
//- src/lib.rs
hermes_tools::reserved_tools! {
    "memory",
    "todo",
}

#[tool(toolset = "todo", effect = "write")]
fn todo() {}
"#;
    let expected = r#"error[reserved-tool-exists]: `todo` is reserved, and the tool exists
 --> src/lib.rs:3:5
  |
3 |     "todo",
  |     ^^^^^^
  |
  = note: declared at src/lib.rs:7:4
  = help: remove the name from `reserved_tools!`

1 tool and 0 toolsets in 1 file: 1 error, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn a_tool_that_does_not_say_what_it_does() {
    let fixture = r#"
//- src/lib.rs
#[tool(toolset = "file")]
fn read_file() {}

#[tool(toolset = "process", effect_of = effect_of_process)]
fn process() {}
"#;
    let expected = r#"warning[missing-effect]: tool `read_file` does not say what it does and counts as destructive
 --> src/lib.rs:2:4
  |
2 | fn read_file() {}
  |    ^^^^^^^^^
  |
  = help: add `effect = "read"`, `"write"` or `"destructive"`

2 tools and 0 toolsets in 1 file: 0 errors, 1 warning
"#;
    assert_eq!(report(fixture), expected);
}

/// A pack, and an application that depends on it under another name.
fn pack_and_application(main: &str) -> String {
    format!(
        r#"
//- Cargo.toml
[workspace]
members = ["app", "weather-pack"]
resolver = "3"
//- weather-pack/Cargo.toml
[package]
name = "weather-pack"
edition = "2024"
//- weather-pack/src/lib.rs
hermes_tools::pack!();
//- app/Cargo.toml
[package]
name = "app"
edition = "2024"
[dependencies]
weather = {{ path = "../weather-pack", package = "weather-pack" }}
//- app/src/main.rs
{main}
fn main() {{}}
"#
    )
}

#[test]
fn a_pack_that_the_application_never_names() {
    let expected = r"error[pack-not-linked]: `app` depends on the pack `weather-pack` and never links it
 --> app/src/main.rs:1:1
  |
  = note: the tools of `weather-pack` are not in the binary
  = help: add `hermes_tools::link!(weather);` to app/src/main.rs

0 tools and 0 toolsets in 2 files: 1 error, 0 warnings
";
    assert_eq!(report(&pack_and_application("")), expected);
    // What a test links is not in the binary.
    let test = "//- app/tests/it.rs\nhermes_tools::link!(weather);\nuse weather as _;\n";
    let expected = expected.replace("2 files", "3 files");
    assert_eq!(report(&(pack_and_application("") + test)), expected);
}

#[test]
fn any_path_into_a_pack_links_it() {
    for main in [
        "hermes_tools::link!(other, weather);",
        "use weather as _;",
        "extern crate weather;",
        "fn f() { weather::start(); }",
        "const TOOLS: &[&T] = hermes_tools::tools![weather::now];",
    ] {
        assert_clean(&pack_and_application(main));
    }
}

#[test]
fn a_file_that_does_not_parse() {
    let fixture = r#"
//- src/lib.rs
mod broken;
mod absent;

#[tool(toolset = "file", effect = "read")]
fn read_file() {}
//- src/broken.rs
fn tool() {}
fn broken( {}
"#;
    let expected = r"error[unparsed-file]: cannot read this file: cannot parse string into token stream
 --> src/broken.rs:2:10
  |
2 | fn broken( {}
  |          ^
  |
  = note: its tools and modules are not checked
  = help: `cargo check` shows the compiler's view of it

error[unparsed-file]: cannot read this file: module `absent` has no file
 --> src/lib.rs:2:5
  |
2 | mod absent;
  |     ^^^^^^
  |
  = note: its tools and modules are not checked
  = help: `cargo check` shows the compiler's view of it

1 tool and 0 toolsets in 2 files: 2 errors, 0 warnings
";
    assert_eq!(report(fixture), expected);
}
