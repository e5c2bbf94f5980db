//! Calls of a batch that repeat an earlier one word for word.

use std::borrow::Cow;
use std::collections::HashMap;

use super::facts::Facts;
use crate::args::canonical;
use crate::effect::Effect;
use crate::output::{Content, ToolError};
use crate::session::{CallResult, ToolCall};

/// Finds repeats.
pub(super) struct Repeats {
    wanted: bool,
    /// The first of each call since something changed what it may have found.
    firsts: HashMap<(String, String, String), usize>,
    /// The last call that may have changed something.
    changed: Option<usize>,
}

impl Repeats {
    pub(super) fn new(wanted: bool) -> Self {
        Self {
            wanted,
            firsts: HashMap::new(),
            changed: None,
        }
    }

    /// The place of the call that this one repeats: the same tool and the same arguments, and no call
    /// between them that may change anything. What a tool looks at need not be what it names, so it
    /// does not matter what either touches.
    pub(super) fn find(
        &mut self,
        place: usize,
        call: &ToolCall,
        arguments: &str,
        facts: &Facts,
    ) -> Option<usize> {
        let first = self.first(place, call, arguments, facts);
        // Of a call that cannot be decoded here it is not known what it will do.
        if first.is_none() && facts.effect != Some(Effect::Read) {
            self.changed = Some(place);
        }
        first
    }

    fn first(
        &mut self,
        place: usize,
        call: &ToolCall,
        arguments: &str,
        facts: &Facts,
    ) -> Option<usize> {
        let tool = facts
            .tool
            .as_ref()
            .filter(|_| self.wanted && facts.effect.is_some())?;
        // What the model said and what became of it: hooks may have made one call of two, and two of one.
        let spelt = |text: &str| canonical(text).unwrap_or_else(|_| text.to_owned());
        let settled = if arguments == call.arguments {
            String::new()
        } else {
            spelt(arguments)
        };
        let key = (tool.name().to_owned(), spelt(&call.arguments), settled);
        let first = self.firsts.get(&key).copied();
        if let Some(first) = first
            && self.changed.is_none_or(|changed| changed <= first)
        {
            return Some(first);
        }
        self.firsts.insert(key, place);
        None
    }
}

/// The answer to a repeat.
pub(super) fn answer(call: &ToolCall, place: usize, first: &CallResult) -> CallResult {
    let which = match first.id.as_deref() {
        Some(id) => format!("`{id}`"),
        None => format!("call {} of this answer", place + 1),
    };
    let outcome = match &first.outcome {
        Ok(_) => {
            let text = format!("[the same call as {which}, run once; its result stands there]");
            Ok(Content::Text(Cow::Owned(text)).into())
        }
        Err(error) => {
            let message = format!("the same call as {which}, which gave: {}", error.message());
            let help = error.help().unwrap_or("go by that answer").to_owned();
            Err(ToolError::new(error.kind(), message).with_help(help))
        }
    };
    CallResult {
        id: call.id.clone(),
        ..CallResult::new(first.tool.clone(), outcome, Vec::new())
    }
}
