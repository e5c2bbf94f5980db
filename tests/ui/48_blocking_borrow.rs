use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file")]
fn example(#[ctx] workspace: &hermes_tools::Workspace) -> String {
    format!("{workspace:?}")
}

fn main() {}
