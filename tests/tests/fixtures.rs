//! Crates as users write them, each with a manifest of its own, built and run.
//!
//! `HERMES_SLOW_TESTS=1` adds what builds the dependencies anew: clippy, WebAssembly and musl. The last
//! two need their targets, and say so when they are not installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn a_renamed_dependency() {
    runs("renamed");
}

#[test]
fn a_facade_that_hands_the_library_on() {
    runs("umbrella");
}

#[test]
fn names_that_clash_with_everything() {
    runs("hostile");
}

#[test]
fn the_strictest_lints() {
    runs("strict");
    if is_slow() {
        succeeds("strict", &mut cargo("strict", &["clippy"]));
    }
}

#[test]
fn modules_of_a_tool_s_name_and_tools_inside_functions() {
    runs("reexport");
}

#[test]
fn a_catalogue_by_hand() {
    runs("no_link");
}

#[test]
fn a_pack_alone_repairs_nothing_and_tells_all() {
    runs("alone");
}

#[test]
fn a_pack_that_is_declared_and_not_linked() {
    let output = runs("unlinked");
    let told = "extern crate `text_pack` is unused in crate `fixture_unlinked`";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

#[test]
fn two_versions_of_the_runtime_are_refused_by_cargo() {
    let output = run(&mut cargo("two_versions", &["build"]));
    assert!(!output.status.success());
    let told = stderr(&output);
    assert!(
        told.contains("links to the native library `hermes_tools`"),
        "{told}"
    );
}

#[test]
fn web_assembly() {
    const TARGET: &str = "wasm32-unknown-unknown";
    if !is_slow() || !has_target(TARGET) {
        println!("skipped: needs HERMES_SLOW_TESTS=1 and the target {TARGET}");
        return;
    }
    succeeds(
        "no_link",
        &mut cargo("no_link", &["build", "--lib", "--target", TARGET]),
    );
    let module = target().join(TARGET).join("debug/fixture_no_link.wasm");
    let script = "const fs = require('fs');\
        WebAssembly.instantiate(fs.readFileSync(process.argv[1]), {})\
        .then(({ instance }) => console.log(instance.exports.answer()));";
    match Command::new("node")
        .arg("-e")
        .arg(script)
        .arg(module)
        .output()
    {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "1042\n"),
        Err(_) => println!("built and not run: there is no node"),
    }
}

#[test]
fn static_musl() {
    const TARGET: &str = "x86_64-unknown-linux-musl";
    if !is_slow() || !has_target(TARGET) {
        println!("skipped: needs HERMES_SLOW_TESTS=1 and the target {TARGET}");
        return;
    }
    let output = run(&mut cargo("reexport", &["run", "--target", TARGET]));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "ok\n",
        "{}",
        stderr(&output)
    );
}

/// Builds a fixture, runs it, and expects it to say that all is well.
fn runs(name: &str) -> Output {
    let output = run(&mut cargo(name, &["run"]));
    assert!(
        output.status.success() && output.stdout == b"ok\n",
        "{name}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        stderr(&output)
    );
    output
}

fn succeeds(name: &str, command: &mut Command) {
    let output = run(command);
    assert!(output.status.success(), "{name}: {}", stderr(&output));
}

fn cargo(name: &str, arguments: &[&str]) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    // The versions are those of the workspace, so that nothing has to be fetched for a fixture.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    std::fs::copy(lock, folder.join("Cargo.lock")).expect("the workspace has a lock file");
    let mut command = Command::new(env!("CARGO"));
    let (first, rest) = arguments.split_first().expect("a command of cargo");
    command
        .arg(first)
        .args(["--quiet", "--offline"])
        .args(rest)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .env_remove("RUSTFLAGS");
    command
}

/// One folder for all fixtures, so that the library is built once.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures")
}

fn run(command: &mut Command) -> Output {
    command.output().expect("cargo runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn is_slow() -> bool {
    std::env::var_os("HERMES_SLOW_TESTS").is_some_and(|value| !value.is_empty())
}

fn has_target(target: &str) -> bool {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    sysroot.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Path::new(&sysroot)
            .join("lib/rustlib")
            .join(target)
            .is_dir()
    })
}
