//! The toolsets that hermes brings, as data.
//!
//! Names, members and flags follow the table of the documents that this project re-creates and, where
//! they are silent, hermes-agent 0.19.0. A toolset may list tools that no linked pack has.

mod capabilities;
mod compositions;
mod core;
mod front_ends;
mod legacy;
mod platforms;
mod reserved;
mod sources;
mod subagents;

pub use core::CORE_TOOLS;
pub use legacy::LEGACY_NAMES;
pub(crate) use legacy::legacy;
pub use reserved::RESERVED_TOOLS;
pub(crate) use sources::DESKTOP_UI;
pub use sources::{default_toolset, sources};
pub use subagents::SUBAGENT_BLOCKED;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hermes_tools::{Effect, Toolset, linked_toolsets};

    use super::*;

    /// Tools of the presets that are there: those of the toolsets `file` and `terminal`.
    const PRESENT: [&str; 6] = [
        "patch",
        "process",
        "read_file",
        "search_files",
        "terminal",
        "write_file",
    ];

    fn preset(name: &str) -> &'static Toolset {
        linked_toolsets()
            .into_iter()
            .find(|set| set.name == name)
            .unwrap()
    }

    fn named_tools() -> BTreeSet<&'static str> {
        let listed = linked_toolsets().into_iter().flat_map(|set| set.tools);
        let old = LEGACY_NAMES.iter().flat_map(|(_, tools)| *tools);
        listed.chain(CORE_TOOLS).chain(old).copied().collect()
    }

    #[test]
    fn every_tool_that_is_named_is_there_or_reserved() {
        let known: BTreeSet<&str> = RESERVED_TOOLS.iter().chain(&PRESENT).copied().collect();
        assert_eq!(named_tools(), known);
        assert!(RESERVED_TOOLS.is_sorted());
        assert!(PRESENT.iter().all(|tool| !RESERVED_TOOLS.contains(tool)));
    }

    #[test]
    fn presets_are_well_formed() {
        let names: BTreeSet<&str> = linked_toolsets().iter().map(|set| set.name).collect();
        assert_eq!(names.len(), 58);
        for set in linked_toolsets() {
            let spelt_well =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
            assert!(set.name.chars().all(spelt_well), "{}", set.name);
            assert!(set.description.ends_with('.'), "{}", set.name);
            let tools: BTreeSet<&str> = set.tools.iter().copied().collect();
            assert_eq!(tools.len(), set.tools.len(), "{}", set.name);
            assert!(
                set.lent.iter().all(|tool| tools.contains(tool)),
                "{}",
                set.name
            );
            assert!(
                set.includes.iter().all(|name| names.contains(name)),
                "{}",
                set.name
            );
        }
    }

    #[test]
    fn the_core_list_has_no_tool_twice_and_no_pane() {
        let core: BTreeSet<&str> = CORE_TOOLS.iter().copied().collect();
        assert_eq!((core.len(), CORE_TOOLS.len()), (53, 53));
        assert!(
            preset(DESKTOP_UI)
                .tools
                .iter()
                .all(|tool| !core.contains(tool))
        );
    }

    #[test]
    fn only_desktop_ui_lists_panes() {
        let panes = preset(DESKTOP_UI).tools;
        for set in linked_toolsets()
            .iter()
            .filter(|set| set.name != DESKTOP_UI)
        {
            assert!(
                set.tools.iter().all(|tool| !panes.contains(tool)),
                "{}",
                set.name
            );
            assert!(!set.includes.contains(&DESKTOP_UI), "{}", set.name);
        }
    }

    #[test]
    fn the_toolset_of_webhooks_is_bounded() {
        let webhook = preset("hermes-webhook");
        assert_eq!(
            webhook.tools,
            ["clarify", "vision_analyze", "web_extract", "web_search"]
        );
        assert_eq!(webhook.max_effect, Some(Effect::Read));
        assert!(!webhook.core);
    }

    #[test]
    fn tables_that_are_searched_are_sorted() {
        assert!(LEGACY_NAMES.is_sorted_by_key(|(name, _)| name));
        assert!(SUBAGENT_BLOCKED.is_sorted());
    }
}
