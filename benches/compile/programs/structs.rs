//! COUNT tools.

use std::pin::Pin;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

struct Entry {
    name: &'static str,
    description: &'static str,
    schema: fn() -> Schema,
    call: fn(&str) -> serde_json::Result<Pin<Box<dyn Future<Output = String> + Send>>>,
}

fn one() -> u32 {
    1
}

EACH_TOOL;

static TOOLS: [Entry; COUNT] = [
EACH_ENTRY
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        for tool in &TOOLS {
            let schema = serde_json::to_string(&(tool.schema)()).expect("a schema");
            println!("{} {} {schema}", tool.name, tool.description);
        }
        return;
    };
    let tool = TOOLS.iter().find(|tool| tool.name == name).expect("a tool");
    let text = arguments.next().unwrap_or_default();
    let mut call = match (tool.call)(&text) {
        Ok(call) => call,
        Err(error) => return println!("{error}"),
    };
    let waker = std::task::Waker::noop();
    match call.as_mut().poll(&mut std::task::Context::from_waker(waker)) {
        std::task::Poll::Ready(text) => println!("{text}"),
        std::task::Poll::Pending => println!("waits"),
    }
}
