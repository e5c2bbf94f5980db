use hermes_tools::tool;

/// Does it.
#[tool(toolset = "My Tools")]
async fn example() -> String {
    String::new()
}

fn main() {}
