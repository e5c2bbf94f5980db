//! What `--fix` writes.

use crate::fixture::Fixture;

#[test]
fn a_missing_link_is_added_and_a_reservation_removed() {
    let fixture = Fixture::new(
        r#"
//- Cargo.toml
[workspace]
members = ["app", "weather"]
resolver = "3"
//- weather/Cargo.toml
[package]
name = "weather"
edition = "2024"
//- weather/src/lib.rs
hermes_tools::pack!();
toolset! { name: "weather", description: "Weather." }
reserved_tools! {
    "forecast",
    "temperature",
}
reserved_tools!("rain", "wind");
/// Says how warm it is.
#[tool(toolset = "weather", effect = "read")]
fn temperature() {}
/// Says how much it rains.
#[tool(toolset = "weather", effect = "read")]
fn rain() {}
//- app/Cargo.toml
[package]
name = "app"
edition = "2024"
[dependencies]
weather.path = "../weather"
//- app/src/main.rs
//! An application.

#![deny(missing_docs)]

fn main() {}
"#,
    );
    let output = fixture.run(&["check-toolsets", "--fix"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "2 tools and 1 toolset in 2 files: 0 errors, 0 warnings\n"
    );
    assert_eq!(
        fixture.read("app/src/main.rs"),
        "//! An application.\n\n#![deny(missing_docs)]\n\nhermes_tools::link!(weather);\n\nfn main() {}\n"
    );
    let pack = fixture.read("weather/src/lib.rs");
    assert!(
        pack.contains("reserved_tools! {\n    \"forecast\",\n}\n"),
        "{pack}"
    );
    assert!(pack.contains("reserved_tools!(\"wind\");\n"), "{pack}");
}

#[test]
fn what_is_clean_is_not_written() {
    let fixture = Fixture::new("//- src/lib.rs\nfn f() {}\n");
    let before = std::fs::metadata(fixture.path().join("src/lib.rs"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(
        fixture.run(&["check-toolsets", "--fix"]).status.code(),
        Some(0)
    );
    let after = std::fs::metadata(fixture.path().join("src/lib.rs"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(before, after);
}
