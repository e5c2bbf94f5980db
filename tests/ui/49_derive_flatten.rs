use hermes_tools::ToolParam;

#[derive(ToolParam)]
struct Common {
    /// Line.
    line: u32,
}

#[derive(ToolParam)]
struct SameName {
    /// Line.
    line: u32,
    #[param(flatten)]
    common: Common,
}

#[derive(ToolParam)]
struct NoFields {
    #[param(flatten)]
    text: String,
}

fn main() {}
