//! Published crates, whatever they hold, as the members of one workspace.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use hermes_xtask::report::Severity;
use hermes_xtask::scan::Scan;
use hermes_xtask::workspace::{Package, Target, TargetKind, Workspace};

use crate::fixture::Fixture;

/// Most crates that are read: about four thousand files.
const MOST: usize = 150;

/// The libraries of the crates that cargo has unpacked; none where it keeps them elsewhere.
fn unpacked() -> Vec<Package> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let folders = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort_unstable();
        paths
    };
    let indexes = home
        .map(|home| folders(home.join("registry/src")))
        .unwrap_or_default();
    let crates = indexes.into_iter().flat_map(folders);
    let crates = crates.filter(|folder| folder.join("src/lib.rs").is_file());
    let package = |folder: PathBuf| {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        Package {
            targets: vec![Target {
                name: name.clone(),
                kind: TargetKind::Lib,
                root: folder.join("src/lib.rs"),
            }],
            name,
            member: true,
            source: None,
            folder,
            dependencies: Vec::new(),
        }
    };
    crates.take(MOST).map(package).collect()
}

#[test]
fn published_crates_are_read_without_a_tool_of_ours_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace {
        root: folder.path().to_owned(),
        target_folder: folder.path().join("target"),
        metadata: serde_json::Value::Null,
        packages: unpacked(),
    };
    let cold = Scan::of(&workspace, &[], true);
    let names: BTreeSet<&str> = cold
        .tools
        .iter()
        .map(|tool| tool.unit.package.as_str())
        .collect();
    let ours: Vec<&str> = names
        .into_iter()
        .filter(|name| !name.starts_with("hermes"))
        .collect();
    assert_eq!(ours, [""; 0], "of {} files", cold.files.len());
    // With what the first run knew the second finds the same.
    let warm = Scan::of(&workspace, &[], true);
    assert_eq!(warm.files, cold.files);
    assert_eq!(warm.strings, cold.strings);
    assert_eq!(warm.unparsed.len(), cold.unparsed.len());
}

#[test]
fn a_workspace_of_thousands_of_files_has_no_false_duplicate() {
    let mut text = String::new();
    let mut lib = String::from("toolset! { name: \"many\", description: \"Many.\" }\n");
    for group in 0..40 {
        let _ = writeln!(lib, "mod group_{group};");
        let _ = writeln!(text, "//- src/group_{group}/mod.rs");
        for file in 0..50 {
            let _ = writeln!(text, "#[cfg(unix)]\nmod file_{file};");
            // The same name for another system, and again in tests.
            let _ = writeln!(
                text,
                "#[cfg(windows)]\n#[path = \"windows_{file}.rs\"]\nmod file_{file};"
            );
        }
        for file in 0..50 {
            for place in ["file", "windows"] {
                let _ = writeln!(
                    text,
                    "//- src/group_{group}/{place}_{file}.rs
/// Does number {file} of {group}.
#[hermes_tools::tool(toolset = \"many\", effect = \"read\")]
async fn tool_{group}_{file}(
    /// How often.
    times: u32,
) {{}}
#[cfg(test)]
mod tests {{
    #[tool(toolset = \"many\", name = \"tool_{group}_{file}\")]
    fn again() {{}}
}}"
                );
            }
        }
    }
    let report = Fixture::new(&format!("//- src/lib.rs\n{lib}{text}")).report_by(&[]);
    assert_eq!(report.scan.files.len(), 4041);
    assert_eq!(
        report.count(Severity::Error) + report.count(Severity::Warning),
        0,
        "{}",
        report.to_text()
    );
    assert!(
        report
            .to_text()
            .ends_with("4000 tools and 1 toolset in 4041 files: 0 errors, 0 warnings\n")
    );
}
