//! COUNT tools.

use rig_agent::tool::{ToolSet, tool_definition};
use rig_core::rig_tool;
use rig_core::tool::{PortableTool, ToolExecutionError};

EACH_TOOL;

fn main() {
    let mut tools = ToolSet::default();
EACH_ENTRY
    // The calls stay in the program: the set holds them.
    std::hint::black_box(&tools);
}

fn add<T: PortableTool + 'static>(tools: &mut ToolSet, tool: T) {
    let definition = tool_definition(&tool);
    println!("{}", serde_json::to_string(&definition).expect("a definition"));
    tools.add_tool(tool);
}
