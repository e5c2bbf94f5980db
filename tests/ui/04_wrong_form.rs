use hermes_tools::tool;

/// Does it.
#[tool(toolset = file)]
async fn word() -> String {
    String::new()
}

/// Does it.
#[tool(toolset)]
async fn no_value() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", idempotent = true)]
async fn flag_with_value() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", spill = true)]
async fn spill() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", crate = "umbrella::tools")]
async fn crate_path() -> String {
    String::new()
}

fn main() {}
