//! `docs/checks.md`: made from the table of rules, each shown by what the program says of its example.
//!
//! `HERMES_UPDATE_DOCS=1` writes the page anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use hermes_xtask::report::Severity;
use hermes_xtask::rules::RULES;

use crate::fixture::Fixture;

const HEAD: &str = "\
# Checks

What `cargo xtask check-toolsets` finds. It reads the sources as the compiler finds them, from the root file of \
each target along `mod`, and runs nothing unless `--linked` names a binary.

This page is made from the table in `xtask/src/rules/table.rs`; a test keeps it current and shows each rule by \
its example.

## Settings

```toml
[workspace.metadata.check-toolsets]
# Most characters of a description.
max-description = 1024
# Most tokens of a toolset's definitions (estimated); a table sets them by toolset, and `default` for the others.
schema-budget = { default = 4000, browser = 8000 }
# The definitions as they were last agreed on. `--fix` writes the file.
golden = \"definitions.json\"
# Configuration files, in the folders of the workspace and of its members.
configurations = [\"hermes.toml\"]

[workspace.metadata.check-toolsets.rules]
# \"error\", \"warning\", \"note\" or \"off\".
missing-effect = \"error\"
```

## Allowing a finding

```rust,ignore
// check-toolsets: allow(missing-effect): the effect is that of the command, which is asked for.
#[tool(toolset = \"terminal\")]
```

The comment stands on the line of the finding or above it, in `hermes.toml` with `#`. It names one rule or several, and a \
reason. One that allows nothing any more is a finding.

## What cannot be seen

Tools that a macro writes, files that `include!` brings from a computed path (`OUT_DIR`), files with tools that no `mod` leads to (a macro may write it) and lists that are no literals \
are told as notes, `blind-spot`; `cfg_if!` and `cfg_select!` are looked into. `--linked` compares them by name with what the binary has. A file without the word `tool` \
outside of comments is not parsed, so that a mistake of syntax in it is the compiler's to tell.

";

#[test]
fn the_page_of_checks_is_current_and_every_example_shows_its_rule_alone() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/checks.md");
    let page = page();
    if std::env::var_os("HERMES_UPDATE_DOCS").is_some() {
        std::fs::write(&place, &page).unwrap();
    }
    let written = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(
        written == page,
        "docs/checks.md is not current; run this test with HERMES_UPDATE_DOCS=1"
    );
}

#[test]
fn rules_are_sorted_and_each_is_described() {
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    let sorted: Vec<&str> = ids
        .iter()
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    assert_eq!(ids, sorted);
    for rule in RULES {
        assert!(rule.about.ends_with('.'), "{}", rule.id);
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for rule in RULES {
        let severity = match rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let _ = write!(
            page,
            "## {}\n\n{} unless set otherwise. {}\n\n",
            rule.id,
            capital(severity),
            rule.about
        );
        if rule.example.is_empty() {
            continue;
        }
        let report = Fixture::new(rule.example).report_by(&[]);
        let rules: BTreeSet<&str> = report.findings.iter().map(|finding| finding.rule).collect();
        // A comment that allows nothing leaves what it was to allow.
        let beside = match rule.id {
            "allow-without-reason" => vec!["allow-without-reason", "missing-effect"],
            id => vec![id],
        };
        assert_eq!(
            rules.into_iter().collect::<Vec<_>>(),
            beside,
            "{}",
            report.to_text()
        );
        for file in rule.example.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap();
            let is_toml = Path::new(path).extension().is_some_and(|ext| ext == "toml");
            let (language, comment) = if is_toml {
                ("toml", "#")
            } else {
                ("rust,ignore", "//")
            };
            let _ = write!(page, "```{language}\n{comment} {path}\n{text}```\n\n");
        }
        let text = report.to_text();
        let (findings, _) = text.trim_end().rsplit_once("\n\n").unwrap();
        let _ = write!(page, "```text\n{findings}\n```\n\n");
    }
    page.trim_end().to_owned() + "\n"
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}
