//! A file as it is before a change.

use std::fs::{File, Permissions};
use std::io::{Read as _, Seek as _};

use hermes_tools::workspace::{PathFacts, WorkspacePath};
use hermes_tools::{ErrorKind, ToolError};

use super::names::is_binary;
use crate::file::replace::LARGEST;
use crate::file::text::{self, BOM, Kind};

/// A regular file, held open: while it is, no other file gets its identity.
pub(in crate::file) struct Source {
    file: File,
    facts: PathFacts,
    permissions: Option<Permissions>,
    /// All of it, byte order mark included, once it was read.
    whole: Option<String>,
}

impl Source {
    pub(super) fn open(target: &WorkspacePath) -> Result<Self, ToolError> {
        let (file, facts) = target.open_seen()?;
        let permissions = file.metadata().ok().map(|metadata| metadata.permissions());
        Ok(Self {
            file,
            facts,
            permissions,
            whole: None,
        })
    }

    /// What was opened.
    pub(super) fn facts(&self) -> &PathFacts {
        &self.facts
    }

    pub(super) fn permissions(&self) -> Option<&Permissions> {
        self.permissions.as_ref()
    }

    /// Reads the file, if that was not done, as text that may be edited.
    pub(super) fn read(&mut self, target: &WorkspacePath) -> Result<(), ToolError> {
        if self.whole.is_some() {
            return Ok(());
        }
        let path = target.display();
        let size = self.facts.len;
        if is_binary(&path) {
            return Err(text::binary(&path, "data, by the end of its name", size));
        }
        if size > LARGEST as u64 {
            let error = format!("`{path}` is too large to edit: {size} of at most {LARGEST} bytes");
            return Err(ToolError::failed(error).with_help("write the changed file anew"));
        }
        let bytes = self
            .bytes()
            .map_err(|error| text::unreadable(&path, error))?;
        self.whole = Some(as_text(&path, bytes, size)?);
        Ok(())
    }

    /// The bytes of the file, also when it has no name any more.
    pub(super) fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut file = &self.file;
        file.rewind()?;
        let mut bytes = Vec::with_capacity(usize::try_from(self.facts.len).unwrap_or_default());
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Whether it was read.
    pub(in crate::file) fn is_read(&self) -> bool {
        self.whole.is_some()
    }

    /// The text without byte order mark, once it was read.
    pub(super) fn text(&self) -> &str {
        let whole = self.whole.as_deref().unwrap_or_default();
        whole.strip_prefix(BOM).unwrap_or(whole)
    }

    /// The mark that the text begins with, or nothing. It is no part of the first line.
    pub(super) fn mark(&self) -> &'static str {
        match &self.whole {
            Some(whole) if whole.starts_with(BOM) => BOM,
            _ => "",
        }
    }
}

fn as_text(path: &str, bytes: Vec<u8>, size: u64) -> Result<String, ToolError> {
    String::from_utf8(bytes).map_err(|error| match text::sniff(error.as_bytes()) {
        Kind::Binary(format) => text::binary(path, format, size),
        Kind::Foreign(encoding) => text::foreign(path, encoding),
        Kind::Text { .. } => {
            let bad = error.utf8_error().valid_up_to();
            let line = 1 + memchr::memchr_iter(b'\n', &error.as_bytes()[..bad]).count();
            ToolError::new(
                ErrorKind::Encoding,
                format!("`{path}` is not UTF-8: line {line} has other bytes"),
            )
            .with_help("convert it to UTF-8 first, so that no byte is lost")
        }
    })
}
