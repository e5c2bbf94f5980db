//! What is known of files from the run before, below the target folder.
//!
//! A file whose size and time are those of the last run is not opened. One that was parsed is known
//! by its content too, so that a checkout that touches every file costs no parsing.

use std::collections::HashMap;
use std::fs::Metadata;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::facts::Facts;

/// Changes when what is kept, or how it is read, changes.
const VERSION: &str = concat!("7 ", env!("CARGO_PKG_VERSION"));

/// A file may be written again within the resolution of its time without anybody seeing it: a time
/// this young proves nothing.
const SETTLED: Duration = Duration::from_secs(2);

/// Name of the file in the target folder.
const FILE: &str = "check-toolsets.json";

/// What was known, and what is known now.
#[derive(Debug, Default)]
pub(super) struct Cache {
    place: Option<PathBuf>,
    /// What the facts depend on beside the files.
    key: String,
    before: HashMap<PathBuf, Entry>,
    now: Mutex<Now>,
}

#[derive(Debug, Default)]
struct Now {
    entries: HashMap<PathBuf, Entry>,
    changed: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    size: u64,
    /// Nanoseconds since 1970; absent if the file was too young for it to mean anything.
    time: Option<u64>,
    /// Of the content, for files that were parsed.
    hash: Option<[u8; 32]>,
    facts: Facts,
}

#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    key: String,
    entries: std::borrow::Cow<'a, HashMap<PathBuf, Entry>>,
}

impl Cache {
    /// What the last run left in `folder`. `key` is what facts depend on beside the files: with
    /// another one nothing is known.
    pub(super) fn load(folder: &Path, key: &str) -> Self {
        let place = folder.join(FILE);
        let key = format!("{VERSION} {key}");
        let stored = std::fs::read(&place).ok();
        let stored: Option<Stored<'_>> = stored.and_then(|text| serde_json::from_slice(&text).ok());
        let stored = stored.filter(|stored| stored.key == key);
        Self {
            place: Some(place),
            key,
            before: stored
                .map(|stored| stored.entries.into_owned())
                .unwrap_or_default(),
            now: Mutex::default(),
        }
    }

    /// The facts of a file: known ones, or those that `read` makes of its text. `read` says whether it
    /// parsed.
    pub(super) fn facts(
        &self,
        path: &Path,
        read: impl FnOnce(&str) -> (Facts, bool),
    ) -> Result<Facts, Error> {
        if self.place.is_none() {
            return Ok(read(&read_text(path)?).0);
        }
        let metadata = std::fs::metadata(path)?;
        let size = metadata.len();
        let time = modified(&metadata);
        let known = self.before.get(path);
        if let Some(known) = known
            && known.size == size
            && known.time.is_some()
            && known.time == time
        {
            self.keep(path, known.clone(), false);
            return Ok(known.facts.clone());
        }
        let text = read_text(path)?;
        let known = known.filter(|known| known.size == size);
        let (facts, hash) = match known.and_then(|known| Some((known, known.hash?))) {
            Some((known, hash)) if hash == digest(&text) => (known.facts.clone(), Some(hash)),
            _ => {
                let (facts, parsed) = read(&text);
                (facts, parsed.then(|| digest(&text)))
            }
        };
        let entry = Entry {
            size,
            time: settled(time),
            hash,
            facts: facts.clone(),
        };
        self.keep(path, entry, true);
        Ok(facts)
    }

    /// Writes what is known now, if it differs. That it cannot be written is no error: the next run
    /// reads everything again.
    pub(super) fn store(self) {
        let Some(place) = self.place else { return };
        let now = self
            .now
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if !now.changed && now.entries.len() == self.before.len() {
            return;
        }
        let stored = Stored {
            key: self.key,
            entries: std::borrow::Cow::Owned(now.entries),
        };
        let Ok(text) = serde_json::to_vec(&stored) else {
            return;
        };
        if let Some(folder) = place.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        // Another run may be reading it.
        let draft = place.with_extension(format!("{}.tmp", std::process::id()));
        if std::fs::write(&draft, text).is_ok() && std::fs::rename(&draft, &place).is_err() {
            let _ = std::fs::remove_file(&draft);
        }
    }

    fn keep(&self, path: &Path, entry: Entry, changed: bool) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.changed |= changed;
        now.entries.insert(path.to_owned(), entry);
    }
}

fn read_text(path: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(path)?;
    String::from_utf8(bytes)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

fn modified(metadata: &Metadata) -> Option<u64> {
    let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(time.as_nanos()).ok()
}

fn settled(time: Option<u64>) -> Option<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    time.filter(|time| Duration::from_nanos(*time) + SETTLED < now)
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    const KEY: &str = "key";

    struct Kept {
        folder: tempfile::TempDir,
    }

    impl Kept {
        fn new() -> Self {
            Self {
                folder: tempfile::tempdir().unwrap(),
            }
        }

        fn file(&self) -> PathBuf {
            self.folder.path().join("lib.rs")
        }

        /// Writes the file, and says that this was at another time.
        fn write(&self, text: &str, time: SystemTime) {
            fs::write(self.file(), text).unwrap();
            let file = File::options().write(true).open(self.file()).unwrap();
            file.set_modified(time).unwrap();
        }

        /// One run by this key: what is known of the file then, and whether it was read for that.
        fn run(&self, key: &str, parses: bool) -> (String, bool) {
            let cache = Cache::load(self.folder.path(), key);
            let mut read = false;
            let facts = cache.facts(&self.file(), |text| {
                read = true;
                let mut facts = Facts::default();
                facts.strings.insert(text.to_owned());
                (facts, parses)
            });
            cache.store();
            let facts = facts.unwrap();
            (facts.strings.into_iter().collect(), read)
        }
    }

    fn old() -> SystemTime {
        SystemTime::now() - Duration::from_hours(1)
    }

    fn known(text: &str) -> (String, bool) {
        (text.to_owned(), false)
    }

    fn read(text: &str) -> (String, bool) {
        (text.to_owned(), true)
    }

    #[test]
    fn a_file_that_nobody_touched_is_not_read_again() {
        let kept = Kept::new();
        for parses in [true, false] {
            kept.write("same", old());
            kept.run("other", parses);
            assert_eq!(kept.run(KEY, parses), read("same"));
            assert_eq!(kept.run(KEY, parses), known("same"));
        }
    }

    #[test]
    fn a_file_is_known_by_its_content_when_its_time_is_another() {
        let kept = Kept::new();
        kept.write("same", old());
        kept.run(KEY, true);
        kept.write("same", old() + Duration::from_mins(1));
        assert_eq!(kept.run(KEY, true), known("same"));
        kept.write("tame", old() + Duration::from_mins(2));
        assert_eq!(kept.run(KEY, true), read("tame"));
        // What was not parsed is cheap to read and has no digest.
        kept.write("lame", old());
        assert_eq!(kept.run(KEY, false), read("lame"));
        kept.write("lame", old() + Duration::from_mins(1));
        assert_eq!(kept.run(KEY, false), read("lame"));
    }

    #[test]
    fn a_time_that_is_too_young_proves_nothing() {
        let kept = Kept::new();
        // A time to come stays young however long the test takes.
        let young = SystemTime::now() + Duration::from_hours(1);
        kept.write("same", young);
        kept.run(KEY, true);
        kept.write("tame", young);
        assert_eq!(kept.run(KEY, true), read("tame"));
        assert_eq!(kept.run(KEY, true), known("tame"));
    }

    #[test]
    fn nothing_is_known_by_another_key_or_from_a_file_that_is_none() {
        let kept = Kept::new();
        kept.write("same", old());
        kept.run(KEY, true);
        assert_eq!(kept.run("other", true), read("same"));
        assert_eq!(kept.run("other", true), known("same"));
        fs::write(kept.folder.path().join(FILE), "{\"key\": ").unwrap();
        assert_eq!(kept.run("other", true), read("same"));
        assert_eq!(kept.run("other", true), known("same"));
    }
}
