use hermes_tools::tool;

/// Does it.
#[tool(effect = "read")]
async fn example() -> String {
    String::new()
}

/// Does it.
#[tool]
async fn bare() -> String {
    String::new()
}

fn main() {}
