use hermes_tools::ToolParam;

#[derive(ToolParam)]
struct Even {
    /// The next one.
    next: Option<Box<Odd>>,
}

#[derive(ToolParam)]
struct Odd {
    /// The next one.
    next: Option<Box<Even>>,
}

fn main() {}
