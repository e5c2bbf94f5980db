//! Contents, each kept once under the digest of its bytes.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use super::record::KeptContents;
use crate::workspace::WorkspacePath;

/// Contents younger than this stay, needed or not: their checkpoint may be about to be written.
const GRACE: Duration = Duration::from_hours(1);

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// A folder of contents.
#[derive(Debug)]
pub(super) struct Objects {
    folder: PathBuf,
}

impl Objects {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps what stands at a path, read in pieces.
    pub(super) fn put(&self, path: &WorkspacePath) -> io::Result<KeptContents> {
        let (mut file, _) = path
            .open_to_keep()
            .map_err(|error| io::Error::other(error.message().to_owned()))?;
        make_private(&self.folder)?;
        let passing = self.folder.join(passing_name());
        let mode = mode_of(&file)?;
        let kept = copy(&mut file, &passing).and_then(|(digest, length)| {
            let place = self.place(&digest);
            if let Ok(known) = File::options().append(true).open(&place) {
                // As good as new for whoever tidies up.
                known.set_modified(SystemTime::now())?;
                fs::remove_file(&passing)?;
            } else {
                make_private(place.parent().unwrap_or(&self.folder))?;
                fs::rename(&passing, place)?;
            }
            Ok(KeptContents {
                digest,
                length,
                mode,
            })
        });
        if kept.is_err() {
            let _ = fs::remove_file(passing);
        }
        kept
    }

    /// The bytes under a digest.
    pub(super) fn get(&self, digest: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(digest)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The same as a stream.
    pub(super) fn open(&self, digest: &str) -> io::Result<Kept> {
        if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let file = File::open(self.place(digest))?;
        Ok(Kept {
            reader: BufReader::with_capacity(PIECE, file),
            read: Sha256::new(),
            digest: digest.to_owned(),
            failed: false,
        })
    }

    /// Takes away what is not needed, and what was left by a program that was killed.
    pub(super) fn sweep(&self, needed: &HashSet<String>) -> io::Result<()> {
        let Ok(folders) = fs::read_dir(&self.folder) else {
            return Ok(());
        };
        for folder in folders {
            let folder = folder?;
            let prefix = folder.file_name().to_string_lossy().into_owned();
            if !folder.file_type()?.is_dir() {
                remove_old(&folder.path())?;
                continue;
            }
            for object in fs::read_dir(folder.path())? {
                let object = object?;
                let digest = format!("{prefix}{}", object.file_name().to_string_lossy());
                if !needed.contains(&digest) {
                    remove_old(&object.path())?;
                }
            }
        }
        Ok(())
    }

    fn place(&self, digest: &str) -> PathBuf {
        let (folder, name) = digest.split_at(2);
        self.folder.join(folder).join(name)
    }
}

/// Kept contents as they are read. They end in an error where they are not what was kept.
pub(super) struct Kept {
    reader: BufReader<File>,
    /// What was read so far.
    read: Sha256,
    digest: String,
    failed: bool,
}

impl Kept {
    /// Whether they could not be read to their end.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    fn is_whole(&self) -> bool {
        hex(&self.read.clone().finalize()) == self.digest
    }
}

impl BufRead for Kept {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let ended = self.reader.fill_buf().map(<[u8]>::is_empty);
        let outcome = match ended {
            Ok(true) if !self.is_whole() => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the kept contents are damaged",
            )),
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        self.failed = outcome.is_err();
        outcome.map(|()| self.reader.buffer())
    }

    fn consume(&mut self, length: usize) {
        self.read.update(&self.reader.buffer()[..length]);
        self.reader.consume(length);
    }
}

impl Read for Kept {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

fn remove_old(path: &std::path::Path) -> io::Result<()> {
    let age = fs::metadata(path)?
        .modified()?
        .elapsed()
        .unwrap_or_default();
    if age > GRACE {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// Copies a stream into a new file, and tells its digest and its length.
fn copy(reader: &mut impl Read, place: &std::path::Path) -> io::Result<(String, u64)> {
    let mut file = File::create_new(place)?;
    digest_into(reader, &mut file)
}

/// The digest of a stream.
pub(super) fn digest(reader: &mut impl Read) -> io::Result<String> {
    digest_into(reader, &mut io::sink()).map(|(digest, _)| digest)
}

fn digest_into(reader: &mut impl Read, copy: &mut impl io::Write) -> io::Result<(String, u64)> {
    let mut digest = Sha256::new();
    let mut length = 0;
    let mut buffer = vec![0; PIECE];
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        digest.update(&buffer[..count]);
        copy.write_all(&buffer[..count])?;
        length += count as u64;
    }
    Ok((hex(&digest.finalize()), length))
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn passing_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("passing-{}-{number}", std::process::id())
}

/// Makes a folder that nobody else may look into: it will hold what was in the user's files.
pub(super) fn make_private(folder: &std::path::Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(unix)]
fn mode_of(file: &File) -> io::Result<Option<u32>> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(Some(file.metadata()?.permissions().mode() & 0o777))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as where files have modes")]
fn mode_of(_: &File) -> io::Result<Option<u32>> {
    Ok(None)
}
