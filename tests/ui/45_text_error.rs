use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn written() -> Result<String, String> {
    Ok(String::new())
}

struct Foo;

/// Does it.
#[tool(toolset = "file")]
async fn foreign() -> Result<String, Foo> {
    Ok(String::new())
}

fn main() {}
