//! From a request to a selection: enabled toolsets, minus disabled ones.
//!
//! What is registered and available at a given moment is decided later, in the session: a selection
//! also holds tools that are not there yet.

use std::collections::BTreeSet;

use hermes_tools::{Selection, SessionSource, Why};

use crate::error::{SelectError, UnknownToolset};
use crate::presets::{DESKTOP_UI, legacy};
use crate::request::Request;
use crate::resolution::{Grant, Hold, Resolution, Walk};
use crate::table::ToolsetTable;
use crate::warning::{Taken, Warning};

/// The toolset of the task board.
const BOARD: &str = "kanban";

/// A selection, and what is worth telling about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selected {
    /// The tools, each with why it is in.
    pub selection: Selection,
    /// What a person who wrote the request would want to know. Nothing here stops a session.
    pub warnings: Vec<Warning>,
}

impl ToolsetTable<'_> {
    /// The tools that a request asks for: the union of the enabled toolsets, minus what the disabled
    /// ones resolve to.
    ///
    /// Disabling spares a tool that the disabled toolset only lends while an enabled one beside it
    /// grants the tool, and, for a platform bundle or a posture, the core list. Old names such as
    /// `web_tools` are understood here, and only here.
    ///
    /// # Errors
    ///
    /// Names that no toolset answers to, enabled or disabled: nothing ever falls back to
    /// everything. A source without a default, when nothing is enabled by name.
    pub fn select(&self, request: &Request) -> Result<Selected, SelectError> {
        let enabled = self.enabled(request)?;
        let disabled: Vec<&str> = request.disabled.iter().map(|name| &**name).collect();
        self.check_known(enabled.iter().chain(&disabled))?;
        Ok(self.subtract(&enabled, &disabled))
    }

    /// The names that a request enables, by itself or through its facts.
    pub(crate) fn enabled<'s>(&'s self, request: &'s Request) -> Result<Vec<&'s str>, SelectError> {
        let source = &request.source;
        let mut names: Vec<&str> = match &request.enabled {
            Some(names) => names.iter().map(|name| &**name).collect(),
            None => self
                .default_of(source)
                .ok_or_else(|| SelectError::no_default(source))?,
        };
        let asked_for_nothing = names.is_empty();
        if !asked_for_nothing {
            names.extend(request.also.iter().map(|name| &**name));
        }
        if *source == SessionSource::Desktop && !asked_for_nothing && self.is_known(DESKTOP_UI) {
            names.push(DESKTOP_UI);
        }
        if request.board_task && self.is_known(BOARD) {
            names.push(BOARD);
        }
        Ok(names)
    }

    /// Refuses names that mean nothing, all of them at once.
    pub(crate) fn check_known<'n>(
        &self,
        names: impl IntoIterator<Item = &'n &'n str>,
    ) -> Result<(), SelectError> {
        let mut unknown: Vec<UnknownToolset> = Vec::new();
        for name in names {
            let meant = self.is_known(name) || legacy(name).is_some();
            if !meant && unknown.iter().all(|known| *known.name != **name) {
                unknown.push(UnknownToolset {
                    name: (*name).into(),
                    nearest: self.nearest(name),
                });
            }
        }
        if unknown.is_empty() {
            Ok(())
        } else {
            Err(SelectError::UnknownToolsets(unknown))
        }
    }

    /// What known names grant, minus what other known names take away.
    pub(crate) fn subtract(&self, enabled: &[&str], disabled: &[&str]) -> Selected {
        let granted = self.granted(enabled);
        let taken = self.taken(&granted, disabled);
        let registered: BTreeSet<&str> = self.registered().collect();
        let mut selection = Selection::new();
        let mut beyond = Vec::new();
        let mut lost = Taken::default();
        for grant in granted.best() {
            let (tool, bound) = (grant.tool, granted.bound(grant.tool));
            let too_much = self.effect_of(tool).filter(|effect| *effect > bound);
            if taken.contains(tool) {
                lost.disabled += 1;
            } else if let Some(effect) = too_much {
                lost.beyond += 1;
                beyond.push(Warning::BeyondEffect {
                    toolset: granted.giver(grant).into(),
                    tool: tool.into(),
                    effect,
                    bound,
                });
            } else {
                selection.insert_bounded(tool, why(&granted, grant), bound);
                continue;
            }
            lost.registered += usize::from(registered.contains(tool));
        }
        let mut warnings = self.warnings(enabled, &selection, &granted, lost);
        warnings.extend(beyond);
        Selected {
            selection,
            warnings,
        }
    }

    /// What names resolve to, old names included.
    pub(crate) fn granted<'s>(&'s self, names: &[&'s str]) -> Resolution<'s> {
        self.walked(Walk::new(self), names)
    }

    fn walked<'s>(&'s self, mut walk: Walk<'s>, names: &[&'s str]) -> Resolution<'s> {
        for &name in names {
            match legacy(name).filter(|_| !self.is_known(name)) {
                Some((name, tools)) => walk.start_list(name, tools),
                None => walk.start(name),
            }
        }
        walk.finish()
    }

    /// The tools that disabled names take from what is granted.
    fn taken<'s>(&'s self, granted: &Resolution<'s>, disabled: &[&'s str]) -> BTreeSet<&'s str> {
        let disabled: Vec<(&str, Resolution<'_>)> = disabled
            .iter()
            .map(|&name| (name, self.walked(Walk::new(self).wide(), &[name])))
            .collect();
        let withdrawn: BTreeSet<&str> = disabled
            .iter()
            .flat_map(|(_, resolution)| resolution.reached())
            .collect();
        // A loan from a toolset that is disabled itself does not count.
        let granted_elsewhere = |tool: &str| {
            let mut grants = granted.grants_of(tool).iter();
            grants
                .any(|grant| grant.hold != Hold::Lends || !withdrawn.contains(granted.giver(grant)))
        };
        let mut taken = BTreeSet::new();
        for (name, resolution) in &disabled {
            let spared = self.spared_by(name);
            for grant in resolution.best() {
                let on_loan = grant.hold == Hold::Lends && granted_elsewhere(grant.tool);
                if !on_loan && !spared.contains(grant.tool) {
                    taken.insert(grant.tool);
                }
            }
        }
        taken
    }
}

fn why<'t>(granted: &Resolution<'t>, grant: &Grant<'t>) -> Why {
    Why::Toolset {
        via: granted.way(grant).into_iter().map(Into::into).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::custom::CustomToolset;
    use crate::toolsets::Toolsets;

    fn presets() -> Toolsets {
        Toolsets::linked().unwrap()
    }

    fn select(toolsets: &Toolsets, request: &Request) -> Vec<String> {
        let selected = toolsets.with_tools([]).select(request).unwrap();
        selected
            .selection
            .iter()
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    fn error(toolsets: &Toolsets, request: &Request) -> String {
        toolsets
            .with_tools([])
            .select(request)
            .unwrap_err()
            .to_string()
    }

    fn request() -> Request {
        Request::default()
    }

    #[test]
    fn unknown_names_are_errors_and_open_nothing() {
        let presets = presets();
        assert_eq!(
            error(&presets, &request().enable(["none"])),
            "unknown toolset `none`: `hermes toolsets` lists all names"
        );
        assert_eq!(
            error(&presets, &request().enable(["file"]).disable(["terminl"])),
            "unknown toolset `terminl`, did you mean `terminal`?"
        );
        assert_eq!(
            error(
                &presets,
                &request()
                    .enable(["read_file", "wbe", "wbe"])
                    .disable(["none"])
            ),
            "unknown toolsets `read_file` (did you mean `file`?), `wbe` (did you mean `web`?), \
             `none`: `hermes toolsets` lists all names"
        );
        assert_eq!(
            select(&presets, &request().enable([""; 0])),
            Vec::<String>::new()
        );
    }

    #[test]
    fn names_are_taken_as_they_are_written() {
        assert_eq!(
            error(&presets(), &request().enable([" web", "Web"])),
            "unknown toolsets ` web` (did you mean `web`?), `Web` (did you mean `web`?): \
             `hermes toolsets` lists all names"
        );
    }

    #[test]
    fn absent_names_mean_the_default_of_the_source() {
        let presets = presets();
        let of = |source| select(&presets, &Request::new(source));
        assert_eq!(of(SessionSource::Cli).len(), 53);
        assert_eq!(of(SessionSource::Editor).len(), 30);
        assert_eq!(of(SessionSource::Platform("sms".into())).len(), 53);
        assert_eq!(
            of(SessionSource::Webhook),
            ["clarify", "vision_analyze", "web_extract", "web_search"]
        );
        assert_eq!(
            error(
                &presets,
                &Request::new(SessionSource::Platform("irc".into()))
            ),
            "session source `irc` has no default toolset: \
             enable toolsets by name, or define `hermes-irc`"
        );
        assert_eq!(
            error(&Toolsets::empty(), &request()),
            "session source `cli` has no default toolset: \
             enable toolsets by name, or define `hermes-cli`"
        );
    }

    #[test]
    fn the_default_of_a_source_may_be_replaced() {
        let mut toolsets = presets();
        toolsets.set_default(&SessionSource::Cli, ["search"]);
        assert_eq!(select(&toolsets, &request()), ["web_search"]);
        toolsets.set_default(&SessionSource::Cli, ["serch"]);
        assert_eq!(
            error(&toolsets, &request()),
            "unknown toolset `serch`, did you mean `search`?"
        );
    }

    #[test]
    fn a_plugin_platform_starts_with_its_own_bundle() {
        let mut toolsets = Toolsets::empty();
        toolsets.set_core(["c1"]);
        toolsets.plugin_platform("irc");
        let source = SessionSource::Platform("irc".into());
        assert_eq!(select(&toolsets, &Request::new(source)), ["c1"]);
    }

    #[test]
    fn panes_come_with_desktop_sessions_alone() {
        let presets = presets();
        let desktop = || Request::new(SessionSource::Desktop);
        assert_eq!(select(&presets, &desktop()).len(), 56);
        assert_eq!(
            select(&presets, &desktop().enable(["search"])),
            [
                "close_terminal",
                "open_preview",
                "read_terminal",
                "web_search"
            ]
        );
        assert_eq!(
            select(
                &presets,
                &desktop().enable(["search"]).disable(["desktop_ui"])
            ),
            ["web_search"]
        );
        assert_eq!(
            select(&presets, &desktop().enable([""; 0])),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_board_worker_has_the_board() {
        let presets = presets();
        let worker = request().enable([""; 0]).board_task(true);
        assert_eq!(select(&presets, &worker).len(), 14);
        assert_eq!(
            select(&presets, &worker.disable(["kanban"])),
            Vec::<String>::new()
        );
        let elsewhere = request().enable([""; 0]).board_task(true);
        assert_eq!(select(&Toolsets::empty(), &elsewhere), Vec::<String>::new());
    }

    #[test]
    fn old_names_are_known_to_selections_only() {
        let mut toolsets = presets();
        toolsets.define(
            CustomToolset::new("mine")
                .tools(["m1"])
                .includes(["web_tools"]),
        );
        assert_eq!(select(&toolsets, &request().enable(["mine"])), ["m1"]);
        assert_eq!(
            select(&toolsets, &request().enable(["terminal_tools"])),
            ["terminal"]
        );
        assert!(!toolsets.with_tools([]).is_known("web_tools"));

        toolsets.define(CustomToolset::new("web_tools").tools(["mine"]));
        assert_eq!(
            select(&toolsets, &request().enable(["web_tools"])),
            ["mine"]
        );
    }

    #[test]
    fn a_loan_ends_with_the_lender_unless_another_set_grants_the_tool() {
        let presets = presets();
        let kept = |enabled: &[&str], disabled: &[&str]| {
            let request = request().enable(enabled).disable(disabled);
            select(&presets, &request).contains(&"web_search".to_owned())
        };
        assert!(kept(&["browser", "web"], &["browser"]));
        assert!(kept(&["all"], &["browser"]));
        assert!(!kept(&["browser"], &["browser"]));
        assert!(!kept(&["browser", "web"], &["browser", "search"]));
    }

    #[test]
    fn loans_are_loans_at_any_depth() {
        let mut toolsets = Toolsets::empty();
        for lender in ["one", "two"] {
            toolsets.define(CustomToolset::new(lender).tools(["t", lender]).lent(["t"]));
        }
        toolsets.define(CustomToolset::new("deep").includes(["one"]));
        toolsets.define(CustomToolset::new("deeper").includes(["deep"]));
        let left = |enabled: &[&str], disabled: &[&str]| {
            select(&toolsets, &request().enable(enabled).disable(disabled))
        };
        assert_eq!(left(&["deeper", "two"], &["deeper"]), ["t", "two"]);
        assert_eq!(left(&["deeper"], &["one"]), Vec::<String>::new());
        // Two lenders that are both disabled do not stand in for each other.
        assert_eq!(left(&["one", "two"], &["one", "two"]), Vec::<String>::new());
    }

    #[test]
    fn a_bundle_spares_the_core_list_at_any_depth_and_everything_does_not() {
        let mut toolsets = Toolsets::empty();
        toolsets.set_core(["c1"]);
        toolsets.define(CustomToolset::new("deep").tools(["c1", "d1"]));
        toolsets.define(CustomToolset::new("hermes-in").includes(["deep"]));
        toolsets.define(
            CustomToolset::new("hermes-out")
                .tools(["o1"])
                .includes(["hermes-in"]),
        );
        let left = |disabled: &str| {
            select(
                &toolsets,
                &request().enable(["hermes-out"]).disable([disabled]),
            )
        };
        assert_eq!(left("hermes-out"), ["c1"]);
        assert_eq!(left("deep"), ["o1"]);
        assert_eq!(left("all"), Vec::<String>::new());
    }

    #[test]
    fn each_tool_tells_why_it_is_in() {
        let presets = presets();
        let table = presets.with_tools([("late", "file")]);
        let selected = table
            .select(&request().enable(["debugging", "tts_tools"]))
            .unwrap();
        let why = |tool| selected.selection.why(tool).unwrap().to_string();
        assert_eq!(why("late"), "debugging > file");
        assert_eq!(why("process"), "debugging");
        assert_eq!(why("text_to_speech"), "tts_tools");
    }
}
