//! The scan of `cargo xtask check-toolsets` beside its limit: reading every file, and parsing those that
//! contain the word `tool`.
//!
//! Both read the libraries of the crates that cargo has unpacked, up to a million lines, with as many
//! threads. The limit is handed the list of files; the scan has to find them.
//!
//! With the name of a way (`limit`, `first`, `cache`, or `none` for what comes before all of them) that
//! one alone runs once, for a tool that counts instructions.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hermes_xtask::scan::Scan;
use hermes_xtask::workspace::{Package, Target, TargetKind, Workspace};
use memchr::memmem::Finder;
use rustix::time::{ClockId, clock_gettime};

const LINES: usize = 1_000_000;
const ROUNDS: usize = 7;

/// What one run took.
#[derive(Debug, Clone, Copy)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut workspace = Workspace {
        root: folder.path().to_owned(),
        target_folder: folder.path().join("target"),
        metadata: serde_json::Value::Null,
        packages: Vec::new(),
    };
    let (files, lines) = fill(&mut workspace);
    if files.is_empty() {
        return Err("cargo has unpacked no crates; build something first".into());
    }
    let threads = std::thread::available_parallelism()?.get();
    if let Some(way) = std::env::args().nth(1) {
        match way.as_str() {
            "limit" => _ = limit(&files, threads),
            "first" => drop(Scan::of(&workspace, &[], false)),
            "cache" => drop(Scan::of(&workspace, &[], true)),
            "none" => {}
            _ => return Err(format!("no way is called `{way}`").into()),
        }
        return Ok(());
    }
    let parsed = limit(&files, threads);
    println!(
        "{lines} lines in {} files, {parsed} of them parsed by the limit, {threads} threads",
        files.len()
    );
    Scan::of(&workspace, &[], true);
    // Files that were unpacked just now are believed a while later only.
    let (mut limits, mut colds, mut warms) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        limits.push(measured(|| {
            limit(&files, threads);
        }));
        colds.push(measured(|| drop(Scan::of(&workspace, &[], false))));
        warms.push(measured(|| drop(Scan::of(&workspace, &[], true))));
    }
    println!("way                 wall        lines/s    of the limit: wall   processor");
    for (name, costs) in [
        ("limit", &limits),
        ("scan, first run", &colds),
        ("scan, with cache", &warms),
    ] {
        let wall = median(costs.iter().map(|cost| cost.wall.as_secs_f64()));
        let of_limit = |part: fn(&Cost) -> Duration| {
            median(
                costs
                    .iter()
                    .zip(&limits)
                    .map(|(cost, limit)| part(cost).as_secs_f64() / part(limit).as_secs_f64()),
            )
        };
        #[expect(
            clippy::cast_precision_loss,
            reason = "far fewer lines than a float counts"
        )]
        let speed = lines as f64 / wall;
        println!(
            "{name:<18} {:>8.1} ms {speed:>12.0} {:>18.2} {:>11.2}",
            wall * 1e3,
            of_limit(|cost| cost.wall),
            of_limit(|cost| cost.cpu)
        );
    }
    Ok(())
}

/// Adds the libraries of unpacked crates until there are enough lines. Answers their files and lines.
fn fill(workspace: &mut Workspace) -> (Vec<PathBuf>, usize) {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let indexes = home
        .map(|home| entries(&home.join("registry/src")))
        .unwrap_or_default();
    let mut all = Vec::new();
    let mut lines = 0;
    for crate_folder in indexes.iter().flat_map(|index| entries(index)) {
        let root = crate_folder.join("src/lib.rs");
        if lines >= LINES {
            break;
        }
        if !root.is_file() {
            continue;
        }
        let name = crate_folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let package = Package {
            name: name.clone(),
            member: true,
            source: None,
            folder: crate_folder,
            targets: vec![Target {
                name,
                kind: TargetKind::Lib,
                root,
            }],
            dependencies: Vec::new(),
        };
        let alone = Workspace {
            root: workspace.root.clone(),
            target_folder: workspace.target_folder.clone(),
            metadata: serde_json::Value::Null,
            packages: vec![package],
        };
        let scan = Scan::of(&alone, &[], false);
        let files: Vec<PathBuf> = scan.sources.into_values().flatten().collect();
        lines += files.iter().map(|file| lines_of(file)).sum::<usize>();
        all.extend(files);
        workspace.packages.extend(alone.packages);
    }
    (all, lines)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

fn lines_of(file: &Path) -> usize {
    let bytes = std::fs::read(file).unwrap_or_default();
    memchr::memchr_iter(b'\n', &bytes).count()
}

/// Reads the files and parses those with the word in them. Answers how many those are.
fn limit(files: &[PathBuf], threads: usize) -> usize {
    let (next, parsed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let word = Finder::new("tool");
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Ok(text) = std::fs::read_to_string(file) else {
                        continue;
                    };
                    if word.find(text.as_bytes()).is_some() {
                        let _ = std::hint::black_box(syn::parse_file(&text));
                        proc_macro2::extra::invalidate_current_thread_spans();
                        parsed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    parsed.into_inner()
}

fn measured(work: impl FnOnce()) -> Cost {
    let (start, cpu) = (Instant::now(), processor());
    work();
    Cost {
        wall: start.elapsed(),
        cpu: processor() - cpu,
    }
}

/// Time that all threads of the process have run.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
