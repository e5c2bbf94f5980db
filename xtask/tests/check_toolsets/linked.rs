//! The sources against a binary. The binary of these tests prints the file `listing.json`.

use crate::fixture::Fixture;

/// A pack and an application, with an attribute `tool` that does nothing.
const WORKSPACE: &str = r#"
//- Cargo.toml
[workspace]
members = ["agent", "hermes-tools", "pack"]
resolver = "3"
//- hermes-tools/Cargo.toml
[package]
name = "hermes-tools"
edition = "2024"
[lib]
proc-macro = true
//- hermes-tools/src/lib.rs
use proc_macro::TokenStream;
#[proc_macro_attribute]
pub fn tool(_: TokenStream, function: TokenStream) -> TokenStream { function }
//- pack/Cargo.toml
[package]
name = "pack"
edition = "2024"
[dependencies]
hermes-tools.path = "../hermes-tools"
[features]
default = ["file"]
file = []
extra = []
//- pack/src/lib.rs
use hermes_tools::tool;
pub const START: () = ();

#[cfg(feature = "file")]
#[tool(toolset = "file", effect = "read")]
pub fn read_file() {}

#[cfg(all(feature = "file", not(test)))]
#[tool(toolset = "file", effect = "write")]
pub fn write_file() {}

#[cfg(feature = "extra")]
#[tool(toolset = "file", effect = "read")]
pub fn without_its_feature() {}

#[cfg(target_os = "none")]
#[tool(toolset = "file", effect = "read")]
pub fn of_another_system() {}
//- pack/tests/it.rs
#[hermes_tools::tool(toolset = "file", effect = "read")]
fn of_a_test() {}
//- agent/Cargo.toml
[package]
name = "agent"
edition = "2024"
[[bin]]
name = "hermes"
path = "src/main.rs"
[dependencies]
pack.path = "../pack"
//- agent/src/main.rs
fn main() {
    assert!(std::env::args().skip(1).eq(["tools", "--all", "--json"]));
    let () = pack::START;
    print!("{}", std::fs::read_to_string("listing.json").unwrap());
}
"#;

/// The workspace, with a binary that lists these tools of `pack`, and text added to its sources.
fn workspace(tools: &[&str], more_of_pack: &str) -> Fixture {
    let tools: Vec<_> = tools
        .iter()
        .map(|name| {
            let origin = serde_json::json!({
                "package": "pack", "module": "pack", "file": "pack/src/lib.rs", "line": 7
            });
            serde_json::json!({ "name": name, "toolset": "file", "origin": origin })
        })
        .collect();
    let listing = serde_json::json!({ "tools": tools });
    let sources = WORKSPACE.replace(
        "//- pack/tests/it.rs",
        &format!("{more_of_pack}\n//- pack/tests/it.rs"),
    );
    Fixture::new(&format!("{sources}\n//- listing.json\n{listing}"))
}

#[track_caller]
fn assert_report(fixture: &Fixture, arguments: &[&str], code: i32, expected: &str) {
    let output = fixture.check(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn the_same_tools_on_both_sides() {
    let fixture = workspace(&["read_file", "write_file"], "");
    let expected = "4 tools and 0 toolsets in 3 files: 0 errors, 0 warnings\n";
    assert_report(&fixture, &["--linked"], 0, expected);
    // By name, and the binary that was built by now.
    assert_report(&fixture, &["--linked", "hermes"], 0, expected);
    let path = format!("target/debug/hermes{}", std::env::consts::EXE_SUFFIX);
    assert_report(&fixture, &["--linked", &path], 0, expected);
}

#[test]
fn a_pack_that_is_not_linked() {
    let expected = r#"error[not-linked]: tool `read_file` is not in binary `hermes`
 --> pack/src/lib.rs:6:8
  |
6 | pub fn read_file() {}
  |        ^^^^^^^^^
  |
  = note: compiled only if `feature = "file"`
  = help: add `use pack as _;` to agent/src/main.rs

error[not-linked]: tool `write_file` is not in binary `hermes`
  --> pack/src/lib.rs:10:8
   |
10 | pub fn write_file() {}
   |        ^^^^^^^^^^
   |
   = note: compiled only if `all(feature = "file", not(test))`
   = help: add `use pack as _;` to agent/src/main.rs

4 tools and 0 toolsets in 3 files: 2 errors, 0 warnings
"#;
    assert_report(&workspace(&[], ""), &["--linked"], 1, expected);
}

#[test]
fn one_tool_missing_and_one_that_nobody_can_tell() {
    let more = "
#[cfg(set_by_a_build_script)]
#[tool(toolset = \"file\", effect = \"read\")]
pub fn perhaps() {}";
    let expected = r#"error[not-linked]: tool `write_file` is not in binary `hermes`
  --> pack/src/lib.rs:10:8
   |
10 | pub fn write_file() {}
   |        ^^^^^^^^^^
   |
   = note: compiled only if `all(feature = "file", not(test))`
   = help: build the binary from these sources; if it is, look whether `tool` here is the attribute of hermes-tools

note[not-linked]: tool `perhaps` is not in binary `hermes`
  --> pack/src/lib.rs:22:8
   |
22 | pub fn perhaps() {}
   |        ^^^^^^^
   |
   = note: compiled only if `set_by_a_build_script`
   = help: build the binary from these sources; if it is, look whether `tool` here is the attribute of hermes-tools

5 tools and 0 toolsets in 3 files: 1 error, 0 warnings
"#;
    assert_report(&workspace(&["read_file"], more), &["--linked"], 1, expected);
}

#[test]
fn a_tool_that_no_source_declares() {
    let expected = r"error[not-in-source]: binary `hermes` has tool `teleport`, which is in no source
 --> pack/src/lib.rs:7:1
  |
  = help: declare it with `#[tool]`, and build the binary from these sources

4 tools and 0 toolsets in 3 files: 1 error, 0 warnings
";
    let fixture = workspace(&["read_file", "teleport", "write_file"], "");
    assert_report(&fixture, &["--linked"], 1, expected);
}

#[test]
fn a_tool_that_a_macro_made_is_no_error() {
    let more = "
#[macro_export]
macro_rules! make { () => { #[tool(toolset = \"file\", effect = \"read\")] pub fn made() {} } }
make!();";
    let expected = r#"note[not-in-source]: binary `hermes` has tool `made`, which is in no source
 --> pack/src/lib.rs:7:1
  |
  = help: a macro or an included file may declare it: see the blind spots

note[blind-spot]: macro `make` writes tools or toolsets
  --> pack/src/lib.rs:21:14
   |
21 | macro_rules! make { () => { #[tool(toolset = "file", effect = "read")] pub fn made() {} } }
   |              ^^^^

4 tools and 0 toolsets in 3 files: 0 errors, 0 warnings
"#;
    let fixture = workspace(&["made", "read_file", "write_file"], more);
    assert_report(&fixture, &["--linked"], 0, expected);
}

#[test]
fn tools_of_packages_outside_the_workspace_are_theirs() {
    let fixture = workspace(&[], "");
    let listing = r#"{"tools": [
        {"name": "read_file"},
        {"name": "write_file", "origin": {"package": "pack"}},
        {"name": "foreign", "origin": {"package": "other", "file": "x.rs", "line": 1}}
    ]}"#;
    std::fs::write(fixture.path().join("listing.json"), listing).unwrap();
    let expected = "4 tools and 0 toolsets in 3 files: 0 errors, 0 warnings\n";
    assert_report(&fixture, &["--linked"], 0, expected);
}

#[test]
fn a_binary_that_lists_nothing_cannot_be_compared() {
    let fixture = workspace(&[], "");
    for (listing, expected) in [
        (
            "read_file\n",
            "error: binary `hermes` did not list its tools as JSON: expected value at line 1 \
             column 1\n",
        ),
        (
            "[]",
            "error: binary `hermes` did not list its tools as JSON: it has no list `tools`\n",
        ),
    ] {
        std::fs::write(fixture.path().join("listing.json"), listing).unwrap();
        let output = fixture.check(&["--linked"]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(output.status.code(), Some(2));
    }
}
