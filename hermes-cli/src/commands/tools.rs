//! `hermes tools`: the tools of a session, or all.

use clap::Args;
use hermes_tools::{Availability, Effect, Exposure, Tool};
use serde::Serialize;

use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::json;
use crate::session::SessionArgs;
use crate::terminal::{self, Cell, Look, Table, styles};
use crate::tool::{ToolFacts, place};

#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// List every linked tool, whatever a session would select
    #[arg(long, conflicts_with_all = ["toolset", "without"])]
    all: bool,

    /// Show where each tool is declared: package, file and line
    #[arg(long)]
    origin: bool,

    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Serialize)]
struct Listing<'a> {
    tools: Vec<ToolFacts<'a>>,
}

impl CliCommand for Tools {
    const NAME: &'static str = "tools";
    const ABOUT: &'static str =
        "List the tools of a session: toolset, effect, and whether they can be used";

    fn run(self, json: bool) -> Ended {
        let session = if self.all {
            self.session.place.session_of_everything()?
        } else {
            self.session.session()?
        };
        let tools = session.tools();
        let text = if json {
            let tools = tools
                .iter()
                .map(|(tool, answer)| ToolFacts::of(tool, answer))
                .collect();
            json::text(&Listing { tools })
        } else {
            table(&tools, self.origin).render(Look::of_stdout())
        };
        terminal::print(&text)?;
        Ok(Exit::Success)
    }
}

fn table(tools: &[(Tool, Availability)], origin: bool) -> Table {
    let mut headings = vec!["", "TOOL", "TOOLSET", "EFFECT", "AVAILABLE"];
    if origin {
        headings.push("ORIGIN");
    }
    let mut table = Table::new(headings);
    for (tool, availability) in tools {
        let mut row = vec![
            Cell::plain(tool.display_emoji().unwrap_or_default()),
            Cell::new(tool.name(), styles::NAME),
            Cell::plain(tool.toolset()),
            effect(tool.declared_effect()),
            match tool.declared_exposure() {
                Exposure::Hidden => Cell::new("for the host alone", styles::ASIDE),
                _ => available(availability),
            },
        ];
        if origin {
            row.push(Cell::new(
                tool.declared_at().map(place).unwrap_or_default(),
                styles::ASIDE,
            ));
        }
        table.row(row);
    }
    table
}

/// An effect in the colour of its severity.
pub(crate) fn effect(effect: Effect) -> Cell {
    let style = match effect {
        Effect::Read => styles::GOOD,
        Effect::Write => styles::CAREFUL,
        Effect::Destructive => styles::DANGER,
    };
    Cell::new(effect.as_str(), style)
}

/// `yes`, or why not and what would help.
pub(crate) fn available(availability: &Availability) -> Cell {
    match availability {
        Availability::Available => Cell::plain("yes"),
        unavailable @ Availability::Unavailable { .. } => {
            Cell::new(format!("no: {unavailable}"), styles::CAREFUL)
        }
    }
}
