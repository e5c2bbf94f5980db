//! What a client is told of the tools.

use std::sync::Arc;

use hermes_mcp::{Lines, Server};
use hermes_tools::{Selection, Session, ToolRegistry, tool, tools};
use rmcp::ServiceExt;
use serde_json::json;

use crate::tools::{builder, made, registry, session};
use crate::wire::Wire;

/// Move something.
#[tool(toolset = "test", effect = "read", inline)]
fn move_it(
    /// Last letter first.
    zone: String,
    /// Then a middle one.
    middle: Vec<String>,
    /// The first letter last.
    area: Option<String>,
) -> String {
    format!("{zone}{middle:?}{area:?}")
}

#[tokio::test]
async fn parameters_are_listed_in_the_order_of_the_function() {
    let registry = ToolRegistry::of(tools![move_it]).unwrap();
    let session = Session::builder(registry, Selection::of(["move_it"]))
        .build()
        .unwrap();
    let mut wire = Wire::open(session).await;
    wire.request(1, "tools/list", &json!({})).await;
    let line = wire.line().await;
    let places = ["\"zone\":{", "\"middle\":{", "\"area\":{"].map(|name| line.find(name));
    assert!(places.is_sorted() && places[0].is_some(), "{line}");
    assert!(line.contains(r#""required":["zone","middle"]"#), "{line}");
}

#[tokio::test]
async fn a_tool_is_listed_with_what_it_does_and_what_its_results_look_like() {
    let mut wire = Wire::open(session().0).await;
    wire.request(1, "tools/list", &json!({})).await;
    let listed = wire.answer(1).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "add",
            "boom",
            "many",
            "photograph",
            "picture",
            "ping_now",
            "remove",
            "same",
            "slow",
            "steps"
        ]
    );
    assert_eq!(
        tools[0],
        json!({
            "name": "add",
            "title": "Addition",
            "description": "Add two whole numbers.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "a": {"type": "integer", "description": "First summand."},
                    "b": {"type": "integer", "description": "Second summand."},
                },
                "required": ["a", "b"],
                "additionalProperties": false,
            },
            "outputSchema": {
                "type": "object",
                "properties": {"total": {"type": "integer", "description": "The sum."}},
                "required": ["total"],
                "additionalProperties": false,
            },
            "annotations": {"title": "Addition", "readOnlyHint": true, "openWorldHint": false},
        })
    );
    assert_eq!(
        tools[6]["annotations"],
        json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": false})
    );
    wire.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n")
        .await;
    assert_eq!(wire.answer(1).await.to_string(), listed.to_string());
}

#[tokio::test]
async fn a_thousand_tools_come_in_pages_and_none_twice() {
    let registry = registry();
    for number in 0..1_000 {
        registry.register(made(&format!("made_{number:04}")));
    }
    let session = builder(Arc::clone(&registry))
        .shared_state(Arc::new(crate::tools::Running::default()))
        .build()
        .unwrap();
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(Server::new(session).page(64).serve(Lines::new(read, write)));
    let client = ().serve(ours).await.unwrap();
    let first = client.list_tools(None).await.unwrap();
    assert_eq!(first.tools.len(), 64);
    // What goes between two pages takes nothing else with it.
    registry.deregister(&first.tools[63].name);
    let all = client.list_all_tools().await.unwrap();
    assert_eq!(all.len(), 1_009);
    assert!(all.is_sorted_by(|a, b| a.name < b.name));
    let rest = rmcp::model::PaginatedRequestParams::default().with_cursor(first.next_cursor);
    let second = client.list_tools(Some(rest)).await.unwrap();
    assert_eq!(second.tools[0].name, all[63].name);
}

#[tokio::test]
async fn a_cursor_that_nobody_gave_out_is_refused() {
    let mut wire = Wire::open(session().0).await;
    wire.request(1, "tools/list", &json!({"cursor": "7"})).await;
    let error = &wire.answer(1).await["error"];
    assert_eq!(error["code"], -32602);
    assert_eq!(
        error["message"],
        "the cursor is not one that this server gave out; list without one"
    );
}
