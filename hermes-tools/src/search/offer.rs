//! Which of a session's tools are told, and which are left to the tool search.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Entry, SearchIndex, SearchMode, ToolSearch};
use crate::args::Node;
use crate::availability::CheckContext;
use crate::definitions::{Definitions, Shrinking, estimated_tokens, shorten, spelled};
use crate::entry::Exposure;
use crate::registry::Tool;
use crate::schema::dialect::{Dialect, Request};

/// What a session says about the size of its definitions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Offering {
    pub(crate) search: ToolSearch,
    /// Tokens of the model's context window, where they are known.
    pub(crate) window: Option<usize>,
    /// Tokens that all definitions may take.
    pub(crate) budget: Option<usize>,
}

impl Offering {
    /// Whether the tool search may hide a tool.
    fn may_defer(&self, tool: &Tool) -> bool {
        let by_itself = match tool.entry() {
            Some(entry) => entry.declared_exposure() == Exposure::Deferred,
            None => !tool.is_always_visible(),
        };
        by_itself && !self.search.visible.contains(tool.name())
    }

    /// Divides tools into told and deferred ones, by the sizes that they have as they are: which
    /// tools the search offers does not depend on the provider.
    pub(crate) fn divide(&self, tools: Vec<Tool>, cx: &CheckContext<'_>) -> (Vec<Tool>, Vec<Tool>) {
        if self.search.mode == SearchMode::Off || !tools.iter().any(|it| self.may_defer(it)) {
            return (tools, Vec::new());
        }
        let (deferred, visible): (Vec<Tool>, Vec<Tool>) =
            tools.iter().cloned().partition(|tool| self.may_defer(tool));
        let size = |tool: &Tool| tool.definition_text(cx).chars().count();
        let saved: usize = deferred.iter().map(size).sum();
        let active = saved > 0
            && (self.search.is_active(estimated_tokens(saved), self.window)
                || self.is_beyond(&tools, size));
        if active {
            (visible, deferred)
        } else {
            (tools, Vec::new())
        }
    }

    fn is_beyond(&self, tools: &[Tool], size: impl Fn(&Tool) -> usize) -> bool {
        let Some(budget) = self.budget else {
            return false;
        };
        let tokens = |tool| estimated_tokens(size(tool));
        tools.iter().map(tokens).sum::<usize>() > budget
    }

    /// The definitions of the told tools, and of the bridge when there are deferred ones.
    pub(crate) fn write(
        &self,
        visible: &[Tool],
        deferred: &[Tool],
        dialect: Option<Dialect>,
        cx: &CheckContext<'_>,
    ) -> Definitions {
        let mut parts: Vec<(Box<str>, Arc<str>)> = Vec::with_capacity(visible.len() + 3);
        let mut losses = Vec::new();
        let bridge = if deferred.is_empty() {
            Vec::new()
        } else {
            super::bridge::definitions(deferred.len(), &self.search, dialect)
        };
        let mut request = Request::default();
        for (_, text) in &bridge {
            request.count_in(text, dialect);
        }
        for tool in visible {
            let told = match dialect {
                Some(named) => request.settle(tool.name(), named, |dialect| {
                    spelled(tool, Some(dialect), cx)
                }),
                None => spelled(tool, None, cx),
            };
            match told {
                Ok((text, lost)) => {
                    parts.push((tool.name().into(), text));
                    losses.extend(lost);
                }
                Err(hopeless) => losses.push(hopeless),
            }
        }
        parts.extend(bridge);
        let mut shrinking = Shrinking {
            deferred: deferred.iter().map(|tool| tool.name().into()).collect(),
            ..Shrinking::default()
        };
        if let Some(budget) = self.budget {
            shrink(&mut parts, budget, &mut shrinking);
        }
        Definitions::of(&parts, shrinking).in_dialect(dialect, losses)
    }
}

/// Shortens descriptions step by step until the definitions fit, the longest limit first.
fn shrink(parts: &mut [(Box<str>, Arc<str>)], budget: usize, shrinking: &mut Shrinking) {
    let size = |parts: &[(Box<str>, Arc<str>)]| -> usize {
        let tokens = |(_, text): &(Box<str>, Arc<str>)| estimated_tokens(text.chars().count());
        parts.iter().map(tokens).sum()
    };
    for level in shorten::LEVELS {
        if size(parts) <= budget {
            return;
        }
        for (name, text) in parts.iter_mut().filter(|(name, _)| !super::is_bridge(name)) {
            if let Some(short) = shorten::shorten(text, level) {
                *text = short.into();
                if !shrinking.shortened.contains(name) {
                    shrinking.shortened.push(name.clone());
                }
            }
        }
    }
    shrinking.shortened.sort_unstable();
    shrinking.beyond = size(parts).saturating_sub(budget);
}

/// The search index over a session's deferred tools, kept in step with them.
#[derive(Debug, Default)]
pub(crate) struct Catalogue(Mutex<Indexed>);

#[derive(Debug, Default)]
struct Indexed {
    index: SearchIndex,
    tools: FxHashMap<Box<str>, Tool>,
}

impl Catalogue {
    /// The tools among these that a question means, the best first.
    pub(crate) fn search(&self, tools: &[Tool], question: &str, limit: usize) -> Vec<Tool> {
        let mut indexed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        indexed.follow(tools);
        let Indexed { index, tools } = &mut *indexed;
        let found = index.search(question, limit);
        found
            .into_iter()
            .filter_map(|name| tools.get(name).cloned())
            .collect()
    }
}

impl Indexed {
    /// Takes out what is gone and puts in what is new.
    fn follow(&mut self, tools: &[Tool]) {
        let known = |it: &Tool, all: &FxHashMap<Box<str>, Tool>| {
            all.get(it.name()).is_some_and(|known| known.is_same(it))
        };
        if self.tools.len() == tools.len() && tools.iter().all(|it| known(it, &self.tools)) {
            return;
        }
        let now: FxHashMap<&str, &Tool> = tools.iter().map(|tool| (tool.name(), tool)).collect();
        let gone: Vec<Box<str>> = self
            .tools
            .iter()
            .filter(|(name, tool)| !now.get(&***name).is_some_and(|it| it.is_same(tool)))
            .map(|(name, _)| name.clone())
            .collect();
        for name in gone {
            self.tools.remove(&name);
            self.index.remove(&name);
        }
        for tool in tools {
            if !self.tools.contains_key(tool.name()) {
                let parameters = parameter_names(tool);
                let parameters: Vec<&str> = parameters.iter().map(|name| &**name).collect();
                let description = tool.description();
                let raw = tool.runtime().and_then(|tool| tool.raw_names());
                let text;
                let description = match raw {
                    // The name that the server knows may hold letters that the name here cannot.
                    Some((_, raw)) if !raw.is_ascii() => {
                        text = format!("{description} {raw}");
                        &text
                    }
                    _ => description,
                };
                self.index.insert(Entry {
                    name: tool.name(),
                    description,
                    parameters: &parameters,
                });
                self.tools.insert(tool.name().into(), tool.clone());
            }
        }
    }
}

/// Names of a tool's outermost parameters.
pub(crate) fn parameter_names(tool: &Tool) -> Vec<Box<str>> {
    if let Some(tool) = tool.runtime() {
        let properties = tool.parameters().and_then(|it| it.get("properties"));
        let Some(Node::Object(properties)) = properties else {
            return Vec::new();
        };
        return properties
            .iter()
            .map(|(name, _)| (&**name).into())
            .collect();
    }
    tool.params()
        .iter()
        .map(|param| param.name().into())
        .collect()
}

/// The definition of a tool as `name`, `description` and `parameters`, whatever else it holds.
pub(super) fn described(tool: &Tool, cx: &CheckContext<'_>) -> String {
    let text = tool.definition_text(cx);
    let Some(Node::Object(mut entries)) = Node::from_json(&text) else {
        return text.to_string();
    };
    entries.retain(|(key, _)| matches!(key.as_str(), "name" | "description" | "parameters"));
    if entries.iter().all(|(key, _)| key != "description") {
        let description = Node::String(tool.description().to_owned());
        entries.insert(1, ("description".to_owned(), description));
    }
    Node::Object(entries).to_json()
}
