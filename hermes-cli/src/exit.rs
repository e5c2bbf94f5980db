//! Exit codes. `hermes --help` lists them.

use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well.
    Success,
    /// The tool answered with an error, or one of a batch did; a toolset cannot be used.
    CallFailed,
    /// What was asked for cannot be done: an option, a name, an argument, a file that cannot be read.
    Usage,
    /// The program cannot work: two linked tools have one name, the output cannot be written.
    Broken,
    /// Ctrl-C; 128 and the number of the signal, as shells count.
    Interrupted,
    /// As the command ended that `hermes run` ran.
    Command(u8),
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::CallFailed => 1,
            Self::Usage => 2,
            Self::Broken => 3,
            Self::Interrupted => 130,
            Self::Command(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
