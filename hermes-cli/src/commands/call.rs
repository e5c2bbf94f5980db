//! `hermes call`: one call of a tool.

use std::time::Duration;

use clap::Args;
use hermes_tools::{CallResult, ErrorKind, Session, Tool, ToolCall, ToolError};

use crate::answer::{Answer, readable};
use crate::approval::ApprovalArgs;
use crate::arguments::Arguments;
use crate::cli::{CliCommand, Ended};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::isolation::CommandArgs;
use crate::json;
use crate::live::Live;
use crate::plan;
use crate::servers::Need;
use crate::session::SessionArgs;
use crate::terminal;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Call {
    /// Name of the tool
    tool: String,

    /// One JSON object, `-` to read it from the standard input, or `key=value` pairs
    ///
    /// A repeated key makes a list, and `key:=value` takes the value as JSON.
    #[arg(value_name = "ARGUMENT")]
    arguments: Vec<String>,

    /// Give the call this long, instead of the limit of the tool
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Say what the call would do, and run nothing
    #[arg(long)]
    dry_run: bool,

    /// Why the model stopped, in the words of its provider
    ///
    /// After a limit of length, such as `length` or `max_tokens`, arguments that are not complete are
    /// refused.
    #[arg(long, value_name = "REASON")]
    finish_reason: Option<String>,

    #[command(flatten)]
    approval: ApprovalArgs,

    #[command(flatten)]
    commands: CommandArgs,

    #[command(flatten)]
    session: SessionArgs,
}

const EXAMPLES: &str = "\
Examples:
  hermes call search_files pattern='fn main' --workspace .
  hermes call read_file '{\"path\": \"README.md\", \"limit\": 20}'
  echo '{\"path\": \"README.md\"}' | hermes call read_file -";

impl CliCommand for Call {
    const NAME: &'static str = "call";
    const ABOUT: &'static str = "Call a tool and print what it answers";

    fn run(mut self, json: bool) -> Ended {
        self.session.place.label = format!("call {}", self.tool);
        self.session.commands = self.commands;
        self.session.need = Need::Tool(self.tool.clone());
        let arguments = Arguments::of(&self.arguments)?;
        let session = self
            .session
            .session_of_calls(|builder| self.approval.apply(builder, ()))?;
        if self.dry_run {
            return plan::tell_call(&session, self.tool, &arguments.text, json);
        }
        self.session.warn()?;
        let interrupt = Interrupt::watch(&session)?;
        let live = Live::start();
        let result = interrupt.during(|cancel| {
            let shown = live.clone();
            let mut call = ToolCall::new(self.tool, &*arguments.text)
                .cancel(cancel)
                .on_progress(move |event| shown.show(event));
            if let Some(reason) = &self.finish_reason {
                call = call.finish_reason(reason);
            }
            if let Some(timeout) = self.timeout {
                call = call.timeout(timeout);
            }
            session.call_blocking_with(call)
        });
        let last = live.end();
        if json {
            terminal::print(&json::text(&Answer::of(&result)))?;
        } else {
            show(&result, &arguments, &session)?;
        }
        let given_up =
            |error: &ToolError| matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Timeout);
        if let (Some(last), Some(_)) = (
            last,
            result.outcome.as_ref().err().filter(|it| given_up(it)),
        ) {
            terminal::report_note(&format!("until then: {last}"));
        }
        // What was found until Ctrl-C is an answer, and not all that was asked for.
        Ok(match exit_of(&result) {
            Exit::Success if interrupt.came() => Exit::Interrupted,
            exit => exit,
        })
    }
}

fn show(result: &CallResult, arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let tool = session.registry().get(&result.tool);
    if let Some(advice) = tool.as_ref().and_then(Tool::deprecation) {
        terminal::report_warning(&format!("`{}` is deprecated: {advice}", result.tool));
    }
    for note in &result.notes {
        terminal::report_note(note);
    }
    for repair in arguments.worth_telling(&result.repairs) {
        terminal::report_note(&format!("argument changed: {repair}"));
    }
    match &result.outcome {
        Ok(output) => terminal::print_foreign(&readable(output)),
        Err(error) => {
            terminal::report_error(&error.to_string());
            Ok(())
        }
    }
}

/// How a program ends after this answer.
fn exit_of(result: &CallResult) -> Exit {
    match &result.outcome {
        Ok(_) => Exit::Success,
        Err(error) if error.kind() == ErrorKind::Cancelled => Exit::Interrupted,
        Err(_) => Exit::CallFailed,
    }
}

/// A time in seconds, with or without a fraction.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text
        .parse()
        .ok()
        .and_then(|time| Duration::try_from_secs_f64(time).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "expected seconds, such as `30` or `0.5`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_is_a_positive_number_of_seconds() {
        assert_eq!(seconds("30"), Ok(Duration::from_secs(30)));
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["0", "-1", "soon", "inf", "NaN", "1e300", ""] {
            assert_eq!(
                seconds(wrong),
                Err("expected seconds, such as `30` or `0.5`".to_owned())
            );
        }
    }
}
