//! What the tools of each toolset need.

use super::Snapshot;

/// What the registered tools of one toolset need of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirements {
    /// The toolset.
    pub toolset: Box<str>,
    /// Environment variables, as they were first named, none twice.
    pub env: Vec<Box<str>>,
    /// Names of the tools, in the order of registration.
    pub tools: Vec<Box<str>>,
}

impl Snapshot {
    /// What the tools of each toolset need, sorted by toolset.
    pub fn requirements(&self) -> Vec<Requirements> {
        let mut records: Vec<_> = self.shards.iter().collect();
        records.sort_unstable_by_key(|record| (record.tool.toolset(), record.order));
        let mut all: Vec<Requirements> = Vec::new();
        for record in records {
            let tool = &record.tool;
            if all
                .last()
                .is_none_or(|last| *last.toolset != *tool.toolset())
            {
                all.push(Requirements {
                    toolset: tool.toolset().into(),
                    env: Vec::new(),
                    tools: Vec::new(),
                });
            }
            if let Some(last) = all.last_mut() {
                last.tools.push(tool.name().into());
                for name in tool.required_env() {
                    if last.env.iter().all(|known| **known != *name) {
                        last.env.push(name.into());
                    }
                }
            }
        }
        all
    }
}
