//! What the watch says of a call.

use std::fmt;

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing.
    Allow,
    /// The model is told.
    Warn,
    /// The call is not made.
    Block,
    /// The turn ends after the calls of the model's current answer.
    Halt,
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoopCode {
    /// There is nothing to say.
    Allow,
    /// This very call has failed before.
    ExactFailureWarning,
    /// This very call has failed too often.
    ExactFailureBlock,
    /// The tool fails whatever its arguments are.
    SameToolWarning,
    /// The tool has failed too often.
    SameToolHalt,
    /// This very call has given the same answer before.
    NoProgressWarning,
    /// This very call has given the same answer too often.
    NoProgressBlock,
}

/// What the watch says of a call, before it is made or after it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoopDecision {
    /// What becomes of it.
    pub action: Action,
    /// Why.
    pub code: LoopCode,
    /// How often it has happened; 0 where there is nothing to say.
    pub count: u32,
    tool: Box<str>,
}

impl Action {
    /// The word for it in vectors, traces and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Block => "block",
            Self::Halt => "halt",
        }
    }
}

impl LoopCode {
    /// The stable code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::ExactFailureWarning => "repeated_exact_failure_warning",
            Self::ExactFailureBlock => "repeated_exact_failure_block",
            Self::SameToolWarning => "same_tool_failure_warning",
            Self::SameToolHalt => "same_tool_failure_halt",
            Self::NoProgressWarning => "idempotent_no_progress_warning",
            Self::NoProgressBlock => "idempotent_no_progress_block",
        }
    }

    const fn action(self) -> Action {
        match self {
            Self::Allow => Action::Allow,
            Self::ExactFailureWarning | Self::SameToolWarning | Self::NoProgressWarning => {
                Action::Warn
            }
            Self::ExactFailureBlock | Self::NoProgressBlock => Action::Block,
            Self::SameToolHalt => Action::Halt,
        }
    }
}

impl LoopDecision {
    pub(super) fn allow() -> Self {
        Self {
            action: Action::Allow,
            code: LoopCode::Allow,
            count: 0,
            tool: Box::default(),
        }
    }

    pub(super) fn new(code: LoopCode, count: u32, tool: &str) -> Self {
        Self {
            action: code.action(),
            code,
            count,
            tool: tool.into(),
        }
    }

    /// What is wrong, for the model. Empty where there is nothing to say.
    pub fn message(&self) -> String {
        let Self { count, tool, .. } = self;
        match self.code {
            LoopCode::Allow => String::new(),
            LoopCode::ExactFailureWarning | LoopCode::ExactFailureBlock => {
                format!("`{tool}` has failed {} with these arguments", times(*count))
            }
            LoopCode::SameToolWarning | LoopCode::SameToolHalt => {
                format!("`{tool}` has failed {} in a row", times(*count))
            }
            LoopCode::NoProgressWarning | LoopCode::NoProgressBlock => format!(
                "`{tool}` has given the same answer {} to these arguments",
                times(*count)
            ),
        }
    }

    /// What to do next, for the model.
    pub const fn help(&self) -> &'static str {
        match self.code {
            LoopCode::Allow => "",
            LoopCode::ExactFailureWarning | LoopCode::ExactFailureBlock => {
                "change the arguments by what the error says, or use another way"
            }
            LoopCode::SameToolWarning => {
                "read the errors again before the next call, or use another tool"
            }
            LoopCode::SameToolHalt => "stop here and tell the user what does not work",
            LoopCode::NoProgressWarning | LoopCode::NoProgressBlock => {
                "use the answer you have, or ask for something else"
            }
        }
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

impl fmt::Display for LoopDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message(), self.help())
    }
}
