use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn lines(
    /// How many.
    #[arg(example = "ten")]
    count: u32,
    /// Which.
    #[arg(example = "a, b")]
    names: Vec<String>,
) -> String {
    format!("{count}{names:?}")
}

fn main() {}
