//! Follows the module tree of every target, as the compiler does.

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::cache::Cache;
use super::facts::{Facts, Folder, Item, Submodule};
use super::sources::{self, Read};
use super::{BlindSpot, Found, Position, Scan, Unit, Unparsed, strays, unit_of};
use crate::cfg::only_in_tests;
use crate::workspace::{TargetKind, Workspace};

/// How often one file is a module of one target: files that name each other by `#[path]` in every
/// direction would be walked in every order otherwise.
const MOST_WALKS: usize = 32;

/// Reads every target of the members, and the libraries of the other packages.
pub(super) fn scan(workspace: &Workspace, cached: bool) -> Scan {
    let mut targets = Vec::new();
    for package in &workspace.packages {
        // A procedural macro cannot declare tools, but it is full of quoted ones.
        let wanted = package.targets.iter().filter(|target| {
            target.kind != TargetKind::ProcMacro
                && (package.member || target.kind == TargetKind::Lib)
        });
        targets.extend(wanted.map(|target| (package, target)));
    }
    let cache = if cached {
        let mut crates: Vec<&str> = sources::interesting(workspace).into_iter().collect();
        crates.sort_unstable();
        let key = format!("{} {}", crates.join(","), sources::hosts(workspace));
        Cache::load(&workspace.target_folder, &key)
    } else {
        Cache::default()
    };
    let roots = targets
        .iter()
        .map(|(_, target)| Source::root(&target.root))
        .collect();
    let read = sources::read(workspace, roots, &cache);
    let strays = strays::of(workspace, &read);
    let roots = strays.iter().map(|(path, _)| Source::root(path)).collect();
    let unreached = sources::read(workspace, roots, &cache);
    cache.store();
    let mut walker = Walker {
        workspace,
        read,
        aliases: BTreeSet::from(["tool".to_owned()]),
        open: Vec::new(),
        walked: HashMap::new(),
        scan: Scan::default(),
    };
    for (package, target) in targets {
        let unit = Arc::new(unit_of(package, target));
        let module = target.name.replace('-', "_");
        walker.walked.clear();
        walker.walk(&Source::root(&target.root), module, Vec::new(), &unit);
    }
    let Walker {
        aliases, mut scan, ..
    } = walker;
    // A new name may come from a prelude in another file, so it is looked up when all are read.
    scan.tools
        .retain(|tool| aliases.contains(&tool.item.attribute));
    for (path, unit) in strays {
        let first = unreached
            .get(&path)
            .and_then(|facts| declared_first(facts, &aliases));
        if let Some(position) = first {
            let reason = "no `mod` leads to this file, unless a macro writes one".to_owned();
            let spot = BlindSpot { position, reason };
            scan.blind_spots
                .push(found(spot, String::new(), Vec::new(), &unit));
        }
    }
    scan
}

/// Where the first tool or toolset of a file stands.
fn declared_first(facts: &Facts, aliases: &BTreeSet<String>) -> Option<Position> {
    facts
        .sightings
        .iter()
        .find_map(|sighting| match &sighting.item {
            Item::Tool(tool) if aliases.contains(&tool.attribute) => {
                Some(tool.name.position.clone())
            }
            Item::Toolset(toolset) => Some(toolset.name.position.clone()),
            _ => None,
        })
}

/// A file that is one module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The folder, below the file's own, where its submodules are. None for `mod.rs`, root files
    /// and files named by `#[path]`, whose submodules are beside them.
    below: Option<String>,
}

struct Walker<'a> {
    workspace: &'a Workspace,
    read: Read,
    aliases: BTreeSet<String>,
    /// Files from the root to the current one: a file that includes itself is not followed.
    open: Vec<PathBuf>,
    /// How often each file was walked in the current target.
    walked: HashMap<PathBuf, usize>,
    scan: Scan,
}

impl Source {
    fn root(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            below: None,
        }
    }

    fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_owned).unwrap_or_default()
    }
}

impl Walker<'_> {
    fn walk(&mut self, source: &Source, module: String, cfg: Vec<String>, unit: &Arc<Unit>) {
        if self.open.contains(&source.path) {
            return;
        }
        let Some(facts) = self.read.get(&source.path).map(Arc::clone) else {
            return;
        };
        let walked = self.walked.entry(source.path.clone()).or_default();
        if *walked == MOST_WALKS {
            return;
        }
        *walked += 1;
        if unit.member {
            self.scan.files.insert(self.workspace.display(&source.path));
        }
        if matches!(unit.kind, TargetKind::Lib | TargetKind::Bin) {
            let sources = self.scan.sources.entry(unit.package.clone()).or_default();
            sources.insert(source.path.clone());
        }
        if let Some(unparsed) = &facts.unparsed {
            self.scan
                .unparsed
                .push(found(unparsed.clone(), module, cfg, unit));
            return;
        }
        self.aliases.extend(facts.aliases.iter().cloned());
        if matches!(unit.kind, TargetKind::Lib | TargetKind::Bin) {
            let named = self.scan.named.entry(unit.package.clone()).or_default();
            named.extend(facts.crates.iter().cloned());
            if !only_in_tests(&cfg) {
                let supplied = self.scan.supplied.entry(unit.package.clone()).or_default();
                supplied.extend(facts.supplied.iter().cloned());
            }
        }
        if unit.member {
            self.scan.strings.extend(facts.strings.iter().cloned());
        }
        for sighting in &facts.sightings {
            let module = join(&module, &sighting.module);
            let cfg = cfg.iter().chain(&sighting.cfg).cloned().collect();
            self.note(sighting.item.clone(), module, cfg, unit);
        }
        self.open.push(source.path.clone());
        for submodule in &facts.submodules {
            let module = join(&module, &submodule.module);
            let cfg: Vec<String> = cfg.iter().chain(&submodule.cfg).cloned().collect();
            self.walk_submodule(source, submodule, &module, &cfg, unit);
        }
        self.open.pop();
    }

    fn walk_submodule(
        &mut self,
        parent: &Source,
        submodule: &Submodule,
        module: &str,
        cfg: &[String],
        unit: &Arc<Unit>,
    ) {
        let module = if submodule.included {
            module.to_owned()
        } else {
            format!("{module}::{}", submodule.name.text)
        };
        let mut found_one = false;
        for (source, condition) in candidates(parent, submodule) {
            if self.read.contains_key(&source.path) {
                found_one = true;
                let cfg = cfg.iter().cloned().chain(condition).collect();
                self.walk(&source, module.clone(), cfg, unit);
            }
        }
        if found_one {
            return;
        }
        let position = submodule.name.position.clone();
        let name = &submodule.name.text;
        let reason = if submodule.included {
            format!("there is no file `{name}` to include")
        } else {
            format!("module `{name}` has no file")
        };
        let cfg = cfg.to_vec();
        // A condition may be false for a file that is generated or absent on purpose.
        if cfg.is_empty() {
            self.scan
                .unparsed
                .push(found(Unparsed { position, reason }, module, cfg, unit));
        } else {
            self.note(
                Item::BlindSpot(BlindSpot { position, reason }),
                module,
                cfg,
                unit,
            );
        }
    }

    fn note(&mut self, item: Item, module: String, cfg: Vec<String>, unit: &Arc<Unit>) {
        let scan = &mut self.scan;
        match item {
            Item::Tool(item) => scan.tools.push(found(*item, module, cfg, unit)),
            Item::Toolset(item) => scan.toolsets.push(found(item, module, cfg, unit)),
            Item::Reserved(item) => scan.reserved.push(found(item, module, cfg, unit)),
            Item::Pack(item) => scan.packs.push(found(item, module, cfg, unit)),
            Item::Link(item) => scan.links.push(found(item, module, cfg, unit)),
            Item::Table(item) => scan.tables.push(found(item, module, cfg, unit)),
            Item::Impossible(item) if !cfg.is_empty() => {
                scan.impossible.push(found(item, module, cfg, unit));
            }
            Item::Impossible(_) => {}
            Item::Unsorted(item) => scan.unsorted.push(found(item, module, cfg, unit)),
            Item::Check(item) => scan.checks.push(found(item, module, cfg, unit)),
            Item::Allow(item) => scan.allows.push(found(item, module, cfg, unit)),
            Item::BlindSpot(item) => scan.blind_spots.push(found(item, module, cfg, unit)),
        }
    }
}

/// The files that a `mod name;` can mean, each with the conditions of its `#[path]`, or the one that is
/// included.
pub(super) fn candidates(parent: &Source, submodule: &Submodule) -> Vec<(Source, Vec<String>)> {
    let mut folder = parent.folder();
    let mut below = parent.below.as_deref();
    for step in &submodule.folders {
        match step {
            Folder::Named(name) => folder.extend(below.take().into_iter().chain([name.as_str()])),
            Folder::Path(path) => {
                below = None;
                folder.push(path);
            }
        }
    }
    let mut sources = Vec::new();
    for (condition, path) in &submodule.paths {
        sources.push((
            Source::root(&normalized(&folder.join(path))),
            condition.clone(),
        ));
    }
    if submodule
        .paths
        .iter()
        .any(|(condition, _)| condition.is_empty())
    {
        return sources;
    }
    folder.extend(below);
    let folder = normalized(&folder);
    let name = &submodule.name.text;
    let otherwise: Vec<String> = submodule
        .paths
        .iter()
        .map(|(condition, _)| format!("not(all({}))", condition.join(", ")))
        .collect();
    let beside = Source {
        path: folder.join(format!("{name}.rs")),
        below: Some(name.clone()),
    };
    let inside = Source::root(&folder.join(name).join("mod.rs"));
    sources.extend([(beside, otherwise.clone()), (inside, otherwise)]);
    sources
}

/// The path without `.` and `..`, so that a file has one path and is read once.
fn normalized(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = clean.pop(),
            component => clean.push(component),
        }
    }
    clean
}

fn found<T>(item: T, module: String, cfg: Vec<String>, unit: &Arc<Unit>) -> Found<T> {
    let only_in_tests = only_in_tests(&cfg);
    Found {
        item,
        module,
        cfg,
        unit: Arc::clone(unit),
        only_in_tests,
    }
}

fn join(module: &str, inner: &[String]) -> String {
    inner
        .iter()
        .fold(module.to_owned(), |path, name| format!("{path}::{name}"))
}
