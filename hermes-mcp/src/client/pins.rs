//! What tools looked like when they were approved, in a file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::host::Pins;
use super::private;

/// [`Pins`] in a file of JSON that belongs to one user, and that several processes may use at one time.
///
/// A file that cannot be read approves nothing anew and takes nothing: every tool then counts as changed.
#[derive(Debug)]
pub struct PinFile {
    path: PathBuf,
    known: Mutex<Option<Result<Kept, ()>>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Kept {
    servers: BTreeMap<String, Server>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Server {
    /// A digest, since a command may hold keys.
    origin: String,
    tools: BTreeMap<String, String>,
}

impl PinFile {
    /// Keeps pins here. Nothing is made before there is one to keep.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            known: Mutex::new(None),
        }
    }

    /// Forgets what was approved of a server; true when there was anything.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        self.change(|kept| kept.servers.remove(server).is_some())
    }

    fn change<T>(&self, change: impl FnOnce(&mut Kept) -> T) -> io::Result<T> {
        let _lock = private::lock(&self.path)?;
        let mut kept = read(&self.path)?;
        let made = change(&mut kept);
        private::write(&self.path, &serde_json::to_vec_pretty(&kept)?)?;
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(Ok(kept));
        Ok(made)
    }
}

impl Pins for PinFile {
    fn pinned(&self, server: &str, origin: &str, tool: &str) -> Option<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_with(|| {
            let told = |error| tracing::warn!(%error, "the approved tools cannot be read");
            read(&self.path).map_err(told)
        });
        match known {
            Ok(kept) => {
                let server = kept.servers.get(server)?;
                let same = server.origin == digest(origin);
                server.tools.get(tool).filter(|_| same).cloned()
            }
            // No digest is that of a tool.
            Err(()) => Some(String::new()),
        }
    }

    fn pin(&self, server: &str, origin: &str, tools: &[(Box<str>, String)]) {
        let origin = digest(origin);
        let kept = self.change(|kept| {
            let server = kept.servers.entry(server.to_owned()).or_default();
            if server.origin != origin {
                server.tools.clear();
                server.origin = origin;
            }
            let new = tools
                .iter()
                .map(|(tool, digest)| (tool.to_string(), digest.clone()));
            server.tools.extend(new);
        });
        if let Err(error) = kept {
            tracing::warn!(%error, "the approved tools cannot be kept");
        }
    }
}

fn read(path: &Path) -> io::Result<Kept> {
    match fs::read(path) {
        Ok(text) => Ok(serde_json::from_slice(&text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(error),
    }
}

fn digest(origin: &str) -> String {
    let digest = Sha256::digest(origin.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_stay_in_their_file_and_belong_to_one_origin() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/pins.json");
        let pins = PinFile::at(&path);
        assert_eq!(pins.pinned("s", "cmd", "t"), None);
        pins.pin("s", "cmd", &[("t".into(), "1".to_owned())]);
        pins.pin("s", "cmd", &[("u".into(), "2".to_owned())]);
        let other = PinFile::at(&path);
        assert_eq!(other.pinned("s", "cmd", "t").as_deref(), Some("1"));
        assert_eq!(other.pinned("s", "cmd", "u").as_deref(), Some("2"));
        assert_eq!(other.pinned("s", "another", "t"), None);
        other.pin("s", "another", &[("t".into(), "3".to_owned())]);
        let third = PinFile::at(&path);
        assert_eq!(third.pinned("s", "cmd", "t"), None);
        assert_eq!(third.pinned("s", "another", "u"), None);
        assert!(third.forget("s").unwrap());
        assert!(!third.forget("s").unwrap());
    }

    #[test]
    fn a_file_that_cannot_be_read_approves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pins.json");
        fs::write(&path, "{ half").unwrap();
        let pins = PinFile::at(&path);
        assert_eq!(pins.pinned("s", "cmd", "t").as_deref(), Some(""));
        pins.pin("s", "cmd", &[("t".into(), "1".to_owned())]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "{ half");
    }
}
