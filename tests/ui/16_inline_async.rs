use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", inline)]
async fn example() -> String {
    String::new()
}

fn main() {}
