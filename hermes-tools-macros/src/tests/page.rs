//! `docs/diagnostics.md`: made from the rules, and held against the recorded compiler output.
//!
//! `HERMES_UPDATE_DOCS=1` writes the page anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::misuse::is_message_of;
use crate::diagnostics::RULES;

/// A misuse that somebody else reports.
struct Other {
    id: u8,
    by: &'static str,
    misuse: &'static str,
    text: &'static str,
}

const TRAIT: &str = "the compiler, in our words";
const CONSTANT: &str = "the compiler, when it evaluates the table of parameters";
const RUSTC: &str = "the compiler";
const CHECKER: &str = "`cargo xtask check-toolsets`";

const fn other(id: u8, by: &'static str, misuse: &'static str, text: &'static str) -> Other {
    Other {
        id,
        by,
        misuse,
        text,
    }
}

const OTHERS: &[Other] = &[
    other(
        11,
        RUSTC,
        "#[tool(toolset = \"file\", check = available)] // fn available() -> bool",
        "`fn() -> bool {available}` cannot be an availability check",
    ),
    other(
        12,
        RUSTC,
        "#[tool(toolset = \"file\", check = no::such::path)]",
        "cannot find module or crate `no` in this scope",
    ),
    other(
        14,
        CONSTANT,
        "#[arg(lock)] dry_run: bool",
        "a boolean cannot name a resource; put `lock` on the argument that does",
    ),
    other(33, TRAIT, "foo: Foo", "`Foo` cannot be a tool parameter"),
    other(
        35,
        TRAIT,
        "#[ctx] host: Host",
        "`Host` is not available from the tool context",
    ),
    other(
        36,
        RUSTC,
        "#[arg(default = \"1\")] line: u32",
        "mismatched types",
    ),
    other(
        37,
        RUSTC,
        "#[arg(default = 300)] line: u8",
        "literal out of range for `u8`",
    ),
    other(
        39,
        CONSTANT,
        "#[arg(min = 1)] path: String",
        "`min` and `max` are for numbers; use `len` for text and lists",
    ),
    other(
        39,
        CONSTANT,
        "#[arg(len = 1..)] line: u32",
        "`len` is for text and lists; use `min` and `max` for numbers",
    ),
    other(
        41,
        CONSTANT,
        "value: serde_json::Value",
        "several providers reject parameters without a type; give a type, or write `any` in the attribute",
    ),
    other(
        42,
        TRAIT,
        "map: BTreeMap<u32, String>",
        "`u32` cannot be the key of a map",
    ),
    other(
        44,
        TRAIT,
        "async fn read() -> Foo {}",
        "a tool cannot return `Foo`",
    ),
    other(
        45,
        TRAIT,
        "async fn read() -> Result<String, Foo> {}",
        "`Foo` is not a tool error",
    ),
    other(
        46,
        RUSTC,
        "async fn held() -> String { let cell = Rc::new(1); other().await; cell.to_string() }",
        "future returned by `held` is not `Send`",
    ),
    other(
        49,
        CONSTANT,
        "#[derive(ToolParam)] struct Copy { /** From. */ path: String, #[param(flatten)] common: HasPath }",
        "two fields answer to one name; rename one of the flattened type, or of this one",
    ),
    other(
        50,
        RUSTC,
        "#[derive(ToolParam)] struct Even { /** Next. */ next: Option<Box<Odd>> } // and Odd holds Even",
        "cycle detected when; write `#[param(recursive)]` on the field",
    ),
    other(
        51,
        "the registry, and `cargo xtask check-toolsets`",
        "two linked tools of one name",
        "two tools are called `read_file`: ... and ...; rename one, or say `overrides` with the package of the other",
    ),
    other(
        52,
        CHECKER,
        "toolset! { name: \"x\", description: \"...\", includes: [\"flie\"] }",
        "the included toolset does not exist, is empty, or includes itself",
    ),
    other(
        53,
        "the lint `unused_crate_dependencies`, and `cargo xtask check-toolsets`",
        "a pack in `Cargo.toml` that no source names",
        "add `hermes_tools::link!(pack);` to the crate root",
    ),
    other(
        54,
        RUSTC,
        "hermes_tools::link!(serde_json);",
        "cannot find value `PACK` in crate `serde_json`",
    ),
    other(
        55,
        "the pack's own test, with `hermes_tools::testing`",
        "#[arg(pattern = \"(\")] path: String",
        "the pattern does not compile",
    ),
];

#[test]
fn the_page_of_diagnostics_is_current() {
    let place = root().join("docs/diagnostics.md");
    let page = page();
    if std::env::var_os("HERMES_UPDATE_DOCS").is_some() {
        std::fs::write(&place, &page).unwrap();
    }
    let written = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(
        written == page,
        "docs/diagnostics.md is not current; run this test with HERMES_UPDATE_DOCS=1"
    );
}

#[test]
fn every_row_has_a_rule_or_somebody_else_who_reports_it() {
    let mut ids: Vec<u8> = RULES.iter().map(|(_, rule)| rule.id).collect();
    ids.extend(OTHERS.iter().map(|other| other.id));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids, (1..=56).collect::<Vec<u8>>());
}

#[test]
fn every_message_was_recorded_from_the_compiler() {
    let recorded: Vec<String> = std::fs::read_dir(root().join("tests/ui"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "stderr")
        })
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let lines: Vec<&str> = recorded.iter().flat_map(|text| text.lines()).collect();
    for (name, rule) in RULES {
        // A function with `...` is refused by the compiler before the macro sees it.
        let found = lines.iter().any(|line| is_message_of(rule, line));
        assert!(
            found || *name == "VARIADIC_FN" || *name == "NO_BODY",
            "{name}"
        );
    }
    for other in OTHERS.iter().filter(|other| !(51..=55).contains(&other.id)) {
        let text = other.text.split(';').next().unwrap();
        assert!(lines.iter().any(|line| line.contains(text)), "{text}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         What `#[tool]`, `#[derive(ToolParam)]` and `tools![]` say of a mistake, and who else \
         finds what they cannot see. All mistakes of a function are reported in one run, each at its \
         place.\n\n\
         This page is made from the table in `hermes-tools-macros/src/diagnostics.rs`; a test \
         keeps it current. `tests/ui` holds the compiler's output for each row.\n",
    );
    for id in 1..=56 {
        // Writing to a `String` cannot fail.
        let _ = write!(page, "\n## {id}\n");
        for (_, rule) in RULES.iter().filter(|(_, rule)| rule.id == id) {
            entry(&mut page, rule.misuse, rule.text, None);
        }
        for other in OTHERS.iter().filter(|other| other.id == id) {
            entry(&mut page, other.misuse, other.text, Some(other.by));
        }
    }
    page
}

fn entry(page: &mut String, misuse: &str, text: &str, by: Option<&str>) {
    let by = by
        .map(|by| format!("\n\nReported by {by}."))
        .unwrap_or_default();
    // Writing to a `String` cannot fail.
    let _ = write!(page, "\n```text\n{misuse}\n```\n\n> {text}{by}\n");
}
