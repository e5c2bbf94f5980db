//! The published crates that repair JSON.
//!
//! The crate `json-repair` is left out: it does not come back from some of these texts.

use hermes_tools::args::{Node, RawArguments, repair_text};

/// A crate, and how it reads damaged text.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    /// Its answer as JSON text; none when it refuses.
    pub(crate) repair: fn(&str) -> Option<String>,
}

/// All of them, by their fastest way to text.
pub(crate) const PEERS: &[Peer] = &[
    #[cfg(feature = "repairers")]
    Peer {
        name: "`jsonrepair` 0.1",
        repair: |text| jsonrepair::repair_to_string(text, &jsonrepair::Options::default()).ok(),
    },
    #[cfg(feature = "repairers")]
    Peer {
        name: "`jsonrepair-rs` 0.2",
        repair: |text| jsonrepair_rs::jsonrepair(text).ok(),
    },
    #[cfg(feature = "repairers")]
    Peer {
        name: "`llm_json` 1.0",
        repair: |text| llm_json::repair_json(text, &llm_json::RepairOptions::default()).ok(),
    },
];

/// The value of a peer's answer; none when the answer is no JSON.
pub(crate) fn value(answer: &str) -> Option<Node> {
    let (node, repairs) = repair_text(RawArguments::new(answer)).ok()?;
    repairs.is_empty().then_some(node)
}
