//! The report for programs.

use serde_json::{Value, json};

use crate::fixture::Fixture;

const LIB: &str = r#"
//- src/lib.rs
toolset! { name: "file", description: "Files.", tools: ["raed_file"] }
// check-toolsets: allow(missing-effect): it varies.
/// Reads a file.
#[tool(toolset = "file")]
fn read_file() {}
"#;

fn output(format: &str) -> String {
    let output = Fixture::new(LIB).run(&["check-toolsets", "--format", format]);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn annotations_are_one_line_each() {
    assert_eq!(
        output("github"),
        "::error file=src/lib.rs,line=1,col=57,title=unknown-tool-in-toolset::toolset `file` lists tool \
         `raed_file`, which nothing declares%0Ahelp: did you mean `read_file`?\n"
    );
}

#[test]
fn code_hosts_are_told_paths_from_the_repository() {
    let inside = LIB.replace("//- ", "//- some folder/")
        + "//- some folder/Cargo.toml\n[package]\nname = \"demo\"\nedition = \"2024\"\n[workspace]\n";
    let fixture = Fixture::new(&inside);
    std::fs::create_dir(fixture.path().join(".git")).unwrap();
    let output = |format: &str| {
        let arguments = [
            "check-toolsets",
            "--format",
            format,
            "--manifest-path",
            "some folder/Cargo.toml",
        ];
        String::from_utf8(fixture.run(&arguments).stdout).unwrap()
    };
    let annotation = output("github");
    assert!(
        annotation.starts_with("::error file=some folder/src/lib.rs,line=1,"),
        "{annotation}"
    );
    let log: Value = serde_json::from_str(&output("sarif")).unwrap();
    let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        location["artifactLocation"]["uri"],
        "some%20folder/src/lib.rs"
    );
    let report: Value = serde_json::from_str(&output("json")).unwrap();
    assert_eq!(report["findings"][0]["at"]["file"], "src/lib.rs");
}

#[test]
fn sarif_has_the_rules_and_what_is_allowed() {
    let log: Value = serde_json::from_str(&output("sarif")).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let location = |line: u32, column: u32| {
        json!([{ "physicalLocation": {
            "artifactLocation": { "uri": "src/lib.rs", "uriBaseId": "%SRCROOT%" },
            "region": { "startLine": line, "startColumn": column },
        } }])
    };
    assert_eq!(results.len(), 2);
    assert_eq!(results[0]["ruleId"], "unknown-tool-in-toolset");
    assert_eq!(results[0]["level"], "error");
    assert_eq!(results[0]["locations"], location(1, 57));
    assert_eq!(results[0].get("suppressions"), None);
    assert_eq!(results[1]["ruleId"], "missing-effect");
    assert_eq!(results[1]["locations"], location(5, 4));
    let suppressed = json!([{ "kind": "inSource", "justification": "it varies." }]);
    assert_eq!(results[1]["suppressions"], suppressed);
}

#[test]
fn json_tells_what_is_allowed_and_why() {
    let report: Value = serde_json::from_str(&output("json")).unwrap();
    assert_eq!(report["allowed"][0]["rule"], "missing-effect");
    assert_eq!(report["allowed"][0]["reason"], "it varies.");
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
}
