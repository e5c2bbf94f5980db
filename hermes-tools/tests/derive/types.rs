//! Every form of a derived type: its schema, its two ways of being read, and its rendering.

use std::time::Duration;

use hermes_tools::{Json, ToolParam, tool, tools};
use serde_json::json;

use super::{answer, call, parameters};

/// A change of some lines.
#[derive(Debug, Clone, PartialEq, ToolParam)]
struct Edit {
    /// First line.
    #[param(min = 1, alias = "from")]
    line: u32,
    /// New text.
    #[param(len = 1..=5, default = "-")]
    text: String,
    /// How it is done.
    #[param(default = How::Before, name = "how")]
    place: How,
    /// Marks.
    #[param(items(min = 0, max = 9), len = ..=3)]
    marks: Option<Vec<i64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, ToolParam)]
#[param(rename_all = "snake_case")]
enum How {
    /// Above.
    Before,
    #[param(name = "replace", alias = ["instead", "swap"])]
    Instead,
}

/// Edit
#[tool(toolset = "types", inline)]
fn edit(
    /// The changes.
    edits: Vec<Edit>,
    /// A change by default.
    #[arg(default = Edit { line: 7, text: "t".to_owned(), place: How::Instead, marks: None })]
    last: Edit,
) -> String {
    format!("{edits:?} {}", last.render())
}

#[test]
fn a_struct_is_an_object_with_the_bounds_of_its_fields() {
    let tool = tools![edit][0];
    let item = parameters(tool)["properties"]["edits"]["items"].clone();
    assert_eq!(
        item,
        json!({
            "type": "object",
            "properties": {
                "line": {
                    "type": "integer", "minimum": 1,
                    "description": "First line.",
                },
                "text": {
                    "type": "string", "minLength": 1, "maxLength": 5,
                    "description": "New text.", "default": "-",
                },
                "how": {
                    "type": "string", "enum": ["before", "replace"],
                    "description": "How it is done.\n`before`: Above.", "default": "before",
                },
                "marks": {
                    "type": "array",
                    "items": {"type": "integer", "minimum": 0, "maximum": 9},
                    "maxItems": 3,
                    "description": "Marks.",
                },
            },
            "required": ["line"],
            "additionalProperties": false,
            "description": "A change of some lines.",
        })
    );
}

#[test]
fn both_ways_of_reading_give_the_same_value() {
    let tool = tools![edit][0];
    let expected = "[Edit { line: 2, text: \"-\", place: Instead, marks: Some([1, 2]) }] \
                    {\"line\":7,\"text\":\"t\",\"how\":\"replace\",\"marks\":null}";
    let strict = call(
        tool,
        r#"{"edits":[{"line":2,"how":"replace","marks":[1,2]}]}"#,
    );
    assert_eq!(strict.repairs, []);
    assert_eq!(strict.outcome.unwrap().text(), expected);
    let damaged = call(
        tool,
        r#"{"edits":[{"from":"2","how":"swap","marks":["1",2]}]}"#,
    );
    let repairs: Vec<String> = damaged.repairs.iter().map(ToString::to_string).collect();
    assert_eq!(
        repairs,
        [
            "`edits[0].line`: text to integer (\"2\" to 2)",
            "`edits[0].how`: spelling of the value (\"swap\" to \"replace\")",
            "`edits[0].marks[0]`: text to integer (\"1\" to 1)",
        ]
    );
    assert_eq!(damaged.outcome.unwrap().text(), expected);
}

#[test]
fn all_problems_of_nested_values_are_told_at_once() {
    let tool = tools![edit][0];
    assert_eq!(
        answer(
            tool,
            r#"{"edits":[{"line":0,"text":"toolong","marks":[10]},{"lin":1}]}"#
        ),
        "invalid arguments for `edit`: \
         `edits[0].line`: expected a whole number of at least 1, got 0; \
         `edits[0].text`: expected text of 1 to 5 characters, got \"toolong\"; \
         `edits[0].marks[0]`: expected a whole number from 0 to 9, got 10; \
         `edits[1].lin`: no such parameter; did you mean `line`?; \
         `edits[1].line`: missing; expected a whole number of at least 1"
    );
}

#[derive(Debug, PartialEq, ToolParam)]
struct Common {
    /// Only look.
    #[param(default = false)]
    dry_run: bool,
    /// How long it may take.
    wait: Option<Duration>,
}

#[derive(Debug, PartialEq, ToolParam)]
struct Copy {
    /// From where.
    source: String,
    #[param(flatten)]
    common: Common,
    /// To where.
    target: String,
    #[param(flatten)]
    more: More,
}

#[derive(Debug, PartialEq, ToolParam)]
struct More {
    /// How often.
    times: Option<u8>,
}

/// Copy
#[tool(toolset = "types", inline)]
fn copy(#[arg(flatten)] what: Copy) -> String {
    format!("{what:?}\n{}", what.render())
}

#[test]
fn flattened_fields_stand_beside_the_others_in_their_order() {
    let tool = tools![copy][0];
    let names: Vec<&str> = tool
        .params()
        .iter()
        .map(hermes_tools::param::Param::name)
        .collect();
    assert_eq!(names, ["source", "dry_run", "wait", "target", "times"]);
    for arguments in [
        r#"{"source":"a","target":"b","wait":1.5}"#,
        r#"{"source":"a","target":"b","wait":"1.5"}"#,
    ] {
        assert_eq!(
            answer(tool, arguments),
            "Copy { source: \"a\", common: Common { dry_run: false, wait: Some(1.5s) }, \
             target: \"b\", more: More { times: None } }\n\
             {\"source\":\"a\",\"dry_run\":false,\"wait\":1.5,\"target\":\"b\",\"times\":null}"
        );
    }
    assert_eq!(
        answer(tool, r#"{"source":"a","times":300}"#),
        "invalid arguments for `copy`: `target`: missing; expected text; \
         `times`: expected a whole number from 0 to 255, got 300"
    );
}

/// Nested, to see flattening inside a list.
#[tool(toolset = "types", inline)]
fn copies(
    /// All of them.
    list: Vec<Copy>,
) -> String {
    list.len().to_string()
}

#[test]
fn flattening_works_at_every_depth() {
    let tool = tools![copies][0];
    assert_eq!(
        answer(
            tool,
            r#"{"list":[{"source":"a","target":"b","dry_run":true}]}"#
        ),
        "1"
    );
    assert!(answer(tool, r#"{"list":[{"source":"a"}]}"#).contains("`list[0].target`: missing"));
}

/// A folder.
#[derive(Debug, PartialEq, ToolParam)]
struct Tree {
    /// Its name.
    name: String,
    /// What is in it.
    #[param(default = Vec::new())]
    children: Vec<Tree>,
}

/// Depth
#[tool(toolset = "types", inline)]
fn depth(
    /// The root.
    tree: Tree,
) -> String {
    fn of(tree: &Tree) -> usize {
        1 + tree.children.iter().map(of).max().unwrap_or(0)
    }
    of(&tree).to_string()
}

#[test]
fn a_type_that_contains_itself_is_a_definition() {
    let tool = tools![depth][0];
    let schema = parameters(tool);
    assert_eq!(schema["properties"]["tree"]["$ref"], "#/$defs/Tree");
    assert_eq!(
        schema["$defs"]["Tree"]["properties"]["children"]["items"],
        json!({"$ref": "#/$defs/Tree"})
    );
    assert_eq!(
        answer(
            tool,
            r#"{"tree":{"name":"a","children":[{"name":"b","children":[{"name":"c"}]}]}}"#
        ),
        "3"
    );
    assert!(
        answer(
            tool,
            r#"{"tree":{"name":"a","children":[{"children":[]}]}}"#
        )
        .contains("`tree.children[0].name`: missing")
    );
    let mut deep = r#"{"name":"a"}"#.to_owned();
    for _ in 0..1_000 {
        deep = format!(r#"{{"name":"a","children":[{deep}]}}"#);
    }
    let error = answer(tool, &format!(r#"{{"tree":{deep}}}"#));
    assert!(
        error.starts_with("invalid arguments for `depth`"),
        "{error}"
    );
}

#[derive(Debug, ToolParam)]
struct Even {
    /// The next one.
    #[param(recursive)]
    next: Option<Box<Odd>>,
}

#[derive(Debug, ToolParam)]
struct Odd {
    /// The next one.
    next: Option<Box<Even>>,
}

/// Chain
#[tool(toolset = "types", inline)]
fn chain(
    /// The first.
    first: Even,
) -> String {
    format!("{first:?}")
}

#[test]
fn types_that_contain_each_other_need_one_mark() {
    let tool = tools![chain][0];
    assert_eq!(
        parameters(tool)["properties"]["first"]["$ref"],
        "#/$defs/Even"
    );
    assert_eq!(
        answer(tool, r#"{"first":{"next":{"next":{}}}}"#),
        "Even { next: Some(Odd { next: Some(Even { next: None }) }) }"
    );
}

/// A sum.
#[derive(Debug, ToolParam)]
#[param(tag = "op", rename_all = "kebab-case")]
enum Term {
    /// A number.
    Plain {
        /// It.
        #[param(default = Self::ONE)]
        value: i64,
    },
    /// Two terms together.
    BothOf {
        /// The first.
        left: Box<Term>,
        /// The second.
        right: Box<Self>,
    },
    Nothing {},
}

impl Term {
    const ONE: i64 = 1;
}

/// Sum
#[tool(toolset = "types", inline)]
fn sum(
    /// What to add.
    term: Term,
) -> String {
    fn of(term: &Term) -> i64 {
        match term {
            Term::Plain { value } => *value,
            Term::BothOf { left, right } => of(left) + of(right),
            Term::Nothing {} => 0,
        }
    }
    format!("{} {}", of(&term), term.render())
}

#[test]
fn a_union_may_contain_itself_and_call_itself_self() {
    let tool = tools![sum][0];
    let schema = parameters(tool);
    assert_eq!(schema["properties"]["term"]["$ref"], "#/$defs/Term");
    let both = &schema["$defs"]["Term"]["oneOf"][1]["properties"];
    assert_eq!(both["left"]["$ref"], "#/$defs/Term");
    assert_eq!(both["right"]["$ref"], "#/$defs/Term");
    assert_eq!(
        answer(
            tool,
            r#"{"term":{"op":"both-of","left":{"op":"plain","value":4},
                "right":{"op":"both-of","left":{"op":"plain"},"right":{"op":"nothing"}}}}"#
        ),
        "5 {\"op\":\"both-of\",\"left\":{\"op\":\"plain\",\"value\":4},\"right\":{\"op\":\"both-of\",\
         \"left\":{\"op\":\"plain\",\"value\":1},\"right\":{\"op\":\"nothing\"}}}"
    );
    assert!(
        answer(tool, r#"{"term":{"op":"both-of","left":{"op":"plain"}}}"#)
            .contains("`term.right`: missing")
    );
}

/// What to do.
#[derive(Debug, Clone, PartialEq, ToolParam)]
#[param(tag = "type", rename_all = "snake_case")]
enum Action {
    /// Say something.
    Say {
        /// What.
        #[param(len = 1..)]
        text: String,
        /// How loud.
        #[param(default = 5, max = 10)]
        volume: u8,
    },
    /// Change something.
    Change(Change),
    #[param(alias = "halt")]
    Stop,
}

#[derive(Debug, Clone, PartialEq, ToolParam)]
struct Change {
    /// Which line.
    line: u32,
}

/// Act
#[tool(toolset = "types", inline)]
fn act(
    /// One after the other.
    actions: Vec<Action>,
) -> String {
    let rendered: Vec<String> = actions.iter().map(ToolParam::render).collect();
    format!("{actions:?} {}", rendered.join(" "))
}

#[test]
fn a_tagged_enum_is_a_union_of_objects() {
    let tool = tools![act][0];
    assert_eq!(
        parameters(tool)["properties"]["actions"]["items"]["oneOf"][1],
        json!({
            "type": "object",
            "description": "Change something.",
            "properties": {
                "type": {"type": "string", "enum": ["change"]},
                "line": {"type": "integer", "minimum": 0, "description": "Which line."},
            },
            "required": ["type", "line"],
            "additionalProperties": false,
        })
    );
    let strict = call(
        tool,
        r#"{"actions":[{"volume":1,"type":"say","text":"hi"},{"type":"change","line":3},{"type":"stop"}]}"#,
    );
    assert_eq!(strict.repairs, []);
    assert_eq!(
        strict.outcome.unwrap().text(),
        "[Say { text: \"hi\", volume: 1 }, Change(Change { line: 3 }), Stop] \
         {\"type\":\"say\",\"text\":\"hi\",\"volume\":1} {\"type\":\"change\",\"line\":3} {\"type\":\"stop\"}"
    );
    let damaged = call(
        tool,
        r#"{"actions":[{"type":"SAY","text":7},{"type":"halt"}]}"#,
    );
    assert_eq!(damaged.repairs.len(), 3, "{:?}", damaged.repairs);
    assert!(
        damaged
            .outcome
            .unwrap()
            .text()
            .starts_with("[Say { text: \"7\", volume: 5 }, Stop]")
    );
    assert_eq!(
        answer(
            tool,
            r#"{"actions":[{"type":"shout"},{"text":"x"},{"type":"say"}]}"#
        ),
        "invalid arguments for `act`: \
         `actions[0].type`: expected one of \"say\", \"change\", \"stop\", got \"shout\"; \
         `actions[1].type`: missing; expected one of \"say\", \"change\", \"stop\"; \
         `actions[2].text`: missing; expected text of at least 1 character"
    );
}

/// Values of a type, and some by default.
#[derive(Debug, ToolParam)]
struct Padded<T, const N: usize>
where
    T: Default + Clone + std::fmt::Debug,
{
    /// So many.
    values: [T; N],
    /// More of them.
    #[param(default = vec![T::default(); N])]
    more: Vec<T>,
    /// What stands between.
    #[param(default = Self::between())]
    between: T,
}

impl<T: Default + Clone + std::fmt::Debug, const N: usize> Padded<T, N> {
    fn between() -> T {
        T::default()
    }
}

/// Pad
#[tool(toolset = "types", inline)]
fn pad(
    /// Numbers.
    numbers: Padded<u8, 2>,
    /// Texts.
    texts: Option<Padded<String, 1>>,
) -> String {
    format!("{numbers:?} {texts:?}")
}

#[test]
fn defaults_of_a_generic_type_are_of_its_own_types() {
    let tool = tools![pad][0];
    let schema = parameters(tool);
    let numbers = &schema["properties"]["numbers"]["properties"];
    assert_eq!(numbers["more"]["default"], json!([0, 0]));
    assert_eq!(numbers["between"]["default"], json!(0));
    let texts = &schema["properties"]["texts"]["properties"];
    assert_eq!(texts["more"]["default"], json!([""]));
    assert_eq!(
        answer(
            tool,
            r#"{"numbers":{"values":[1,2]},"texts":{"values":["a"],"between":"-"}}"#
        ),
        "Padded { values: [1, 2], more: [0, 0], between: 0 } \
         Some(Padded { values: [\"a\"], more: [\"\"], between: \"-\" })"
    );
}

/// A page of items.
#[derive(Debug, ToolParam, serde::Serialize)]
struct Page<T> {
    /// The items.
    items: Vec<T>,
    /// Where the next page starts.
    next: Option<u32>,
}

#[derive(Debug, ToolParam, serde::Serialize)]
struct Hit {
    /// Where.
    line: u32,
}

/// Find
#[tool(toolset = "types", inline)]
fn find(
    /// Start.
    page: Page<String>,
) -> Json<Page<Hit>> {
    Json(Page {
        items: vec![Hit { line: 1 }],
        next: page.next,
    })
}

/// Find, with a result that may fail.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the type of the result is what is looked at"
)]
#[tool(toolset = "types", inline)]
fn find_or_fail() -> Result<Json<Hit>, std::io::Error> {
    Ok(Json(Hit { line: 2 }))
}

/// Find, with a result that says nothing of itself.
#[tool(toolset = "types", inline)]
fn find_any() -> Json<serde_json::Map<String, serde_json::Value>> {
    Json(serde_json::Map::new())
}

#[test]
fn a_json_result_shows_its_schema_where_its_type_has_one() {
    let tool = tools![find][0];
    let schema = hermes_tools::schema::write::output(tool).unwrap();
    assert_eq!(
        schema,
        "{\"type\":\"object\",\"properties\":{\"items\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\
         \"properties\":{\"line\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"Where.\"}},\
         \"required\":[\"line\"],\"additionalProperties\":false},\"description\":\"The items.\"},\
         \"next\":{\"type\":[\"integer\",\"null\"],\"minimum\":0,\"description\":\"Where the next page starts.\"}},\
         \"required\":[\"items\"],\"additionalProperties\":false,\"description\":\"A page of items.\"}"
    );
    assert!(tools![find_or_fail][0].result_schema().is_some());
    assert!(tools![find_any][0].result_schema().is_none());
    assert_eq!(
        answer(tool, r#"{"page":{"items":[]}}"#),
        r#"{"items":[{"line":1}],"next":null}"#
    );
}
