//! `hermes doctor`: which toolsets can be used, and what would help with the others.

use clap::Args;
use hermes_tools::availability::{ToolReport, ToolsetReport};
use serde::Serialize;

use super::tools::available;
use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::isolation::{self, CommandArgs, Report};
use crate::json;
use crate::session::SessionArgs;
use crate::terminal::{self, Cell, Look, Table, styles};

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Look at the tools of a session only, not at every linked one
    #[arg(long)]
    selected: bool,

    #[command(flatten)]
    commands: CommandArgs,

    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Serialize)]
struct Findings<'a> {
    /// Whether every toolset can be used.
    ok: bool,
    toolsets: Vec<Toolset<'a>>,
    /// What the kernel confines commands to.
    isolation: &'static str,
    /// What the options and the configuration ask for.
    isolation_asked: &'a str,
    /// Whether what is asked for is there; no command runs otherwise.
    isolation_works: bool,
    /// Whether every process that commands start is found when their session ends.
    finds_every_process: bool,
    /// Whether commands could run in a sandbox of bubblewrap.
    bubblewrap: Sandbox<'a>,
}

#[derive(Debug, Serialize)]
struct Sandbox<'a> {
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Toolset<'a> {
    name: &'a str,
    /// Whether one of its tools can be used.
    available: bool,
    tools: Vec<State<'a>>,
}

#[derive(Debug, Serialize)]
struct State<'a> {
    name: &'a str,
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    missing_env: &'a [Box<str>],
}

impl CliCommand for Doctor {
    const NAME: &'static str = "doctor";
    const ABOUT: &'static str = "Check every toolset: can it be used, and if not, what would help";

    fn run(mut self, json: bool) -> Ended {
        self.session.commands = self.commands;
        // What the options and the configuration ask for is judged also when all tools are looked at.
        let selected = self.session.session()?;
        let session = if self.selected {
            selected
        } else {
            self.session.place.session_of_everything()?
        };
        let report = session.availability_report();
        let confined = isolation::report(&self.session.isolation()?);
        let ok = report.iter().all(ToolsetReport::is_available) && confined.works;
        let text = if json {
            json::text(&Findings::of(&report, &confined, ok))
        } else {
            let table = table(&report).render(Look::of_stdout());
            let sandbox = match &confined.bubblewrap {
                Ok(()) => "can be used",
                Err(why) => why,
            };
            let ended = if confined.finds_every_process {
                "each that commands start ends with its session, whatever it does"
            } else {
                "one that hides where it comes from may outlive its session"
            };
            format!(
                "{table}\nisolation of commands: {} (`{}`)\nprocesses: {ended}\nbubblewrap: {sandbox}\n",
                confined.words, confined.asked
            )
        };
        terminal::print(&text)?;
        Ok(if ok { Exit::Success } else { Exit::CallFailed })
    }
}

impl<'a> Findings<'a> {
    fn of(report: &'a [ToolsetReport], confined: &'a Report, ok: bool) -> Self {
        Self {
            ok,
            toolsets: report.iter().map(Toolset::of).collect(),
            isolation: confined.kernel,
            isolation_asked: &confined.asked,
            isolation_works: confined.works,
            finds_every_process: confined.finds_every_process,
            bubblewrap: Sandbox {
                available: confined.bubblewrap.is_ok(),
                reason: confined.bubblewrap.as_ref().err().map(String::as_str),
            },
        }
    }
}

impl<'a> Toolset<'a> {
    fn of(report: &'a ToolsetReport) -> Self {
        let state = |it: &'a ToolReport| State {
            name: it.tool.name(),
            available: it.availability.is_available(),
            reason: it.availability.reason(),
            remedy: it.availability.remedy(),
            missing_env: &it.missing_env,
        };
        Self {
            name: &report.toolset,
            available: report.is_available(),
            tools: report.tools.iter().map(state).collect(),
        }
    }
}

/// One row a toolset, and one more for each of its tools that cannot be used.
fn table(report: &[ToolsetReport]) -> Table {
    let mut table = Table::new(["TOOLSET", "TOOLS", "AVAILABLE"]);
    for toolset in report {
        let usable = toolset
            .tools
            .iter()
            .filter(|it| it.availability.is_available());
        let (word, style) = if toolset.is_available() {
            ("yes", styles::GOOD)
        } else {
            ("no", styles::DANGER)
        };
        table.row([
            Cell::new(&*toolset.toolset, styles::NAME),
            Cell::plain(format!("{} of {}", usable.count(), toolset.tools.len())),
            Cell::new(word, style),
        ]);
        for it in &toolset.tools {
            if !it.availability.is_available() {
                table.row([
                    Cell::plain(""),
                    Cell::new(it.tool.name(), styles::ASIDE),
                    available(&it.availability),
                ]);
            }
        }
    }
    table
}
