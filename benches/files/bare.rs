//! The limit: a loop over `ignore` and `grep-searcher` on two threads, with nothing around it.

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use ignore::{WalkBuilder, WalkState};

/// Threads of the limit, and of the machine it is meant for.
const THREADS: usize = 2;

/// Lines that match in all files of a folder.
pub(crate) fn count(root: &Path, pattern: &str) -> u64 {
    let matcher = RegexMatcher::new_line_matcher(pattern).expect("a pattern");
    let all = AtomicU64::new(0);
    let walk = WalkBuilder::new(root).threads(THREADS).build_parallel();
    walk.run(|| {
        let mut searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .line_number(false)
            .build();
        let (matcher, all) = (&matcher, &all);
        Box::new(move |entry| {
            let entry = entry.expect("an entry");
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let file = File::open(entry.path()).expect("a file");
                let mut lines = Lines(0);
                searcher
                    .search_file(matcher, &file, &mut lines)
                    .expect("a search");
                all.fetch_add(lines.0, Ordering::Relaxed);
            }
            WalkState::Continue
        })
    });
    all.into_inner()
}

/// Counts lines.
struct Lines(u64);

impl Sink for Lines {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, _: &SinkMatch<'_>) -> Result<bool, std::io::Error> {
        self.0 += 1;
        Ok(true)
    }
}

/// The newest files of a folder, and how many there are.
pub(crate) fn newest(root: &Path, most: usize) -> (Vec<String>, usize) {
    let all = Mutex::new(Vec::new());
    let walk = WalkBuilder::new(root).threads(THREADS).build_parallel();
    walk.run(|| {
        let all = &all;
        Box::new(move |entry| {
            let entry = entry.expect("an entry");
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let time = entry.metadata().expect("facts").modified().expect("a time");
                let path = entry.into_path().to_string_lossy().into_owned();
                all.lock().expect("no panic").push((time, path));
            }
            WalkState::Continue
        })
    });
    let mut all: Vec<(SystemTime, String)> = all.into_inner().expect("no panic");
    all.sort_unstable_by(|one, other| other.cmp(one));
    let number = all.len();
    let newest = all.into_iter().take(most).map(|(_, path)| path);
    (newest.collect(), number)
}
