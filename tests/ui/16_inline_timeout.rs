use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", inline, timeout = "5s")]
fn slow() -> String {
    String::new()
}

fn main() {}
