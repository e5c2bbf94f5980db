use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", check = no::such::path)]
async fn example() -> String {
    String::new()
}

fn main() {}
