//! COUNT tools.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

fn one() -> u32 {
    1
}

EACH_TOOL;

struct Server;

#[tool_router]
impl Server {
EACH_ENTRY
}

fn main() {
    // The calls stay in the program: the router holds them.
    for tool in Server::tool_router().list_all() {
        println!("{}", serde_json::to_string(&tool).expect("a definition"));
    }
}
