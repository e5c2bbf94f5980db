use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    #[arg(lock)]
    dry_run: bool,
) -> String {
    dry_run.to_string()
}

fn main() {}
