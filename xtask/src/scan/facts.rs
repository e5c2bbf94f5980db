//! What one file says, whoever includes it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    Allow, BlindSpot, CheckFunction, Name, Position, Supplied, Table, Tool, Toolset, Unparsed,
    Unsorted,
};

/// Facts of one file. Module paths and conditions are relative to the file, since several targets
/// can include it.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct Facts {
    /// What the rules are about.
    pub(super) sightings: Vec<Sighting>,
    /// Modules that have their own file.
    pub(super) submodules: Vec<Submodule>,
    /// New names of `tool`, from `use ...::tool as name`.
    pub(super) aliases: Vec<String>,
    /// Names that may be crates: what paths begin with.
    pub(super) crates: BTreeSet<String>,
    /// Strings that could be names.
    pub(super) strings: BTreeSet<String>,
    /// What is given to sessions.
    pub(super) supplied: BTreeSet<Supplied>,
    /// Set when the file could not be read; everything else is empty then.
    pub(super) unparsed: Option<Unparsed>,
}

/// One thing that the rules are about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sighting {
    pub(super) item: Item,
    /// Modules between the file and the item.
    pub(super) module: Vec<String>,
    /// Conditions between the file and the item.
    pub(super) cfg: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Item {
    Tool(Box<Tool>),
    Toolset(Toolset),
    Reserved(Name),
    Pack(Position),
    Link(Name),
    Table(Table),
    Impossible(Position),
    Unsorted(Unsorted),
    Check(CheckFunction),
    Allow(Allow),
    BlindSpot(BlindSpot),
}

/// A `mod name;`, or an `include!("...")` among items.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Submodule {
    /// Name without `r#`; of an included file its path.
    pub(super) name: Name,
    /// Whether the file's items belong to the module around it, as `include!` has it.
    pub(super) included: bool,
    /// Modules around it in the file.
    pub(super) module: Vec<String>,
    /// Conditions on it and around it.
    pub(super) cfg: Vec<String>,
    /// Folders that the modules around it add.
    pub(super) folders: Vec<Folder>,
    /// The `#[path]` attributes: the condition of `cfg_attr`, and the path.
    pub(super) paths: Vec<(Vec<String>, String)>,
}

/// What an inline module means for the files of the modules in it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Folder {
    /// `mod name { ... }`.
    Named(String),
    /// `#[path = "..."] mod name { ... }`.
    Path(String),
}
