//! `hermes decode`: arguments as models write them, decoded line by line.

use std::io::{self, BufRead};

use clap::Args;
use hermes_tools::args::{JsonSchema, LineDecoder};
use hermes_tools::{Tool, ToolRegistry};
use serde::Deserialize;

use super::batch::input::without_mark;
use super::batch::progress::Progress;
use crate::cli::{CliCommand, Ended};
use crate::error::CliError;
use crate::exit::Exit;

#[derive(Debug, Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Decode {
    /// Decode for this tool, where a line has no schema of its own
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
}

const FORMAT: &str = r#"Each line of the standard input is one set of arguments, each line of the output its result, in order:
  {"id": 1, "schema": {"properties": {"n": {"type": "integer"}}}, "raw": "{'n': '5',}"}
  {"id":1,"ok":true,"arguments":{"n":5},"repairs":[...]}

`id` and `finish_reason` may be left out, and `schema` with --tool. What cannot be decoded is answered with
"ok":false and an error of kind malformed_arguments, truncated or invalid_arguments, and bad_line for a
line that is no such object. The exit code is 1 when any line was."#;

impl CliCommand for Decode {
    const NAME: &'static str = "decode";
    const ABOUT: &'static str =
        "Decode and repair the arguments of JSON Lines, without calling anything";

    fn run(self, _json: bool) -> Ended {
        let mut decoder = match &self.tool {
            Some(name) => {
                let registry = ToolRegistry::linked()?;
                let Some(tool) = registry.get(name).as_ref().and_then(Tool::entry) else {
                    return Err(CliError::unknown_tool(name.clone(), &registry));
                };
                LineDecoder::with_schema(JsonSchema::of(tool.params()))
            }
            None => LineDecoder::default(),
        };
        let mut progress = Progress::start(None);
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        while read_line(&mut input, &mut line)? > 0 {
            if progress.read(line.len()) == 1 {
                without_mark(&mut line);
            }
            // Bytes that are no UTF-8 can only stand in a line that is damaged anyhow.
            let text = String::from_utf8_lossy(line.trim_ascii());
            if text.is_empty() {
                continue;
            }
            let result = decoder.decode(&text);
            progress.answered(is_ok(&result), &result)?;
        }
        Ok(match progress.finish() {
            0 => Exit::Success,
            _ => Exit::CallFailed,
        })
    }
}

/// Whether a result says that the line was decoded. Its `id` may say anything.
fn is_ok(result: &str) -> bool {
    #[derive(Deserialize)]
    struct Told {
        ok: bool,
    }
    serde_json::from_str(result).is_ok_and(|told: Told| told.ok)
}

fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<usize, CliError> {
    line.clear();
    input
        .read_until(b'\n', line)
        .map_err(|source| CliError::Input {
            name: "the standard input".to_owned(),
            source,
        })
}
