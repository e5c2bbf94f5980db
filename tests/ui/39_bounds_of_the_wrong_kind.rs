use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn min_of_text(
    /// What.
    #[arg(min = 1)]
    path: String,
) -> String {
    path
}

/// Does it.
#[tool(toolset = "file")]
async fn len_of_number(
    /// What.
    #[arg(len = 1..)]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn items_of_number(
    /// What.
    #[arg(items(min = 1))]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn values_of_number(
    /// What.
    #[arg(values = ["1"])]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn pattern_of_number(
    /// What.
    #[arg(pattern = "1")]
    line: u32,
) -> String {
    line.to_string()
}

fn main() {}
