use hermes_tools::tool;

struct Foo;

/// Does it.
#[tool(toolset = "file")]
async fn example() -> Foo {
    Foo
}

fn main() {}
