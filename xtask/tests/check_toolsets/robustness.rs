//! Real-life mixtures, and what the program says when it cannot do its work.

use crate::fixture::Fixture;

const MIXTURE: &str = r#"
//- src/lib.rs
use hermes_tools::tool as t;

#[path = "deep/er.rs"]
mod other;
mod broken;

#[t(toolset = "demo", effect = "read")]
fn renamed() {}

#[cfg_attr(not(feature = "quiet"), t(toolset = "demo", effect = "read"))]
fn conditional() {
    #[t(toolset = "demo", effect = "write")]
    fn nested() {}
}
//- src/broken.rs
fn tool closed( {
//- src/deep/er.rs
#[hermes_tools::tool(toolset = "demo", name = "by_path", effect = "destructive")]
fn f() {}
"#;

#[test]
fn a_broken_file_does_not_hide_the_others() {
    let output = Fixture::new(MIXTURE).check(&["--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> = report["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["renamed", "conditional", "nested", "by_path"]);
    assert_eq!(
        report["findings"],
        serde_json::json!([{
            "rule": "unparsed-file",
            "severity": "error",
            "message": "cannot read this file: cannot parse string into token stream",
            "at": { "file": "src/broken.rs", "line": 1, "column": 17 },
            "notes": ["its tools and modules are not checked"],
            "help": "`cargo check` shows the compiler's view of it"
        }])
    );
    assert_eq!(report["version"], 1);
    assert_eq!(
        (&report["errors"], &report["warnings"]),
        (&1.into(), &0.into())
    );
    assert_eq!(report["files"], 3);
}

#[test]
fn warnings_fail_only_on_demand() {
    let fixture = Fixture::new("//- src/lib.rs\n#[tool(toolset = \"a\")]\nfn f() {}\n");
    assert_eq!(fixture.check(&[]).status.code(), Some(0));
    assert_eq!(fixture.check(&["--deny-warnings"]).status.code(), Some(1));
}

#[test]
fn a_file_of_other_bytes_is_reported() {
    let fixture = Fixture::new("//- src/lib.rs\nmod bytes;\n");
    std::fs::write(fixture.path().join("src/bytes.rs"), b"fn f() {} // \xff").unwrap();
    let report = fixture.report().to_text();
    let first = report.lines().take(2).collect::<Vec<_>>();
    let expected = [
        "error[unparsed-file]: cannot read this file: stream did not contain valid UTF-8",
        " --> src/bytes.rs:1:1",
    ];
    assert_eq!(first, expected);
}

#[test]
fn what_cannot_run_exits_with_two() {
    let fixture = Fixture::new("//- src/lib.rs\n");
    let cases: [(&[&str], &str); 5] = [
        (
            &[],
            "error: no command given; `cargo xtask --help` lists the commands\n",
        ),
        (
            &["deploy"],
            "error: unknown command `deploy`; `cargo xtask --help` lists the commands\n",
        ),
        (
            &["ci", "--fast"],
            "error: unknown option `--fast`; `cargo xtask ci --help` lists them\n",
        ),
        (
            &["check-toolsets", "--format", "xml"],
            "error: unknown format `xml`; known are `text`, `json`, `sarif` and `github`\n",
        ),
        (
            &["check-toolsets", "--linked"],
            "error: the workspace has no binary `hermes`; name one that lists its tools with \
             `--linked <BIN>`\n",
        ),
    ];
    for (arguments, expected) in cases {
        let output = fixture.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert!(output.stdout.is_empty());
    }
    let output = fixture.run(&["check-toolsets", "--manifest-path", "absent/Cargo.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("manifest path `absent/Cargo.toml` does not exist"),
        "{error}"
    );
}
