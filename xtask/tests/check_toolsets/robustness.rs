//! Real-life mixtures, and what the program says when it cannot do its work.

use std::collections::BTreeSet;
use std::fmt::Write as _;

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

/// Files that are deep in some way, each with a tool at its end.
fn deep(levels: usize) -> Fixture {
    let nested = |open: &str, inside: &str, close: &str| {
        format!("{}{inside}{}", open.repeat(levels), close.repeat(levels))
    };
    let bodies = [
        nested("(", "x", ")"),
        nested("{", "", "}"),
        nested("if a {", "", "}"),
        nested("match a { _ => ", "b", "}"),
        nested("x + ", "x", ""),
        nested("!", "x", ""),
        nested("a = ", "b", ""),
        nested("|a| ", "b", ""),
        format!("x{}", ".call()".repeat(levels)),
        nested("", "if a {}", " else if a {}"),
        format!("x{}", " as u8".repeat(levels)),
        format!("let a: {};", nested("&", "T", "")),
        format!("let a: {};", nested("V<", "T", ">")),
        format!("let {} = a;", nested("S(", "b", ")")),
        nested("fn inner() {", "", "}"),
        format!("call![{}]", nested("[", "", "]")),
    ];
    let mut text = String::from("//- src/lib.rs\n");
    for index in 0..bodies.len() {
        let _ = writeln!(text, "mod file_{index};");
    }
    text += &nested("mod deep {", "", "}");
    for (index, body) in bodies.iter().enumerate() {
        let _ = write!(
            text,
            "\n//- src/file_{index}.rs\nfn f() {{ {body} }}\n#[tool(toolset = \"a\", effect = \"read\")] fn tool_{index}() {{}}"
        );
    }
    Fixture::new(&text)
}

#[test]
fn deep_files_are_read_and_hopeless_ones_are_told() {
    let report = deep(1500).report();
    assert_eq!(report.findings, []);
    assert_eq!(report.scan.tools.len(), 16);
    let report = deep(200_000).report();
    let reasons: BTreeSet<&str> = report
        .findings
        .iter()
        .map(|finding| finding.problem.message.as_str())
        .collect();
    let expected = "cannot read this file: it is nested too deeply to be parsed";
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), [expected]);
    assert_eq!(report.findings.len(), 16);
}

#[test]
fn a_file_of_many_megabytes_is_told_and_not_parsed() {
    let fixture = Fixture::new(
        "//- src/lib.rs\nmod long;\nmod data;\n//- src/data.rs\nmod inner;\n//- src/data/inner.rs\n",
    );
    let blank = " ".repeat(33 << 20);
    std::fs::write(
        fixture.path().join("src/long.rs"),
        format!("fn tool() {{}}{blank}"),
    )
    .unwrap();
    // What has nothing to do with tools is not parsed anyway.
    std::fs::write(
        fixture.path().join("src/data.rs"),
        format!("mod inner;{blank}"),
    )
    .unwrap();
    let report = fixture.report();
    let messages: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.problem.message.as_str())
        .collect();
    assert_eq!(
        messages,
        ["cannot read this file: it is too long to be parsed"]
    );
    assert_eq!(report.scan.files.len(), 4);
}

#[test]
fn files_that_name_each_other_in_circles_are_walked_a_while() {
    // Each of twelve files is every module of every other: no order of them is walked to its end.
    let names: Vec<String> = (0..12).map(|index| format!("file_{index}")).collect();
    let modules: String = names
        .iter()
        .map(|name| format!("#[path = \"{name}.rs\"] mod {name};\n"))
        .collect();
    let mut text = format!("//- src/lib.rs\n{modules}");
    for name in &names {
        let tool = format!("#[tool(toolset = \"a\", effect = \"read\")] fn {name}() {{}}\n");
        let _ = write!(text, "//- src/{name}.rs\n{modules}{tool}");
    }
    let report = Fixture::new(&text).report();
    assert_eq!(report.findings, []);
    let tools: BTreeSet<&str> = report
        .scan
        .tools
        .iter()
        .map(|tool| tool.item.name.text.as_str())
        .collect();
    assert_eq!(tools.len(), 12);
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_are_no_files() {
    let fixture = Fixture::new(
        "//- src/lib.rs\nmod looped;\nmod folder;\n//- src/folder/mod.rs\nmod again;\n",
    );
    let source = fixture.path().join("src");
    std::os::unix::fs::symlink(source.join("looped.rs"), source.join("looped.rs")).unwrap();
    std::os::unix::fs::symlink(&source, source.join("folder/again")).unwrap();
    std::fs::write(source.join("mod.rs"), "mod folder;\n").unwrap();
    let report = fixture.report();
    let messages: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.problem.message.as_str())
        .collect();
    let looped = "cannot read this file: module `looped` has no file";
    assert_eq!(messages.last(), Some(&looped), "{messages:?}");
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

/// The second run knows the files from the first, and sees what has changed all the same.
#[test]
fn what_changed_since_the_last_run_is_seen() {
    let fixture = Fixture::new(
        "//- src/lib.rs
mod user;
#[tool(toolset = \"a\", effect = \"read\")]
fn one() {}
//- src/user.rs
#[tool(toolset = \"a\", effect = \"read\")]
fn two() {}
",
    );
    let names = || {
        let output = fixture.check(&["--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let tools = report["tools"].as_array().unwrap();
        let names = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(), "one two");
    let kept = fixture.path().join("target/check-toolsets.json");
    assert!(kept.is_file());
    assert_eq!(names(), "one two");
    let user = fixture.path().join("src/user.rs");
    // The same size, so that only the content tells.
    let text = fixture.read("src/user.rs").replace("two", "six");
    std::fs::write(&user, text).unwrap();
    assert_eq!(names(), "one six");
    std::fs::write(&kept, "no cache at all").unwrap();
    assert_eq!(names(), "one six");
    std::fs::remove_file(&user).unwrap();
    std::fs::create_dir(fixture.path().join("src/user")).unwrap();
    let moved = "#[tool(toolset = \"a\", effect = \"read\")]\nfn ten() {}\n";
    std::fs::write(fixture.path().join("src/user/mod.rs"), moved).unwrap();
    assert_eq!(names(), "one ten");
}
