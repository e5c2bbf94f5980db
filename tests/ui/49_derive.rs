use hermes_tools::ToolParam;

#[derive(ToolParam)]
struct Pair(u32, u32);

#[derive(ToolParam)]
union Bits {
    a: u32,
    b: f32,
}

#[derive(ToolParam)]
enum Never {}

#[derive(ToolParam)]
enum Untagged {
    /// On foot.
    Walk {
        /// How far.
        steps: u32,
    },
}

#[derive(ToolParam)]
#[param(tag = "type")]
enum Tuple {
    /// On foot.
    Walk(u32, u32),
}

#[derive(ToolParam)]
#[param(tag = "type")]
enum Flattened {
    /// On foot.
    Walk {
        #[param(flatten)]
        how: Undocumented,
    },
}

#[derive(ToolParam)]
#[param(tag = "type")]
enum Either<T> {
    /// One.
    Left {
        /// It.
        value: T,
    },
}

#[derive(ToolParam)]
struct Undocumented {
    line: u32,
}

#[derive(ToolParam)]
struct Page<T> {
    /// Items.
    items: Vec<T>,
    #[param(flatten)]
    common: Undocumented,
}

#[derive(ToolParam)]
struct Underscore {
    /// Line.
    _line: u32,
}

#[derive(ToolParam)]
#[param(tag = "a tag")]
enum Tag {
    Stop,
}

#[derive(ToolParam)]
#[param(rename_al = "snake_case")]
struct UnknownKey {
    /// Line.
    line: u32,
}

#[derive(ToolParam)]
struct Misplaced {
    /// Line.
    #[param(tag = "type")]
    line: u32,
}

#[derive(ToolParam)]
#[param = "x"]
struct Form {
    /// Line.
    line: u32,
}

#[derive(ToolParam)]
#[param(rename_all = "snakecase")]
struct Convention {
    /// Line.
    line: u32,
}

#[derive(ToolParam)]
struct Borrowed<'a> {
    /// Text.
    text: &'a str,
}

struct Foo;

#[derive(ToolParam)]
struct Foreign {
    /// Not a parameter.
    foo: Foo,
}

fn main() {}
