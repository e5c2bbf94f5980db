//! The command line: the commands, and what all of them share.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Args, Command};

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

/// What clap has to say, without its usage.
pub(crate) fn message_of(error: &clap::Error) -> String {
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or(&text);
    let message = message.strip_prefix("error: ").unwrap_or(message);
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_every_command_are_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn a_message_has_no_usage_and_one_line() {
        let error = command()
            .try_get_matches_from(["hermes", "tools", "--al"])
            .unwrap_err();
        assert_eq!(
            message_of(&error),
            "unexpected argument '--al' found tip: a similar argument exists: '--all'"
        );
    }
}
