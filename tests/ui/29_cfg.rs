use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    #[cfg(unix)]
    path: String,
) -> String {
    path
}

fn main() {}
