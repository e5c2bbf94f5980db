//! `hermes run`: a command as the tool `terminal` runs it, with its output while it comes.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::{Args, ValueHint};
use hermes_tools::context::ProgressEvent;
use hermes_tools::output::sanitize::display_text;
use hermes_tools::{CallResult, ErrorKind, Selection, ToolCall, ToolRegistry};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Deserialize;

use super::call::seconds;
use crate::answer::Answer;
use crate::approval::ApprovalArgs;
use crate::cli::{CliCommand, Ended};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::isolation::CommandArgs;
use crate::json;
use crate::servers::config_place;
use crate::session::{PlaceArgs, keeping_results, read};
use crate::terminal;

/// The tool that runs commands.
const TOOL: &str = "terminal";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    /// The command: one word is a command line, several are a program and its arguments
    #[arg(
        value_name = "CMD",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_hint = ValueHint::CommandWithArguments
    )]
    command: Vec<String>,

    /// End the command after this long, at most ten minutes [default: 180]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Folder to run it in, below the workspace
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    workdir: Option<String>,

    /// Give it a terminal of its own
    #[arg(long)]
    pty: bool,

    /// Read the section `[terminal]` of a configuration file such as `hermes.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,

    #[command(flatten)]
    approval: ApprovalArgs,

    #[command(flatten)]
    commands: CommandArgs,

    #[command(flatten)]
    place: PlaceArgs,
}

const EXAMPLES: &str = "\
It ends with the exit code of the command: 124 when its time was over, 130 when it was interrupted, and 128
and the number of the signal when one ended it. With 1 and an error nothing ran.

Examples:
  hermes run cargo test
  hermes run --timeout 600 'make 2>&1 | tail -n 20'
  hermes run --workspace site -- npm run build

Options of hermes stand before the command: what follows its first word belongs to the command.";

/// What the answer of the tool says beside the output.
#[derive(Debug, Default, Deserialize)]
struct Told {
    exit_code: i32,
    #[serde(default)]
    exit_code_meaning: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
}

impl CliCommand for Run {
    const NAME: &'static str = "run";
    const ABOUT: &'static str = "Run a command, confined and guarded as for a model";

    fn run(mut self, json: bool) -> Ended {
        let line = line(&self.command)?;
        Self::NAME.clone_into(&mut self.place.label);
        let place = self.config.clone().or_else(config_place);
        let registry = ToolRegistry::linked()?;
        let builder = self
            .place
            .builder(place.as_deref(), registry, Selection::of([TOOL]))?;
        let config = read(self.config.as_deref())?;
        self.place.warn();
        self.commands.warn(config.terminal());
        let builder = self.commands.apply(config.terminal(), builder);
        let builder = self.approval.apply(builder, ());
        let builder = keeping_results(builder, &config, self.place.result_store());
        let session = builder.build()?;
        let interrupt = Interrupt::watch(&session)?;
        let mut arguments = serde_json::json!({"command": line, "pty": self.pty});
        if let Some(timeout) = self.timeout {
            arguments["timeout"] = timeout.as_secs().max(1).into();
        }
        if let Some(workdir) = &self.workdir {
            arguments["workdir"] = workdir.as_str().into();
        }
        let clock = clock(json);
        let lost: Arc<OnceLock<io::Error>> = Arc::default();
        let result = interrupt.during(|cancel| {
            let mut call = ToolCall::new(TOOL, arguments.to_string()).cancel(cancel.clone());
            if !json {
                let (clock, lost) = (clock.clone(), Arc::clone(&lost));
                call = call.on_progress(move |event| {
                    if let Err(error) = show(&clock, event) {
                        // As a command in a pipe ends when nobody takes what it prints.
                        let _ = lost.set(error);
                        cancel.cancel();
                    }
                });
            }
            session.call_blocking_with(call)
        });
        clock.finish_and_clear();
        if let Some(error) = Arc::into_inner(lost).and_then(OnceLock::into_inner) {
            return Err(CliError::Output(error));
        }
        if json {
            terminal::print(&json::text(&Answer::of(&result)))?;
        }
        Ok(exit_of(&result, json))
    }
}

/// Shows on the error output, if that is a terminal, that the command runs and for how long.
fn clock(json: bool) -> ProgressBar {
    // The target draws nothing unless it is a terminal.
    let clock = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}") {
        clock.set_style(style);
    }
    if !json && io::stderr().is_terminal() {
        clock.enable_steady_tick(TICK);
    }
    clock
}

/// How often the clock moves.
const TICK: Duration = Duration::from_millis(250);

/// Shows output as it comes.
fn show(clock: &ProgressBar, event: ProgressEvent<'_>) -> io::Result<()> {
    let write = || {
        let mut out = io::stdout().lock();
        out.write_all(display_text(event.message).as_bytes())?;
        out.flush()
    };
    if event.message.ends_with('\n') {
        // Both outputs may be the same terminal.
        clock.suspend(write)
    } else {
        // The clock would stand in the line that has no end, and take it away with itself.
        clock.finish_and_clear();
        write()
    }
}

/// Tells what the output does not, and how the program ends.
fn exit_of(result: &CallResult, json: bool) -> Exit {
    let output = match &result.outcome {
        Ok(output) => output,
        Err(error) => {
            if !json {
                terminal::report_error(&error.to_string());
            }
            return match error.kind() {
                ErrorKind::Cancelled => Exit::Interrupted,
                _ => Exit::CallFailed,
            };
        }
    };
    let told = output
        .json()
        .and_then(|json| serde_json::from_str(json).ok());
    let told: Told = told.unwrap_or_default();
    if !json {
        for note in told.exit_code_meaning.iter().chain(&told.notes) {
            terminal::report_note(note);
        }
    }
    Exit::Command(u8::try_from(told.exit_code).unwrap_or(u8::MAX))
}

/// The command line for a shell. Words behind a line are neither options of ours nor arguments of a
/// program that anybody meant.
fn line(words: &[String]) -> Result<String, CliError> {
    match words {
        [line] => Ok(line.clone()),
        [first, second, ..] if first.contains(char::is_whitespace) => Err(CliError::Argument {
            problem: format!("`{second}` stands behind a whole command line"),
            help: "put options before the command, and write a command line as one word, with quotes inside it \
                   around a program whose name holds a space",
        }),
        words => Ok(words
            .iter()
            .map(|word| quoted(word))
            .collect::<Vec<_>>()
            .join(" ")),
    }
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words_and_one_word_is_a_line() {
        let words =
            |words: &[&str]| line(&words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(words(&["a | b"]).unwrap(), "a | b");
        assert_eq!(
            words(&["echo", "it's", "$x", "", "a-b"]).unwrap(),
            r"echo 'it'\''s' '$x' '' a-b"
        );
        for behind in ["--timeout", "--pty", "b"] {
            assert_eq!(
                words(&["a | b", behind, "600"]).unwrap_err().to_string(),
                format!("`{behind}` stands behind a whole command line")
            );
        }
    }
}
