//! `hermes explain`: why a session has a tool, or why not.

use clap::Args;
use hermes_tools::{Availability, Tool};
use serde::Serialize;

use crate::cli::{CliCommand, Ended};
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;
use crate::servers::Need;
use crate::session::SessionArgs;
use crate::terminal::{self, Look, styles};

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Name of the tool
    tool: String,

    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Serialize)]
struct Explained<'a> {
    tool: &'a str,
    /// Whether a model can call it.
    offered: bool,
    /// `selected`, `disabled`, `beyond_effect`, `not_selected`, `unknown`, `not_linked`, `unavailable`,
    /// `deferred`.
    why: &'a str,
    explanation: String,
}

impl CliCommand for Explain {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str =
        "Say why a session has a tool, or why not and what would change that";

    fn run(mut self, json: bool) -> Ended {
        self.session.need = Need::Tool(self.tool.clone());
        let (session, explanation) = self.session.explain(&self.tool)?;
        if explanation.code() == "unknown" {
            return Err(CliError::unknown_tool(self.tool, session.registry()));
        }
        let tools = session.tools();
        let found = tools.iter().find(|(tool, _)| tool.name() == self.tool);
        let left = session.deferred();
        let deferred = |tool: &Tool| left.iter().any(|it| it.is_same(tool));
        let (why, text) = match (explanation.is_selected(), found) {
            (false, _) => (explanation.code(), explanation.to_string()),
            (true, None) => (
                "not_linked",
                format!("{explanation}, but not linked: link the pack that has it"),
            ),
            (true, Some((tool, Availability::Available))) if deferred(tool) => (
                "deferred",
                format!("{explanation}, and left to the tool search"),
            ),
            (true, Some((_, Availability::Available))) => ("selected", explanation.to_string()),
            (true, Some((_, unavailable))) => (
                "unavailable",
                format!("{explanation}, but it cannot be used: {unavailable}"),
            ),
        };
        let explained = Explained {
            tool: &self.tool,
            offered: matches!(why, "selected" | "deferred"),
            why,
            explanation: text,
        };
        let text = if json {
            json::text(&explained)
        } else {
            let look = Look::of_stdout();
            let (word, style) = if explained.offered {
                ("in", styles::GOOD)
            } else {
                ("out", styles::CAREFUL)
            };
            let word = look.paint(style, word);
            format!("{}: {word}, {}", explained.tool, explained.explanation)
        };
        terminal::print(&text)?;
        Ok(Exit::Success)
    }
}
