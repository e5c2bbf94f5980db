//! The commands, one file each.

pub(crate) mod batch;
pub(crate) mod call;
pub(crate) mod checkpoints;
pub(crate) mod completions;
pub(crate) mod decode;
pub(crate) mod definitions;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod mcp;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod tools;
pub(crate) mod toolsets;
