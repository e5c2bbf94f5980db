use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn named(
    /// What.
    _path: String,
) -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file")]
async fn wild(
    /// What.
    _: String,
) -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file")]
async fn spaced(
    /// What.
    #[arg(name = "a path")]
    path: String,
) -> String {
    path
}

fn main() {}
