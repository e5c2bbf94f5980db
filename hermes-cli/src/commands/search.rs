//! `hermes search`: tools by what they do.

use clap::Args;
use hermes_tools::Tool;
use hermes_tools::search::{Entry, SearchIndex};
use serde::Serialize;

use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::json;
use crate::session::SessionArgs;
use crate::terminal::{self, Cell, Look, Table, styles};

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What the tool should do, or its name
    #[arg(required = true)]
    query: Vec<String>,

    /// Show at most so many tools
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    limit: usize,

    /// Search every linked tool, whatever a session would select
    #[arg(long, conflicts_with_all = ["toolset", "without"])]
    all: bool,

    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Serialize)]
struct Found<'a> {
    query: &'a str,
    tools: Vec<Hit<'a>>,
}

#[derive(Debug, Serialize)]
struct Hit<'a> {
    name: &'a str,
    toolset: &'a str,
    description: &'a str,
}

impl CliCommand for Search {
    const NAME: &'static str = "search";
    const ABOUT: &'static str = "Find tools by what they do";

    fn run(self, json: bool) -> Ended {
        let session = if self.all {
            self.session.place.session_of_everything()?
        } else {
            self.session.session()?
        };
        let query = self.query.join(" ");
        let tools = session.tools();
        let mut index = SearchIndex::new();
        for (tool, _) in &tools {
            let parameters: Vec<&str> = tool.params().iter().map(|it| it.name() as &str).collect();
            index.insert(Entry {
                name: tool.name(),
                description: tool.description(),
                parameters: &parameters,
            });
        }
        let found = index.search(&query, self.limit).into_iter();
        let hits: Vec<Hit<'_>> = found
            .filter_map(|name| tools.iter().find(|(tool, _)| tool.name() == name))
            .map(|(tool, _)| Hit::of(tool))
            .collect();
        let text = if json {
            json::text(&Found {
                query: &query,
                tools: hits,
            })
        } else if hits.is_empty() {
            terminal::report_note("no tool matches; try other words, or `--all`");
            return Ok(Exit::Success);
        } else {
            table(&hits).render(Look::of_stdout())
        };
        terminal::print(&text)?;
        Ok(Exit::Success)
    }
}

impl<'a> Hit<'a> {
    fn of(tool: &'a Tool) -> Self {
        Self {
            name: tool.name(),
            toolset: tool.toolset(),
            description: tool.description(),
        }
    }
}

fn table(hits: &[Hit<'_>]) -> Table {
    let mut table = Table::new(["TOOL", "TOOLSET", "DESCRIPTION"]);
    for hit in hits {
        let first = hit.description.lines().next().unwrap_or_default();
        table.row([
            Cell::new(hit.name, styles::NAME),
            Cell::plain(hit.toolset),
            Cell::plain(first),
        ]);
    }
    table
}
