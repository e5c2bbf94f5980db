//! What the linked catalogue shows of schemas. The binary of these tests prints the file that its
//! arguments name.

use crate::fixture::Fixture;

const WORKSPACE: &str = r#"
//- Cargo.toml
[package]
name = "hermes"
edition = "2024"
[workspace]
[workspace.metadata.check-toolsets]
golden = "golden.json"
schema-budget = { default = 300, web = 90 }
//- src/main.rs
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(|word| word.trim_start_matches('-')).collect();
    print!("{}", std::fs::read_to_string(words.join("_")).unwrap());
}
#[cfg(set_by_nobody)]
mod tools;
//- src/tools.rs
toolset! { name: "web", description: "The web." }
/// Searches the web.
#[tool(toolset = "web", effect = "read")]
fn web_search() {}
//- tools_all_json
{"tools": [{"name": "web_search", "toolset": "web"}]}
//- json_definitions_toolset_all_sizes
{"tools": [{"name": "web_search", "characters": 400, "tokens": 100}], "losses": []}
//- json_definitions_toolset_all_sizes_dialect_openai
{"tools": [], "losses": []}
//- json_definitions_toolset_all_sizes_dialect_openai-responses
{"tools": [], "losses": []}
//- json_definitions_toolset_all_sizes_dialect_anthropic
{"tools": [], "losses": []}
//- json_definitions_toolset_all_sizes_dialect_gemini
{"tools": [], "losses": ["`web_search`: `limit`: `maximum` is left out"]}
//- json_definitions_toolset_all_sizes_dialect_mcp
{"tools": [], "losses": []}
//- definitions_toolset_all
[
{"name": "web_search"}
]
"#;

#[test]
fn losses_budgets_and_changes_are_told_at_the_tool_the_toolset_and_the_line() {
    let fixture = Fixture::new(&format!(
        "{WORKSPACE}//- golden.json\n[\n{{\"name\": \"web_serch\"}}\n]\n"
    ));
    let output = fixture.run(&["check-toolsets", "--linked"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let expected = r#"error[golden-changed]: what models are told differs from the golden definitions
 --> golden.json:2:17
  |
2 | {"name": "web_serch"}
  |                 ^^^
  |
  = note: before: {"name": "web_serch"}
  = note: now:    {"name": "web_search"}
  = help: if that is meant, write the file with `--fix`

warning[schema-budget]: the definitions of toolset `web` take 100 tokens, and the budget is 90
 --> src/tools.rs:1:18
  |
1 | toolset! { name: "web", description: "The web." }
  |                  ^^^^^
  |
  = note: the largest are `web_search` 100
  = help: shorten descriptions, or raise `schema-budget` in Cargo.toml

warning[schema-dialect]: in the form `gemini`: `web_search`: `limit`: `maximum` is left out
 --> src/tools.rs:4:4
  |
4 | fn web_search() {}
  |    ^^^^^^^^^^
  |
  = help: say it in the description, or write a schema that every provider takes

1 tool and 1 toolset in 2 files: 1 error, 2 warnings
"#;
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(1));
    // What is mechanical is written.
    let output = fixture.run(&["check-toolsets", "--fix"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.ends_with("1 tool and 1 toolset in 2 files: 0 errors, 2 warnings\n"),
        "{text}"
    );
    assert_eq!(
        fixture.read("golden.json"),
        fixture.read("definitions_toolset_all")
    );
}

#[test]
fn a_binary_without_definitions_is_a_note() {
    let fixture = Fixture::new(WORKSPACE);
    std::fs::remove_file(fixture.path().join("json_definitions_toolset_all_sizes")).unwrap();
    let output = fixture.run(&["check-toolsets", "--linked"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "note[schema-dialect]: the binary does not print its definitions, so that schemas are not checked\n";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(output.status.code(), Some(0));
}
