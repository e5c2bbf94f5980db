use hermes_tools::tool;

async fn other() {}

/// Held
#[tool(toolset = "file")]
async fn held(
    /// A number.
    n: u32,
) -> String {
    let cell = std::rc::Rc::new(n);
    other().await;
    cell.to_string()
}

fn main() {}
