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
