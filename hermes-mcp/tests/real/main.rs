//! The client with servers that others have written, and with the conformance suite of the protocol, all
//! installed into a scratch folder by their names. `HERMES_SLOW_TESTS=1` runs them; without a network they
//! say so and pass.

#![cfg(all(unix, feature = "http-client"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod conformance;
mod npm;
mod pypi;
mod servers;
