use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(path: String) -> String {
    path
}

fn main() {}
