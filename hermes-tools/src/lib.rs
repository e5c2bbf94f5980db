//! Tools for AI agents: write a function, link the crate, hand the model's calls to a session.
//!
//! ```
//! use hermes_tools::{Json, Selection, Session, ToolError, ToolRegistry, tool};
//!
//! /// Convert a temperature from degrees Celsius to Fahrenheit.
//! #[tool(toolset = "weather", effect = "read", emoji = "🌡", inline)]
//! fn to_fahrenheit(
//!     /// Degrees Celsius.
//!     #[arg(min = -273.15, example = 21.5)]
//!     celsius: f64,
//!     /// Digits behind the point.
//!     #[arg(default = 1, max = 6)]
//!     digits: u8,
//! ) -> String {
//!     format!("{:.*}", usize::from(digits), celsius * 1.8 + 32.0)
//! }
//!
//! // The attribute has registered the tool when the binary was linked; nothing is listed here.
//! let registry = ToolRegistry::linked()?;
//! let session = Session::builder(registry, Selection::of(["to_fahrenheit"])).build()?;
//!
//! // What the model is told:
//! assert!(session.definitions().contains(r#""required":["celsius"]"#));
//!
//! // What the model sends, damaged as weak models damage it, and what it gets back:
//! let result = session.call_blocking("toFahrenheit", r#"{"celsius": "21.5"}"#);
//! assert_eq!(result.outcome?.text(), "70.7");
//!
//! // A call that cannot be understood is answered with a lesson:
//! let result = session.call_blocking("to_fahrenheit", r#"{"celsius": "warm", "digits": 9}"#);
//! assert_eq!(
//!     result.outcome.unwrap_err().message(),
//!     "invalid arguments for `to_fahrenheit`: \
//!      `celsius`: expected a number of at least -273.15, got \"warm\"; \
//!      `digits`: expected a whole number from 0 to 6, got 9",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # For authors of tools
//!
//! [`tool`] is the attribute, with a table of everything it takes. A crate that brings tools depends
//! on this crate alone and says [`pack!`] in its root; a binary says [`link!`] with the crate's name.
//! Parameters have types that are [`ToolParam`], which structs and enums derive; what the session
//! supplies is marked `#[ctx]` and comes through [`FromToolContext`]; results are [`ToolOutput`],
//! errors [`ToolError`].
//!
//! # For builders of agents
//!
//! [`ToolRegistry::linked`] is every tool in the binary. A [`Session`] is what one conversation may
//! use of it: a [`Selection`] of tools (made from toolset names by the crate `hermes-toolsets`), a
//! [`Workspace`] and state by type. [`Session::definitions`] goes to the model, and [`Session::call`]
//! answers its calls: always, with the output or an error that says what to do next.
//! Around calls stand [`hook`]s, [`approval`]s, [`loops`], limits, traces ([`trace`]) and the audit log
//! ([`audit`]), all set on the [`SessionBuilder`].
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `link` | yes | Registration when the binary is linked. Without it catalogues are written by hand with [`tools!`] and given to [`ToolRegistry::of`]. |
//! | `pattern` | with `host` | `#[arg(pattern = ...)]` is checked, not only shown. |
//! | `repair` | with `host` and `testing` | Damaged arguments are put right where nothing can be lost. Without it whatever would have to be changed is refused, and told in the same words. |
//! | `testing` | no | What the tests of a pack need: the module `testing`. |
//! | `schemars` | no | `#[arg(schemars)]`: parameters of types that have serde and schemars derives. |
//! | `chrono`, `time`, `url` | no | Dates, times and addresses of these libraries as parameters. |
//! | `host` | no | Sessions, dispatch and the confined workspace, on tokio and cap-std. A crate that only brings tools does not need it. |

pub mod args;
#[cfg(feature = "host")]
pub mod audit;
pub mod availability;
#[cfg(feature = "host")]
pub mod checkpoint;
pub mod context;
pub mod counterpart;
mod definition;
#[cfg(feature = "host")]
pub mod definitions;
#[cfg(feature = "host")]
pub mod dispatch;
mod effect;
pub mod entry;
pub mod gate;
mod glue;
#[cfg(feature = "link")]
mod link;
pub mod names;
pub mod output;
mod pack;
mod panics;
pub mod param;
mod prompt;
mod protocol;
pub mod registry;
pub mod schema;
#[cfg(feature = "host")]
pub mod search;
mod selection;
#[cfg(feature = "host")]
mod session;
mod source;
mod target;
#[cfg(feature = "testing")]
pub mod testing;
mod toolset;
#[cfg(feature = "host")]
pub mod trace;
#[cfg(feature = "host")]
mod unbuilt;
pub mod workspace;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use hermes_tools_macros::{ToolParam, tool, tools};

pub use crate::availability::{Availability, CheckCache, CheckContext, CheckHandle};
pub use crate::context::{
    CallNumber, Cancel, Deadline, FromToolContext, Kept, Log, NotShown, Progress, SessionFacts,
    ToolContext, Worker,
};
pub use crate::definition::Definition;
#[cfg(feature = "host")]
pub use crate::dispatch::rate::RateLimit;
#[cfg(feature = "host")]
pub use crate::dispatch::retry::Retries;
#[cfg(feature = "host")]
pub use crate::dispatch::{Batch, CallIds, CallStatus, Plan, approval, hook, loops};
pub use crate::effect::{Effect, Role};
pub use crate::entry::{Exposure, Origin, Parallel, ToolEntry};
pub use crate::output::{Content, ErrorKind, Json, Media, Output, ToolError, ToolOutput};
pub use crate::pack::{Pack, linked_packs};
pub use crate::param::ToolParam;
pub use crate::prompt::{
    Prompt, PromptArgument, PromptArguments, PromptMessage, PromptOutput, PromptWriter,
    linked_prompts,
};
pub use crate::registry::{
    Refusal, Registration, Removal, RuntimeTool, Snapshot, Tool, ToolRegistry, linked_tools,
};
pub use crate::schema::dialect::Dialect;
pub use crate::selection::{Selection, Why};
#[cfg(feature = "host")]
pub use crate::session::{CallResult, Session, SessionBuilder, ToolCall, WeakSession};
pub use crate::source::SessionSource;
pub use crate::target::{Access, Target};
pub use crate::toolset::{Toolset, linked_toolsets};
#[cfg(feature = "host")]
pub use crate::unbuilt::{BuildError, UnknownTool};
pub use crate::workspace::Workspace;
