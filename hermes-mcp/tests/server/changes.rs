//! Telling a client that the tools have changed.

use std::sync::Arc;

use hermes_tools::{Selection, Session};
use serde_json::json;

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
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    wire.request(3, "ping", &json!({})).await;
    assert_eq!(wire.next().await["id"], 3);
}
