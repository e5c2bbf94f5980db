use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    (path, line): (String, u32),
) -> String {
    format!("{path}{line}")
}

fn main() {}
