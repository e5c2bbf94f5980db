use hermes_tools::{Cancel, ToolContext, Workspace, tool};

/// Does it.
#[tool(toolset = "file")]
async fn forgotten(
    workspace: &Workspace,
    cancel: Cancel,
    /// What the session knows.
    cx: &ToolContext,
) -> String {
    let _ = (workspace, cancel);
    cx.tool().to_owned()
}

fn main() {}
