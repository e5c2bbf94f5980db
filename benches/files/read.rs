//! Pages of a file of 1 GiB: the time, and the memory.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;

use serde_json::json;

use crate::search::{call, session};
use crate::{of_processor, print};

/// Lines of 1 KiB.
const LINES: u64 = 1 << 20;

pub(crate) fn pages(rounds: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large");
    make(&path);
    let before = most_memory();
    // A session that has not counted the lines yet, each time.
    let fresh = || {
        let session = session(folder.path());
        call(
            &session,
            "read_file",
            &json!({"path": "large", "offset": LINES / 2, "limit": 100}),
        )
    };
    let known = session(folder.path());
    let mut offset = 1;
    let mut next = || {
        offset = (offset + 7_919) % (LINES - 100) + 1;
        call(
            &known,
            "read_file",
            &json!({"path": "large", "offset": offset, "limit": 100}),
        )
    };
    assert_eq!(next()["total_lines"], json!(LINES));
    let ways = vec![
        of_processor("counting line feeds", || count(&path)),
        of_processor("read_file, the first page of a session", fresh),
        of_processor("read_file, any page after that", next),
    ];
    print(
        "a page of a file of 1 GiB (processor time)",
        ways,
        rounds.min(5),
    );
    println!(
        "  most memory: {before} KiB before, {} KiB after",
        most_memory()
    );
}

fn make(path: &Path) {
    let line = format!("{}\n", "x".repeat(1_023));
    let block = line.repeat(1_024);
    let mut file = File::create(path).expect("a file");
    for _ in 0..LINES / 1_024 {
        file.write_all(block.as_bytes()).expect("room for 1 GiB");
    }
}

fn count(path: &Path) -> usize {
    let mut reader = BufReader::with_capacity(64 * 1024, File::open(path).expect("the file"));
    let mut lines = 0;
    loop {
        let chunk = reader.fill_buf().expect("bytes");
        if chunk.is_empty() {
            return lines;
        }
        lines += memchr::memchr_iter(b'\n', chunk).count();
        let length = chunk.len();
        reader.consume(length);
    }
}

/// The most memory that this program has had, in KiB.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}
