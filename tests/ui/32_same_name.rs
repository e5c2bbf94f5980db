use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// From.
    #[arg(name = "path")]
    from: String,
    /// To.
    path: String,
) -> String {
    from + &path
}

/// Does it.
#[tool(toolset = "file")]
async fn flattened(
    #[arg(flatten)]
    from: String,
    /// To.
    path: String,
) -> String {
    from + &path
}

fn main() {}
