//! `hermes batch`: many calls, one JSON object on each line.

pub(super) mod input;
mod line;
mod printer;
pub(super) mod progress;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueHint};
use hermes_tools::{Batch as Calls, Session, ToolCall};

use self::input::Input;
use self::line::Line;
use self::printer::Printer;
use crate::answer::Answer;
use crate::approval::ApprovalArgs;
use crate::cli::{CliCommand, Ended};
use crate::code;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::isolation::CommandArgs;
use crate::json;
use crate::plan;
use crate::session::SessionArgs;

#[derive(Debug, Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Batch {
    /// File with one call on each line, `-` for the standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Make so many calls at a time, where they do not conflict
    #[arg(long, value_name = "CALLS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    parallel: u16,

    /// Say what the calls would do, and in which order, and run nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    approval: ApprovalArgs,

    #[command(flatten)]
    commands: CommandArgs,

    #[command(flatten)]
    session: SessionArgs,
}

const FORMAT: &str = r#"Each line of the input is a call, each line of the output its answer, in the same order:
  {"id": 1, "name": "read_file", "arguments": {"path": "README.md"}}
  {"id":1,"ok":true,"tool":"read_file","result":"...","repairs":[]}

The `id` may be left out; the answer then has the number of the `line`. `arguments` may be text that
holds JSON, as models send it, and `finish_reason` may say why the model stopped. A line that is no call is answered with an error, and the rest goes on.

Calls run side by side unless they touch the same path, one of them writing, or one may do anything:
then a call waits for those before it. A question about one of them (`--ask`) holds up no others; without
a terminal on the standard input it is answered with no. Up to 256 lines of a file are looked at together."#;

/// A line that was read: its number and its bytes.
struct Read {
    number: u64,
    bytes: Vec<u8>,
}

/// How a line is answered: by a call, or with what is wrong with it.
struct Entry<'l> {
    number: u64,
    line: Result<Line<'l>, String>,
}

impl CliCommand for Batch {
    const NAME: &'static str = "batch";
    const ABOUT: &'static str = "Make the calls of a JSON Lines file and print one answer for each";

    fn run(mut self, as_json: bool) -> Ended {
        Self::NAME.clone_into(&mut self.session.place.label);
        self.session.commands = self.commands.clone();
        let mut input = Input::open(&self.file)?;
        let printer = Arc::new(Printer::start(input.length().filter(|_| !self.dry_run)));
        let session = self
            .session
            .session_of_calls(|builder| self.approval.apply(builder, Arc::clone(&printer)))?;
        if self.dry_run {
            return self.tell(&mut input, &session, as_json);
        }
        self.session.warn()?;
        let interrupt = Interrupt::watch(&session)?;
        // After an interrupt the calls of a file are still answered, as not started; a pipe may never end.
        while !(interrupt.came() && input.length().is_none()) {
            let group = input.read_group(&printer)?;
            if group.is_empty() {
                break;
            }
            self.make(&group, &session, &interrupt, &printer)?;
        }
        let failed = printer.finish();
        Ok(match (interrupt.came(), failed) {
            (true, _) => Exit::Interrupted,
            (false, 0) => Exit::Success,
            (false, _) => Exit::CallFailed,
        })
    }
}

impl Batch {
    /// Makes the calls of some lines, and prints their answers in order.
    fn make(
        &self,
        group: &[Read],
        session: &Session,
        interrupt: &Interrupt,
        printer: &Arc<Printer>,
    ) -> Result<(), CliError> {
        let entries = entries(group);
        let before = printer.printed()?;
        let mut heads = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            match &entry.line {
                Ok(line) => heads.push((
                    before + place,
                    entry.number,
                    line.id().map(ToOwned::to_owned),
                )),
                Err(problem) => printer.put(before + place, false, refusal(entry.number, problem)),
            }
        }
        let heard = Arc::clone(printer);
        let calls = self.calls(&entries).on_answer(move |event| {
            let (place, number, id) = &heads[event.index];
            let mut answer = Answer::of(event.result);
            answer.id = id.as_deref();
            answer.line = id.is_none().then_some(*number);
            heard.put(*place, event.result.outcome.is_ok(), json::text(&answer));
        });
        interrupt.during(|cancel| session.call_batch_blocking(calls.cancel(cancel)));
        printer.printed().map(drop)
    }

    fn calls(&self, entries: &[Entry<'_>]) -> Calls {
        let calls = entries.iter().filter_map(|entry| entry.line.as_ref().ok());
        let calls: Vec<ToolCall> = calls.map(Line::to_call).collect();
        // Whoever writes a line twice means both.
        Calls::new(calls)
            .run_repeats()
            .at_most(self.parallel.into())
    }

    /// Prints what the calls would do.
    fn tell(&self, input: &mut Input, session: &Session, as_json: bool) -> Ended {
        let lines = input.read_all(&Printer::start(None))?;
        let entries = entries(&lines);
        let planned = session.plan_blocking(&self.calls(&entries));
        let calls = entries.iter().filter_map(|entry| {
            let line = entry.line.as_ref().ok()?;
            Some((line.id(), entry.number))
        });
        let names = plan::Names::new(calls.collect());
        let mut calls = planned.calls().iter().enumerate();
        let mut refused = false;
        for entry in &entries {
            match &entry.line {
                Ok(_) => {
                    // A plan has every call.
                    let Some((place, call)) = calls.next() else {
                        continue;
                    };
                    refused |= plan::tell_of_batch(&planned, place, call, &names, as_json)?;
                }
                Err(problem) => {
                    let json = refusal(entry.number, problem);
                    let message = format!("it is no call: {problem}; {}", line::HELP);
                    plan::tell_no_call(&json, entry.number, &message, as_json)?;
                    refused = true;
                }
            }
        }
        plan::tell_segments(&planned, &names, as_json)?;
        Ok(if refused {
            Exit::CallFailed
        } else {
            Exit::Success
        })
    }
}

fn entries(group: &[Read]) -> Vec<Entry<'_>> {
    group
        .iter()
        .map(|read| Entry {
            number: read.number,
            line: Line::parse(&read.bytes),
        })
        .collect()
}

/// The answer to a line that is no call.
fn refusal(number: u64, problem: &str) -> String {
    let message = format!("line {number} is no call: {problem}");
    let mut answer = Answer::refusal(code::MALFORMED_CALL.code, &message, line::HELP);
    answer.line = Some(number);
    json::text(&answer)
}
