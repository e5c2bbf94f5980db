use hermes_tools::tool;

fn available() -> bool {
    true
}

/// Does it.
#[tool(toolset = "file", check = available)]
async fn check() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", effect_of = available)]
async fn effect_of() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", targets = available)]
async fn targets() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", schema_patch = available)]
async fn patch() -> String {
    String::new()
}

fn of_another_answer(_: &hermes_tools::CheckContext<'_>) -> bool {
    true
}

/// Does it.
#[tool(toolset = "file", check = of_another_answer)]
async fn answer() -> String {
    String::new()
}

fn main() {}
