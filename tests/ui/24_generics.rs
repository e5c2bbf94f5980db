use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn of_type<T>() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file")]
async fn of_number<const N: usize>() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file")]
async fn with_clause() -> String
where
    String: Clone,
{
    String::new()
}

fn main() {}
