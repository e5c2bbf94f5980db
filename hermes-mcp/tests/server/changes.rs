//! Telling a client that the tools have changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hermes_tools::testing::FakeClock;
use hermes_tools::{
    Availability, CheckContext, Selection, Session, SessionFacts, ToolRegistry, tool, tools,
};
use serde_json::{Value, json};

use crate::tools::{made, registry};
use crate::wire::Wire;

#[tokio::test(start_paused = true)]
async fn a_client_that_has_listed_the_tools_is_told_once_that_they_changed() {
    let registry = registry();
    let selection = Selection::of(["ping_now", "later"]);
    let session = Session::builder(Arc::clone(&registry), selection)
        .tools_come_later()
        .build()
        .unwrap();
    let mut wire = Wire::open(session).await;
    wire.request(1, "tools/list", &json!({})).await;
    assert_eq!(
        wire.answer(1).await["result"]["tools"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // Not a tool of this session: there is nothing to tell.
    registry.register(made("other"));
    registry.register(made("later"));
    assert_eq!(
        wire.next().await,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
    wire.request(2, "tools/list", &json!({})).await;
    let tools = &wire.answer(2).await["result"]["tools"];
    assert_eq!(
        (&tools[0]["name"], &tools[1]["name"]),
        (&json!("later"), &json!("ping_now"))
    );
    // It would come before this answer.
    tokio::time::sleep(Duration::from_secs(5)).await;
    wire.request(3, "ping", &json!({})).await;
    assert_eq!(wire.next().await["id"], 3);
}

fn there(cx: &CheckContext<'_>) -> Availability {
    match cx.env("TOOL_IS_THERE") {
        Some(_) => Availability::Available,
        None => Availability::unavailable("it is not there"),
    }
}

/// Go.
#[tool(toolset = "test", effect = "read", check = there, inline)]
fn go() -> &'static str {
    "gone"
}

/// Stay.
#[tool(toolset = "test", effect = "read", inline)]
fn stay() -> &'static str {
    "here"
}

async fn listed(wire: &mut Wire, id: u64) -> Vec<String> {
    wire.request(id, "tools/list", &json!({})).await;
    let answer = wire.answer(id).await;
    let tools = answer["result"]["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_client_is_told_when_a_tool_can_be_used_and_when_it_cannot_any_more() {
    let is_there: Arc<AtomicBool> = Arc::default();
    let asked = Arc::clone(&is_there);
    let clock = FakeClock::new();
    let registry = ToolRegistry::of(tools![go, stay]).unwrap();
    let facts = SessionFacts::default()
        .environment(move |_| asked.load(Ordering::SeqCst).then(|| "1".to_owned()));
    let session = Session::builder(registry, Selection::of(["go", "stay"]))
        .facts(facts)
        .executor(clock.clone())
        .build()
        .unwrap();
    let mut wire = Wire::open(session).await;
    assert_eq!(listed(&mut wire, 1).await, ["stay"]);
    let told: Value = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    for (id, there, names) in [(2, true, &["go", "stay"][..]), (3, false, &["stay"])] {
        is_there.store(there, Ordering::SeqCst);
        // What was known is too old then, and a no is no flicker any more.
        clock.advance(Duration::from_mins(2));
        assert_eq!(wire.next().await, told);
        assert_eq!(listed(&mut wire, id).await, names);
    }
}
