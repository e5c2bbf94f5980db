use hermes_tools::tool;

#[tool(toolset = "file")]
struct Files;

#[tool(toolset = "file")]
impl Files {}

#[tool(toolset = "file")]
mod files {}

#[tool(toolset = "file")]
const FILES: u8 = 1;

fn main() {}
