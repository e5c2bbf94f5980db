use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", lock = "pth")]
async fn example(
    /// What.
    path: String,
) -> String {
    path
}

fn main() {}
