//! The same tools on the SDK alone, as its documentation has it.

use rmcp::handler::server::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::{DuplexStream, split};
use tokio::runtime::Builder;

#[derive(Deserialize, JsonSchema)]
struct Add {
    /// First summand.
    a: i64,
    /// Second summand.
    b: i64,
}

/// A sum.
#[derive(Serialize, JsonSchema)]
struct Sum {
    /// The sum.
    total: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What to say.
    text: String,
    /// How often.
    times: u32,
    /// Whether in upper case.
    loud: Option<bool>,
}

#[derive(Clone)]
struct Plain {
    tool_router: ToolRouter<Self>,
}

macro_rules! tools {
    ($($name:ident)*) => {
        #[tool_router]
        impl Plain {
            /// Add two whole numbers.
            #[tool]
            async fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Json<Sum> {
                Json(Sum { total: a + b })
            }
            $(
                /// Answer with the text, some times.
                #[tool]
                async fn $name(
                    &self,
                    Parameters(Echo { text, times, loud }): Parameters<Echo>,
                ) -> String {
                    crate::echo(&text, times, loud)
                }
            )*
        }
    };
}

tools!(echo echo1 echo2 echo3 echo4 echo5 echo6 echo7 echo8);

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Plain {}

fn server() -> Plain {
    Plain {
        tool_router: Plain::tool_router(),
    }
}

pub(crate) async fn serve(stream: DuplexStream) {
    let served = server().serve(split(stream)).await;
    let ended = served.expect("a client that keeps to the protocol").waiting().await;
    ended.expect("nothing panics");
}

pub(crate) fn serve_stdio() {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(async {
        let served = server().serve(rmcp::transport::stdio()).await;
        let ended = served.expect("a client that keeps to the protocol").waiting().await;
        ended.expect("nothing panics");
    });
    runtime.shutdown_background();
}
