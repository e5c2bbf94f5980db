//! Packages and targets, as far as the scan needs them, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

/// The package that a pack depends on. A dependency that uses it may declare tools and toolsets.
pub(crate) const FRAMEWORK: &str = "hermes-tools";

/// The packages to scan.
#[derive(Debug)]
pub struct Workspace {
    /// Folder of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Folder that cargo builds in.
    pub target_folder: PathBuf,
    /// What `Cargo.toml` holds for tools: the table `metadata` of the workspace, or of the package
    /// if that is all there is.
    pub metadata: Value,
    /// Members, and those of their dependencies that build on `hermes-tools`; sorted by name.
    pub packages: Vec<Package>,
}

/// One package.
#[derive(Debug)]
pub struct Package {
    /// Name in `Cargo.toml`.
    pub name: String,
    /// Whether it belongs to the workspace. Others are read for the names they declare only.
    pub member: bool,
    /// `None` if it is in a folder of this machine; its version if a registry has it; empty for
    /// anything else.
    pub source: Option<String>,
    /// Folder of its `Cargo.toml`.
    pub folder: PathBuf,
    /// What cargo compiles of it, in cargo's order.
    pub targets: Vec<Target>,
    /// What it depends on, build dependencies apart.
    pub dependencies: Vec<Dependency>,
}

/// One thing that cargo compiles.
#[derive(Debug, Clone)]
pub struct Target {
    /// Name of the target.
    pub name: String,
    /// What kind it is.
    pub kind: TargetKind,
    /// Absolute path of its first source file.
    pub root: PathBuf,
}

/// Kinds of targets. Build scripts are left out: they cannot declare tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetKind {
    /// A library that others can link.
    Lib,
    /// A procedural macro.
    ProcMacro,
    /// A binary.
    Bin,
    /// An example.
    Example,
    /// An integration test.
    Test,
    /// A benchmark.
    Bench,
}

impl TargetKind {
    /// Whether its tools reach users. Tests and benchmarks may declare faulty tools on purpose.
    pub fn ships(self) -> bool {
        matches!(self, Self::Lib | Self::Bin | Self::Example)
    }

    /// The word that `Cargo.toml` uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lib => "lib",
            Self::ProcMacro => "proc-macro",
            Self::Bin => "bin",
            Self::Example => "example",
            Self::Test => "test",
            Self::Bench => "bench",
        }
    }

    fn from_metadata(kinds: &Value) -> Option<Self> {
        kinds
            .as_array()?
            .iter()
            .find_map(|kind| match kind.as_str()? {
                "lib" | "rlib" | "dylib" | "cdylib" | "staticlib" => Some(Self::Lib),
                "proc-macro" => Some(Self::ProcMacro),
                "bin" => Some(Self::Bin),
                "example" => Some(Self::Example),
                "test" => Some(Self::Test),
                "bench" => Some(Self::Bench),
                _ => None,
            })
    }
}

/// One dependency of a package.
#[derive(Debug)]
pub struct Dependency {
    /// Name of the package.
    pub package: String,
    /// Name of the crate in the source text of the package that depends on it.
    pub crate_name: String,
    /// Whether only tests, examples and benchmarks see it.
    pub dev: bool,
    /// Whether it is hermes-tools with sessions in it (feature `host`), for some features of the package.
    pub host: bool,
}

/// Features of the packages that a build of one package compiles, by package name.
pub type Features = BTreeMap<String, BTreeSet<String>>;

impl Workspace {
    /// Asks cargo. Without `manifest` it is the workspace of the current folder.
    ///
    /// Fails when cargo cannot be run or does not accept the manifest.
    pub fn load(manifest: Option<&Path>) -> anyhow::Result<Self> {
        let mut command = cargo();
        command.args(["metadata", "--format-version", "1"]);
        if let Some(manifest) = manifest {
            command.arg("--manifest-path").arg(manifest);
        }
        let metadata = stdout_of(&mut command)?;
        let metadata: Value =
            serde_json::from_slice(&metadata).context("`cargo metadata` did not print JSON")?;
        Self::from_metadata(&metadata)
    }

    /// Reads the output of `cargo metadata --format-version 1`.
    fn from_metadata(metadata: &Value) -> anyhow::Result<Self> {
        let root = PathBuf::from(text(&metadata["workspace_root"])?);
        let target_folder = PathBuf::from(text(&metadata["target_directory"])?);
        let members = list(&metadata["workspace_members"])?;
        let mut settings = metadata["metadata"].clone();
        let mut packages = Vec::new();
        for package in list(&metadata["packages"])? {
            let member = members.contains(&package["id"]);
            if member && members.len() == 1 && settings.is_null() {
                settings = package["metadata"].clone();
            }
            let package = Package::from_metadata(package, member)?;
            let builds_on_framework = package.name == FRAMEWORK
                || package
                    .dependencies
                    .iter()
                    .any(|dependency| dependency.package == FRAMEWORK);
            if member || builds_on_framework {
                packages.push(package);
            }
        }
        packages
            .sort_by(|left, right| (&left.name, !left.member).cmp(&(&right.name, !right.member)));
        Ok(Self {
            root,
            target_folder,
            metadata: settings,
            packages,
        })
    }

    /// The package of this name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// The member of this name.
    pub fn member(&self, name: &str) -> Option<&Package> {
        self.package(name).filter(|package| package.member)
    }

    /// The packages that `package` depends on, directly or not, itself left out. Dev-dependencies
    /// count for `package` alone, and only if `dev`.
    pub fn dependencies_of(&self, package: &Package, dev: bool) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Package> = Vec::new();
        let direct = package
            .dependencies
            .iter()
            .filter(|dependency| dev || !dependency.dev);
        open.extend(direct.filter_map(|dependency| self.package(&dependency.package)));
        while let Some(next) = open.pop() {
            if next.name == package.name || !found.insert(next.name.as_str()) {
                continue;
            }
            let further = next
                .dependencies
                .iter()
                .filter(|dependency| !dependency.dev);
            open.extend(further.filter_map(|dependency| self.package(&dependency.package)));
        }
        found
    }

    /// Whether code of the package of this name may make sessions: it depends on hermes-tools with its
    /// feature `host`, directly or through what another package passes on.
    pub fn may_host(&self, name: &str) -> bool {
        let direct = |package: &Package| {
            let mut dependencies = package.dependencies.iter();
            dependencies.any(|dependency| dependency.host && !dependency.dev)
        };
        self.package(name).is_some_and(|package| {
            let all = self.dependencies_of(package, false);
            let mut others = all.into_iter().filter_map(|name| self.package(name));
            direct(package) || others.any(direct)
        })
    }

    /// The item that links a pack which the package knows under `crate_name`. The macro for it goes by the
    /// name of hermes-tools there; a package that has it through another crate alone names the pack.
    pub(crate) fn linking(&self, package: &Package, crate_name: &str) -> String {
        let mut dependencies = package.dependencies.iter();
        let direct = dependencies
            .find(|dependency| dependency.package == FRAMEWORK && !dependency.dev)
            .map(|dependency| dependency.crate_name.as_str());
        match direct {
            None if self.package(FRAMEWORK).is_some() => format!("use {crate_name} as _;"),
            name => format!("{}::link!({crate_name});", name.unwrap_or("hermes_tools")),
        }
    }

    /// What `cargo build --package <package>` compiles, and with which features.
    ///
    /// Asked of `cargo tree`, since metadata unifies the features of the whole workspace.
    pub fn features_of_build(&self, package: &str) -> anyhow::Result<Features> {
        features_of_build(&self.root, package)
    }

    /// The path as people read it: relative to the workspace, with `/`.
    pub fn display(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    }
}

impl Package {
    fn from_metadata(package: &Value, member: bool) -> anyhow::Result<Self> {
        let mut targets = Vec::new();
        for target in list(&package["targets"])? {
            if let Some(kind) = TargetKind::from_metadata(&target["kind"]) {
                targets.push(Target {
                    name: text(&target["name"])?,
                    kind,
                    root: PathBuf::from(text(&target["src_path"])?),
                });
            }
        }
        let mut dependencies = Vec::new();
        for dependency in list(&package["dependencies"])? {
            let kind = dependency["kind"].as_str();
            if kind == Some("build") {
                continue;
            }
            let name = text(&dependency["name"])?;
            let key = dependency["rename"].as_str().unwrap_or(&name);
            let crate_name = key.replace('-', "_");
            let host = name == FRAMEWORK && turns_on(&package["features"], dependency, key, "host");
            dependencies.push(Dependency {
                package: name,
                crate_name,
                dev: kind == Some("dev"),
                host,
            });
        }
        Ok(Self {
            name: text(&package["name"])?,
            member,
            source: package["source"].as_str().map(|source| {
                let version = source
                    .starts_with("registry+")
                    .then(|| package["version"].as_str());
                version.flatten().unwrap_or_default().to_owned()
            }),
            folder: PathBuf::from(text(&package["manifest_path"])?)
                .parent()
                .map(Path::to_owned)
                .unwrap_or_default(),
            targets,
            dependencies,
        })
    }

    /// Its library, unless it is a procedural macro.
    pub fn lib(&self) -> Option<&Target> {
        self.targets
            .iter()
            .find(|target| target.kind == TargetKind::Lib)
    }

    /// Its binaries.
    pub fn bins(&self) -> impl Iterator<Item = &Target> {
        self.targets
            .iter()
            .filter(|target| target.kind == TargetKind::Bin)
    }
}

/// Whether a dependency has the feature, always or by some feature of the package.
fn turns_on(features: &Value, dependency: &Value, key: &str, feature: &str) -> bool {
    let is = |value: &Value, text: &str| value.as_str() == Some(text);
    let mut always = dependency["features"].as_array().into_iter().flatten();
    let mut on_demand = features.as_object().into_iter().flatten();
    always.any(|on| is(on, feature))
        || on_demand.any(|(_, parts)| {
            let mut parts = parts.as_array().into_iter().flatten();
            parts.any(|part| {
                is(part, &format!("{key}/{feature}")) || is(part, &format!("{key}?/{feature}"))
            })
        })
}

/// The same for a package of the workspace in `root`.
pub(crate) fn features_of_build(root: &Path, package: &str) -> anyhow::Result<Features> {
    let mut command = cargo();
    command
        .current_dir(root)
        .args(["tree", "--package", package]);
    command.args([
        "--edges", "normal", "--prefix", "none", "--format", "{p}|{f}",
    ]);
    command.args(["--color", "never"]);
    let tree = stdout_of(&mut command)?;
    Ok(parse_tree(&String::from_utf8_lossy(&tree)))
}

/// The cargo that runs us, or the one in the search path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// Runs a command and returns what it prints. Its standard error goes into the error when it fails.
pub(crate) fn stdout_of(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot run `{name}`"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{name}` failed ({})\n{}", output.status, stderr.trim());
    }
    Ok(output.stdout)
}

fn parse_tree(tree: &str) -> Features {
    let mut features = Features::new();
    for line in tree.lines() {
        let Some((package, enabled)) = line.split_once('|') else {
            continue;
        };
        let Some(name) = package.split_whitespace().next() else {
            continue;
        };
        // A package that was shown before ends in ` (*)`.
        let enabled = enabled.split_whitespace().next().unwrap_or_default();
        let enabled = enabled
            .split(',')
            .filter(|feature| !matches!(*feature, "" | "(*)"));
        features
            .entry(name.to_owned())
            .or_default()
            .extend(enabled.map(str::to_owned));
    }
    features
}

fn text(value: &Value) -> anyhow::Result<String> {
    value
        .as_str()
        .map(str::to_owned)
        .context("unexpected shape of `cargo metadata`")
}

fn list(value: &Value) -> anyhow::Result<&Vec<Value>> {
    value
        .as_array()
        .context("unexpected shape of `cargo metadata`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_lines_give_package_and_features() {
        let tree = "app v0.1.0 (/w/app)|\n\
                    pack v0.1.0 (/w/a b/pack)|default,file\n\
                    pack v0.1.0 (/w/a b/pack)|default,file (*)\n\
                    log v0.4.0| (*)\n";
        let features = parse_tree(tree);
        let names: Vec<&str> = features.keys().map(String::as_str).collect();
        assert_eq!(names, ["app", "log", "pack"]);
        let enabled: Vec<&str> = features["pack"].iter().map(String::as_str).collect();
        assert_eq!(enabled, ["default", "file"]);
        assert!(features["log"].is_empty());
    }
}
