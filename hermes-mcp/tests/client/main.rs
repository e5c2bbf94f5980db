//! Servers of others, as real processes: this test program is started again as the server, and what the
//! test harness then writes to the standard output is noise that a client has to bear.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod faults;
mod host;
#[cfg(feature = "http-client")]
mod http;
mod life;
mod relay;
mod server;
mod tools;
