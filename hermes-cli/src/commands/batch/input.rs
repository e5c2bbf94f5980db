//! Where the calls of a batch come from.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as IoRead};
use std::path::Path;

use super::Read;
use super::printer::Printer;
use crate::error::CliError;

/// A file, or what is still being written.
pub(super) struct Input {
    reader: BufReader<Box<dyn IoRead>>,
    name: String,
    length: Option<u64>,
}

/// Takes away the byte order mark with which editors and shells of some systems begin a text.
pub(in crate::commands) fn without_mark(first_line: &mut Vec<u8>) {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if first_line.starts_with(MARK) {
        first_line.drain(..MARK.len());
    }
}

/// How many lines are looked at together.
const GROUP: usize = 256;

impl Input {
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        if path.as_os_str() == "-" {
            return Ok(Self {
                reader: BufReader::new(Box::new(io::stdin())),
                name: "the standard input".to_owned(),
                length: None,
            });
        }
        let name = format!("`{}`", path.display());
        let opened = File::open(path).and_then(|file| {
            let metadata = file.metadata()?;
            Ok((file, metadata))
        });
        match opened {
            Ok((file, metadata)) => Ok(Self {
                reader: BufReader::new(Box::new(file)),
                name,
                length: metadata.is_file().then_some(metadata.len()),
            }),
            Err(source) => Err(CliError::Input { name, source }),
        }
    }

    /// Bytes of a file; unknown for what is still being written.
    pub(super) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Reads the next lines that are not blank; none at the end of the input. Of what is still being written
    /// it takes the lines that are there and does not wait for more than one.
    pub(super) fn read_group(&mut self, printer: &Printer) -> Result<Vec<Read>, CliError> {
        let mut group = Vec::new();
        while group.len() < GROUP {
            let has_line = self.length.is_some() || self.reader.buffer().contains(&b'\n');
            if !group.is_empty() && !has_line || !self.read_into(&mut group, printer)? {
                break;
            }
        }
        Ok(group)
    }

    /// Reads all lines that are not blank.
    pub(super) fn read_all(&mut self, printer: &Printer) -> Result<Vec<Read>, CliError> {
        let mut all = Vec::new();
        while self.read_into(&mut all, printer)? {}
        Ok(all)
    }

    /// Reads a line; false at the end of the input.
    fn read_into(&mut self, lines: &mut Vec<Read>, printer: &Printer) -> Result<bool, CliError> {
        let mut bytes = Vec::new();
        if self.read_line(&mut bytes)? == 0 {
            return Ok(false);
        }
        let number = printer.read(bytes.len());
        if number == 1 {
            without_mark(&mut bytes);
        }
        if !bytes.trim_ascii().is_empty() {
            lines.push(Read { number, bytes });
        }
        Ok(true)
    }

    /// Reads a line with its end; 0 bytes at the end of the input.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<usize, CliError> {
        self.reader
            .read_until(b'\n', line)
            .map_err(|source| CliError::Input {
                name: self.name.clone(),
                source,
            })
    }
}
