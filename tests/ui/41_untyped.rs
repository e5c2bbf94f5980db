use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn bare(
    /// What.
    value: serde_json::Value,
) -> String {
    value.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn list(
    /// What.
    values: Vec<serde_json::Value>,
) -> String {
    values.len().to_string()
}

fn main() {}
