//! COUNT tools.

use std::sync::Arc;

use hermes_tools::args::RawArguments;
use hermes_tools::context::SessionContext;
use hermes_tools::{ToolContext, linked_tools, tool};

EACH_TOOL;

fn main() {
    let tools = linked_tools();
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        for tool in tools {
            println!("{}", hermes_tools::schema::write::definition(tool));
        }
        return;
    };
    let tool = tools.iter().find(|tool| tool.name() == name).expect("a tool");
    let text = arguments.next().unwrap_or_default();
    let cx = ToolContext::new(name, Arc::new(SessionContext::default()));
    let mut call = tool.call(&cx, RawArguments::new(&text));
    let waker = std::task::Waker::noop();
    match call.as_mut().poll(&mut std::task::Context::from_waker(waker)) {
        std::task::Poll::Ready(Ok(output)) => println!("{}", output.text()),
        std::task::Poll::Ready(Err(error)) => println!("{error}"),
        std::task::Poll::Pending => println!("waits"),
    }
}
