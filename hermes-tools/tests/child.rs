//! What a delegated session has of its parent, and what it loses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::time::Duration;

use hermes_tools::search::ToolSearch;
use hermes_tools::{
    Availability, CheckContext, CheckHandle, Effect, ErrorKind, RuntimeTool, Selection, Session,
    SessionFacts, SessionSource, ToolRegistry, Why, tool, tools,
};
use serde_json::json;

struct Diary(&'static str);

/// Read the diary.
#[tool(toolset = "diary", effect = "read", inline)]
fn read_diary(#[ctx] diary: &Diary) -> String {
    diary.0.to_owned()
}

fn asks_the_user(cx: &CheckContext<'_>) -> Availability {
    if cx.facts().is_delegated() {
        return Availability::unavailable("a sub-agent speaks to nobody");
    }
    Availability::Available
}

fn registry() -> Arc<ToolRegistry> {
    let registry = ToolRegistry::of(tools![read_diary]).unwrap();
    let made = |name| RuntimeTool::new(name, "s", "Long enough to be shortened.", json!({}));
    registry.register(
        made("ask")
            .check(CheckHandle::new(asks_the_user))
            .effect(Effect::Read)
            .answering(|_| "asked"),
    );
    registry.register(made("look").effect(Effect::Read).answering(|_| "seen"));
    registry.register(
        made("change")
            .effect(Effect::Write)
            .answering(|_| "changed"),
    );
    Arc::new(registry)
}

fn parent() -> Session {
    let facts = SessionFacts::new(SessionSource::Cron)
        .environment(|name| (name == "REGION").then(|| "north".to_owned()));
    Session::builder(
        registry(),
        Selection::of(["ask", "look", "change", "read_diary"]),
    )
    .facts(facts)
    .state(Diary("dear diary"))
    .timeout(Duration::from_secs(7))
    .tool_search(ToolSearch::off())
    .definitions_budget(1)
    .max_effect(Effect::Write)
    .build()
    .unwrap()
}

fn outcome(session: &Session, name: &str) -> Result<String, ErrorKind> {
    let outcome = session.call_blocking(name, "{}").outcome;
    match outcome {
        Ok(output) => Ok(output.text().into_owned()),
        Err(error) => Err(error.kind()),
    }
}

#[test]
fn a_child_works_where_its_parent_does_and_is_known_as_one() {
    let parent = parent();
    let wanted = Selection::of(["ask", "look", "change"]);
    let child = parent.child(wanted).build().unwrap();
    assert!(!parent.facts().is_delegated() && child.facts().is_delegated());
    assert_eq!(child.facts().source(), &SessionSource::Cron);
    assert_eq!(child.facts().env("REGION").as_deref(), Some("north"));
    assert!(Arc::ptr_eq(parent.registry(), child.registry()));
    // The parent's answer, which was asked first, is not the child's.
    assert_eq!(outcome(&parent, "ask"), Ok("asked".to_owned()));
    assert_eq!(outcome(&child, "ask"), Err(ErrorKind::Unavailable));
    assert_eq!(outcome(&child, "look"), Ok("seen".to_owned()));
    assert!(!child.definitions().contains("\"ask\""));
    assert!(child.definitions().shrinking().beyond > 0);
}

#[test]
fn state_stays_with_the_parent_unless_it_is_put_in_again() {
    let parent = parent();
    let diary = || Selection::of(["read_diary"]);
    let missing = parent.child(diary()).build().unwrap_err();
    assert_eq!(missing.missing[0].0, "read_diary");
    let child = parent
        .child(diary())
        .state(Diary("new page"))
        .build()
        .unwrap();
    assert_eq!(outcome(&child, "read_diary"), Ok("new page".to_owned()));
}

#[test]
fn the_bound_of_the_parent_can_be_narrowed_and_not_widened() {
    let all = || Selection::of(["look", "change"]);
    let bounded = Session::builder(registry(), all())
        .max_effect(Effect::Read)
        .build()
        .unwrap();
    let child = bounded
        .child(all())
        .max_effect(Effect::Destructive)
        .build()
        .unwrap();
    assert_eq!(outcome(&child, "change"), Err(ErrorKind::UnknownTool));
    let narrow = parent()
        .child(all())
        .max_effect(Effect::Read)
        .build()
        .unwrap();
    assert_eq!(outcome(&narrow, "change"), Err(ErrorKind::UnknownTool));
    assert_eq!(outcome(&narrow, "look"), Ok("seen".to_owned()));
}

#[test]
fn a_child_has_no_tool_that_its_parent_has_not() {
    let mut own = Selection::of(["look"]);
    own.insert_bounded("change", Why::Named, Effect::Read);
    let parent = Session::builder(registry(), own).build().unwrap();
    let wanted = Selection::of(["look", "change", "ask", "read_diary"]);
    // Nothing is missing: the tool that needs state is not the child's.
    let child = parent.child(wanted.clone()).build().unwrap();
    let deeper = child.child(wanted).build().unwrap();
    for session in [child, deeper] {
        assert_eq!(outcome(&session, "look"), Ok("seen".to_owned()));
        for name in ["change", "ask", "read_diary"] {
            assert_eq!(
                outcome(&session, name),
                Err(ErrorKind::UnknownTool),
                "{name}"
            );
        }
    }
    let none = Session::builder(registry(), Selection::new())
        .build()
        .unwrap();
    assert!(
        none.child(Selection::of(["look"]))
            .build()
            .unwrap()
            .selection()
            .is_empty()
    );
}

#[test]
fn a_selection_within_another_has_what_both_have_with_the_narrower_bound() {
    let mut parents = Selection::new();
    parents.insert_bounded("a", Why::Named, Effect::Read);
    parents.insert_bounded("b", Why::Named, Effect::Destructive);
    let mut wanted = Selection::of(["a", "c"]);
    wanted.insert_bounded("b", Why::Named, Effect::Write);
    let child = wanted.within(&parents);
    let bounds: Vec<_> = child
        .iter()
        .map(|(name, _)| (name, child.bound(name).unwrap()))
        .collect();
    assert_eq!(bounds, [("a", Effect::Read), ("b", Effect::Write)]);
    assert!(wanted.within(&Selection::new()).is_empty());
}
