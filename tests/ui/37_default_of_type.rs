use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    #[arg(default = 300)]
    line: u8,
) -> String {
    line.to_string()
}

fn main() {}
