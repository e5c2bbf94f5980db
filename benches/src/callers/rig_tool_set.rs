//! rig: its set of tools, executed by name.

use rig_agent::tool::{ToolContext, ToolResult, ToolSet};
use rig_core::message::ToolName;
use rig_core::tool::{DynamicTool, PortableTool, ToolOutput};

use super::Caller;
use crate::arguments::Small;
use crate::hundred::{ECHO, OTHERS};

/// A set of a hundred tools.
pub struct RigToolSet {
    tools: ToolSet,
}

struct Echo;

impl PortableTool for Echo {
    const NAME: &'static str = ECHO;
    type Args = Small;
    type Output = String;
    type Error = serde_json::Error;

    fn description(&self) -> String {
        "Answer with the arguments.".to_owned()
    }

    fn parameters(&self) -> serde_json::Value {
        schemars::schema_for!(Small).to_value()
    }

    async fn call(&self, arguments: Small) -> Result<String, serde_json::Error> {
        serde_json::to_string(&arguments)
    }
}

impl RigToolSet {
    /// A set of one typed tool and 98 that are only there.
    pub fn new() -> Self {
        let mut tools = ToolSet::default();
        tools.add_tool(Echo);
        for name in OTHERS {
            tools.add_dynamic_tool(DynamicTool::new(
                ToolName::new(name).expect("no name is empty"),
                "Answer with the arguments.",
                Echo.parameters(),
                |arguments| Box::pin(async move { Ok(ToolOutput::json(arguments)) }),
            ));
        }
        Self { tools }
    }
}

impl Default for RigToolSet {
    fn default() -> Self {
        Self::new()
    }
}

impl Caller for RigToolSet {
    type Answer = ToolResult;

    async fn call(&self, tool: &'static str, arguments: &str) -> Self::Answer {
        self.tools
            .execute(tool, arguments, &mut ToolContext::new())
            .await
    }

    fn text(answer: &Self::Answer) -> Option<&str> {
        answer.output().as_text()
    }
}
