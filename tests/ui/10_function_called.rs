use hermes_tools::tool;

fn available(_: &hermes_tools::CheckContext<'_>) -> hermes_tools::Availability {
    hermes_tools::Availability::Available
}

/// Does it.
#[tool(toolset = "file", check = available())]
async fn called() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", check = "available")]
async fn string() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", check = [available, available, available, available, available])]
async fn surplus() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", check = [])]
async fn none() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", requires_env = "HOME=/root")]
async fn environment() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", effect_of = effect())]
async fn effect_of() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", targets = "paths")]
async fn targets() -> String {
    String::new()
}

fn main() {}
