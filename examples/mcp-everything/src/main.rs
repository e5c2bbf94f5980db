//! A server with a bit of everything that the Model Context Protocol carries, over stdio, or over HTTP
//! where an address such as `127.0.0.1:8080` is given.
//!
//! Tools, prompts and resources have the names that the official conformance suite calls.

mod asking;
mod content;
mod prompts;
mod resources;
mod running;

use std::error::Error;
use std::net::SocketAddr;

use hermes_mcp::{Client, Elicitation, Http, Server};
use hermes_tools::{Effect, Selection, Session, Tool, ToolRegistry, toolset};

toolset! {
    name: "everything",
    description: "A tool for everything that the protocol carries.",
    tools: [
        "test_audio_content", "test_elicitation", "test_elicitation_sep1034_defaults",
        "test_elicitation_sep1330_enums", "test_embedded_resource", "test_error_handling",
        "test_image_content", "test_multiple_content_types", "test_reconnection", "test_sampling",
        "test_simple_text", "test_tool_with_logging", "test_tool_with_progress",
    ],
    max_effect: Effect::Read,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(address) = std::env::args().nth(1) else {
        return Ok(server()?.serve_stdio()?);
    };
    let address: SocketAddr = address.parse()?;
    let told = |address: SocketAddr| eprintln!("serving http://{address}/mcp");
    Ok(Http::new(server).serve_at(address, told)?)
}

/// The server of one client, with a session of its own.
fn server() -> Result<Server, Box<dyn Error>> {
    let registry = ToolRegistry::linked()?;
    registry.register(content::described());
    let snapshot = registry.snapshot();
    let selection = Selection::of(snapshot.tools().iter().map(Tool::name));
    let session = Session::builder(registry, selection)
        .approver(Elicitation)
        .counterpart(Client)
        .build()?;
    let server = Server::new(session).named("mcp-everything", env!("CARGO_PKG_VERSION"));
    Ok(resources::all().into_iter().fold(server, Server::resource))
}
