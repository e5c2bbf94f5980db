//! What goes to the input of a command, as fast as it is read.

use std::io;
use std::sync::Arc;

use super::spawn::Sink;

/// Bytes that wait to be read. Whoever writes more has to wait until they are.
const MOST: usize = 1 << 20;

/// The key that ends the input of a terminal.
const END_KEY: u8 = 4;

/// The input of a command, and what waits to be written to it.
pub(super) struct Feed {
    sink: Option<Arc<Sink>>,
    bytes: Vec<u8>,
    /// Whether the last line that was taken has no end.
    in_line: bool,
    /// Whether the input ends behind what waits.
    end: bool,
    /// Whether nobody will write more. A terminal has no lasting end, so it is said again.
    is_final: bool,
}

impl Feed {
    /// An input that begins with a text, and ends behind it or stays open.
    pub(super) fn new(text: String, is_final: bool) -> Self {
        Self {
            sink: None,
            in_line: !text.is_empty() && !text.ends_with('\n'),
            bytes: text.into_bytes(),
            end: is_final,
            is_final,
        }
    }

    pub(super) fn connect(&mut self, sink: Option<Sink>) {
        self.sink = sink.map(Arc::new);
    }

    /// Takes bytes; nothing of them when too many wait.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.sink.is_none() || self.is_final {
            return Err(io::ErrorKind::NotConnected.into());
        }
        if !self.bytes.is_empty() && self.bytes.len() + bytes.len() > MOST {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.bytes.extend_from_slice(bytes);
        if let Some(last) = bytes.last() {
            self.in_line = *last != b'\n';
        }
        Ok(())
    }

    /// Ends the input behind what waits.
    pub(super) fn close(&mut self) -> io::Result<()> {
        if self.sink.is_none() || self.is_final {
            return Err(io::ErrorKind::NotConnected.into());
        }
        self.end = true;
        // A pipe that was closed takes no more.
        self.is_final = matches!(self.sink.as_deref(), Some(Sink::Pipe(_)));
        Ok(())
    }

    /// Nothing can be written any more.
    pub(super) fn disconnect(&mut self) {
        self.sink = None;
        self.bytes = Vec::new();
    }

    /// Where something waits to be written to.
    pub(super) fn waiting(&self) -> Option<Arc<Sink>> {
        let waits = !self.bytes.is_empty() || self.end;
        self.sink.as_ref().filter(|_| waits).map(Arc::clone)
    }

    /// Whether the end has to be said again to a command that goes on in silence.
    pub(super) fn says_end_again(&self) -> bool {
        self.is_final && matches!(self.sink.as_deref(), Some(Sink::Terminal(_)))
    }

    pub(super) const fn end_again(&mut self) {
        self.end = true;
    }

    /// Writes what the other side takes now.
    pub(super) fn flow(&mut self) {
        if let Err(error) = self.try_flow()
            && !matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
            )
        {
            self.disconnect();
        }
    }

    fn try_flow(&mut self) -> io::Result<()> {
        let Some(sink) = self.sink.clone() else {
            return Ok(());
        };
        while !self.bytes.is_empty() {
            let written = sink.write(&self.bytes)?;
            self.bytes.drain(..written);
        }
        if !self.end {
            return Ok(());
        }
        match &*sink {
            Sink::Pipe(_) => self.sink = None,
            Sink::Terminal(_) => {
                // The first key only sends off a line that has no end.
                let keys: &[u8] = if self.in_line {
                    &[END_KEY; 2]
                } else {
                    &[END_KEY]
                };
                sink.write(keys)?;
                self.in_line = false;
            }
        }
        self.end = false;
        Ok(())
    }
}
