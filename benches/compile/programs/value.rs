//! COUNT tools.

use std::pin::Pin;

use serde_json::Value;

struct Entry {
    name: &'static str,
    description: &'static str,
    call: fn(Value) -> Pin<Box<dyn Future<Output = String> + Send>>,
}

EACH_TOOL;

static TOOLS: [Entry; COUNT] = [
EACH_ENTRY
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        for tool in &TOOLS {
            println!("{} {}", tool.name, tool.description);
        }
        return;
    };
    let tool = TOOLS.iter().find(|tool| tool.name == name).expect("a tool");
    let text = arguments.next().unwrap_or_default();
    let value = match serde_json::from_str(&text) {
        Ok(value) => value,
        Err(error) => return println!("{error}"),
    };
    let mut call = (tool.call)(value);
    let waker = std::task::Waker::noop();
    match call.as_mut().poll(&mut std::task::Context::from_waker(waker)) {
        std::task::Poll::Ready(text) => println!("{text}"),
        std::task::Poll::Pending => println!("waits"),
    }
}
