//! `cargo xtask`: see `cargo xtask --help`.

use std::ffi::OsString;
use std::process::ExitCode;

use hermes_xtask::{check_toolsets, ci};

const HELP: &str = "\
Tasks of this workspace.

Usage: cargo xtask <COMMAND> [OPTIONS]

Commands:
  ci              run the gate: format, lints, tests, docs, toolsets, examples
  check-toolsets  find every tool and toolset in the sources and check them

`cargo xtask <COMMAND> --help` shows the options of a command.

Exit code: 0 clean, 1 something was found, 2 could not run.
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments
        .next()
        .map(|word| word.to_string_lossy().into_owned());
    match run(command.as_deref(), arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(
    command: Option<&str>,
    arguments: impl Iterator<Item = OsString>,
) -> anyhow::Result<ExitCode> {
    match command {
        Some("ci") => ci::command(arguments),
        Some("check-toolsets") => check_toolsets::command(arguments),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => {
            anyhow::bail!("unknown command `{other}`; `cargo xtask --help` lists the commands")
        }
        None => anyhow::bail!("no command given; `cargo xtask --help` lists the commands"),
    }
}
