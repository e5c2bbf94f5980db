//! Published crates, whatever they hold, as the members of one workspace.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use hermes_xtask::report::Severity;
use hermes_xtask::rules::{self, Check};
use hermes_xtask::scan::{Name, Position, Scan};
use hermes_xtask::settings::Settings;
use hermes_xtask::workspace::{Dependency, Package, Target, TargetKind, Workspace};
use serde_json::Value;

use crate::fixture::Fixture;
use crate::transform::{self, Copies, sources};

/// Most crates that are read: about four thousand files. All of them with `HERMES_SLOW_TESTS`.
const MOST: usize = 150;

/// Crates for tools of agents, by other authors, with which and with all that they build on the slow test
/// is made.
const TOOL_CRATES: [(&str, &str, &str); 3] = [
    ("rig-core", "0.44", ""),
    ("rmcp", "3.11", "\"client\", \"server\""),
    ("swiftide-agents", "0.32", ""),
];

fn slow() -> bool {
    std::env::var_os("HERMES_SLOW_TESTS").is_some()
}

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
    let most = if slow() { usize::MAX } else { MOST };
    crates.take(most).map(package).collect()
}

#[test]
fn published_crates_are_read_without_a_tool_of_ours_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace {
        root: folder.path().to_owned(),
        target_folder: folder.path().join("target"),
        metadata: Value::Null,
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
    let given_up = |reason: &str| reason.contains("too deeply") || reason.contains("panicked");
    let mut unparsed = cold.unparsed.iter().map(|file| &file.item);
    assert_eq!(unparsed.find(|file| given_up(&file.reason)), None);
    // With what the first run knew the second finds the same.
    let warm = Scan::of(&workspace, &[], true);
    assert_eq!(warm.files, cold.files);
    assert_eq!(warm.strings, cold.strings);
    assert_eq!(warm.unparsed.len(), cold.unparsed.len());
}

/// What cargo says of a package that depends on the tool crates, all of their sources being there.
fn metadata(folder: &Path) -> Result<Value, String> {
    let mut manifest = String::from(
        "[package]\nname = \"app\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n",
    );
    for (name, version, features) in TOOL_CRATES {
        let _ = writeln!(
            manifest,
            "{name} = {{ version = \"{version}\", default-features = false, features = [{features}] }}"
        );
    }
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/lib.rs"), "").unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1"])
        .current_dir(folder)
        .output()
        .unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}

/// A library that depends on these packages.
fn library(name: &str, folder: PathBuf, root: PathBuf, on: &[String]) -> Package {
    let dependency = |package: &String| Dependency {
        package: package.clone(),
        crate_name: package.replace('-', "_"),
        dev: false,
        host: false,
    };
    Package {
        name: name.to_owned(),
        member: true,
        source: None,
        folder,
        targets: vec![Target {
            name: name.to_owned(),
            kind: TargetKind::Lib,
            root,
        }],
        dependencies: on.iter().map(dependency).collect(),
    }
}

/// The files of a crate that its own code names: as a module of the file above, or by a path.
fn named_files(library: &Path) -> BTreeSet<PathBuf> {
    let mut named = BTreeSet::new();
    let files = sources(library);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let folder = file.parent().unwrap();
        let below = match file.file_stem().unwrap().to_str().unwrap() {
            "lib" | "mod" => folder.to_owned(),
            stem => folder.join(stem),
        };
        let code = text.lines().map(str::trim);
        for line in code.filter(|line| !line.starts_with("//")) {
            let module = line
                .split_once("mod ")
                .and_then(|(_, rest)| rest.split_once(';'));
            if let Some((name, _)) = module {
                let name = name.trim_start_matches("r#");
                named.insert(below.join(format!("{name}.rs")));
                named.insert(below.join(name).join("mod.rs"));
            }
            if line.contains("path =") || line.contains("include!") {
                let path = line.split('"').nth(1).unwrap_or_default();
                named.insert(folder.join(path));
            }
        }
    }
    named.retain(|file| file.is_file());
    named
}

#[test]
fn tool_crates_of_others_made_to_use_the_attribute() {
    if !slow() {
        return;
    }
    // Some files nest deeper than the stack of a test is large.
    let thread = std::thread::Builder::new().stack_size(1 << 28);
    thread
        .spawn(made_to_use_the_attribute)
        .unwrap()
        .join()
        .unwrap();
}

fn made_to_use_the_attribute() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let metadata = match metadata(&root.join("app")) {
        Ok(metadata) => metadata,
        Err(error) => {
            println!("skipped, since cargo cannot fetch the crates: {error}");
            return;
        }
    };
    let (copies, packages) = copied(&root, &metadata);
    for (name, ..) in TOOL_CRATES {
        let prefix = format!("{name}-");
        let of_crate = |made: &&transform::Made| made.1.starts_with(&prefix);
        assert!(copies.tools.iter().filter(of_crate).count() > 10, "{name}");
    }
    assert!(copies.files > 2000, "{} files", copies.files);
    check_copies(&root, &copies, packages);
}

/// Copies of the libraries that cargo tells of, with tools in them.
fn copied(root: &Path, metadata: &Value) -> (Copies, Vec<Package>) {
    let mut copies = Copies::default();
    let mut packages = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = format!("{}-{}", package["name"], package["version"]).replace('"', "");
        let targets = package["targets"].as_array().unwrap();
        let is_lib = |target: &&Value| target["kind"].as_array().unwrap().contains(&"lib".into());
        let (false, Some(lib)) = (package["source"].is_null(), targets.iter().find(is_lib)) else {
            continue;
        };
        let from = Path::new(package["manifest_path"].as_str().unwrap())
            .parent()
            .unwrap();
        let lib = Path::new(lib["src_path"].as_str().unwrap())
            .strip_prefix(from)
            .unwrap();
        let to = root.join(&name);
        copies.add(from, &to, root);
        let lib = to.join(lib);
        packages.push(library(&name, to, lib, &[]));
    }
    (copies, packages)
}

/// Whether the scan finds all tools of these crates, each where it was made, and no false duplicate.
fn check_copies(root: &Path, copies: &Copies, mut packages: Vec<Package>) {
    // One library with all of them in it, so that whatever shares a name would clash.
    let names: Vec<String> = packages
        .iter()
        .map(|package| package.name.clone())
        .collect();
    let app = root.join("app");
    packages.push(library("app", app.clone(), app.join("src/lib.rs"), &names));
    let alias = "use hermes_tools::tool as made_tool;\n";
    std::fs::write(app.join("src/lib.rs"), alias).unwrap();
    packages.sort_by(|left, right| left.name.cmp(&right.name));
    let workspace = Workspace {
        root: root.to_owned(),
        target_folder: root.join("target"),
        metadata: Value::Null,
        packages,
    };
    let scan = Scan::of(&workspace, &[], false);
    let found: BTreeSet<transform::Made> = scan
        .tools
        .iter()
        .map(|tool| {
            let Name { text, position } = &tool.item.name;
            (text.clone(), position.file.clone(), position.line)
        })
        .collect();
    println!(
        "{} tools made in {} files of {} crates, {} found in {} files",
        copies.tools.len(),
        copies.files,
        names.len(),
        found.len(),
        scan.files.len()
    );
    assert_eq!(found.difference(&copies.tools).next(), None);
    // What is not found stands in files that are no part of any library: tests, examples, leftovers.
    let missing: BTreeSet<&str> = copies
        .tools
        .difference(&found)
        .map(|made| made.1.as_str())
        .collect();
    let read = missing.iter().find(|file| scan.files.contains(**file));
    assert_eq!(read, None, "read, and a tool not found");
    let crates = workspace.packages.iter();
    let reachable: BTreeSet<PathBuf> = crates
        .flat_map(|package| named_files(package.targets[0].root.parent().unwrap()))
        .collect();
    let within = |file: &&&str| reachable.contains(&root.join(file));
    // Or they belong to a module that a macro writes in another file, which is told.
    let told = |file: &&&str| {
        let krate = file.split('/').next();
        scan.blind_spots.iter().any(|spot| {
            let module = spot.item.reason.split('`').nth(1).unwrap_or_default();
            let mut parts = file.split('/').map(|part| part.trim_end_matches(".rs"));
            Some(spot.unit.package.as_str()) == krate && parts.any(|part| part == module)
        })
    };
    let unread = missing.iter().filter(within).filter(|file| !told(file));
    let unread: Vec<&&str> = unread.collect();
    assert_eq!(unread, [&""; 0], "named by a library and not read");
    let duplicates = |scan: &Scan| -> Vec<String> {
        let settings = Settings::default();
        let check = Check {
            workspace: &workspace,
            scan,
            settings: &settings,
        };
        let findings = rules::check(&check).into_iter();
        findings
            .filter(|finding| finding.rule == "duplicate-tool")
            .map(|finding| {
                let problem = finding.problem;
                let Position { file, line, .. } = problem.position;
                format!(
                    "{}: {file}:{line}, {}",
                    problem.message,
                    problem.notes.join(", ")
                )
            })
            .collect()
    };
    assert_eq!(duplicates(&scan), [""; 0]);
    // And a true one is found among them: of a tool that every build has, since one of tests, of one system
    // or in the argument of a macro need not meet it.
    let always = scan.tools.iter().find(|tool| tool.cfg.is_empty()).unwrap();
    let name = always.item.name.text.clone();
    let again = format!("{alias}#[tool(toolset = \"many\", name = \"{name}\")]\nfn again() {{}}\n");
    std::fs::write(app.join("src/lib.rs"), again).unwrap();
    let scan = Scan::of(&workspace, &[], false);
    let duplicates = duplicates(&scan);
    assert_eq!(duplicates.len(), 1, "{duplicates:?}");
    let message = format!("tool `{name}` is declared twice: ");
    assert!(duplicates[0].starts_with(&message), "{duplicates:?}");
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
