use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", max_result = 0)]
async fn zero() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", max_result = "many")]
async fn many() -> String {
    String::new()
}

fn main() {}
