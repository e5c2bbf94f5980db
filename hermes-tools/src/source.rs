//! Where a session comes from.

use std::fmt;

/// The front end that a session serves. It names the default toolset and is a fact that
/// availability checks may ask for; it is never read from the process environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionSource {
    /// A shell.
    #[default]
    Cli,
    /// The desktop application, the only source that has panes to show.
    Desktop,
    /// An editor, over the agent client protocol.
    Editor,
    /// The HTTP interface.
    ApiServer,
    /// A scheduled run without anybody watching.
    Cron,
    /// An event from outside; its content is not trusted.
    Webhook,
    /// A messaging platform by its name: lower case, digits, `_` and `-`.
    Platform(Box<str>),
}

impl SessionSource {
    /// The name used in configuration and listings.
    pub fn name(&self) -> &str {
        match self {
            Self::Cli => "cli",
            Self::Desktop => "desktop",
            Self::Editor => "acp",
            Self::ApiServer => "api_server",
            Self::Cron => "cron",
            Self::Webhook => "webhook",
            Self::Platform(name) => name,
        }
    }

    /// The source of that name; a name that is none of ours is a messaging platform.
    pub fn from_name(name: &str) -> Self {
        match name {
            "cli" => Self::Cli,
            "desktop" => Self::Desktop,
            "acp" => Self::Editor,
            "api_server" => Self::ApiServer,
            "cron" => Self::Cron,
            "webhook" => Self::Webhook,
            other => Self::Platform(other.into()),
        }
    }
}

impl fmt::Display for SessionSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
