//! The distributed slices that the linker fills.
//!
//! Each slice has one sentinel of ours. An empty slice crashes some linkers (linkme#114), and a
//! missing sentinel shows that a linker flag broke registration.

#![expect(
    unsafe_code,
    reason = "the compiler counts a link section as unsafe code of the crate \
                                that declares the slice; nothing else here is"
)]

use linkme::distributed_slice;

use crate::entry::ToolEntry;
use crate::pack::Pack;
use crate::prompt::Prompt;
use crate::toolset::Toolset;

/// Every tool of every linked pack. The name is the slice's only key, so it carries a version: an
/// element of another type needs another name.
#[distributed_slice]
pub static HERMES_TOOLS_V1: [Option<&'static ToolEntry>];

/// Every linked toolset.
#[distributed_slice]
pub static HERMES_TOOLSETS_V1: [Option<&'static Toolset>];

/// Every linked pack.
#[distributed_slice]
pub static HERMES_PACKS_V1: [Option<&'static Pack>];

/// Every linked prompt.
#[distributed_slice]
pub static HERMES_PROMPTS_V1: [Option<&'static Prompt>];

#[distributed_slice(HERMES_TOOLS_V1)]
static TOOL_SENTINEL: Option<&'static ToolEntry> = None;

#[distributed_slice(HERMES_TOOLSETS_V1)]
static TOOLSET_SENTINEL: Option<&'static Toolset> = None;

#[distributed_slice(HERMES_PACKS_V1)]
static PACK_SENTINEL: Option<&'static Pack> = None;

#[distributed_slice(HERMES_PROMPTS_V1)]
static PROMPT_SENTINEL: Option<&'static Prompt> = None;

/// The linked tools, in the linker's order.
pub(crate) fn tools() -> impl Iterator<Item = &'static ToolEntry> {
    elements(&HERMES_TOOLS_V1)
}

/// The linked toolsets, in the linker's order.
pub(crate) fn toolsets() -> impl Iterator<Item = &'static Toolset> {
    elements(&HERMES_TOOLSETS_V1)
}

/// The linked packs, in the linker's order.
pub(crate) fn packs() -> impl Iterator<Item = &'static Pack> {
    elements(&HERMES_PACKS_V1)
}

/// The linked prompts, in the linker's order.
pub(crate) fn prompts() -> impl Iterator<Item = &'static Prompt> {
    elements(&HERMES_PROMPTS_V1)
}

fn elements<T>(slice: &'static [Option<&'static T>]) -> impl Iterator<Item = &'static T> {
    assert!(
        slice.iter().any(Option::is_none),
        "the linker dropped the entries of hermes-tools: look for flags such as \
         `--allow-multiple-definition` or a linker script that renames sections"
    );
    slice.iter().filter_map(|element| *element)
}
