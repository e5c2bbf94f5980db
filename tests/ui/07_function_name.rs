use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
#[expect(non_snake_case)]
async fn ReadFile() -> String {
    String::new()
}

fn main() {}
