use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", timeout = "30")]
async fn no_unit() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", timeout = 30)]
async fn number() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", timeout = "0s")]
async fn zero() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", teardown = "0s")]
async fn no_teardown() -> String {
    String::new()
}

fn main() {}
