use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    #[arg(default = 1)]
    line: Option<u32>,
) -> String {
    format!("{line:?}")
}

fn main() {}
