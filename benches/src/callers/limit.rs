//! The limit: a map of the standard library, a dynamic call, `serde_json` in and out.

use std::collections::HashMap;

use super::Caller;
use crate::arguments::Small;
use crate::hundred::{ECHO, OTHERS};

/// The least that a router by name can do.
pub struct Limit {
    tools: HashMap<String, Box<dyn Tool>>,
}

trait Tool {
    fn call(&self, arguments: &str) -> serde_json::Result<String>;
}

struct Echo;

impl Tool for Echo {
    fn call(&self, arguments: &str) -> serde_json::Result<String> {
        let arguments: Small = serde_json::from_str(arguments)?;
        serde_json::to_string(&arguments)
    }
}

impl Limit {
    /// A map of as many tools.
    pub fn new() -> Self {
        let names = OTHERS.into_iter().chain([ECHO]);
        Self {
            tools: names
                .map(|name| (name.to_owned(), Box::new(Echo) as _))
                .collect(),
        }
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::new()
    }
}

impl Caller for Limit {
    type Answer = Option<serde_json::Result<String>>;

    async fn call(&self, tool: &'static str, arguments: &str) -> Self::Answer {
        Some(self.tools.get(tool)?.call(arguments))
    }

    fn text(answer: &Self::Answer) -> Option<&str> {
        Some(answer.as_ref()?.as_ref().ok()?)
    }
}
