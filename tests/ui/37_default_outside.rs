use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn below(
    /// What.
    #[arg(default = 0, min = 1)]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn above(
    /// What.
    #[arg(example = 9, max = 5)]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn value(
    /// What.
    #[arg(default = "a", values = ["b", "c"])]
    mode: String,
) -> String {
    mode
}

/// Does it.
#[tool(toolset = "file")]
async fn length(
    /// What.
    #[arg(default = "", len = 1..=64)]
    name: String,
) -> String {
    name
}

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    #[arg(example = make())]
    path: String,
) -> String {
    path
}

fn main() {}
