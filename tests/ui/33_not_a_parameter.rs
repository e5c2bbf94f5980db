use hermes_tools::tool;

struct Foo;

/// Does it.
#[tool(toolset = "file")]
async fn example(
    /// What.
    foo: Foo,
) -> String {
    drop(foo);
    String::new()
}

fn main() {}
