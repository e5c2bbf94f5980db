use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
#[tool(toolset = "web")]
async fn example() -> String {
    String::new()
}

fn main() {}
