//! Who answers calls of the tool [`ECHO`](crate::hundred::ECHO), each with a hundred tools to choose
//! from.

mod limit;
#[cfg(feature = "peers")]
mod mcp_router;
mod ours;
#[cfg(feature = "peers")]
mod rig_tool_set;

use std::future::Future;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

pub use self::limit::Limit;
#[cfg(feature = "peers")]
pub use self::mcp_router::McpRouter;
pub use self::ours::Ours;
#[cfg(feature = "peers")]
pub use self::rig_tool_set::RigToolSet;

use crate::arguments::SMALL;
use crate::hundred::ECHO;

/// Something that answers calls of tools.
pub trait Caller {
    /// What a call gives back, in the type of the library.
    type Answer;

    /// Answers a call whose arguments are JSON text.
    fn call(&self, tool: &'static str, arguments: &str) -> impl Future<Output = Self::Answer>;

    /// The text in an answer.
    fn text(answer: &Self::Answer) -> Option<&str>;
}

/// The runtime of all callers: one thread and nothing else.
pub fn runtime() -> Runtime {
    Builder::new_current_thread()
        .build()
        .expect("a runtime without drivers can be built")
}

/// How long so many calls take one after another, all within one `block_on`.
///
/// An answer is dropped within the time.
pub fn time<C: Caller>(runtime: &Runtime, caller: &C, calls: u32) -> Duration {
    runtime.block_on(async {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(caller.call(black_box(ECHO), black_box(SMALL)).await);
        }
        start.elapsed()
    })
}
