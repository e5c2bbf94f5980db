use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn number(
    /// What.
    #[arg(default = "1")]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn text(
    /// What.
    #[arg(default = 1)]
    path: String,
) -> String {
    path
}

fn main() {}
