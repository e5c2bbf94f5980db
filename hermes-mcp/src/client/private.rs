//! Files that belong to one user.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file whole or not at all, readable by its owner alone, in a folder of the same kind.
pub(super) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = folder_of(path)?;
    // A temporary file is readable by its owner alone, and stays so under its new name.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Waits until no other process has the lock beside a file. It is given back when this is dropped.
pub(super) fn lock(path: &Path) -> io::Result<File> {
    folder_of(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let file = File::create(path.with_file_name(name))?;
    file.lock()?;
    Ok(file)
}

fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    Ok(folder)
}
