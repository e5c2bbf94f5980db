use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    map: std::collections::BTreeMap<u32, String>,
) -> String {
    map.len().to_string()
}

fn main() {}
