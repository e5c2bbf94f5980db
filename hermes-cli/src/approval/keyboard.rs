//! Lines that a person types, for a while.

use std::io;
use std::time::{Duration, Instant};

use super::prompt::Lines;

/// The terminal on the standard input, for one question. What was typed before the question was put is no
/// answer to it, and what comes behind its time is none either.
pub(super) struct Keyboard {
    until: Instant,
}

impl Keyboard {
    /// Listens for so long. What was typed until now is forgotten.
    pub(super) fn open(limit: Duration) -> io::Result<Self> {
        forget_typed()?;
        // A limit beyond what the clock can tell is a day.
        let now = Instant::now();
        let until = now.checked_add(limit);
        Ok(Self {
            until: until.unwrap_or(now + Duration::from_hours(24)),
        })
    }
}

#[cfg(unix)]
fn forget_typed() -> io::Result<()> {
    let stdin = io::stdin();
    Ok(rustix::termios::tcflush(
        &stdin,
        rustix::termios::QueueSelector::IFlush,
    )?)
}

#[cfg(unix)]
impl Lines for Keyboard {
    fn line(&mut self) -> io::Result<Option<String>> {
        let stdin = io::stdin();
        let mut line = Vec::new();
        // A terminal hands out whole lines, or what stands before an end of input.
        while !line.ends_with(b"\n") {
            if !self.wait(&stdin)? {
                return Ok(None);
            }
            let mut bytes = [0; 1024];
            match rustix::io::read(&stdin, &mut bytes) {
                Ok(0) => return Ok(None),
                Ok(count) => line.extend_from_slice(&bytes[..count]),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

#[cfg(unix)]
impl Keyboard {
    /// Waits until something was typed; false when the time is up.
    fn wait(&self, stdin: &io::Stdin) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(stdin, PollFlags::IN)], Some(&left)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(true),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(not(unix))]
fn forget_typed() -> io::Result<()> {
    Ok(())
}

/// Elsewhere a line is waited for without end; the session gives the question up in time.
#[cfg(not(unix))]
impl Lines for Keyboard {
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let count = io::stdin().read_line(&mut line)?;
        Ok((count > 0 && Instant::now() < self.until).then_some(line))
    }
}
