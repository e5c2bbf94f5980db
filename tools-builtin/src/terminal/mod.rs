//! Toolset `terminal`: running commands and looking after the processes they start.
//!
//! A command always answers, leaves nothing behind, and cannot reach past the workspace where the kernel
//! can confine it. Commands run in an [`Environment`]; the one here is the host's own system.

mod colours;
mod edge;
mod environment;
mod kept;
mod local;
mod meaning;
mod notices;
mod options;
mod overflow;
mod page;
mod pieces;
mod process;
mod reply;
mod running;
mod shell;
mod shown;
mod table;
mod tool;
mod variables;
mod visible;
mod watch;

pub use self::environment::{Control, Environment, EnvironmentFuture, Job, Lasts};
pub use self::local::{Confinement, bubblewrap, confinement};
pub use self::options::{Isolation, Notice, TerminalOptions};
pub use self::overflow::Overflow;
pub use self::running::{End, Running, Stop};
pub use self::table::end_commands;
