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
fn a_pack_is_linked_by_a_name_that_the_package_has() {
    for (dependency, expected) in [
        (
            "ht = { package = \"hermes-tools\", path = \"../hermes-tools\" }",
            "ht::link!(weather);",
        ),
        ("umbrella.path = \"../umbrella\"", "use weather as _;"),
    ] {
        let fixture = Fixture::new(&format!(
            r#"
//- Cargo.toml
[workspace]
members = ["app", "hermes-tools", "umbrella", "weather"]
resolver = "3"
//- hermes-tools/Cargo.toml
[package]
name = "hermes-tools"
edition = "2024"
//- hermes-tools/src/lib.rs
//- umbrella/Cargo.toml
[package]
name = "umbrella"
edition = "2024"
[dependencies]
hermes-tools.path = "../hermes-tools"
//- umbrella/src/lib.rs
pub use hermes_tools::*;
//- weather/Cargo.toml
[package]
name = "weather"
edition = "2024"
//- weather/src/lib.rs
ht::pack!();
//- app/Cargo.toml
[package]
name = "app"
edition = "2024"
[dependencies]
weather.path = "../weather"
{dependency}
//- app/src/main.rs
fn main() {{}}
"#
        ));
        let output = fixture.run(&["check-toolsets", "--fix"]);
        assert_eq!(output.status.code(), Some(0));
        let main = fixture.read("app/src/main.rs");
        assert_eq!(main, format!("{expected}\n\nfn main() {{}}\n"));
    }
}

#[test]
fn lists_are_sorted_in_their_places() {
    let fixture = Fixture::new(
        r#"
//- src/lib.rs
toolset! {
    name: "file",
    description: "Füße.", tools: ["write_file", "read_file", "patch"],
    includes: ["web", "all"],
    lent: [
        "web_search",
        "web_extract",
    ],
}
toolset! { name: "web", description: "The web.", tools: [
    // The usual one first.
    "web_search",
    "web_extract",
] }
reserved_tools!("write_file", "read_file", "patch", "web_search", "web_extract");
const TOOLS: [&T; 3] = hermes_tools::tools![ weather::now, self::b , a::c];
"#,
    );
    let before = fixture.report_by(&["unsorted-names"]).to_text();
    assert_eq!(
        before.matches("note[unsorted-names]").count(),
        4,
        "{before}"
    );
    let output = fixture.run(&["check-toolsets", "--fix"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "0 tools and 2 toolsets in 1 file: 0 errors, 0 warnings\n"
    );
    let expected = r#"toolset! {
    name: "file",
    description: "Füße.", tools: ["patch", "read_file", "write_file"],
    includes: ["web", "all"],
    lent: [
        "web_extract",
        "web_search",
    ],
}
toolset! { name: "web", description: "The web.", tools: [
    // The usual one first.
    "web_search",
    "web_extract",
] }
reserved_tools!("patch", "read_file", "web_extract", "web_search", "write_file");
const TOOLS: [&T; 3] = hermes_tools::tools![ a::c, self::b , weather::now];
"#;
    assert_eq!(fixture.read("src/lib.rs"), expected);
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
