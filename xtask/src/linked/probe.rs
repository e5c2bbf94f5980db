//! A binary for packs that have none: it links every pack of the workspace and prints what it finds.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::scan::Scan;
use crate::workspace::{FRAMEWORK, Package, Target, TargetKind, Workspace};

/// Name of the package and its binary.
pub(super) const NAME: &str = "check-toolsets-probe";

const MAIN: &str = include_str!("probe_main.rs");

/// Writes the probe below the target folder, a workspace of its own. Nothing when the workspace has
/// no packs, or does not build on hermes-tools.
///
/// Fails when a file cannot be written.
pub(super) fn write(workspace: &Workspace, scan: &Scan) -> anyhow::Result<Option<Package>> {
    let packs = workspace.packages.iter().filter(|package| {
        package.member
            && package.lib().is_some()
            && scan.packs.iter().any(|pack| {
                pack.unit.package == package.name
                    && pack.unit.kind == TargetKind::Lib
                    && pack.ships()
            })
    });
    let packs: Vec<&Package> = packs.collect();
    let Some(framework) = workspace.package(FRAMEWORK).filter(|_| !packs.is_empty()) else {
        return Ok(None);
    };
    let folder = workspace.target_folder.join(NAME);
    let source = folder.join("src");
    std::fs::create_dir_all(&source)
        .with_context(|| format!("cannot make {}", source.display()))?;
    let write = |path: PathBuf, text: &str| {
        // What is there already is left alone, so that it need not be built again.
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            return Ok(());
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(folder.join("Cargo.toml"), &manifest(framework, &packs)?)?;
    let names: Vec<String> = packs
        .iter()
        .map(|pack| pack.name.replace('-', "_"))
        .collect();
    let link = format!("\nhermes_tools::link!({});\n", names.join(", "));
    write(source.join("main.rs"), &format!("{MAIN}{link}"))?;
    // The versions that the workspace builds with.
    let lock = workspace.root.join("Cargo.lock");
    if lock.is_file() {
        std::fs::copy(lock, folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
    }
    Ok(Some(Package {
        name: NAME.to_owned(),
        member: true,
        source: None,
        targets: vec![Target {
            name: NAME.to_owned(),
            kind: TargetKind::Bin,
            root: source.join("main.rs"),
        }],
        folder,
        dependencies: Vec::new(),
    }))
}

fn manifest(framework: &Package, packs: &[&Package]) -> anyhow::Result<String> {
    let mut manifest = format!(
        "[package]\nname = \"{NAME}\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\nserde_json = \"1\"\n"
    );
    for package in packs.iter().copied().chain([framework]) {
        let from = match &package.source {
            None => format!("path = {:?}", package.folder.to_string_lossy()),
            Some(version) if !version.is_empty() => format!("version = \"={version}\""),
            Some(_) => bail!(
                "the probe cannot depend on `{}`, which comes from neither a folder nor a registry",
                package.name
            ),
        };
        let _ = writeln!(manifest, "{} = {{ {from} }}", package.name);
    }
    Ok(manifest)
}
