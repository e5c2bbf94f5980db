//! Removing what is old, and what is too much.
//!
//! Links are never followed: a name in the store is removed as what it is.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use cap_std::fs::Dir;

/// A folder in the store.
struct Folder {
    path: PathBuf,
    changed: SystemTime,
    bytes: u64,
}

/// Removes the folders of sessions in which nothing was stored for so long.
pub(super) fn remove_old(store: &Dir, now: SystemTime, keep: Duration) -> io::Result<()> {
    for session in folders(store, Path::new("."))? {
        let turns = folders(store, &session.path).unwrap_or_default();
        let changed = turns.iter().map(|turn| turn.changed).max();
        let last = changed.map_or(session.changed, |last| last.max(session.changed));
        if now.duration_since(last).is_ok_and(|age| age > keep) {
            // Another process may remove it at the same time.
            let _ = store.remove_dir_all(&session.path);
        }
    }
    Ok(())
}

/// Bytes of all results.
pub(super) fn size(store: &Dir) -> io::Result<u64> {
    let sessions = folders(store, Path::new("."))?;
    let turns = sessions
        .iter()
        .flat_map(|session| folders(store, &session.path).unwrap_or_default());
    Ok(turns.map(|turn| turn.bytes).sum())
}

/// Removes the oldest turns until all results are within so many bytes, and tells how many there are. The
/// turn at `spare` stays.
pub(super) fn shrink(store: &Dir, most: u64, spare: &Path) -> io::Result<u64> {
    let mut turns = Vec::new();
    for session in folders(store, Path::new("."))? {
        turns.extend(folders(store, &session.path).unwrap_or_default());
    }
    turns.sort_by_key(|turn| turn.changed);
    let mut used: u64 = turns.iter().map(|turn| turn.bytes).sum();
    for turn in turns {
        if used <= most {
            break;
        }
        if turn.path != Path::new(".").join(spare) && store.remove_dir_all(&turn.path).is_ok() {
            used -= turn.bytes;
        }
    }
    Ok(used)
}

/// The folders in a folder, with the bytes of the files directly in each.
fn folders(store: &Dir, path: &Path) -> io::Result<Vec<Folder>> {
    let mut folders = Vec::new();
    for entry in store.read_dir(path)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        // What another process removes meanwhile is not there.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let path = path.join(entry.file_name());
        folders.push(Folder {
            bytes: bytes_in(store, &path),
            changed: metadata.modified()?.into_std(),
            path,
        });
    }
    Ok(folders)
}

fn bytes_in(store: &Dir, path: &Path) -> u64 {
    let Ok(entries) = store.read_dir(path) else {
        return 0;
    };
    entries
        .filter_map(|entry| entry.ok()?.metadata().ok())
        .filter(cap_std::fs::Metadata::is_file)
        .map(|metadata| metadata.len())
        .sum()
}
