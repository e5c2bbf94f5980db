//! `terminal`.

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hermes_tools::output::ResultKeeper;
use hermes_tools::workspace::PathKind;
use hermes_tools::{Content, ErrorKind, Kept, ToolContext, ToolError, Workspace, tool};
use serde::Serialize;

use super::environment::{Environment, Job, Lasts};
use super::meaning::meaning;
use super::options::{Notice, TerminalOptions};
use super::overflow::Overflow;
use super::pieces::Pieces;
use super::running::{End, News, Running, Stop};
use super::shown;
use super::table::Table;

/// Exit codes of commands that were stopped, as `timeout` and shells have them.
const TIMED_OUT: i32 = 124;
const INTERRUPTED: i32 = 130;

/// What is left of the time of a call for ending a command and answering.
const RESERVE: Duration = Duration::from_secs(4);

/// Run a command line in a shell (bash where there is one) and get its output and exit code.
///
/// The working folder and exported variables stay as a command leaves them, for the next one. Nobody can
/// answer a question of a program: its input is `input`, and then at its end. Start servers and what takes
/// longer than `timeout` with `background`, which answers at once with an id for `process`. Long output is
/// cut in the middle. Commands write below the workspace and the temporary folder only.
#[tool(
    toolset = "terminal",
    effect = "destructive",
    open_world,
    parallel = "never",
    emoji = "💻",
    timeout = "660s",
    max_result = 100_000
)]
pub(crate) async fn terminal(
    #[ctx] cx: &ToolContext,
    #[ctx] workspace: &Workspace,
    #[ctx] table: Kept<Table>,
    /// The command line.
    #[arg(role = "command", len = 1.., example = "cargo test 2>&1 | tail -n 50")]
    command: String,
    /// Run it in the background and answer at once.
    #[arg(default = false)]
    background: bool,
    /// Seconds after which the command is ended. In the background it has no limit.
    #[arg(default = 180, min = 1, max = 600)]
    timeout: u32,
    /// Folder to run it in, this once.
    #[arg(role = "path")]
    workdir: Option<String>,
    /// What it reads from its input.
    #[arg(role = "command")]
    input: Option<String>,
    /// Give it a terminal of its own, for programs that need one.
    #[arg(default = false)]
    pty: bool,
    /// Run it in the background, also when the session has ended. Its output goes to a file.
    #[arg(default = false)]
    detach: bool,
    /// Tell when a command in the background has ended.
    #[arg(default = false)]
    notify_on_complete: bool,
    /// Texts to watch for in the output of a command in the background; lines with one are told.
    watch_patterns: Option<Vec<String>>,
) -> Result<Content, ToolError> {
    if command.contains('\0') {
        return Err(ToolError::new(
            ErrorKind::InvalidArguments,
            "`command` cannot hold a NUL character",
        )
        .with_help("send the command without it"));
    }
    let options = cx
        .state()
        .get::<TerminalOptions>()
        .cloned()
        .unwrap_or_default();
    let environment = table.environment(cx, workspace, &options);
    let folder = workdir.map(|path| folder(workspace, &path)).transpose()?;
    if detach {
        may_detach(&options, pty || input.is_some())?;
    }
    let background = background || detach;
    environment.start().await?;
    let keeper = cx.state().get::<ResultKeeper>().filter(|_| !background);
    let job = Job {
        command,
        folder,
        lasts: match (background, detach) {
            (_, true) => Lasts::Detached,
            (true, false) => Lasts::Session,
            (false, false) => Lasts::Call,
        },
        pty,
        input,
        keep: keep(background, &options),
        overflow: keeper.map(|keeper| Overflow::new(keeper.clone(), cx.call_id())),
        live: !background && cx.progress().is_heard(),
    };
    if background {
        table.check_room(options.processes)?;
        let running = environment.run(job).await?;
        let pid = running.control().and_then(super::Control::pid);
        let watched = watch_patterns.unwrap_or_default();
        let told = notify_on_complete || !watched.is_empty();
        let output_file = running.output_file().map(|it| it.display().to_string());
        let session_id = table.add(
            running,
            cx.executor().now(),
            watched,
            notify_on_complete,
            &options,
        );
        return Content::json(&Background {
            session_id,
            pid,
            output_file,
            hint: match (detach, told) {
                (true, _) => Some(
                    "it goes on when the session has ended, unless `process` ends it before with `kill`",
                ),
                (false, false) => Some(
                    "look after it with `process`; `notify_on_complete` would tell when it has ended",
                ),
                (false, true) => None,
            },
            notices: table.take_notices(),
        });
    }
    let running = environment.run(job).await?;
    // Dropping the call ends the command.
    let stopped = StopOnDrop(&running);
    let timeout = Duration::from_secs(timeout.into());
    let limit = limit(cx, timeout);
    let end = watched(cx, &running, limit).await;
    drop(stopped);
    let foreground = Foreground {
        environment: &**environment,
        running: &running,
        end,
        own_limit: (limit == timeout).then_some(timeout),
        limit: options.output_limit,
    };
    Content::json(&foreground.answer(table.take_notices()))
}

/// Refuses to let a command go on when the session has ended, where the host does not want it, or it
/// could not.
fn may_detach(options: &TerminalOptions, is_tied: bool) -> Result<(), ToolError> {
    if !options.detach {
        return Err(ToolError::new(
            ErrorKind::EffectNotAllowed,
            "commands may not be detached here",
        )
        .with_help("use `background`; it ends with the session"));
    }
    if is_tied {
        return Err(ToolError::new(
            ErrorKind::InvalidArguments,
            "a detached command has neither a terminal nor an input",
        )
        .with_help("leave out `pty` and `input`, or use `background` without `detach`"));
    }
    Ok(())
}

/// How much of each end of the output is kept, in bytes. A character has up to four.
fn keep(background: bool, options: &TerminalOptions) -> (usize, usize) {
    if background {
        return (0, options.log_limit);
    }
    let bytes = options.output_limit.saturating_mul(4);
    (bytes / 5 * 2, bytes / 5 * 3)
}

/// A folder of the workspace, where a command can start.
fn folder(workspace: &Workspace, path: &str) -> Result<PathBuf, ToolError> {
    let target = workspace.resolve(path)?;
    if target.facts()?.kind != PathKind::Directory {
        let shown = target.display();
        return Err(
            ToolError::new(ErrorKind::NotADirectory, format!("`{shown}` is no folder"))
                .with_help("name a folder of the workspace"),
        );
    }
    Ok(target.root().join(target.relative()))
}

/// How long a command may take: what the call says, or what is left of the time of the call itself, less what it
/// takes to answer.
fn limit(cx: &ToolContext, timeout: Duration) -> Duration {
    let left = cx.deadline().remaining(cx.executor().now());
    left.map_or(timeout, |left| {
        timeout.min(left.saturating_sub(RESERVE.min(left / 2)))
    })
}

/// Waits for a command, hands on its output while it comes, and stops it when its time is over or the call
/// is cancelled.
async fn watched(cx: &ToolContext, running: &Running, limit: Duration) -> End {
    let mut time = pin!(cx.executor().sleep(limit));
    let mut cancelled = pin!(cx.cancel().cancelled());
    let mut stopped = false;
    let mut lines = Lines::default();
    loop {
        let news = poll_fn(|task| {
            if let Poll::Ready(news) = running.poll_news(task) {
                return Poll::Ready(news);
            }
            if !stopped && cancelled.as_mut().poll(task).is_ready() {
                running.stop(Stop::Interrupted);
                stopped = true;
            }
            if !stopped && time.as_mut().poll(task).is_ready() {
                running.stop(Stop::Timeout);
                stopped = true;
            }
            Poll::Pending
        })
        .await;
        match news {
            News::Output(bytes) => lines.push(&bytes, cx, running.command()),
            News::Ended(end) => {
                lines.finish(cx, running.command());
                return end;
            }
        }
    }
}

/// Output handed on in pieces of whole lines.
#[derive(Default)]
struct Lines {
    pieces: Pieces,
    done: f64,
}

impl Lines {
    fn push(&mut self, bytes: &[u8], cx: &ToolContext, command: &str) {
        if let Some(lines) = self.pieces.push(bytes) {
            self.report(&lines, cx, command);
        }
    }

    fn finish(&mut self, cx: &ToolContext, command: &str) {
        let rest = self.pieces.rest();
        if !rest.is_empty() {
            self.report(&rest, cx, command);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "progress need not be exact")]
    fn report(&mut self, bytes: &[u8], cx: &ToolContext, command: &str) {
        self.done += bytes.len() as f64;
        let text = shown::plain(bytes, command);
        cx.progress().report(self.done, None, &text);
    }
}

struct StopOnDrop<'r>(&'r Arc<Running>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end_live();
        self.0.stop(Stop::Interrupted);
    }
}

/// A command that has ended.
struct Foreground<'r> {
    environment: &'r dyn Environment,
    running: &'r Running,
    end: End,
    /// What the call has said, where the call itself is not shorter.
    own_limit: Option<Duration>,
    limit: usize,
}

#[derive(Serialize)]
struct Answer {
    output: String,
    /// The file with all of it, where it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    full_output: Option<String>,
    exit_code: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code_meaning: Option<Cow<'static, str>>,
    /// The folder in which the next command starts.
    cwd: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<Notice>,
}

#[derive(Serialize)]
struct Background {
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// Where the output of a command goes that is detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<Notice>,
}

/// `1 second`, `2 seconds`.
pub(super) fn seconds(limit: Duration) -> String {
    let many = limit.as_secs();
    format!("{many} second{}", if many == 1 { "" } else { "s" })
}

impl Foreground<'_> {
    fn answer(&self, notices: Vec<Notice>) -> Answer {
        let command = self.running.command();
        let (output, stored) = self.running.shown(self.limit);
        let exit_code = match self.end.stopped {
            Some(Stop::Timeout) => TIMED_OUT,
            Some(Stop::Interrupted | Stop::Killed) => INTERRUPTED,
            None => self.end.code,
        };
        let was_stopped = self.end.stopped.is_some();
        let meaning = (!was_stopped)
            .then(|| meaning(command, exit_code, &output))
            .flatten();
        Answer {
            notes: self.notes(&output, exit_code),
            output,
            full_output: stored.map(|stored| stored.path.display().to_string()),
            exit_code,
            exit_code_meaning: meaning,
            cwd: self.environment.cwd().display().to_string(),
            notices,
        }
    }

    fn notes(&self, output: &str, exit_code: i32) -> Vec<String> {
        let mut notes = Vec::new();
        match self.end.stopped {
            Some(Stop::Timeout) => notes.push(match self.own_limit {
                Some(limit) => format!(
                    "the command was ended after {}, with everything it had started; use a longer \
                     `timeout`, or `background` for what goes on",
                    seconds(limit)
                ),
                None => "the command was ended since the time of its call was up, with everything it had \
                         started; do less at once, or use `background` for what goes on"
                    .to_owned(),
            }),
            Some(Stop::Interrupted | Stop::Killed) => notes.push("the command was interrupted".to_owned()),
            None => {}
        }
        if self.end.folder_lost {
            notes.push(format!(
                "the working folder was gone; the command ran in `{}`",
                self.environment.cwd().display()
            ));
        }
        notes.extend(self.environment.notes());
        if exit_code != 0
            && let Some(refused) = self.environment.refused(output)
        {
            notes.push(refused);
        }
        notes
    }
}
