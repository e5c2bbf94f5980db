//! Looking at servers: starting them, and showing how they are.

use std::io::{self, BufRead, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use hermes_mcp::{Changed, Host, HostFuture, ServeError, ServerState, ServerStatus};
use serde::Serialize;

use super::which::Which;
use crate::cli::Ended;
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;
use crate::servers::{self, Source, Written};
use crate::terminal::{self, Cell, Look, Table, one_line, styles};

/// How long servers may take before a person who looks at them is asked about their tools.
const PATIENCE: Duration = Duration::from_secs(20);

/// How much longer than a server may take to start it is waited for, so that it is told that it was late.
const BEYOND: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
pub(super) struct Test {
    /// Name of the server
    name: String,

    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
pub(super) struct Approve {
    /// Name of the server
    name: String,

    /// Take what has changed without being asked
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
pub(super) struct Trust {
    /// Trust it without being asked
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Serialize)]
struct Shown<'a> {
    /// Whether every server can be used.
    ok: bool,
    servers: Vec<One<'a>>,
    /// What to do next where one cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct One<'a> {
    name: &'a str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    tools: &'a [Box<str>],
    refused: Vec<Refused<'a>>,
    /// Names of its entry that no tool of it has.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unknown_names: &'a [Box<str>],
    /// Why its list of tools was not read to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<&'a str>,
    /// Why it cannot be told what was approved, or kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pins_fault: Option<&'a str>,
    /// `config`, or the file that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
}

#[derive(Debug, Serialize)]
struct Refused<'a> {
    name: &'a str,
    why: &'a str,
}

impl List {
    pub(super) fn run(self, json: bool) -> Ended {
        let all = self.which.all()?;
        if all.is_empty() && !json {
            terminal::report_note("no servers are written down; `hermes mcp add` does that");
        }
        show(&all, self.which.folder().as_deref(), false, json, None)
    }
}

impl Test {
    pub(super) fn run(self, json: bool) -> Ended {
        let one = self.which.one(&self.name)?;
        show(&[one], self.which.folder().as_deref(), true, json, None)
    }
}

impl Approve {
    pub(super) fn run(self, json: bool) -> Ended {
        let mut one = self.which.one(&self.name)?;
        let asker = Arc::new(Asker {
            yes: self.yes,
            refused: Mutex::new(Vec::new()),
        });
        let folder = self.which.folder();
        // A person may take their time to read.
        one.spec = one.spec.start_within(PATIENCE.max(one.start));
        let setup = servers::setup(folder.as_deref()).host(asker.clone());
        let probed = setup.probe(vec![one.spec.clone()], Duration::from_mins(10));
        let status = probed.map_err(ServeError::Runtime)?;
        let refused = asker.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = status.iter().find_map(|it| it.pins_fault.clone());
        let error = if let Some(fault) = fault {
            let server = self.name;
            CliError::NotKept { server, fault }
        } else if !refused.is_empty() {
            let tools = refused.join("`, `");
            CliError::NotApproved(format!(
                "of `{}` these tools are still left out: `{tools}`",
                self.name
            ))
        } else {
            return tell(&[one], &status, true, json, None);
        };
        if !json {
            tell(&[one], &status, true, json, None)?;
        }
        Err(error)
    }
}

impl Trust {
    pub(super) fn run(self, json: bool) -> Ended {
        let folder = self.which.folder().ok_or(CliError::NoWorkspace)?;
        let trusted = servers::trust(&folder, |path, text| agreed(self.yes, json, path, text))?;
        if !trusted {
            return Err(CliError::NotApproved("nothing was trusted".to_owned()));
        }
        if json {
            terminal::print("{\"ok\":true}")?;
        } else {
            terminal::report_note("its servers are used from now on, until it changes");
        }
        Ok(Exit::Success)
    }
}

/// Shows the file and asks. Where a program reads the standard output, the file stands in the other one.
fn agreed(yes: bool, json: bool, path: &Path, text: &str) -> Result<bool, CliError> {
    // Whoever agrees must see what stands there.
    let lines: Vec<String> = text.trim_end().lines().map(one_line).collect();
    let shown = format!("`{}` holds:\n{}\n", path.display(), lines.join("\n"));
    if yes {
        return Ok(true);
    }
    if json {
        terminal::report_note(&shown);
    } else {
        terminal::print_foreign(&shown)?;
    }
    Ok(asked(
        "start these servers, as you, whenever a command needs them?",
    ))
}

/// Whether the person at the terminal says yes. Where there is none, nobody does.
fn asked(question: &str) -> bool {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return false;
    }
    let mut line = String::new();
    let put =
        write!(io::stderr(), "{question} `y`es or `n`o: ").and_then(|()| io::stderr().flush());
    let read = put.and_then(|()| io::stdin().lock().read_line(&mut line));
    read.is_ok() && matches!(line.trim(), "y" | "yes")
}

/// Shows what has changed, and asks whether it is taken.
struct Asker {
    yes: bool,
    /// The tools that were not taken. There is one question at a time.
    refused: Mutex<Vec<String>>,
}

impl Host for Asker {
    fn changed<'a>(&'a self, tool: &'a Changed) -> HostFuture<'a, bool> {
        Box::pin(async move {
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            let text = format!(
                "`{}` of `{}` is now: {}",
                one_line(&tool.tool),
                one_line(&tool.server),
                one_line(&tool.now)
            );
            terminal::report_note(&text);
            let taken = self.yes || asked("take it as it is now?");
            if !taken {
                refused.push(one_line(&tool.tool));
            }
            taken
        })
    }
}

/// Starts servers and shows them. `each`: with their tools; `help`: what to do next where one cannot be used.
pub(super) fn show(
    written: &[Written],
    folder: Option<&Path>,
    each: bool,
    json: bool,
    help: Option<&str>,
) -> Ended {
    let specs = written.iter().map(|it| it.spec.clone()).collect();
    let setup = servers::setup(folder);
    let limit = written.iter().map(|it| it.start).max().unwrap_or_default() + BEYOND;
    let probed = servers::progress("starting servers", || setup.probe(specs, limit));
    let status = probed.map_err(ServeError::Runtime)?;
    tell(written, &status, each, json, help)
}

fn tell(
    written: &[Written],
    servers: &[ServerStatus],
    each: bool,
    json: bool,
    help: Option<&str>,
) -> Ended {
    let ok = servers.iter().all(is_usable);
    let all_left_out = servers
        .iter()
        .any(|it| it.state == ServerState::Ready && !is_usable(it));
    let help = help.or_else(|| all_left_out.then_some(ALL_LEFT_OUT));
    let text = if json {
        let servers = servers.iter().zip(written).map(One::of).collect();
        let help = help.filter(|_| !ok);
        json::text(&Shown { ok, servers, help })
    } else {
        table(servers, each).render(Look::of_stdout())
    };
    terminal::print(&text)?;
    if let Some(help) = help.filter(|_| !ok && !json) {
        terminal::report_note(help);
    }
    Ok(if ok { Exit::Success } else { Exit::CallFailed })
}

/// What to do about a server that is ready and has nothing to be called.
const ALL_LEFT_OUT: &str = "every tool of a server is left out, so that it is of no use; `hermes mcp approve NAME` takes \
                            tools that have changed";

/// Whether a server can be used: it runs, and not every tool that it lists is left out.
fn is_usable(status: &ServerStatus) -> bool {
    status.state == ServerState::Ready && (status.refused.is_empty() || !status.tools.is_empty())
}

/// A word for what a server does, and why.
fn state(status: &ServerStatus) -> (&'static str, Option<&str>) {
    match &status.state {
        ServerState::Ready => ("ready", None),
        ServerState::SignIn => ("sign-in", Some("`hermes mcp login` signs you in")),
        ServerState::Waiting(why) | ServerState::Failed(why) => ("failed", Some(why)),
        _ => ("starting", None),
    }
}

impl<'a> One<'a> {
    fn of((status, written): (&'a ServerStatus, &'a Written)) -> Self {
        let (state, why) = state(status);
        let refused = |(name, why): &'a (Box<str>, String)| Refused { name, why };
        Self {
            name: &status.name,
            state,
            why,
            tools: &status.tools,
            refused: status.refused.iter().map(refused).collect(),
            unknown_names: &status.unknown_names,
            incomplete: status.incomplete.as_deref(),
            pins_fault: status.pins_fault.as_deref(),
            source: Some(match &written.source {
                Source::Config => "config".to_owned(),
                Source::File(path) => path.display().to_string(),
            }),
            origin: Some(written.spec.origin()),
        }
    }
}

/// One row a server, one for each tool that is left out, and where `each`, one for each tool.
fn table(all: &[ServerStatus], each: bool) -> Table {
    let mut table = Table::new(["SERVER", "STATE", "TOOLS"]);
    for status in all {
        let (word, why) = state(status);
        let style = match status.state {
            ServerState::Ready => styles::GOOD,
            _ => styles::DANGER,
        };
        let word = match why {
            Some(why) => format!("{word}: {}", one_line(why)),
            None => word.to_owned(),
        };
        table.row([
            Cell::new(&*status.name, styles::NAME),
            Cell::new(word, style),
            Cell::plain(status.tools.len().to_string()),
        ]);
        for tool in status.tools.iter().filter(|_| each) {
            table.row([Cell::plain(""), Cell::plain(&**tool), Cell::plain("")]);
        }
        for odd in servers::oddities(status) {
            table.row([
                Cell::plain(""),
                Cell::new(format!("warning: {}", one_line(&odd)), styles::CAREFUL),
                Cell::plain(""),
            ]);
        }
        for (name, why) in &status.refused {
            let left_out = format!("left out: `{}`: {}", one_line(name), one_line(why));
            table.row([
                Cell::plain(""),
                Cell::new(left_out, styles::CAREFUL),
                Cell::plain(""),
            ]);
        }
    }
    table
}
