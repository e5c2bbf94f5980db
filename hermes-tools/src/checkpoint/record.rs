//! Checkpoints as they are written: a line that says when and why, and one for each file.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::date;
use super::objects::make_private;

/// The files that one turn changed, as they were before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Names it. Ids sort in the order in which checkpoints were made: by time, and where the clock was
    /// set back, behind the one before.
    pub id: String,
    /// When the turn changed its first file.
    pub time: SystemTime,
    /// What the turn was about, in the host's words.
    pub label: String,
    /// The files in the order in which they were changed. One that someone else changed in between is
    /// there again; the first time is what it was before the turn.
    pub files: Vec<KeptFile>,
}

/// A file as it was before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFile {
    /// The root that it is below, as an absolute path.
    pub root: String,
    /// Its path from there.
    pub path: String,
    /// What it held; none when there was no file.
    pub before: Option<KeptContents>,
}

/// What a file held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptContents {
    /// The SHA-256 of the bytes, in hexadecimal digits.
    pub digest: String,
    /// How many bytes there are.
    pub length: u64,
    /// The permissions, where the system has such.
    pub mode: Option<u32>,
}

impl KeptFile {
    fn to_json(&self) -> Value {
        let before = self.before.as_ref().map(|contents| {
            json!({"digest": contents.digest, "length": contents.length, "mode": contents.mode})
        });
        json!({"root": self.root, "path": self.path, "before": before})
    }

    /// The file of a line; none for a line that was cut.
    fn from_json(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let before = match value.get("before")? {
            Value::Null => None,
            contents => Some(KeptContents {
                digest: text(&contents["digest"])?,
                length: contents["length"].as_u64()?,
                mode: contents["mode"]
                    .as_u64()
                    .and_then(|mode| mode.try_into().ok()),
            }),
        };
        Some(Self {
            root: text(&value["root"])?,
            path: text(&value["path"])?,
            before,
        })
    }
}

/// The version of what is written here.
const VERSION: u32 = 1;

/// Begins a checkpoint at this moment: its id, and its file.
///
/// The id sorts behind all that are there, also where the clock was set back: what is newest by its id is
/// what is had back first, and what is oldest goes first.
pub(super) fn begin(folder: &Path, label: &str, time: SystemTime) -> io::Result<(String, File)> {
    make_private(folder)?;
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let head = json!({"version": VERSION, "time": millis, "label": label});
    let mut id = date::id(time);
    if let Some(newest) = ids(folder)?.pop().filter(|newest| *newest >= id) {
        id = behind(&newest);
    }
    for _ in 0..1_000 {
        match File::create_new(folder.join(format!("{id}.jsonl"))) {
            Ok(mut file) => {
                write_line(&mut file, &head)?;
                return Ok((id, file));
            }
            // Another program was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => id = behind(&id),
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The id that comes next behind one: a number is put behind it, and counted up from then on.
fn behind(id: &str) -> String {
    let counted = |digits: &str| {
        let next: u64 = digits.parse().ok()?;
        let next = format!("{:0width$}", next + 1, width = digits.len());
        // One digit more would sort before.
        (next.len() == digits.len()).then_some(next)
    };
    let number = id.get(BARE..).and_then(|rest| rest.strip_prefix('-'));
    match number {
        None => format!("{id}-001"),
        Some(number) => {
            let (before, last) = id.rsplit_once('-').unwrap_or(("", number));
            match counted(last) {
                Some(next) => format!("{before}-{next}"),
                // More of them than anybody makes.
                None => format!("{id}-000000001"),
            }
        }
    }
}

/// How long an id is without a number behind it.
const BARE: usize = "20261129-233518-123".len();

/// Adds a file. A program that is killed afterwards has written it; the system puts it on the disk in its
/// own time.
pub(super) fn write(file: &mut File, kept: &KeptFile) -> io::Result<()> {
    write_line(file, &kept.to_json())
}

fn write_line(file: &mut File, line: &Value) -> io::Result<()> {
    let text = format!("{line}\n");
    file.write_all(text.as_bytes())
}

/// The ids of a folder, the oldest first.
pub(super) fn ids(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut ids = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        ids.extend(
            name.strip_suffix(".jsonl")
                .filter(|id| is_id(id))
                .map(str::to_owned),
        );
    }
    ids.sort_unstable();
    Ok(ids)
}

/// Whether a text can be an id: what is sent as one is never a path.
pub(super) fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 40
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// A checkpoint; none when there is none of that id, or its beginning was not written.
pub(super) fn read(folder: &Path, id: &str) -> io::Result<Option<Checkpoint>> {
    let file = match File::open(folder.join(format!("{id}.jsonl"))) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut lines = BufReader::new(file).lines();
    let head = lines.next().transpose()?;
    let head = head.and_then(|head| serde_json::from_str::<Value>(&head).ok());
    let Some(time) = head.as_ref().and_then(|head| head["time"].as_u64()) else {
        return Ok(None);
    };
    let label = head.as_ref().and_then(|head| head["label"].as_str());
    let mut files = Vec::new();
    for line in lines {
        // The last line of a program that was killed may be cut; its file was not changed.
        files.extend(KeptFile::from_json(&line?));
    }
    Ok(Some(Checkpoint {
        id: id.to_owned(),
        time: UNIX_EPOCH + Duration::from_millis(time),
        label: label.unwrap_or_default().to_owned(),
        files,
    }))
}

pub(super) fn forget(folder: &Path, id: &str) -> io::Result<()> {
    fs::remove_file(folder.join(format!("{id}.jsonl")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_the_newest_whatever_the_clock_was_set_to() {
        let folder = tempfile::tempdir().unwrap();
        let noon = UNIX_EPOCH + Duration::from_hours(500_000);
        let hours = Duration::from_hours(10);
        let mut made = Vec::new();
        let times = [noon, noon, noon - hours, noon - hours, noon + hours, noon];
        for (number, time) in times.into_iter().enumerate() {
            let (id, _) = begin(folder.path(), &number.to_string(), time).unwrap();
            made.push(id);
        }
        assert_eq!(
            made,
            [
                "20270115-080000-000",
                "20270115-080000-000-001",
                "20270115-080000-000-002",
                "20270115-080000-000-003",
                "20270115-180000-000",
                "20270115-180000-000-001",
            ]
        );
        assert_eq!(ids(folder.path()).unwrap(), made);
        // When it was is told as the clock had it.
        let third = read(folder.path(), &made[2]).unwrap().unwrap();
        assert_eq!((third.time, &*third.label), (noon - hours, "2"));
    }

    #[test]
    fn what_comes_behind_an_id_sorts_behind_it_without_end() {
        let mut id = "20270115-080000-000".to_owned();
        for _ in 0..3_000 {
            let next = behind(&id);
            assert!(next > id && is_id(&next), "{id}, {next}");
            id = next;
        }
        assert_eq!(id, "20270115-080000-000-999-000002001");
    }
}
