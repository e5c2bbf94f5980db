use hermes_tools::tool;

/// Does it.
#[tool(toolst = "file")]
async fn meant() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", default = 1)]
async fn misplaced() -> String {
    String::new()
}

/// Does it.
#[tool("file")]
async fn no_key() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file" idempotent)]
async fn no_comma() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", zzz)]
async fn nothing_near() -> String {
    String::new()
}

fn main() {}
