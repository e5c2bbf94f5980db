use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn meant(
    /// What.
    #[arg(defalt = 1)]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn misplaced(
    /// What.
    #[arg(effect = "read")]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn form(
    /// What.
    #[arg = "path"]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn items(
    /// What.
    #[arg(items(default = 1))]
    lines: Vec<u32>,
) -> String {
    lines.len().to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn format(
    /// What.
    #[arg(format = "datetime")]
    from: String,
) -> String {
    from
}

/// Does it.
#[tool(toolset = "file")]
async fn flattened(
    /// What.
    #[arg(flatten, default = 1)]
    line: u32,
) -> String {
    line.to_string()
}

/// Does it.
#[tool(toolset = "file")]
async fn of_schemars(
    /// What.
    #[arg(schemars, min = 1)]
    line: u32,
    /// What.
    #[arg(schemars, default = make())]
    other: u32,
) -> String {
    (line + other).to_string()
}

fn main() {}
