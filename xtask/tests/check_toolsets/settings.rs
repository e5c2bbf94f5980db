//! What `Cargo.toml` says, and what may be asked for on the command line.

use crate::fixture::Fixture;

fn silent(rules: &str) -> Fixture {
    Fixture::new(&format!(
        "//- Cargo.toml
[package]
name = \"demo\"
edition = \"2024\"
[package.metadata.check-toolsets]
rules = {{ {rules} }}
//- src/lib.rs
toolset! {{ name: \"file\", description: \"Files.\" }}
/// Reads a file.
#[tool(toolset = \"file\")]
fn read_file() {{}}
"
    ))
}

#[test]
fn a_rule_has_the_severity_that_the_manifest_gives_it() {
    for (rules, code, last) in [
        ("", 0, "1 tool and 1 toolset in 1 file: 0 errors, 1 warning"),
        (
            "missing-effect = \"error\"",
            1,
            "1 tool and 1 toolset in 1 file: 1 error, 0 warnings",
        ),
        (
            "missing-effect = \"note\"",
            0,
            "1 tool and 1 toolset in 1 file: 0 errors, 0 warnings",
        ),
        (
            "missing-effect = \"off\"",
            0,
            "1 tool and 1 toolset in 1 file: 0 errors, 0 warnings",
        ),
    ] {
        let output = silent(rules).run(&["check-toolsets"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().last(), Some(last), "{text}");
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn wrong_settings_and_names_cannot_run() {
    let output = silent("missing-efect = \"off\"").run(&["check-toolsets"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: in `metadata.check-toolsets` of Cargo.toml, key `rules`: unknown rule `missing-efect`; \
         did you mean `missing-effect`?\n"
    );
    let output = silent("").run(&["check-toolsets", "--package", "other"]);
    assert_eq!(output.status.code(), Some(2));
    let error = "error: the workspace has no member `other`\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), error);
}

#[test]
fn a_package_is_shown_alone_and_checked_with_the_others() {
    let fixture = Fixture::new(
        r#"
//- Cargo.toml
[workspace]
members = ["one", "two"]
resolver = "3"
//- one/Cargo.toml
[package]
name = "one"
edition = "2024"
//- one/src/lib.rs
toolset! { name: "file", description: "Files.", tools: ["absent", "read_file"] }
//- two/Cargo.toml
[package]
name = "two"
edition = "2024"
//- two/src/lib.rs
/// Reads a file.
#[tool(toolset = "file")]
fn read_file() {}
"#,
    );
    let rules = |package: &str| -> Vec<String> {
        let output = fixture.run(&["check-toolsets", "--format", "json", "--package", package]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap().iter();
        findings
            .map(|finding| finding["rule"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(rules("one"), ["unknown-tool-in-toolset"]);
    assert_eq!(rules("two"), ["missing-effect"]);
}

#[test]
fn names_in_a_configuration_are_known_when_anything_declares_them() {
    let fixture = Fixture::new(
        r#"
//- src/lib.rs
toolset! { name: "file", description: "Files." }
/// Reads a file.
#[tool(toolset = "file", effect = "read")]
fn read_file() {}
//- hermes.toml
enabled = ["file", "review", "sparkle", "shiny", "hermes-irc", "mcp-github", "all", "flie"]
[toolsets.review]
tools = ["read_file"]
includes = ["file"]
[sources.webhook]
disabled = ["browzer"]
[plugins.entries.shiny]
toolsets = ["sparkle"]
platforms = ["irc"]
"#,
    );
    let expected = r#"warning[unknown-toolset-in-configuration]: the configuration names toolset `flie`, which nothing declares
 --> hermes.toml:1:85
  |
1 | enabled = ["file", "review", "sparkle", "shiny", "hermes-irc", "mcp-github", "all", "flie"]
  |                                                                                     ^^^^^^
  |
  = help: did you mean `file`?

warning[unknown-toolset-in-configuration]: the configuration names toolset `browzer`, which nothing declares
 --> hermes.toml:6:13
  |
6 | disabled = ["browzer"]
  |             ^^^^^^^^^
  |
  = help: correct the name, or remove it

1 tool and 1 toolset in 1 file: 0 errors, 2 warnings
"#;
    assert_eq!(fixture.report_by(&[]).to_text(), expected);
    let broken = Fixture::new("//- src/lib.rs\n//- hermes.toml\nenabled = [\n");
    let report = broken.report_by(&[]);
    assert_eq!(report.findings[0].rule, "unparsed-file");
    assert_eq!(report.findings[0].problem.position.file, "hermes.toml");
}
