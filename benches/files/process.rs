//! Searching as programs: `hermes call search_files` beside `rg`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hermes_benches::compare::Way;

use crate::print;

pub(crate) fn table(root: &Path, rounds: usize) {
    let Some((hermes, rg)) = programs() else {
        println!("\nprocesses: skipped, there is no `rg` or no `hermes`");
        return;
    };
    for (title, pattern) in [
        ("few lines match", "needle_here"),
        (
            "a quarter of a million lines match, the first 50 shown",
            "common",
        ),
    ] {
        let ours = format!("pattern={pattern}");
        let first = if pattern == "common" { "1" } else { "1000" };
        // `rg` has no way to stop after so many lines of all files; one of each file is its shortest.
        let theirs = ["-n", "-j2", "-m", first, pattern];
        let ways = vec![
            Way::new("rg", || run(&rg, &theirs, root)),
            Way::new("hermes call search_files", || {
                run(&hermes, &["call", "search_files", &ours], root)
            }),
        ];
        print(&format!("processes: {title}"), ways, rounds);
    }
    let ways = vec![
        Way::new("rg --files --sortr modified", || {
            run(&rg, &["--files", "--sortr", "modified"], root)
        }),
        Way::new("hermes call search_files target=files", || {
            run(
                &hermes,
                &["call", "search_files", "pattern=*", "target=files"],
                root,
            )
        }),
    ];
    print("processes: the newest files", ways, rounds);
}

fn programs() -> Option<(PathBuf, PathBuf)> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let beside = std::env::current_exe().ok()?.with_file_name("hermes");
    let hermes = named("HERMES").unwrap_or(beside);
    let rg = named("RG").unwrap_or_else(|| PathBuf::from("rg"));
    let works = |program: &Path| {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    (works(&hermes) && works(&rg)).then_some((hermes, rg))
}

fn run(program: &Path, words: &[&str], folder: &Path) -> usize {
    let output = Command::new(program)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{words:?}");
    output.stdout.len()
}
