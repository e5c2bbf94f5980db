//! Finds every tool and toolset in the sources of a workspace.
//!
//! Like the compiler, the scan starts at the root file of each target and follows `mod`. What no
//! target reaches is not read. Conditions (`cfg`) are recorded and not evaluated: code for another
//! system is found too.
//!
//! A literal `include!` is followed too. What the scan cannot see, it lists as blind spots: tools that a
//! macro writes, files that a build script makes, and files with tools that no `mod` leads to, since a
//! macro may write it.

mod branches;
mod cache;
mod configuration;
mod declarations;
mod depth;
mod facts;
mod function;
mod modules;
pub(crate) mod outline;
mod reader;
mod sources;
mod strays;
mod supply;
mod tables;
pub(crate) mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::workspace::{Package, Target, TargetKind, Workspace};

/// A place in source text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// Path of the file, relative to the workspace if it is inside, with `/`.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

/// A name, and where it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub position: Position,
}

/// A function with `#[tool]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tool {
    /// Its name: the key `name`, or that of the function.
    pub name: Name,
    /// Name of the function.
    pub function: String,
    /// The key `toolset`.
    pub toolset: Name,
    /// The key `effect`.
    pub effect: Option<String>,
    /// Whether the effect is computed from the arguments (`effect_of`).
    pub effect_of: bool,
    /// Whether it may replace a tool of the same name (`overrides`).
    pub overrides: bool,
    /// What models are told it does.
    pub description: Description,
    /// Parameters that models see.
    pub parameters: Vec<Parameter>,
    /// Types of the values that it cannot do without and that the host supplies.
    pub state: Vec<Name>,
    /// Functions that say whether it can be used (`check`): the last segments of their paths.
    pub checks: Vec<Name>,
    /// The first environment variable that it cannot do without (`requires_env`).
    pub requires_env: Option<Name>,
    /// Whether the agent loop answers in sessions that lack something (`agent_loop`).
    pub agent_loop: bool,
    /// First line of its attributes and documentation.
    pub first_line: usize,
    /// Last line of its signature.
    pub last_line: usize,
    /// Name under which the attribute was written: `tool`, or what `use ... as` made of it.
    attribute: String,
}

/// What models are told a tool does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Description {
    /// Nothing.
    Missing,
    /// This, without the sections that are for readers of the documentation only.
    Text(String),
    /// What another file or a constant says.
    Elsewhere,
}

/// A parameter that models see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name in the source.
    pub name: Name,
    /// Whether something is said about it, or need not be.
    pub documented: bool,
}

/// A list of strings, the patterns of a `match`, or the name in a call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    /// The strings.
    pub names: Vec<Name>,
    /// Whether it is the name of a tool that is called, and nothing else.
    pub call: bool,
}

/// A list of names that is out of order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Unsorted {
    /// What the list is, for people.
    pub list: String,
    /// The first name that stands too late.
    pub name: Name,
    /// The name before it.
    pub before: String,
}

/// A function that says whether tools can be used.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CheckFunction {
    /// Its name.
    pub name: Name,
    /// What it cannot do without.
    pub needs: Vec<Supplied>,
}

/// What hosts give to sessions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Supplied {
    /// A session at all.
    Session,
    /// A folder to work in.
    Workspace,
    /// Where environment variables are looked up.
    Environment,
    /// A value of the type of this name.
    State(String),
    /// A value of a type that the call does not show.
    Unknown,
}

/// A comment that allows findings.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Allow {
    /// Where it stands.
    pub position: Position,
    /// Ids of the rules.
    pub rules: Vec<String>,
    /// Why; empty if it does not say.
    pub reason: String,
    /// The line that it speaks of.
    pub covers: usize,
}

/// A name in a configuration file.
#[derive(Debug, Clone)]
pub struct Configured {
    /// The name.
    pub name: Name,
    /// Whether it is meant as a toolset; otherwise it is a tool.
    pub toolset: bool,
}

/// A `toolset! { ... }`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Toolset {
    /// Its name.
    pub name: Name,
    /// Tools that it lists.
    pub tools: Vec<Name>,
    /// Toolsets that it includes.
    pub includes: Vec<Name>,
    /// Tools that it only lends.
    pub lent: Vec<Name>,
    /// The key `max_effect`, in lower case.
    pub max_effect: Option<String>,
    /// Whether the core list belongs to it.
    pub core: bool,
    /// Whether all of its lists could be read.
    pub complete: bool,
}

/// Something that may declare tools and that the scan cannot read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlindSpot {
    /// Where it stands.
    pub position: Position,
    /// What it is.
    pub reason: String,
}

/// A file that could not be read or parsed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unparsed {
    /// Where reading stopped.
    pub position: Position,
    /// Why.
    pub reason: String,
}

/// The target in which something was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Unit {
    /// Name of the package.
    pub package: String,
    /// Name of the target.
    pub target: String,
    /// Kind of the target.
    pub kind: TargetKind,
    /// Whether the package is a member of the workspace.
    pub member: bool,
}

/// Something found, and in what.
#[derive(Debug, Clone)]
pub struct Found<T> {
    /// What was found.
    pub item: T,
    /// Path of the module around it, the crate's name first.
    pub module: String,
    /// Conditions under which it is compiled, outermost first.
    pub cfg: Vec<String>,
    /// The target that was being read.
    pub unit: Arc<Unit>,
    /// Whether the conditions hold in tests only.
    only_in_tests: bool,
}

/// Everything that was found. A file that several targets share is found in each.
#[derive(Debug, Default)]
pub struct Scan {
    /// Functions with `#[tool]`.
    pub tools: Vec<Found<Tool>>,
    /// `toolset! { ... }`.
    pub toolsets: Vec<Found<Toolset>>,
    /// Names in `reserved_tools! { ... }`.
    pub reserved: Vec<Found<Name>>,
    /// `pack!()`.
    pub packs: Vec<Found<Position>>,
    /// Crates named in `link!(...)`.
    pub links: Vec<Found<Name>>,
    /// What the paths in the libraries and binaries of each package begin with: names of crates,
    /// among others. The compiler links a crate as soon as a path leads into it.
    pub named: BTreeMap<String, BTreeSet<String>>,
    /// What could not be seen.
    pub blind_spots: Vec<Found<BlindSpot>>,
    /// What could not be read.
    pub unparsed: Vec<Found<Unparsed>>,
    /// Lists and calls that may name tools.
    pub tables: Vec<Found<Table>>,
    /// Strings in the code of the workspace that could be names; declarations left out.
    pub strings: BTreeSet<String>,
    /// `compile_error!` under conditions: those never hold.
    pub impossible: Vec<Found<Position>>,
    /// Lists that are out of order.
    pub unsorted: Vec<Found<Unsorted>>,
    /// Functions that say whether tools can be used.
    pub checks: Vec<Found<CheckFunction>>,
    /// What the libraries and binaries of each package give to sessions.
    pub supplied: BTreeMap<String, BTreeSet<Supplied>>,
    /// Comments that allow findings.
    pub allows: Vec<Found<Allow>>,
    /// Names in configuration files.
    pub configured: Vec<Configured>,
    /// Toolsets that configuration files declare or announce.
    pub configured_toolsets: BTreeSet<String>,
    /// Files of the workspace that were read.
    pub files: BTreeSet<String>,
    /// Files of the libraries and binaries of each package.
    pub sources: BTreeMap<String, BTreeSet<PathBuf>>,
}

impl Scan {
    /// Reads the sources of all packages of `workspace`, and the configuration files. Of packages
    /// outside it only the library.
    ///
    /// With `cache` what is known from the run before is kept below the target folder.
    pub fn of(workspace: &Workspace, configurations: &[String], cache: bool) -> Self {
        let mut scan = modules::scan(workspace, cache);
        configuration::read(workspace, configurations, &mut scan);
        scan
    }
}

fn unit_of(package: &Package, target: &Target) -> Unit {
    Unit {
        package: package.name.clone(),
        target: target.name.clone(),
        kind: target.kind,
        member: package.member,
    }
}

impl<T> Found<T> {
    /// Whether it reaches users: not in a test or benchmark, nor in a module for tests.
    pub fn ships(&self) -> bool {
        self.unit.kind.ships() && !self.only_in_tests
    }

    /// Whether it is something of the workspace itself that reaches users.
    pub fn ships_from_member(&self) -> bool {
        self.unit.member && self.ships()
    }
}
