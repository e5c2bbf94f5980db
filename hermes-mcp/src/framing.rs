//! Messages as lines of bounded length over byte streams: what both directions have in common.

use std::io;
use std::sync::Arc;

use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// How much of a line that is too long is kept, to find the id of its message.
const HEAD: usize = 4096;

/// Reads lines of at most so many bytes.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    read: BufReader<R>,
    /// What has arrived of a line. It stays when reading is given up halfway.
    line: Vec<u8>,
    /// Whether the rest of the line is thrown away.
    skipping: bool,
    pub(crate) limit: usize,
}

/// What was read.
pub(crate) enum Line {
    Whole(Vec<u8>),
    /// It was too long; its beginning.
    TooLong(Vec<u8>),
    /// The stream has ended. Half a line before the end is no message.
    End,
}

/// Writes messages, each as a line at one stroke, until it is closed.
#[derive(Debug)]
pub(crate) struct LineWriter<W> {
    write: Arc<Mutex<Option<W>>>,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(read: R, limit: usize) -> Self {
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            skipping: false,
            limit,
        }
    }

    /// The next line. What is read before it is given up is kept for the next time.
    pub(crate) async fn next(&mut self) -> Line {
        loop {
            let Ok(available) = self.read.fill_buf().await else {
                return Line::End;
            };
            if available.is_empty() {
                return Line::End;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let taken = part.len() + usize::from(end.is_some());
            if self.skipping {
                self.skipping = end.is_none();
                self.read.consume(taken);
                continue;
            }
            let fits = self.line.len() + part.len() <= self.limit;
            let kept = if fits {
                part.len()
            } else {
                part.len().min(HEAD)
            };
            self.line.extend_from_slice(&part[..kept]);
            self.read.consume(taken);
            if !fits {
                self.skipping = end.is_none();
                let mut head = std::mem::take(&mut self.line);
                head.truncate(HEAD);
                return Line::TooLong(head);
            }
            if end.is_some() {
                return Line::Whole(std::mem::take(&mut self.line));
            }
        }
    }
}

impl<W: AsyncWrite + Unpin> LineWriter<W> {
    pub(crate) fn new(write: W) -> Self {
        Self {
            write: Arc::new(Mutex::new(Some(write))),
        }
    }

    /// Writes a message.
    ///
    /// # Errors
    ///
    /// Those of the stream, and [`io::ErrorKind::NotConnected`] once it is closed.
    pub(crate) async fn send(self, message: impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(&message)?;
        line.push(b'\n');
        let mut write = self.write.lock().await;
        let Some(write) = &mut *write else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        write.write_all(&line).await?;
        write.flush().await
    }

    pub(crate) async fn close(&self) -> io::Result<()> {
        match self.write.lock().await.take() {
            Some(mut write) => write.shutdown().await,
            None => Ok(()),
        }
    }
}

impl<W> Clone for LineWriter<W> {
    fn clone(&self) -> Self {
        Self {
            write: Arc::clone(&self.write),
        }
    }
}
