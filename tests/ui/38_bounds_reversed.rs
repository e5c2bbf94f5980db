use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn numbers(
    /// What.
    #[arg(min = 5, max = 1)]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn lengths(
    /// What.
    #[arg(len = 9..=3)]
    name: String,
) -> String {
    name
}

/// Does it.
#[tool(toolset = "file")]
async fn form(
    /// What.
    #[arg(len = 1..64)]
    name: String,
) -> String {
    name
}

/// Does it.
#[tool(toolset = "file")]
async fn text(
    /// What.
    #[arg(min = "1")]
    line: u32,
) -> String {
    line.to_string()
}

fn main() {}
