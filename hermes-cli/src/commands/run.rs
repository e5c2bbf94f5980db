//! `hermes run`: a command as the tool `terminal` runs it, with its output while it comes.

use std::io::{self, Write as _};
use std::time::Duration;

use clap::{Args, ValueHint};
use hermes_tools::context::ProgressEvent;
use hermes_tools::output::sanitize::display_text;
use hermes_tools::{CallResult, ErrorKind, Selection, ToolCall, ToolRegistry};
use serde::Deserialize;

use super::call::seconds;
use crate::answer::Answer;
use crate::approval::ApprovalArgs;
use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::json;
use crate::session::PlaceArgs;
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

    #[command(flatten)]
    approval: ApprovalArgs,

    #[command(flatten)]
    place: PlaceArgs,
}

const EXAMPLES: &str = "\
Examples:
  hermes run cargo test
  hermes run 'make 2>&1 | tail -n 20' --timeout 600
  hermes run --workspace site -- npm run build";

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
        Self::NAME.clone_into(&mut self.place.label);
        let builder = self
            .place
            .builder(ToolRegistry::linked()?, Selection::of([TOOL]))?;
        let session = self.approval.apply(builder, ()).build()?;
        let interrupt = Interrupt::watch()?;
        let mut arguments = serde_json::json!({"command": line(&self.command), "pty": self.pty});
        if let Some(timeout) = self.timeout {
            arguments["timeout"] = timeout.as_secs().max(1).into();
        }
        if let Some(workdir) = &self.workdir {
            arguments["workdir"] = workdir.as_str().into();
        }
        let result = interrupt.during(|cancel| {
            let mut call = ToolCall::new(TOOL, arguments.to_string()).cancel(cancel);
            if !json {
                call = call.on_progress(show);
            }
            session.call_blocking_with(call)
        });
        if json {
            terminal::print(&json::text(&Answer::of(&result)))?;
        }
        Ok(exit_of(&result, json))
    }
}

/// Shows output as it comes.
fn show(event: ProgressEvent<'_>) {
    let mut out = io::stdout().lock();
    // A reader that has left does not end the command.
    let _ = out.write_all(display_text(event.message).as_bytes());
    let _ = out.flush();
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

/// The command line for a shell.
fn line(words: &[String]) -> String {
    match words {
        [line] => line.clone(),
        words => words
            .iter()
            .map(|word| quoted(word))
            .collect::<Vec<_>>()
            .join(" "),
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
        assert_eq!(words(&["a | b"]), "a | b");
        assert_eq!(
            words(&["echo", "it's", "$x", "", "a-b"]),
            r"echo 'it'\''s' '$x' '' a-b"
        );
    }
}
