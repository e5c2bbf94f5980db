use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
async fn both(
    #[arg(min = 1)]
    #[ctx]
    cancel: hermes_tools::Cancel,
) -> String {
    format!("{cancel:?}")
}

/// Does it.
#[tool(toolset = "file")]
async fn form(
    #[ctx(host)]
    cancel: hermes_tools::Cancel,
) -> String {
    format!("{cancel:?}")
}

fn main() {}
