//! `hermes batch`: many calls, one JSON object on each line.

mod line;
pub(super) mod progress;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use hermes_tools::Session;

use self::line::Line;
use self::progress::Progress;
use crate::answer::Answer;
use crate::cli::{CliCommand, Ended};
use crate::code;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::json;
use crate::session::SessionArgs;

#[derive(Debug, Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Batch {
    /// File with one call on each line, `-` for the standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    #[command(flatten)]
    session: SessionArgs,
}

const FORMAT: &str = r#"Each line of the input is a call, each line of the output its answer, in the same order:
  {"id": 1, "name": "read_file", "arguments": {"path": "README.md"}}
  {"id":1,"ok":true,"tool":"read_file","result":"...","repairs":[]}

The `id` may be left out; the answer then has the number of the `line`. `arguments` may be text that
holds JSON, as models send it, and `finish_reason` may say why the model stopped. A line that is no call is answered with an error, and the rest goes on."#;

/// Where the calls come from.
struct Input {
    reader: Box<dyn BufRead>,
    name: String,
    /// Bytes of a file; unknown for what is still being written.
    length: Option<u64>,
}

impl CliCommand for Batch {
    const NAME: &'static str = "batch";
    const ABOUT: &'static str = "Make the calls of a JSON Lines file and print one answer for each";

    fn run(self, _json: bool) -> Ended {
        let mut input = Input::open(&self.file)?;
        let session = self.session.session()?;
        let interrupt = Interrupt::watch()?;
        let mut progress = Progress::start(input.length);
        let mut line = Vec::new();
        // After an interrupt the calls of a file are still answered, as cancelled; a pipe may never end.
        while !(interrupt.came() && input.length.is_none()) {
            line.clear();
            if input.read_line(&mut line)? == 0 {
                break;
            }
            let number = progress.read(line.len());
            if line.trim_ascii().is_empty() {
                continue;
            }
            let (answer, ok) = answer(&line, number, &session, &interrupt);
            progress.answered(ok, &answer)?;
        }
        let failed = progress.finish();
        Ok(match (interrupt.came(), failed) {
            (true, _) => Exit::Interrupted,
            (false, 0) => Exit::Success,
            (false, _) => Exit::CallFailed,
        })
    }
}

/// The answer to a line as JSON text, and whether the call went well.
fn answer(line: &[u8], number: u64, session: &Session, interrupt: &Interrupt) -> (String, bool) {
    let line = match Line::parse(line) {
        Ok(line) => line,
        Err(problem) => {
            let message = format!("line {number} is no call: {problem}");
            let mut answer = Answer::refusal(code::MALFORMED_CALL.code, &message, line::HELP);
            answer.line = Some(number);
            return (json::text(&answer), false);
        }
    };
    let result =
        interrupt.during(|cancel| session.call_blocking_with(line.to_call().cancel(cancel)));
    let mut answer = Answer::of(&result);
    answer.id = line.id();
    answer.line = line.id().is_none().then_some(number);
    (json::text(&answer), result.outcome.is_ok())
}

impl Input {
    fn open(path: &Path) -> Result<Self, CliError> {
        if path.as_os_str() == "-" {
            let reader = Box::new(BufReader::new(io::stdin()));
            return Ok(Self {
                reader,
                name: "the standard input".to_owned(),
                length: None,
            });
        }
        let name = format!("`{}`", path.display());
        let opened = File::open(path).and_then(|file| {
            let metadata = file.metadata()?;
            Ok((file, metadata))
        });
        match opened {
            Ok((file, metadata)) => {
                let length = metadata.is_file().then_some(metadata.len());
                Ok(Self {
                    reader: Box::new(BufReader::new(file)),
                    name,
                    length,
                })
            }
            Err(source) => Err(CliError::Input { name, source }),
        }
    }

    /// Reads a line with its end; 0 bytes at the end of the input.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<usize, CliError> {
        self.reader
            .read_until(b'\n', line)
            .map_err(|source| CliError::Input {
                name: self.name.clone(),
                source,
            })
    }
}
