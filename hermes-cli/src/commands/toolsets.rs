//! `hermes toolsets`: all toolsets, or what one of them stands for.

use clap::Args;
use hermes_tools::{Availability, Effect, Selection, Session, Tool, Why};
use hermes_toolsets::{Request, ToolsetTable, Toolsets};
use serde::Serialize;

use super::tools::available;
use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::json;
use crate::session::{PlaceArgs, tools_of};
use crate::terminal::{self, Cell, Look, Table, styles};

#[derive(Debug, Args)]
pub(crate) struct ToolsetsCommand {
    /// Show the tools of this toolset, each with the way to it, and whether it can be used
    name: Option<String>,

    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, Serialize)]
struct Listing<'a> {
    toolsets: Vec<ListedToolset<'a>>,
}

#[derive(Debug, Serialize)]
struct ListedToolset<'a> {
    name: &'a str,
    description: String,
    /// How many of its tools are linked.
    linked: usize,
    /// How many tools it stands for, those of included toolsets among them.
    listed: usize,
    includes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_effect: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct OneToolset<'a> {
    name: &'a str,
    description: String,
    includes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_effect: Option<&'static str>,
    tools: Vec<Member<'a>>,
}

#[derive(Debug, Serialize)]
struct Member<'a> {
    name: &'a str,
    /// Names of toolsets from the one that was asked for to the one that grants the tool.
    via: Vec<&'a str>,
    linked: bool,
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
}

impl CliCommand for ToolsetsCommand {
    const NAME: &'static str = "toolsets";
    const ABOUT: &'static str = "List the toolsets, or the tools that one of them stands for";

    fn run(self, json: bool) -> Ended {
        let session = self.place.session_of_everything()?;
        let toolsets = Toolsets::linked()?;
        let table = toolsets.with_tools(tools_of(session.registry()));
        let look = Look::of_stdout();
        let text = match &self.name {
            None => {
                let listing = Listing {
                    toolsets: list(&table, &session),
                };
                if json {
                    json::text(&listing)
                } else {
                    listing.table(look).render(look)
                }
            }
            Some(name) => {
                let selection = table.select(&Request::default().enable([name]))?.selection;
                let tools = session.tools();
                let one = OneToolset::new(name, &table, &selection, &tools);
                if json {
                    json::text(&one)
                } else {
                    one.readable(look)
                }
            }
        };
        terminal::print(&text)?;
        Ok(Exit::Success)
    }
}

fn list<'t>(table: &'t ToolsetTable<'t>, session: &Session) -> Vec<ListedToolset<'t>> {
    let infos = table
        .names()
        .into_iter()
        .filter_map(|name| table.info(name));
    infos
        .map(|info| ListedToolset {
            name: info.name,
            linked: info
                .resolved
                .tools()
                .filter(|tool| session.selection().contains(tool))
                .count(),
            listed: info.resolved.len(),
            description: info.description,
            includes: info.includes,
            max_effect: info.max_effect.map(Effect::as_str),
        })
        .collect()
}

impl Listing<'_> {
    fn table(&self, look: Look) -> Table {
        let mut table = Table::new(["TOOLSET", "LINKED", "DESCRIPTION", "INCLUDES"]);
        for toolset in &self.toolsets {
            let linked = format!("{} of {}", toolset.linked, toolset.listed);
            let style = if toolset.linked == 0 {
                styles::ASIDE
            } else {
                styles::PLAIN
            };
            table.row([
                Cell::new(toolset.name, styles::NAME),
                Cell::new(linked, style),
                Cell::plain(&toolset.description),
                Cell::new(includes(&toolset.includes, look), styles::ASIDE),
            ]);
        }
        table
    }
}

/// The included toolsets: all for programs, the first for people.
fn includes(names: &[&str], look: Look) -> String {
    match names {
        [first, second, rest @ ..] if look.terminal && rest.len() > 2 => {
            format!("{first}, {second} and {} more", rest.len())
        }
        names => names.join(", "),
    }
}

impl<'a> OneToolset<'a> {
    fn new(
        name: &'a str,
        table: &'a ToolsetTable<'a>,
        selection: &'a Selection,
        tools: &'a [(Tool, Availability)],
    ) -> Self {
        let members = selection
            .iter()
            .map(|(tool, why)| Member::new(tool, why, tools))
            .collect();
        // A name that selects tools and has no facts is one of the old names.
        let (description, includes, max_effect) = match table.info(name) {
            Some(info) => (info.description, info.includes, info.max_effect),
            None => (
                "An old name, understood in selections only.".to_owned(),
                Vec::new(),
                None,
            ),
        };
        let max_effect = max_effect.map(Effect::as_str);
        Self {
            name,
            description,
            includes,
            max_effect,
            tools: members,
        }
    }

    fn readable(&self, look: Look) -> String {
        let mut table = Table::new(["TOOL", "VIA", "AVAILABLE"]);
        for member in &self.tools {
            table.row([
                Cell::new(member.name, styles::NAME),
                Cell::plain(member.via.join(" > ")),
                member.state(),
            ]);
        }
        let rows = table.render(look);
        if !look.terminal {
            return rows;
        }
        let name = look.paint(styles::HEADING, self.name);
        let bound = match self.max_effect {
            Some(effect) => format!(" Its tools do no more than {effect}."),
            None => String::new(),
        };
        format!("{name}: {}{bound}\n\n{rows}", self.description)
    }
}

impl<'a> Member<'a> {
    fn new(name: &'a str, why: &'a Why, tools: &'a [(Tool, Availability)]) -> Self {
        let via = match why {
            Why::Named => Vec::new(),
            Why::Toolset { via } => via.iter().map(|name| &**name).collect(),
        };
        let found = tools.binary_search_by_key(&name, |(tool, _)| tool.name());
        let availability = found.ok().map(|index| &tools[index].1);
        Self {
            name,
            via,
            linked: availability.is_some(),
            available: availability.is_some_and(Availability::is_available),
            reason: availability.and_then(Availability::reason),
            remedy: availability.and_then(Availability::remedy),
        }
    }

    fn state(&self) -> Cell {
        match (self.linked, self.reason) {
            (false, _) => Cell::new("no: not linked", styles::ASIDE),
            (true, None) => available(&Availability::Available),
            (true, Some(reason)) => {
                let answer = Availability::unavailable(reason.to_owned());
                available(&match self.remedy {
                    Some(remedy) => answer.with_remedy(remedy.to_owned()),
                    None => answer,
                })
            }
        }
    }
}
