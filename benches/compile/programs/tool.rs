//! COUNT tools.

use std::sync::Arc;

use hermes_tools::args::RawArguments;
use hermes_tools::context::SessionContext;
use hermes_tools::{Tool, ToolContext, ToolRegistry, tool};

EACH_TOOL;

fn main() {
    let registry = ToolRegistry::linked().expect("names differ");
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        for entry in registry.snapshot().tools().iter().filter_map(Tool::entry) {
            println!("{}", hermes_tools::schema::write::definition(entry));
        }
        return;
    };
    let tool = registry.get(&name).expect("a tool");
    let text = arguments.next().unwrap_or_default();
    let cx = ToolContext::new(name, Arc::new(SessionContext::default()));
    let entry = tool.entry().expect("a linked tool");
    let mut call = entry.call(&cx, RawArguments::new(&text));
    let waker = std::task::Waker::noop();
    match call.as_mut().poll(&mut std::task::Context::from_waker(waker)) {
        std::task::Poll::Ready(Ok(output)) => println!("{}", output.text()),
        std::task::Poll::Ready(Err(error)) => println!("{error}"),
        std::task::Poll::Pending => println!("waits"),
    }
}
