use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn nothing() {}

/// Does it.
#[tool(toolset = "file")]
async fn unit() -> () {}

fn main() {}
