//! `hermes definitions`: what a model is told, and how much room it takes.

use clap::{Args, ValueHint};
use hermes_tools::Dialect;
use hermes_tools::definitions::Definitions as Told;
use serde::Serialize;

use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::json;
use crate::session::SessionArgs;
use crate::terminal::{self, Cell, Look, Table, styles};

#[derive(Debug, Args)]
pub(crate) struct Definitions {
    /// In the form of a provider, in place of the tools' own
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help = dialect_help())]
    dialect: Option<Dialect>,

    /// Show how large each definition is, and what was done about it, in place of the definitions
    #[arg(long)]
    sizes: bool,

    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Serialize)]
struct Sizes<'a> {
    /// The form of the provider; absent for the tools' own.
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    tools: Vec<Size<'a>>,
    /// Estimated, of all definitions.
    tokens: usize,
    /// Tools that the tool search offers.
    deferred: &'a [Box<str>],
    /// Tools whose descriptions are shortened.
    shortened: &'a [Box<str>],
    /// Tokens that the definitions are still too large.
    beyond: usize,
    /// What the form of the provider could not express.
    losses: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Size<'a> {
    name: &'a str,
    characters: usize,
    tokens: usize,
}

impl CliCommand for Definitions {
    const NAME: &'static str = "definitions";
    const ABOUT: &'static str = "Print the definitions that a model is given, as one JSON array";

    fn run(self, json: bool) -> Ended {
        let session = self.session.session()?;
        let told = match self.dialect {
            Some(dialect) => session.definitions_for(dialect),
            None => session.definitions(),
        };
        if !self.sizes {
            for loss in told.losses() {
                terminal::report_note(&loss.to_string());
            }
            terminal::print(&told)?;
        } else if json {
            terminal::print(&json::text(&Sizes::of(&told)))?;
        } else {
            terminal::print(&table(&told).render(Look::of_stdout()))?;
        }
        Ok(Exit::Success)
    }
}

impl<'a> Sizes<'a> {
    fn of(told: &'a Told) -> Self {
        let shrinking = told.shrinking();
        Self {
            dialect: told.dialect().map(Dialect::name),
            tools: told
                .sizes()
                .map(|it| Size {
                    name: it.name,
                    characters: it.characters,
                    tokens: it.tokens,
                })
                .collect(),
            tokens: told.tokens(),
            deferred: &shrinking.deferred,
            shortened: &shrinking.shortened,
            beyond: shrinking.beyond,
            losses: told.losses().iter().map(ToString::to_string).collect(),
        }
    }
}

/// The definitions by size, the tools that have none, and the sum.
fn table(told: &Told) -> Table {
    let shrinking = told.shrinking();
    let mut table = Table::new(["TOOL", "CHARACTERS", "TOKENS", ""]);
    for size in told.sizes() {
        let shortened = shrinking.shortened.iter().any(|name| **name == *size.name);
        table.row([
            Cell::new(size.name, styles::NAME),
            Cell::plain(size.characters.to_string()),
            Cell::plain(size.tokens.to_string()),
            Cell::new(if shortened { "shortened" } else { "" }, styles::CAREFUL),
        ]);
    }
    for name in &shrinking.deferred {
        table.row([
            Cell::new(&**name, styles::NAME),
            Cell::plain(""),
            Cell::plain(""),
            Cell::new("left to the tool search", styles::ASIDE),
        ]);
    }
    let characters: usize = told.sizes().map(|size| size.characters).sum();
    let beyond = match shrinking.beyond {
        0 => String::new(),
        tokens => format!("{tokens} tokens too many"),
    };
    table.row([
        Cell::plain("all"),
        Cell::plain(characters.to_string()),
        Cell::plain(told.tokens().to_string()),
        Cell::new(beyond, styles::DANGER),
    ]);
    table
}

fn dialect_help() -> String {
    let names: Vec<&str> = Dialect::ALL.into_iter().map(Dialect::name).collect();
    format!(
        "In the form of a provider, in place of the tools' own: {}",
        names.join(", ")
    )
}
