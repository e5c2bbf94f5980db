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
/// What was approved of a server from one origin stays when a server of the same name comes from another.
/// One name keeps 256 origins; what comes after them is refused, and nothing is forgotten to make room. A file
/// that cannot be read or written is an error of every question, so that no tool is taken.
#[derive(Debug)]
pub struct PinFile {
    path: PathBuf,
    known: Mutex<Option<Kept>>,
}

/// Digests of tools, by the server's name, a digest of its origin (a command may hold keys), and the tool.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Kept {
    servers: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>,
}

/// Origins that one name keeps at most.
const MAX_ORIGINS: usize = 256;

impl PinFile {
    /// Keeps pins here. Nothing is made before there is one to keep.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            known: Mutex::new(None),
        }
    }

    /// Forgets what was approved of a server from this origin; true when there was anything.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn forget(&self, server: &str, origin: &str) -> io::Result<bool> {
        self.change(|kept| {
            let Some(origins) = kept.servers.get_mut(server) else {
                return Ok(false);
            };
            let forgotten = origins.remove(&digest(origin)).is_some();
            if origins.is_empty() {
                kept.servers.remove(server);
            }
            Ok(forgotten)
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Kept) -> io::Result<T>) -> io::Result<T> {
        let changed = || {
            let _lock = private::lock(&self.path)?;
            let mut kept = read(&self.path)?;
            let made = change(&mut kept)?;
            private::write(&self.path, &serde_json::to_vec_pretty(&kept)?)?;
            *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
            Ok(made)
        };
        changed().map_err(|error| self.told(&error))
    }

    /// An error with the file that it is about.
    fn told(&self, error: &io::Error) -> io::Error {
        let path = self.path.display();
        io::Error::new(error.kind(), format!("`{path}`: {error}"))
    }
}

impl Pins for PinFile {
    fn pinned(&self, server: &str, origin: &str, tool: &str) -> io::Result<Option<String>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match &mut *known {
            Some(kept) => kept,
            none => none.insert(read(&self.path).map_err(|error| self.told(&error))?),
        };
        let tools = kept
            .servers
            .get(server)
            .and_then(|origins| origins.get(&digest(origin)));
        Ok(tools.and_then(|tools| tools.get(tool)).cloned())
    }

    fn pin(&self, server: &str, origin: &str, tools: &[(Box<str>, String)]) -> io::Result<()> {
        let origin = digest(origin);
        self.change(|kept| {
            let origins = kept.servers.entry(server.to_owned()).or_default();
            if origins.len() >= MAX_ORIGINS && !origins.contains_key(&origin) {
                let text = format!(
                    "the name `{server}` has stood for {MAX_ORIGINS} commands and addresses; give this server another name"
                );
                return Err(io::Error::other(text));
            }
            let new = tools
                .iter()
                .map(|(tool, digest)| (tool.to_string(), digest.clone()));
            origins.entry(origin).or_default().extend(new);
            Ok(())
        })
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

    fn one(tool: &str, digest: &str) -> Vec<(Box<str>, String)> {
        vec![(tool.into(), digest.to_owned())]
    }

    #[test]
    fn pins_stay_in_their_file_and_belong_to_one_origin_which_no_other_erases() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/pins.json");
        let pins = PinFile::at(&path);
        assert_eq!(pins.pinned("s", "cmd", "t").unwrap(), None);
        pins.pin("s", "cmd", &one("t", "1")).unwrap();
        pins.pin("s", "cmd", &one("u", "2")).unwrap();
        let other = PinFile::at(&path);
        let told =
            |pins: &PinFile, origin: &str, tool: &str| pins.pinned("s", origin, tool).unwrap();
        assert_eq!(told(&other, "cmd", "t").as_deref(), Some("1"));
        assert_eq!(told(&other, "cmd", "u").as_deref(), Some("2"));
        assert_eq!(told(&other, "another", "t"), None);
        other.pin("s", "another", &one("t", "3")).unwrap();
        let third = PinFile::at(&path);
        assert_eq!(told(&third, "cmd", "t").as_deref(), Some("1"));
        assert_eq!(told(&third, "cmd", "u").as_deref(), Some("2"));
        assert_eq!(told(&third, "another", "t").as_deref(), Some("3"));
        assert_eq!(told(&third, "another", "u"), None);
        assert!(third.forget("s", "another").unwrap());
        assert!(!third.forget("s", "another").unwrap());
        assert_eq!(told(&third, "cmd", "t").as_deref(), Some("1"));
    }

    #[test]
    fn an_origin_too_many_is_refused_and_erases_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pins.json");
        let origins = (0..MAX_ORIGINS).map(|it| (digest(&it.to_string()), BTreeMap::new()));
        let kept = Kept {
            servers: BTreeMap::from([("s".to_owned(), origins.collect())]),
        };
        fs::write(&path, serde_json::to_vec(&kept).unwrap()).unwrap();
        let pins = PinFile::at(&path);
        pins.pin("s", "0", &one("t", "1")).unwrap();
        let error = pins.pin("s", "new", &one("t", "1")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{}`: the name `s` has stood for 256 commands and addresses; give this server another name",
                path.display()
            )
        );
        let kept = read(&path).unwrap().servers;
        assert_eq!(kept["s"].len(), MAX_ORIGINS);
        assert_eq!(kept["s"][&digest("0")]["t"], "1");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pins.json");
        // The second is of a form that kept one origin a name.
        for text in [
            "{ half",
            r#"{"servers": {"s": {"origin": "0", "tools": {}}}}"#,
        ] {
            fs::write(&path, text).unwrap();
            let pins = PinFile::at(&path);
            let named = format!("`{}`: ", path.display());
            let read = pins.pinned("s", "cmd", "t").unwrap_err().to_string();
            assert!(read.starts_with(&named), "{read}");
            let written = pins.pin("s", "cmd", &one("t", "1")).unwrap_err();
            assert_eq!(written.to_string(), read);
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            // Once it is mended it counts again.
            fs::remove_file(&path).unwrap();
            assert_eq!(pins.pinned("s", "cmd", "t").unwrap(), None);
        }
    }
}
