//! A workspace of somebody else, with an `xtask` of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fixture::Fixture;

/// Below the folder of this build and kept between runs: only the first one builds the dependencies.
fn target_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("downstream")
}

/// The versions that are known to build, so that nothing has to be looked up.
fn lock(fixture: &Fixture) {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    std::fs::copy(lock, fixture.path().join("Cargo.lock")).unwrap();
}

#[test]
fn packs_without_a_binary_are_linked_by_a_probe() {
    let framework = env!("CARGO_MANIFEST_DIR").replace('\\', "/") + "/../hermes-tools";
    let fixture = Fixture::new(&format!(
        r#"
//- Cargo.toml
[workspace]
members = ["pack"]
resolver = "3"
//- pack/Cargo.toml
[package]
name = "pack"
edition = "2024"
[dependencies]
hermes-tools.path = "{framework}"
//- pack/src/lib.rs
use hermes_tools::tool;

hermes_tools::pack!();
hermes_tools::toolset! {{ name: "talk", description: "Talking." }}

/// Says hello.
#[tool(toolset = "talk", effect = "read", inline)]
pub fn hello() -> &'static str {{
    "hello"
}}

macro_rules! make {{
    ($name:ident) => {{
        /// Says goodbye.
        #[tool(toolset = "talk", effect = "read", inline)]
        pub fn $name() -> &'static str {{
            "goodbye"
        }}
    }};
}}
make!(goodbye);
"#
    ));
    lock(&fixture);
    let output = Command::new(env!("CARGO_BIN_EXE_hermes-xtask"))
        .args(["check-toolsets", "--linked"])
        .current_dir(fixture.path())
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    let expected = r"note[not-in-source]: binary `check-toolsets-probe` has tool `goodbye`, which is in no source
  --> pack/src/lib.rs:21:1
   |
21 | make!(goodbye);
   | ^^^^
   |
   = help: a macro or an included file may declare it: see the blind spots

note[blind-spot]: macro `make` writes tools or toolsets
  --> pack/src/lib.rs:12:14
   |
12 | macro_rules! make {
   |              ^^^^

1 tool and 1 toolset in 1 file: 0 errors, 0 warnings
";
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_fresh_workspace_checks_itself_with_an_xtask_of_five_lines() {
    let here = env!("CARGO_MANIFEST_DIR").replace('\\', "/");
    let fixture = Fixture::new(&format!(
        r#"
//- Cargo.toml
[workspace]
members = ["pack", "xtask"]
resolver = "3"
//- .cargo/config.toml
[alias]
xtask = "run --quiet --package demo-xtask --"
//- xtask/Cargo.toml
[package]
name = "demo-xtask"
edition = "2024"
[dependencies]
hermes-xtask.path = "{here}"
//- xtask/src/main.rs
//! `cargo xtask check-toolsets`.

fn main() -> std::process::ExitCode {{
    hermes_xtask::check_toolsets::main()
}}
//- pack/Cargo.toml
[package]
name = "pack"
edition = "2024"
//- pack/src/lib.rs
/// Reads a file.
#[tool(toolset = "file")]
fn read_file() {{}}
"#
    ));
    // The guide shows these lines.
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/checking.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let main = fixture.read("xtask/src/main.rs");
    let (_, main) = main.split_once("\n\n").unwrap();
    assert!(guide.contains(main), "{main}");
    lock(&fixture);
    let output = Command::new(env!("CARGO"))
        .args(["xtask", "check-toolsets", "--package", "pack"])
        .current_dir(fixture.path())
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    let expected = r#"warning[missing-effect]: tool `read_file` does not say what it does and counts as destructive
 --> pack/src/lib.rs:3:4
  |
3 | fn read_file() {}
  |    ^^^^^^^^^
  |
  = help: add `effect = "read"`, `"write"` or `"destructive"`

warning[tool-in-no-toolset]: tool `read_file` names toolset `file`, which nothing declares
 --> pack/src/lib.rs:2:18
  |
2 | #[tool(toolset = "file")]
  |                  ^^^^^^
  |
  = note: no other toolset lists it, so it can be chosen by that name alone
  = help: declare it with `hermes_tools::toolset! { name: "file", description: "..." }`

1 tool and 0 toolsets in 2 files: 0 errors, 2 warnings
"#;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut lines: Vec<&str> = expected.split("\n\n").collect();
    lines.swap(0, 1);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        lines.join("\n\n"),
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(0));
}
