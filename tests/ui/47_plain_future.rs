use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
fn example() -> impl Future<Output = String> {
    async { String::new() }
}

fn main() {}
