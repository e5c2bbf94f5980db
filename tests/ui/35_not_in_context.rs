use hermes_tools::tool;

struct Host;

/// Does it.
#[tool(toolset = "file")]
async fn example(#[ctx] host: Host) -> String {
    drop(host);
    String::new()
}

fn main() {}
