use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", effect = "reed")]
async fn effect() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", parallel = "always")]
async fn parallel() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", exposure = "defered")]
async fn exposure() -> String {
    String::new()
}

fn main() {}
