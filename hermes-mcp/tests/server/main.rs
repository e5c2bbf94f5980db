//! The server over a duplex in memory, with the SDK's client and with bare lines as counterparts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod approvals;
mod calls;
mod changes;
mod clock;
mod faults;
mod listing;
mod offers;
mod talk;
mod tools;
mod wire;
