//! What a session asks for.

use hermes_tools::SessionSource;

use crate::custom::boxed;

/// Which toolsets a session wants, and the facts that decide with them.
///
/// ```
/// use hermes_toolsets::Request;
///
/// let request = Request::default().enable(["web", "file"]).disable(["search"]);
/// assert_eq!(request, Request::default().enable(["web"]).enable(["file"]).disable(["search"]));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    pub(crate) source: SessionSource,
    pub(crate) enabled: Option<Vec<Box<str>>>,
    /// Beside whatever is enabled.
    pub(crate) also: Vec<Box<str>>,
    pub(crate) disabled: Vec<Box<str>>,
    pub(crate) board_task: bool,
}

impl Request {
    /// The default toolset of a session source. [`Request::default`] is that of a shell.
    pub fn new(source: SessionSource) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Enables these toolsets, instead of the default of the source. An empty list enables
    /// nothing at all; it does not mean the default.
    #[must_use]
    pub fn enable<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.enabled.get_or_insert_default().extend(boxed(names));
        self
    }

    /// Enables these toolsets, instead of what was enabled before.
    #[must_use]
    pub fn enable_only<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.enabled = Some(boxed(names));
        self
    }

    /// Enables these toolsets beside what is enabled, also beside the default of the source. Where nothing
    /// at all is asked for, that stays so.
    #[must_use]
    pub fn also<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.also.extend(boxed(names));
        self
    }

    /// Takes away every tool that these toolsets resolve to.
    #[must_use]
    pub fn disable<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.disabled.extend(boxed(names));
        self
    }

    /// The names that are disabled.
    pub fn disabled_names(&self) -> impl Iterator<Item = &str> {
        self.disabled.iter().map(|name| &**name)
    }

    /// Says whether the session works on a task of the board (the original learns it from the
    /// variable `HERMES_KANBAN_TASK`). It then has the toolset `kanban` too, unless that is disabled.
    #[must_use]
    pub fn board_task(mut self, on_board: bool) -> Self {
        self.board_task = on_board;
        self
    }
}
