use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", description = "")]
async fn empty() -> String {
    String::new()
}

///
#[tool(toolset = "file")]
async fn blank() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", title = " ")]
async fn title() -> String {
    String::new()
}

fn main() {}
