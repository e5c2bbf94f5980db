use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", retry = 3)]
async fn example() -> String {
    String::new()
}

fn main() {}
