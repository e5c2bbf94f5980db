//! `process`.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use hermes_tools::args::Arguments;
use hermes_tools::output::redact::{Mode, Redactor};
use hermes_tools::{Content, Effect, ErrorKind, Kept, ToolContext, ToolError, tool};
use serde::Serialize;

use super::options::Notice;
use super::page::Page;
use super::running::{End, Stop};
use super::shown;
use super::table::{Process, Table};

/// Characters of output that an answer shows which is not about the output.
const PREVIEW: usize = 1_000;

/// Those when the process has ended.
const LAST: usize = 2_000;

/// Characters of a command in a list.
const COMMAND: usize = 200;

fn effect_of_process(arguments: &Arguments<'_>) -> Effect {
    match arguments.text("action") {
        Some("list" | "poll" | "log" | "wait") => Effect::Read,
        _ => Effect::Destructive,
    }
}

/// Look after the processes that `terminal` started in the background.
///
/// `list` them; `poll` one for its state and newest output; read its `log` page by page; `wait` until it has
/// ended; `write` to its input, or `submit` a line to it; `close` its input; `kill` it with all it has
/// started.
#[tool(
    toolset = "terminal",
    effect = "destructive",
    effect_of = effect_of_process,
    parallel = "never",
    emoji = "⚙️",
    timeout = "660s",
    max_result = 100_000
)]
pub(crate) async fn process(
    #[ctx] cx: &ToolContext,
    #[ctx] table: Kept<Table>,
    /// What to do.
    #[arg(values = ["list", "poll", "log", "wait", "write", "submit", "close", "kill"])]
    action: String,
    /// The process, by the id that `terminal` gave. Not for `list`.
    session_id: Option<String>,
    /// What to write: for `write` as it is, for `submit` with a line break behind it.
    #[arg(role = "command")]
    data: Option<String>,
    /// Seconds that `wait` waits at most.
    #[arg(default = 180, min = 1, max = 600)]
    timeout: u32,
    /// First line that `log` shows, from 0. Without it, the newest are shown.
    offset: Option<u64>,
    /// How many lines `log` shows.
    #[arg(default = 200, min = 1, max = 2000)]
    limit: u32,
) -> Result<Content, ToolError> {
    if action == "list" {
        let now = cx.executor().now();
        let processes = table.list();
        return Content::json(&List {
            processes: processes
                .iter()
                .map(|it| State::of(it, now, COMMAND))
                .collect(),
            notices: table.take_notices(),
        });
    }
    let id = session_id.ok_or_else(|| needs(&action, "session_id"))?;
    let process = table.get(&id)?;
    let this = Call {
        cx,
        table: &table,
        process: &process,
    };
    match action.as_str() {
        "poll" => this.state("", None),
        "log" => this.log(offset, limit),
        "wait" => this.wait(Duration::from_secs(timeout.into())).await,
        "kill" => this.kill().await,
        "close" => this.close(),
        _ => {
            let mut data = data.ok_or_else(|| needs(&action, "data"))?;
            if action == "submit" {
                data.push('\n');
            }
            this.write(&data)
        }
    }
}

struct Call<'c> {
    cx: &'c ToolContext,
    table: &'c Table,
    process: &'c Process,
}

#[derive(Serialize)]
struct List {
    processes: Vec<State>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<Notice>,
}

/// A process as it is told.
#[derive(Serialize)]
struct State {
    session_id: String,
    command: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    uptime_seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    output_preview: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<Notice>,
}

#[derive(Serialize)]
struct Log {
    session_id: String,
    status: &'static str,
    #[serde(flatten)]
    page: Page,
}

impl Call<'_> {
    /// The state of the process; with `status` what the action made of it.
    fn state(&self, status: &'static str, note: Option<String>) -> Result<Content, ToolError> {
        let ended = self.process.running.ended().is_some();
        if ended {
            self.table.end_is_known(self.process);
        }
        let length = if ended { LAST } else { PREVIEW };
        let mut state = State::of(self.process, self.cx.executor().now(), length);
        if !status.is_empty() {
            state.status = status;
        }
        state.note = note;
        state.notices = self.table.take_notices();
        Content::json(&state)
    }

    fn log(&self, offset: Option<u64>, limit: u32) -> Result<Content, ToolError> {
        let running = &self.process.running;
        let page = running.with_output(|kept| {
            let ends = kept.ends();
            let text = shown::plain(&ends.newest(), running.command());
            let limit = usize::try_from(limit).ok();
            Page::of(&text, ends.lost.map_or(0, |lost| lost.lines), offset, limit)
        });
        if page.next_offset.is_none() && running.ended().is_some() {
            self.table.end_is_known(self.process);
        }
        Content::json(&Log {
            session_id: self.process.id.clone(),
            status: status(running.ended()),
            page,
        })
    }

    async fn wait(&self, limit: Duration) -> Result<Content, ToolError> {
        let left = self.cx.deadline().remaining(self.cx.executor().now());
        let limit = left.map_or(limit, |left| limit.min(left / 10 * 9));
        let mut ended = pin!(self.process.running.wait());
        let mut time = pin!(self.cx.executor().sleep(limit));
        let has_ended = poll_fn(|task| {
            if ended.as_mut().poll(task).is_ready() {
                return Poll::Ready(true);
            }
            time.as_mut().poll(task).map(|()| false)
        })
        .await;
        if has_ended {
            return self.state("", None);
        }
        let note = format!("it still runs after {}", super::tool::seconds(limit));
        self.state("timeout", Some(note))
    }

    async fn kill(&self) -> Result<Content, ToolError> {
        if self.process.running.ended().is_some() {
            let left = match self.process.running.control() {
                Some(control) => control.end_rest().await?,
                None => false,
            };
            let note = left.then(|| "what it had left running was ended".to_owned());
            return self.state("already_exited", note);
        }
        self.process.running.stop(Stop::Killed);
        self.process.running.wait().await;
        self.state("killed", None)
    }

    fn write(&self, data: &str) -> Result<Content, ToolError> {
        self.input(|control| control.write(data.as_bytes()))?;
        self.state("", Some(format!("{} bytes were written", data.len())))
    }

    fn close(&self) -> Result<Content, ToolError> {
        self.input(super::Control::close)?;
        self.state("", Some("its input is at its end".to_owned()))
    }

    fn input(
        &self,
        act: impl FnOnce(&dyn super::Control) -> io::Result<()>,
    ) -> Result<(), ToolError> {
        let id = &self.process.id;
        let running = &self.process.running;
        if let Some(end) = running.ended() {
            return Err(ToolError::failed(format!(
                "process `{id}` has exited with code {}",
                end.code
            ))
            .with_help("read its output with the action `log`, or start it again"));
        }
        let acted = running
            .control()
            .map_or_else(|| Err(io::ErrorKind::NotConnected.into()), act);
        acted.map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => ToolError::failed(format!(
                "process `{id}` does not read what was written to it before"
            ))
            .with_help("wait until it does, or kill it"),
            _ => ToolError::failed(format!("the input of process `{id}` is closed"))
                .with_help("read its output, or start it again"),
        })
    }
}

impl State {
    fn of(process: &Process, now: std::time::Instant, length: usize) -> Self {
        let running = &process.running;
        let end = running.ended();
        let command = Redactor::new(Mode::Code)
            .redact(running.command())
            .into_owned();
        Self {
            session_id: process.id.clone(),
            command: command.chars().take(COMMAND).collect(),
            status: status(end),
            pid: running.control().and_then(super::Control::pid),
            uptime_seconds: now.saturating_duration_since(process.started).as_secs(),
            exit_code: end.map(|end| end.code),
            output_preview: running
                .with_output(|kept| shown::newest(kept, running.command(), length)),
            output_file: running.output_file().map(|it| it.display().to_string()),
            note: None,
            notices: Vec::new(),
        }
    }
}

fn status(end: Option<End>) -> &'static str {
    match end {
        None => "running",
        Some(End {
            stopped: Some(_), ..
        }) => "killed",
        Some(_) => "exited",
    }
}

fn needs(action: &str, argument: &str) -> ToolError {
    ToolError::new(
        ErrorKind::InvalidArguments,
        format!("the action `{action}` needs `{argument}`"),
    )
    .with_help(format!("send the call again with `{argument}`"))
}
