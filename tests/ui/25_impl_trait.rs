use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn parameter(
    /// What.
    text: impl ToString,
) -> String {
    text.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn result() -> impl ToString {
    String::new()
}

fn main() {}
