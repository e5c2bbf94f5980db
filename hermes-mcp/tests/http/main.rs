//! The server over HTTP, on loopback, with bare requests as counterpart.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod door;
mod life;
mod messages;
mod resume;
mod site;
mod wire;
