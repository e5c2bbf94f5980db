//! Findings that comments allow.

use crate::fixture::Fixture;

fn rules(lib: &str) -> (Vec<&'static str>, Vec<String>) {
    let head = "toolset! { name: \"file\", description: \"Files.\" }\n";
    let report = Fixture::new(&format!("//- src/lib.rs\n{head}{lib}")).report_by(&[]);
    let left = report.findings.iter().map(|finding| finding.rule).collect();
    let allowed = report
        .allowed
        .iter()
        .map(|allowed| allowed.reason.clone())
        .collect();
    (left, allowed)
}

#[test]
fn a_comment_above_between_or_behind_allows_what_it_names() {
    for lib in [
        "// check-toolsets: allow(missing-effect): it varies.\n/// Reads.\n#[tool(toolset = \"file\")]\nfn read() {}\n",
        "/// Reads.\n// check-toolsets: allow(duplicate-tool, missing-effect): it varies.\n// More.\n#[tool(\n    toolset = \"file\",\n)]\nfn read() {}\n",
        "/// Reads.\n#[tool(toolset = \"file\")]\nfn read() {} // check-toolsets: allow(missing-effect): it varies.\n",
    ] {
        let (left, allowed) = rules(lib);
        // The second names a rule that finds nothing, which is a finding itself.
        assert!(
            left.iter().all(|rule| *rule == "unused-allow"),
            "{lib}: {left:?}"
        );
        assert_eq!(allowed, ["it varies."], "{lib}");
    }
}

#[test]
fn a_comment_elsewhere_without_a_reason_or_in_a_string_allows_nothing() {
    for (lib, expected) in [
        (
            "/// Reads.\n#[tool(toolset = \"file\")]\nfn read() {}\n// check-toolsets: allow(missing-effect): late.\n",
            vec!["missing-effect", "unused-allow"],
        ),
        (
            "// check-toolsets: allow(missing-effect):\n/// Reads.\n#[tool(toolset = \"file\")]\nfn read() {}\n",
            vec!["allow-without-reason", "missing-effect"],
        ),
        (
            "// check-toolsets: allow(missing-efect): typed.\n/// Reads.\n#[tool(toolset = \"file\")]\nfn read() {}\n",
            vec!["unused-allow", "missing-effect"],
        ),
        (
            "const A: &str = \"\n// check-toolsets: allow(missing-effect): quoted.\n\";\n/// Reads.\n#[tool(toolset = \"file\")]\nfn read() {}\n",
            vec!["missing-effect"],
        ),
        (
            "/// // check-toolsets: allow(missing-effect): documentation.\n#[tool(toolset = \"file\")]\nfn read() {}\n",
            vec!["missing-effect"],
        ),
    ] {
        let (left, allowed) = rules(lib);
        assert_eq!(left, expected, "{lib}");
        assert_eq!(allowed, [""; 0], "{lib}");
    }
}
