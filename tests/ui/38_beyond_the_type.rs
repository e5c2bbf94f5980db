use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn lines(
    /// How many.
    #[arg(max = 300)]
    count: u8,
    /// Where.
    #[arg(min = -1)]
    offset: u32,
) -> String {
    format!("{count}{offset}")
}

fn main() {}
