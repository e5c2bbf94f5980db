//! What a session has stored, for a host that shows it.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use cap_std::fs::Dir;

use super::SessionFolder;
use super::name::TURN;

/// A result that a session has stored.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct StoredResult {
    /// The turn of the conversation in which it was made.
    pub turn: u64,
    /// The name of its file, made of the id of its call.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
}

/// A part of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredPart {
    /// The text of the part.
    pub text: String,
    /// Where the next part begins, in bytes from the start; `None` at the end.
    pub next: Option<u64>,
}

/// The longest part that is read at once whatever is asked for, in bytes.
const MOST: usize = 4 << 20;

impl SessionFolder {
    /// What is stored, by turn and name.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub(crate) fn list(&self) -> io::Result<Vec<StoredResult>> {
        let Some(folder) = self.opened()? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in folder.entries()? {
            let entry = entry?;
            let Some(turn) = turn_of(entry.file_name().to_str()) else {
                continue;
            };
            for file in entry.open_dir()?.entries()? {
                let file = file?;
                let metadata = file.metadata()?;
                if let Ok(name) = file.file_name().into_string()
                    && is_result(&name)
                    && metadata.is_file()
                {
                    found.push(StoredResult {
                        turn,
                        name,
                        bytes: metadata.len(),
                    });
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Reads a part of a result: from this byte on, at most so many of them, and whole characters.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] when there is no such result of this session,
    /// [`io::ErrorKind::InvalidInput`] for a place behind its end, and those of the operating system.
    pub(crate) fn read(
        &self,
        turn: u64,
        name: &str,
        from: u64,
        at_most: usize,
    ) -> io::Result<StoredPart> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let is_one_name = Path::new(name).file_name() == Some(name.as_ref());
        if !is_result(name) || !is_one_name {
            return Err(missing());
        }
        let folder = self.opened()?.ok_or_else(missing)?;
        let turn = folder.open_dir(format!("{TURN}{turn}"))?;
        let mut file = turn.open(name)?;
        let total = file.metadata()?.len();
        if from > total {
            let why = format!("the result has {total} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        let at_most = at_most.clamp(4, MOST);
        file.take(at_most as u64).read_to_end(&mut bytes)?;
        let read_to = from + bytes.len() as u64;
        if read_to < total {
            // A character that is cut belongs to the next part.
            bytes.truncate(whole(&bytes));
        }
        let next = from + bytes.len() as u64;
        Ok(StoredPart {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            next: (next < total).then_some(next),
        })
    }

    /// The folder, when something was stored.
    fn opened(&self) -> io::Result<Option<Dir>> {
        let Some(store) = self.store.state().folder.clone() else {
            return Ok(None);
        };
        match store.open_dir(&self.name) {
            Ok(folder) => Ok(Some(folder)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn turn_of(name: Option<&str>) -> Option<u64> {
    name?.strip_prefix(TURN)?.parse().ok()
}

/// Whether a file is a result and not one on its way.
fn is_result(name: &str) -> bool {
    !name.starts_with('.') && Path::new(name).extension().is_some_and(|end| end == "txt")
}

/// How many bytes are whole characters.
fn whole(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        // Only the last character can be cut; what is no text elsewhere is shown as it is.
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}
