//! The tools on hermes-tools.

use hermes_mcp::{Lines, Server};
use hermes_tools::{Json, Selection, Session, Tool, ToolParam, ToolRegistry, tool, tools};
use serde::Serialize;
use tokio::io::{DuplexStream, split};

/// A sum.
#[derive(Serialize, ToolParam)]
struct Sum {
    /// The sum.
    total: i64,
}

/// Add two whole numbers.
#[tool(toolset = "bench", effect = "read", inline)]
fn add(
    /// First summand.
    a: i64,
    /// Second summand.
    b: i64,
) -> Json<Sum> {
    Json(Sum { total: a + b })
}

macro_rules! echoes {
    ($($name:ident)*) => {$(
        /// Answer with the text, some times.
        #[tool(toolset = "bench", effect = "read", inline)]
        fn $name(
            /// What to say.
            text: String,
            /// How often.
            times: u32,
            /// Whether in upper case.
            loud: Option<bool>,
        ) -> String {
            crate::echo(&text, times, loud)
        }
    )*};
}

echoes!(echo echo1 echo2 echo3 echo4 echo5 echo6 echo7 echo8);

fn session() -> Session {
    // Not the linked ones: the library of the benches brings others.
    let tools = tools![
        add, echo, echo1, echo2, echo3, echo4, echo5, echo6, echo7, echo8
    ];
    let registry = ToolRegistry::of(tools).expect("names of their own");
    let snapshot = registry.snapshot();
    let selection = Selection::of(snapshot.tools().iter().map(Tool::name));
    Session::builder(registry, selection).without_loops().build().expect("a session")
}

pub(crate) async fn serve(stream: DuplexStream) {
    let (read, write) = split(stream);
    let served = Server::new(session()).serve(Lines::new(read, write)).await;
    served.expect("a client that keeps to the protocol");
}

pub(crate) fn serve_stdio() {
    let served = Server::new(session()).serve_stdio();
    served.expect("a client that keeps to the protocol");
}
