//! A tool of an MCP server, shown.

use std::fmt::Write as _;

use hermes_tools::output::sanitize::display_text;
use hermes_tools::schema::dialect::Dialect;
use hermes_tools::{Availability, Tool};
use serde::Serialize;
use serde_json::value::RawValue;

use super::super::tools::{available, effect};
use super::raw;
use crate::cli::Ended;
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;
use crate::session::SessionArgs;
use crate::terminal::{self, Cell, Look, Table, one_line, styles};
use crate::tool::{ToolFacts, seconds};

#[derive(Debug, Serialize)]
struct Everything<'a> {
    #[serde(flatten)]
    tool: ToolFacts<'a>,
    /// The parameters as the server wrote them.
    schema: Box<RawValue>,
}

/// Shows a tool that is not linked, if the session has one of that name.
pub(super) fn show(
    session: &SessionArgs,
    name: String,
    dialect: Option<Dialect>,
    json_wanted: bool,
) -> Ended {
    let session = session.session()?;
    let tools = session.tools();
    let Some((tool, availability)) = tools.iter().find(|(tool, _)| tool.name() == name) else {
        return Err(CliError::unknown_tool(name, session.registry()));
    };
    if let Some(dialect) = dialect {
        let definitions = session.definitions_for(dialect);
        let Some((_, definition)) = definitions.iter().find(|(known, _)| *known == name) else {
            return Err(CliError::unknown_tool(name, session.registry()));
        };
        terminal::print(&if json_wanted {
            definition.to_owned()
        } else {
            shown(&json::readable(definition))
        })?;
        return Ok(Exit::Success);
    }
    let text = if json_wanted {
        json::text(&Everything {
            tool: ToolFacts::of(tool, availability),
            schema: raw(schema(tool)),
        })
    } else {
        readable(tool, availability, Look::of_stdout())
    };
    terminal::print(&text)?;
    Ok(Exit::Success)
}

/// Text of a server for people to read, who may have it piped to a pager: it drives no terminal.
fn shown(text: &str) -> String {
    display_text(text).into_owned()
}

fn schema(tool: &Tool) -> String {
    let parameters = tool.runtime().and_then(|it| it.parameters());
    parameters.map_or_else(|| "{}".to_owned(), hermes_tools::args::Node::to_json)
}

fn readable(tool: &Tool, availability: &Availability, look: Look) -> String {
    let mut text = look.paint(styles::HEADING, tool.name());
    if let Some(title) = tool.display_title() {
        let _ = write!(text, " ({})", one_line(title));
    }
    let description = shown(tool.description().trim_end());
    let _ = writeln!(text, "\n\n{description}\n");
    let heading = look.paint(styles::HEADING, "Parameters");
    let parameters = shown(&json::readable(&schema(tool)));
    let _ = writeln!(text, "{heading}\n{parameters}");
    let mut table = Table::new(["", ""]);
    let mut fact = |name, value| table.row([Cell::new(name, styles::ASIDE), value]);
    fact("toolset", Cell::plain(tool.toolset()));
    fact("effect", effect(tool.declared_effect()));
    fact("available", available(availability));
    if let Some(seconds) = seconds(tool.time_limit()) {
        fact("time limit", Cell::plain(format!("{seconds} s")));
    }
    if let Some((server, raw)) = tool.runtime().and_then(|it| it.raw_names()) {
        fact("server", Cell::plain(server));
        fact("its name there", Cell::plain(raw));
    }
    let heading = look.paint(styles::HEADING, "Facts");
    let _ = writeln!(text, "\n{heading}\n{}", table.render(look));
    text
}
