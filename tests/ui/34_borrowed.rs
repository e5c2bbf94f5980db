use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn text(
    /// What.
    text: &str,
) -> String {
    text.to_owned()
}

/// Does it.
#[tool(toolset = "file")]
async fn path(
    /// What.
    path: &std::path::Path,
) -> String {
    path.display().to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn list(
    /// What.
    list: &mut Vec<u32>,
) -> String {
    list.len().to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn inside(
    /// What.
    text: std::borrow::Cow<'_, str>,
) -> String {
    text.into_owned()
}

fn main() {}
