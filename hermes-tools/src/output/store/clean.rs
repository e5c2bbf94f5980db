//! Removing what is old, and what is too much.
//!
//! Only what the store made is touched: folders with the name and the mark of a session, and in them
//! those with the name of a turn. Whatever else stands in the folder is somebody's.
//! Links are never followed: a name in the store is removed as what it is.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use cap_std::fs::Dir;

use super::name::{MARK, is_place, is_session, is_turn};

/// A folder in the store.
struct Folder {
    path: PathBuf,
    changed: SystemTime,
    bytes: u64,
}

/// Removes the folders of sessions in which nothing was stored for so long. The sessions of a place follow
/// each other for ever, so there it is the turns in which nothing was.
pub(super) fn remove_old(store: &Dir, now: SystemTime, keep: Duration) -> io::Result<()> {
    let is_old = |last: SystemTime| now.duration_since(last).is_ok_and(|age| age > keep);
    for session in sessions(store)? {
        if is_shared(&session.path) {
            // What cannot be removed now is still known the next time.
            for turn in turns(store, &session) {
                if is_old(turn.changed) {
                    let _ = store.remove_dir_all(&turn.path);
                }
            }
        }
        let turns = turns(store, &session);
        let changed = turns.iter().map(|turn| turn.changed).max();
        let last = changed.map_or(session.changed, |last| last.max(session.changed));
        if is_old(last) {
            // Another process may remove it at the same time. The mark goes behind the turns, so that
            // what cannot be removed now is still known the next time.
            let gone = turns
                .iter()
                .all(|turn| store.remove_dir_all(&turn.path).is_ok());
            if gone {
                let _ = store.remove_dir(session.path.join(MARK));
                let _ = store.remove_dir(&session.path);
            }
        }
    }
    Ok(())
}

/// Bytes of all results.
pub(super) fn size(store: &Dir) -> io::Result<u64> {
    let sessions = sessions(store)?;
    let turns = sessions.iter().flat_map(|session| turns(store, session));
    Ok(turns.map(|turn| turn.bytes).sum())
}

/// Removes the oldest turns until all results are within so many bytes, and tells how many there are. The
/// turn at `spare` stays.
pub(super) fn shrink(store: &Dir, most: u64, spare: &Path) -> io::Result<u64> {
    let sessions = sessions(store)?;
    let mut turns: Vec<Folder> = sessions
        .iter()
        .flat_map(|session| turns(store, session))
        .collect();
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

/// The folders of sessions that the store made.
fn sessions(store: &Dir) -> io::Result<Vec<Folder>> {
    let mut sessions = folders(store, Path::new("."), |name| {
        is_session(name) || is_place(name)
    })?;
    sessions.retain(|session| {
        let mark = store.symlink_metadata(session.path.join(MARK));
        mark.is_ok_and(|mark| mark.is_dir())
    });
    Ok(sessions)
}

/// Whether a folder is shared by the sessions of a place.
fn is_shared(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(is_place)
}

/// The folders of a session's turns. What cannot be read has none.
fn turns(store: &Dir, session: &Folder) -> Vec<Folder> {
    folders(store, &session.path, is_turn).unwrap_or_default()
}

/// The folders of such names in a folder, with the bytes of the files directly in each.
fn folders(store: &Dir, path: &Path, named: fn(&str) -> bool) -> io::Result<Vec<Folder>> {
    let mut folders = Vec::new();
    for entry in store.read_dir(path)? {
        let entry = entry?;
        let known = entry.file_name().to_str().is_some_and(named);
        if !known || !entry.file_type()?.is_dir() {
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
