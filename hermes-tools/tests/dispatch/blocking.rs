//! The form of a call that blocks.

use std::sync::{Arc, Mutex};

use hermes_tools::{Selection, Session, ToolRegistry, tool, tools};

use crate::{session, text};

#[test]
fn the_blocking_form_works_inside_every_kind_of_runtime() {
    let session = session(|builder| builder);
    for mut builder in [
        tokio::runtime::Builder::new_current_thread(),
        tokio::runtime::Builder::new_multi_thread(),
    ] {
        let runtime = builder.build().unwrap();
        let session = session.clone();
        let name = runtime.block_on(async move { text(&session, "thread_name", "{}") });
        assert_eq!(name, "hermes-tools");
    }
}

/// Call another tool and wait, from inside an async tool.
#[tool(toolset = "test", timeout = "5s")]
async fn outer(#[ctx] inner: &Mutex<Option<Session>>) -> String {
    let session = inner.lock().unwrap().clone().unwrap();
    session.call_blocking("thread_name", "{}").model_text()
}

#[test]
fn an_async_tool_may_wait_for_another_that_runs_on_a_thread() {
    let holder: Arc<Mutex<Option<Session>>> = Arc::default();
    let registry = ToolRegistry::of(tools![outer, crate::thread_name]).unwrap();
    let session = Session::builder(registry, Selection::of(["outer", "thread_name"]))
        .shared_state(Arc::clone(&holder))
        .build()
        .unwrap();
    *holder.lock().unwrap() = Some(session.clone());
    assert_eq!(text(&session, "outer", "{}"), "hermes-tools");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let answer = runtime.block_on(async { session.call("outer", "{}").await.model_text() });
    assert_eq!(answer, "hermes-tools");
    *holder.lock().unwrap() = None;
}
