//! A tree of 20,000 files as a repository has them.

use std::fmt::Write as _;
use std::fs;

use tempfile::TempDir;

/// Folders, and files in each.
const FOLDERS: usize = 1_000;
const FILES: usize = 20;

/// Makes the tree: sources of some kilobytes, a tenth of them ignored, one in two hundred with the word
/// `needle_here`.
pub(crate) fn make() -> TempDir {
    let root = tempfile::tempdir().expect("a folder for the tree");
    fs::create_dir(root.path().join(".git")).expect("a repository");
    fs::write(root.path().join(".gitignore"), "*.log\ntarget/\n").expect("rules");
    let mut number = 0_usize;
    for folder in 0..FOLDERS {
        let place = root.path().join(format!(
            "part{}/group{}/unit{folder}",
            folder % 10,
            folder % 100
        ));
        fs::create_dir_all(&place).expect("a folder");
        for file in 0..FILES {
            number += 1;
            let ending = if file % 10 == 9 { "log" } else { "rs" };
            let text = source(number);
            fs::write(place.join(format!("file{file}.{ending}")), text).expect("a file");
        }
    }
    root
}

fn source(number: usize) -> String {
    let mut text = String::new();
    for line in 0..20 + number % 100 {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "    let value_{line} = compute({number}, {line}); // a common line"
        );
    }
    if number.is_multiple_of(200) {
        text.push_str("fn needle_here() {}\n");
    }
    text
}
