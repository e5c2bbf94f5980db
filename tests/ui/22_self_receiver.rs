use hermes_tools::tool;

struct Files;

impl Files {
    /// Does it.
    #[tool(toolset = "file")]
    async fn example(&self) -> String {
        String::new()
    }
}

fn main() {}
