//! Holds what the scan found against what a binary links.
//!
//! Either side alone is blind: the sources do not show what the linker left out, and the binary
//! does not show what it lacks.

mod probe;
mod schemas;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::cfg::holds;
use crate::report::{Finding, Problem, Severity};
use crate::rules::{Check, supply};
use crate::scan::{Found, Name, Position, Scan, Tool};
use crate::workspace::{
    Features, Package, Target, TargetKind, Workspace, cargo, features_of_build, stdout_of,
};

/// The binary that is asked when none is named.
const DEFAULT_BINARY: &str = "hermes";

/// What makes a binary print its tools.
const LIST_TOOLS: [&str; 3] = ["tools", "--all", "--json"];

/// A binary of the workspace, and what is known of its build.
#[derive(Debug)]
struct Build<'a> {
    package: &'a Package,
    bin: &'a Target,
    /// Packages in it, with their features.
    features: Features,
    /// `rustc --print cfg`.
    target_cfg: BTreeSet<String>,
}

/// A tool as the binary lists it.
#[derive(Debug)]
struct LinkedTool {
    name: String,
    /// Toolset that it names.
    toolset: Option<String>,
    /// Package that declared it.
    package: Option<String>,
    /// Place of the declaration.
    position: Option<Position>,
    /// Types of the values that it takes from its session, without paths and arguments.
    state: Vec<String>,
    /// Whether the agent loop answers where something is missing.
    agent_loop: bool,
}

/// Builds and runs a binary of the workspace, and compares.
///
/// `binary` is the name of a binary target, or the path of a built one. Without it that is `hermes`, or
/// a probe below the target folder, which links every pack of the workspace. Fails when there is no such
/// binary, when it does not run, or when it does not list its tools.
///
/// With `fix` the golden definitions are written anew.
pub fn compare(check: &Check<'_>, binary: Option<&str>, fix: bool) -> anyhow::Result<Vec<Finding>> {
    let Check {
        workspace, scan, ..
    } = *check;
    let asked = binary;
    let binary = binary.unwrap_or(DEFAULT_BINARY);
    let path = binary
        .contains(std::path::is_separator)
        .then(|| Path::new(binary));
    let name = match path {
        Some(path) => path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        None => binary.to_owned(),
    };
    // Packs that nobody links yet are linked by a binary that is written for it.
    let probe = match find_binary(workspace, &name) {
        Err(_) if asked.is_none() => probe::write(workspace, scan)?,
        _ => None,
    };
    let (package, bin) = match &probe {
        Some(package) => (package, &package.targets[0]),
        None => find_binary(workspace, &name)?,
    };
    let name = bin.name.clone();
    let folder = if probe.is_some() {
        &package.folder
    } else {
        &workspace.root
    };
    let command = |arguments: &[&str]| -> anyhow::Result<Command> {
        let mut command = cargo();
        command.args(["run", "--quiet", "--package", &package.name]);
        command.args(["--bin", &bin.name]);
        if probe.is_some() {
            command.arg("--target-dir").arg(&workspace.target_folder);
        }
        command.arg("--");
        if let Some(path) = path {
            command = Command::new(std::path::absolute(path)?);
        }
        command.current_dir(folder).args(arguments);
        Ok(command)
    };
    let listing = stdout_of(&mut command(&LIST_TOOLS)?)
        .with_context(|| format!("cannot list the tools of binary `{name}`"))?;
    let linked = parse_listing(&listing)
        .with_context(|| format!("binary `{name}` did not list its tools as JSON"))?;
    let build = Build {
        package,
        bin,
        features: features_of_build(folder, &package.name)?,
        target_cfg: target_cfg(&workspace.root)?,
    };
    let mut findings = not_linked(workspace, scan, &build, &linked);
    findings.extend(not_in_source(workspace, scan, &build, &linked));
    findings.extend(not_supplied(check, &build, &linked));
    findings.extend(schemas::check(check, &linked, &bin.root, &command, fix)?);
    Ok(findings)
}

/// Tools in the sources of the binary that it does not have.
fn not_linked(
    workspace: &Workspace,
    scan: &Scan,
    build: &Build<'_>,
    linked: &[LinkedTool],
) -> Vec<Finding> {
    let names: BTreeSet<&str> = linked.iter().map(|tool| tool.name.as_str()).collect();
    let mut findings = Vec::new();
    for tool in &scan.tools {
        if !build.includes(tool) || names.contains(tool.item.name.text.as_str()) {
            continue;
        }
        let severity = match holds(&tool.cfg, &|fact| build.knows(&tool.unit.package, fact)) {
            Some(true) => Severity::Error,
            Some(false) => continue,
            None => Severity::Note,
        };
        let bin = &build.bin.name;
        let problem = Problem {
            message: format!("tool `{}` is not in binary `{bin}`", tool.item.name.text),
            position: tool.item.name.position.clone(),
            notes: tool
                .cfg
                .iter()
                .map(|cfg| format!("compiled only if `{cfg}`"))
                .collect(),
            help: help_to_link(workspace, build, tool, linked),
        };
        findings.push(problem.of("not-linked", severity));
    }
    findings
}

/// Tools in the binary that the scan did not see. A macro may have written them.
fn not_in_source(
    workspace: &Workspace,
    scan: &Scan,
    build: &Build<'_>,
    linked: &[LinkedTool],
) -> Vec<Finding> {
    let names: BTreeSet<&str> = scan
        .tools
        .iter()
        .map(|tool| tool.item.name.text.as_str())
        .collect();
    let unseen = scan.blind_spots.iter().any(|spot| {
        spot.unit.member && spot.ships() && build.features.contains_key(&spot.unit.package)
    });
    let mut findings = Vec::new();
    for tool in linked
        .iter()
        .filter(|tool| !names.contains(tool.name.as_str()))
    {
        // Tools of packages that the scan did not read in full are not ours to judge.
        if tool
            .package
            .as_ref()
            .is_some_and(|package| workspace.member(package).is_none())
        {
            continue;
        }
        let (severity, help) = if unseen {
            (
                Severity::Note,
                "a macro or an included file may declare it: see the blind spots",
            )
        } else {
            (
                Severity::Error,
                "declare it with `#[tool]`, and build the binary from these sources",
            )
        };
        let bin = &build.bin.name;
        let root = Position {
            file: workspace.display(&build.bin.root),
            line: 1,
            column: 1,
        };
        let problem = Problem {
            message: format!(
                "binary `{bin}` has tool `{}`, which is in no source",
                tool.name
            ),
            // Packages outside of the folder that cargo ran in tell the whole path.
            position: tool.position.clone().map_or(root, |place| Position {
                file: workspace.display(Path::new(&place.file)),
                ..place
            }),
            notes: Vec::new(),
            help: help.to_owned(),
        };
        findings.push(problem.of("not-in-source", severity));
    }
    findings
}

/// What tools of the binary take from their sessions, and the binary's package never gives: tools that a
/// macro writes, and types that the source calls by another name.
fn not_supplied(check: &Check<'_>, build: &Build<'_>, linked: &[LinkedTool]) -> Vec<Finding> {
    let hosts = supply::hosts(check);
    let Some(host) = hosts
        .iter()
        .find(|host| host.package.name == build.package.name)
    else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for tool in linked.iter().filter(|tool| !tool.agent_loop) {
        let source = check
            .scan
            .tools
            .iter()
            .find(|found| build.includes(found) && found.item.name.text == tool.name);
        for state in &tool.state {
            // Then the sources were judged already.
            let told = source
                .is_some_and(|found| found.item.state.iter().any(|named| named.text == *state));
            if told || !host.lacks_state(state) {
                continue;
            }
            let place = source.map(|found| &found.item.name.position);
            let position = place.or(tool.position.as_ref()).cloned();
            let position = position.unwrap_or_else(|| Position {
                file: check.workspace.display(&build.bin.root),
                line: 1,
                column: 1,
            });
            let state = Name {
                text: state.clone(),
                position,
            };
            let problem = supply::missing_state(&tool.name, &state, host);
            findings.push(problem.of("state-not-supplied", Severity::Warning));
        }
    }
    findings
}

impl Build<'_> {
    /// Whether the tool stands in a library of the build, or in the binary itself.
    fn includes(&self, tool: &Found<Tool>) -> bool {
        let unit = &tool.unit;
        match unit.kind {
            TargetKind::Lib => unit.member && self.features.contains_key(&unit.package),
            TargetKind::Bin => unit.package == self.package.name && unit.target == self.bin.name,
            _ => false,
        }
    }

    /// Whether a fact of conditional compilation holds for `package` in this build, if that is known.
    fn knows(&self, package: &str, fact: &str) -> Option<bool> {
        if let Some(feature) = fact.strip_prefix("feature=") {
            let feature = feature.trim_matches('"');
            return Some(
                self.features
                    .get(package)
                    .is_some_and(|on| on.contains(feature)),
            );
        }
        let of_target = fact.starts_with("target_")
            || matches!(
                fact,
                "unix" | "windows" | "debug_assertions" | "panic=\"unwind\""
            );
        match fact {
            "test" | "doc" | "doctest" | "proc_macro" => Some(false),
            _ if of_target => Some(self.target_cfg.contains(fact)),
            _ => None,
        }
    }
}

/// The line that is most likely missing.
fn help_to_link(
    workspace: &Workspace,
    build: &Build<'_>,
    tool: &Found<Tool>,
    linked: &[LinkedTool],
) -> String {
    let package = &tool.unit.package;
    let has_others = linked
        .iter()
        .any(|other| other.package.as_ref() == Some(package));
    if has_others || tool.unit.kind == TargetKind::Bin {
        return "build the binary from these sources; if it is, look whether `tool` here is the \
                attribute of hermes-tools"
            .to_owned();
    }
    let dependencies = &build.package.dependencies;
    let crate_name = match dependencies
        .iter()
        .find(|dependency| dependency.package == *package)
    {
        Some(dependency) => dependency.crate_name.clone(),
        None => package.replace('-', "_"),
    };
    let file = workspace.display(&build.bin.root);
    format!(
        "add `{}` to {file}",
        workspace.linking(build.package, &crate_name)
    )
}

fn find_binary<'a>(
    workspace: &'a Workspace,
    name: &str,
) -> anyhow::Result<(&'a Package, &'a Target)> {
    let members = workspace.packages.iter().filter(|package| package.member);
    let mut bins = members.flat_map(|package| package.bins().map(move |bin| (package, bin)));
    match bins.find(|(_, bin)| bin.name == name) {
        Some(found) => Ok(found),
        None => bail!(
            "the workspace has no binary `{name}`; name one that lists its tools with \
             `--linked <BIN>`"
        ),
    }
}

fn target_cfg(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let cfg = stdout_of(
        Command::new(rustc)
            .current_dir(root)
            .args(["--print", "cfg"]),
    )?;
    Ok(String::from_utf8_lossy(&cfg)
        .lines()
        .map(str::to_owned)
        .collect())
}

fn parse_listing(listing: &[u8]) -> anyhow::Result<Vec<LinkedTool>> {
    let listing: Value = serde_json::from_slice(listing)?;
    let tools = listing["tools"]
        .as_array()
        .context("it has no list `tools`")?;
    tools
        .iter()
        .map(|tool| {
            let origin = &tool["origin"];
            let name = tool["name"]
                .as_str()
                .context("a tool has no `name`")?
                .to_owned();
            let line = origin["line"]
                .as_u64()
                .and_then(|line| usize::try_from(line).ok());
            let position = origin["file"]
                .as_str()
                .zip(line)
                .map(|(file, line)| Position {
                    file: file.replace('\\', "/"),
                    line,
                    column: 1,
                });
            Ok(LinkedTool {
                name,
                toolset: tool["toolset"].as_str().map(str::to_owned),
                package: origin["package"].as_str().map(str::to_owned),
                position,
                state: tool["state"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .map(|name| name.split('<').next().unwrap_or(name).to_owned())
                    .collect(),
                agent_loop: tool["agent_loop"] == true,
            })
        })
        .collect()
}
