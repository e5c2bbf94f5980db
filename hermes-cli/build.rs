//! How the binary is linked.

use std::env;

/// A position-independent executable has the loader write every pointer in its constants before `main`:
/// here some 15,000 of them over 80 pages, mostly Unicode tables of the search, which took a third of
/// the time of a short command. At a fixed address the linker writes them once. The price is that the
/// executable's own image is not moved about in memory; libraries, heap and stack still are.
///
/// Other systems demand or ignore it, and musl brings start files of its own.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|it| it == value);
    if is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("PROFILE", "release")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
