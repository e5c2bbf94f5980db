//! The command line: the commands, and what all of them share.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use serde::Serialize;

use crate::commands::batch::Batch;
use crate::commands::call::Call;
use crate::commands::checkpoints::CheckpointsCommand;
use crate::commands::completions::Completions;
use crate::commands::decode::Decode;
use crate::commands::definitions::Definitions;
use crate::commands::doctor::Doctor;
use crate::commands::explain::Explain;
use crate::commands::mcp::Mcp;
use crate::commands::run::Run as RunCommand;
use crate::commands::search::Search;
use crate::commands::show::Show;
use crate::commands::tools::Tools;
use crate::commands::toolsets::ToolsetsCommand;
use crate::error::CliError;
use crate::exit::Exit;
use crate::json;

/// A command of `hermes` with its arguments.
pub(crate) trait CliCommand: Args {
    /// The word that chooses it.
    const NAME: &'static str;
    /// What it does, in one line without a period.
    const ABOUT: &'static str;

    /// Does it. `json`: results and errors are printed for programs.
    fn run(self, json: bool) -> Ended;
}

/// The commands in the order of the help.
static COMMANDS: [Entry; 14] = [
    Entry::of::<Tools>(),
    Entry::of::<ToolsetsCommand>(),
    Entry::of::<Show>(),
    Entry::of::<Explain>(),
    Entry::of::<Search>(),
    Entry::of::<Doctor>(),
    Entry::of::<Definitions>(),
    Entry::of::<Call>(),
    Entry::of::<RunCommand>(),
    Entry::of::<Decode>(),
    Entry::of::<Batch>(),
    Entry::of::<Mcp>(),
    Entry::of::<CheckpointsCommand>(),
    Entry::of::<Completions>(),
];

/// How a command ended.
pub(crate) type Ended = Result<Exit, CliError>;

/// Runs a command: the arguments may be wrong, and then the command may fail.
type Run = fn(&ArgMatches, bool) -> Result<Ended, clap::Error>;

/// A command, its type left behind.
struct Entry {
    name: &'static str,
    about: &'static str,
    augment: fn(Command) -> Command,
    run: Run,
}

impl Entry {
    const fn of<C: CliCommand>() -> Self {
        Self {
            name: C::NAME,
            about: C::ABOUT,
            augment: C::augment_args,
            run: |matches, json| Ok(C::from_arg_matches(matches)?.run(json)),
        }
    }
}

const EXIT_CODES: &str = "\
`hermes run` ends with the exit code of its command; it has these only where nothing ran.

Exit codes:
  0    all went well
  1    the call failed (an unknown tool included), a call of the batch, a line of decode, or a toolset cannot be used (doctor)
  2    what was asked for cannot be done: an option, a name, an unreadable file
  3    the program cannot work: two tools of one name, the output cannot be written
  130  interrupted by Ctrl-C, or told to end";

/// The whole command line, for help and completions.
pub(crate) fn command() -> Command {
    offering(&COMMANDS)
}

fn offering(commands: &[Entry]) -> Command {
    let json = Arg::new("json")
        .long("json")
        .global(true)
        .action(ArgAction::SetTrue)
        .display_order(100)
        .help("Print JSON, errors included");
    // Arguments that are shared bring the words of their own type, so that the command's come last.
    let made = commands
        .iter()
        .map(|it| (it.augment)(Command::new(it.name)).about(it.about));
    Command::new("hermes")
        .version(env!("CARGO_PKG_VERSION"))
        .about("List, inspect and call the tools of an AI agent")
        .after_help(EXIT_CODES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .arg(json)
        .subcommands(made)
}

/// Does what the words of the command line ask for, and says whether they ask for JSON.
///
/// # Errors
///
/// Words that mean nothing; also the help and the version, as clap has it.
pub(crate) fn run(words: &[OsString]) -> Result<(Ended, bool), clap::Error> {
    // Making the options of all commands takes a tenth of the time of a short one.
    let first = words.get(1).and_then(|word| entry(word.to_str()?));
    let line = first.map_or_else(command, |entry| offering(std::slice::from_ref(entry)));
    let matches = line.try_get_matches_from(words)?;
    let chosen = matches
        .subcommand()
        .and_then(|(name, matches)| Some((entry(name)?, matches)));
    let (entry, matches) = chosen.expect("clap lets no other command through");
    let json = matches.get_flag("json");
    Ok(((entry.run)(matches, json)?, json))
}

fn entry(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// Whether words that mean nothing ask for JSON.
pub(crate) fn ask_for_json(words: &[OsString]) -> bool {
    words
        .iter()
        .skip(1)
        .take_while(|word| *word != "--")
        .any(|word| word == "--json")
}

/// The help or the version as JSON, where that is what was asked for.
pub(crate) fn told(error: &clap::Error) -> Option<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Told {
        Help(String),
        Version(&'static str),
    }
    let told = match error.kind() {
        ErrorKind::DisplayHelp => Told::Help(error.to_string()),
        ErrorKind::DisplayVersion => Told::Version(env!("CARGO_PKG_VERSION")),
        _ => return None,
    };
    Some(json::text(&told))
}

/// What clap has to say of words that mean nothing, as a message and what to do next.
pub(crate) fn usage(words: &[OsString], error: &clap::Error) -> CliError {
    let mut words = words.iter().skip(1);
    let see = match words.find_map(|word| entry(word.to_str()?)) {
        Some(entry) => format!("see `hermes {} --help`", entry.name),
        None => "see `hermes --help`".to_owned(),
    };
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return CliError::CommandLine {
            message: "a command is missing".to_owned(),
            help: see,
        };
    }
    let text = error.to_string();
    let (mut message, mut help) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        let bracketed = line.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        match (line.strip_prefix("tip: "), bracketed) {
            (Some(hint), _) | (None, Some(hint)) => help.push(hint.to_owned()),
            (None, None) if line.is_empty() => {}
            (None, None) => message.push(line),
        }
    }
    help.push(see);
    let message = message.join(" ");
    CliError::CommandLine {
        message: message
            .strip_prefix("error: ")
            .unwrap_or(&message)
            .to_owned(),
        help: help.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_every_command_are_well_formed() {
        command().debug_assert();
    }

    /// The message and the next step for these words.
    fn told(words: &[&str]) -> (String, String) {
        let words: Vec<OsString> = ["hermes"].iter().chain(words).map(OsString::from).collect();
        let error = run(&words).map(|_| ()).unwrap_err();
        match usage(&words, &error) {
            CliError::CommandLine { message, help } => (message, help),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn words_that_mean_nothing_have_a_message_and_a_next_step_without_the_usage() {
        for (words, message, help) in [
            (
                &["tools", "--al"][..],
                "unexpected argument '--al' found",
                "a similar argument exists: '--all'; see `hermes tools --help`",
            ),
            (
                &["call"],
                "the following required arguments were not provided: <TOOL>",
                "see `hermes call --help`",
            ),
            (
                &["completions", "dos"],
                "invalid value 'dos' for '<SHELL>'",
                "possible values: bash, elvish, fish, powershell, zsh; see `hermes completions --help`",
            ),
            (
                &["call", "read_file", "--timeout", "soon"],
                "invalid value 'soon' for '--timeout <SECONDS>': expected seconds, such as `30` or `0.5`",
                "see `hermes call --help`",
            ),
            (
                &["batchs"],
                "unrecognized subcommand 'batchs'",
                "a similar subcommand exists: 'batch'; see `hermes --help`",
            ),
            (
                &["checkpoints", "--json"],
                "'hermes checkpoints' requires a subcommand but one was not provided",
                "subcommands: list, diff, restore; see `hermes checkpoints --help`",
            ),
            (
                &["--json", "checkpoints"],
                "a command is missing",
                "see `hermes checkpoints --help`",
            ),
            (&[], "a command is missing", "see `hermes --help`"),
            (
                &["tools", "--all", "--toolset", "file"],
                "the argument '--all' cannot be used with '--toolset <NAME>'",
                "see `hermes tools --help`",
            ),
        ] {
            assert_eq!(
                told(words),
                (message.to_owned(), help.to_owned()),
                "{words:?}"
            );
        }
    }
}
