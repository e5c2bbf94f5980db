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
    let ways = vec![
        Way::new("rg -n", || run(&rg, &["-n", "-j2", "needle_here"], root)),
        Way::new("hermes call search_files", || {
            let words = ["call", "search_files", "pattern=needle_here", "limit:=1000"];
            run(&hermes, &words, root)
        }),
    ];
    print("processes: few lines match, all are shown", ways, rounds);
    // The answer has the first 50 lines and how many there are in all, and `rg` tells one or the other.
    let ways = vec![
        Way::new("rg -c, how many there are", || {
            run(&rg, &["-c", "-j2", "common"], root)
        }),
        Way::new("rg -m 1, one line of each file", || {
            run(&rg, &["-n", "-j2", "-m", "1", "common"], root)
        }),
        Way::new("hermes call search_files, both", || {
            run(&hermes, &["call", "search_files", "pattern=common"], root)
        }),
    ];
    print(
        "processes: a million lines match, the first 50 are shown",
        ways,
        rounds,
    );
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
