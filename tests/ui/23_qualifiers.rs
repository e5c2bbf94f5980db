use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
const fn constant() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file")]
unsafe fn not_safe() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file")]
extern "C" fn foreign() -> String {
    String::new()
}

fn main() {}
