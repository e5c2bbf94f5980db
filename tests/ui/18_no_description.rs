use hermes_tools::tool;

#[tool(toolset = "file")]
async fn example() -> String {
    String::new()
}

fn main() {}
