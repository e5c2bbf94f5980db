use hermes_tools::tool;

/// Does it.
#[tool(toolset = "file", name = "read file")]
async fn space() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", name = "2read")]
async fn digit() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", name = "")]
async fn empty() -> String {
    String::new()
}

/// Does it.
#[tool(toolset = "file", name = "a_name_that_goes_on_and_on_until_it_has_more_than_sixty_four_characters")]
async fn long() -> String {
    String::new()
}

fn main() {}
