//! Exit codes. `hermes --help` lists them.

use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// All went well.
    Success = 0,
    /// The tool answered with an error, or one of a batch did; a toolset cannot be used.
    CallFailed = 1,
    /// What was asked for cannot be done: an option, a name, an argument, a file that cannot be read.
    Usage = 2,
    /// The program cannot work: two linked tools have one name, the output cannot be written.
    Broken = 3,
    /// Ctrl-C; 128 and the number of the signal, as shells count.
    Interrupted = 130,
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
