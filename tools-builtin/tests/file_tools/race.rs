//! Someone swaps folders for links while the tools work: nothing leads out. A number of calls here, and
//! 30 seconds of them where `HERMES_SLOW_TESTS` is set.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::fixture::Fixture;

/// Rounds of calls that are made in any case.
const ROUNDS: usize = 400;

/// Swaps that there are at the least, however the threads take turns.
const SWAPS: u32 = 100;

/// How much longer they go on.
fn time() -> Duration {
    let is_slow = std::env::var_os("HERMES_SLOW_TESTS").is_some_and(|value| value == "1");
    Duration::from_secs(if is_slow { 30 } else { 0 })
}

#[test]
fn nothing_escapes_while_folders_are_swapped_for_links() {
    let fixture = Fixture::new(&[("d/f", "inside\n")]);
    fs::write(fixture.outside("f"), "secret\n").unwrap();
    let done = AtomicBool::new(false);
    let swaps = AtomicU32::new(0);
    thread::scope(|scope| {
        let swapper = scope.spawn(|| {
            let (real, aside) = (fixture.path("d"), fixture.path("d2"));
            while !done.load(Ordering::Relaxed) {
                if fs::rename(&real, &aside).is_err()
                    || symlink(fixture.outside(""), &real).is_err()
                {
                    let _ = fs::create_dir(&real);
                    let _ = fs::remove_dir_all(&aside);
                    continue;
                }
                thread::yield_now();
                fs::remove_file(&real).unwrap();
                // A writer may have made the folder anew in this moment, inside.
                let _ = fs::remove_dir_all(&real);
                if fs::rename(&aside, &real).is_err() {
                    let _ = fs::remove_dir_all(&aside);
                }
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let started = Instant::now();
        for number in 0.. {
            let is_swapped = swaps.load(Ordering::Relaxed) > SWAPS;
            if number >= ROUNDS && is_swapped && started.elapsed() >= time() {
                break;
            }
            if swapper.is_finished() {
                break;
            }
            let content = format!("{number}\n");
            // Each is done inside or refused; which of them, is chance.
            let _ = fixture.call("write_file", &json!({"path": "d/f", "content": content}));
            let _ = fixture.call(
                "write_file",
                &json!({"path": format!("d/n{number}"), "content": "x"}),
            );
            for (tool, arguments) in [
                ("read_file", json!({"path": "d/f", "limit": 1 + number})),
                (
                    "search_files",
                    json!({"pattern": "secret", "path": "d", "offset": number}),
                ),
                (
                    "search_files",
                    json!({"pattern": "secret", "offset": number}),
                ),
                (
                    "patch",
                    json!({"path": "d/f", "old_string": "secret", "new_string": "x"}),
                ),
            ] {
                let text = match fixture.call(tool, &arguments) {
                    Ok(result) => result["content"].to_string() + &result["matches"].to_string(),
                    Err(_) => String::new(),
                };
                assert!(!text.contains("secret"), "{tool}: {text}");
            }
        }
        done.store(true, Ordering::Relaxed);
        swapper.join().unwrap();
    });
    let outside = fs::read_dir(fixture.outside("")).unwrap();
    assert_eq!(outside.count(), 1, "a file was made outside");
    assert_eq!(
        fs::read_to_string(fixture.outside("f")).unwrap(),
        "secret\n"
    );
    assert!(!fixture.path(".hermes-tmp").exists());
}
