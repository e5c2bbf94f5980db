//! Every message of the macros, in one place, with an example of the misuse that causes it.
//!
//! A rule's `id` is the number of the misuse in the list that users read; several rules may share
//! one. Its `misuse` is a whole function, an attribute alone, or a parameter alone, and a test
//! holds each against the message that it really causes, so that a page made from this table is
//! true.

use std::fmt::Display;

/// One thing that can be wrong, and what is said about it.
#[derive(Debug)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the tests read every rule's id and misuse")
)]
pub(crate) struct Rule {
    /// Number of the misuse.
    pub(crate) id: u8,
    /// Source text that breaks the rule.
    pub(crate) misuse: &'static str,
    /// The message; `{name}` stands for what changes.
    pub(crate) text: &'static str,
}

/// A message that is ready to be shown.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) rule: &'static Rule,
    pub(crate) text: String,
}

impl Rule {
    /// The message with these values, in the order of its placeholders.
    pub(crate) fn with(&'static self, values: &[&dyn Display]) -> Message {
        let mut text = String::new();
        let mut values = values.iter();
        let mut rest = self.text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, tail) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            match values.next() {
                Some(value) => text.push_str(&value.to_string()),
                None => debug_assert!(false, "no value for `{name}` in: {}", self.text),
            }
            rest = tail;
        }
        debug_assert!(
            values.next().is_none(),
            "a value too many for: {}",
            self.text
        );
        text.push_str(rest);
        Message { rule: self, text }
    }
}

macro_rules! rules {
    ($($name:ident = $id:literal, $misuse:literal => $text:literal;)*) => {
        $(pub(crate) static $name: Rule = Rule { id: $id, misuse: $misuse, text: $text };)*

        /// Every rule, in the order of this file.
        #[cfg(test)]
        pub(crate) static RULES: &[(&str, &Rule)] = &[$((stringify!($name), &$name)),*];
    };
}

rules! {
    // The keys of `#[tool]`.
    UNKNOWN_KEY = 1, r#"#[tool(toolst = "file")]"#
        => "unknown argument `{key}`; {nearest}";
    FUNCTION_MISPLACED = 1, r#"#[tool(toolset = "file", default = 1)]"#
        => "`{key}` belongs to a parameter; write `#[arg({usage})]` above it";
    KEY_EXPECTED = 1, r#"#[tool("file")]"#
        => "expected a key; write `{usage}`";
    COMMA_EXPECTED = 1, r#"#[tool(toolset = "file" idempotent)]"#
        => "expected `,` before the next key";
    GIVEN_TWICE = 2, r#"#[tool(toolset = "file", toolset = "web")]"#
        => "`{key}` given twice; keep one";
    MISSING_TOOLSET = 3, r#"#[tool(effect = "read")]"#
        => "missing `toolset`; write `#[tool(toolset = \"...\")]`";
    STRING_EXPECTED = 4, "#[tool(toolset = file)]"
        => "expected a string; write `{string}`";
    VALUE_EXPECTED = 4, "#[tool(toolset)]"
        => "`{key}` takes a value; write `{usage}`";
    FLAG_WITH_VALUE = 4, r#"#[tool(toolset = "file", idempotent = true)]"#
        => "`{key}` is a flag; write `{key}` alone, or leave it out";
    CRATE_PATH = 4, r#"#[tool(toolset = "file", crate = "umbrella::tools")]"#
        => "expected the path of the runtime crate; write `{usage}`";
    TOOLSET_NAME = 5, r#"#[tool(toolset = "My Tools")]"#
        => "toolset names use a-z, 0-9, `-`, `_`, start with a letter and have at most 64 characters; try `{corrected}`";
    NAME_CHARACTER = 6, r#"#[tool(toolset = "file", name = "read file")]"#
        => "tool names use a-z, 0-9, `_` and `-`, not {character}; write `name = \"{corrected}\"`";
    NAME_START = 6, r#"#[tool(toolset = "file", name = "2read")]"#
        => "tool names start with a letter, not with {character}; write `name = \"{corrected}\"`";
    NAME_EMPTY = 6, r#"#[tool(toolset = "file", name = "")]"#
        => "the name is empty; leave `name` out to use the function's";
    NAME_LENGTH = 6, r#"#[tool(toolset = "file", name = "a_name_that_goes_on_and_on_until_it_has_more_than_sixty_four_characters")]"#
        => "tool names have at most 64 characters, and this one has {count}; write `name = \"{corrected}\"`";
    FUNCTION_NAME = 7, "async fn ReadFile() -> String {}"
        => "tool names are snake case; write `name = \"{corrected}\"` or rename the function";
    UNKNOWN_VALUE = 8, r#"#[tool(toolset = "file", effect = "reed")]"#
        => "expected {choices}{nearest}";
    TIMEOUT = 9, r#"#[tool(toolset = "file", timeout = 30)]"#
        => "expected a whole number with a unit; write `\"30s\"`, `\"500ms\"` or `\"2m\"`";
    TEARDOWN_ZERO = 9, r#"#[tool(toolset = "file", teardown = "0s")]"#
        => "a teardown of zero waits for nothing; give more, or leave `teardown` out";
    TIMEOUT_ZERO = 9, r#"#[tool(toolset = "file", timeout = "0s")]"#
        => "a timeout of zero would fail every call; give more, or leave `timeout` out";
    CHECK_CALLED = 10, r#"#[tool(toolset = "file", check = available())]"#
        => "pass the function itself: `{key} = {path}`";
    CHECK_PATH = 10, r#"#[tool(toolset = "file", check = "available")]"#
        => "expected the path of a function; write `{key} = {path}`";
    CHECK_LIMIT = 10, r#"#[tool(toolset = "file", check = [a, b, c, d, e])]"#
        => "a tool has at most {limit} checks; join some in one function";
    EMPTY_LIST = 10, r#"#[tool(toolset = "file", check = [])]"#
        => "an empty list says nothing; leave `{key}` out";
    ENVIRONMENT_NAME = 10, r#"#[tool(toolset = "file", requires_env = "HOME=/root")]"#
        => "environment variables are named with letters, digits and `_`; write `requires_env = \"API_KEY\"`";
    LOCK_MISPLACED = 13, r#"#[tool(toolset = "file", lock = "path")]"#
        => "`lock` belongs to a parameter; write `#[arg(lock)]` above it";
    RETRY = 15, r#"#[tool(toolset = "file", retry = 3)]"#
        => "sessions repeat what may be repeated; write `effect = \"read\"` or `idempotent` for a tool that may";
    SPILL = 4, r#"#[tool(toolset = "file", spill = true)]"#
        => "long results go to the result store unless the tool says `spill = false`; leave `spill` out";
    INLINE_ASYNC = 16, r#"#[tool(toolset = "file", inline)]"#
        => "`inline` is for plain functions; leave it out, since an `async fn` never goes to another thread";
    INLINE_TIMEOUT = 16, r#"#[tool(toolset = "file", inline, timeout = "5s")] /** Reads. */ fn read() -> String {}"#
        => "a function that is called in place is never interrupted, so `timeout` says nothing; drop `timeout` or `inline`";
    MAX_RESULT = 17, r#"#[tool(toolset = "file", max_result = 0)]"#
        => "expected a positive number of characters or `\"unlimited\"`";

    // The function.
    NO_DESCRIPTION = 18, r#"#[tool(toolset = "file")] async fn read() -> String {}"#
        => "the model needs a description; write `///` above the function";
    EMPTY_DESCRIPTION = 19, r#"#[tool(toolset = "file", description = "")]"#
        => "the description is empty; say in a sentence what the tool does";
    EMPTY_TEXT = 19, r#"#[tool(toolset = "file", title = " ")]"#
        => "`{key}` is empty; give it a text, or leave it out";
    NOT_A_FUNCTION = 20, "struct Files;"
        => "`#[tool]` goes on a function, not on {item}; for a group of tools annotate each function";
    NO_BODY = 20, "fn read() -> String;"
        => "a tool needs a body; write a block in place of `;`";
    TOOL_TWICE = 21, r#"#[tool(toolset = "file")] #[tool(toolset = "web")] /** Reads. */ async fn read() -> String {}"#
        => "one `#[tool]` for each function; write a second function for a second tool";
    SELF_RECEIVER = 22, "async fn read(&self) -> String {}"
        => "a tool is a free function; take state with a parameter marked `#[ctx]`";
    CONST_FN = 23, "const fn read() -> String {}"
        => "a `const fn` cannot be a tool, since calls come at run time; drop `const`";
    UNSAFE_FN = 23, "unsafe fn read() -> String {}"
        => "an `unsafe fn` cannot be a tool, since a model cannot keep its contract; write a safe function that calls it";
    EXTERN_FN = 23, r#"extern "C" fn read() -> String {}"#
        => "an `extern fn` cannot be a tool, since tools are called from Rust; drop `extern`";
    VARIADIC_FN = 23, "async fn read(...) -> String {}"
        => "a variadic function cannot be a tool, since its arguments have no schema; take a `Vec`";
    GENERIC = 24, "async fn read<T>() -> String {}"
        => "the schema must be known at compile time; write one function for each type";
    IMPL_TRAIT = 25, "async fn read() -> impl ToString {}"
        => "`impl Trait` has no schema; name the type";
    NO_RESULT = 43, "async fn read() {}"
        => "a tool must return something that the model can read; return `String`";
    TEXT_ERROR = 45, "async fn read() -> Result<String, String> {}"
        => "`{type}` is not a tool error; use `ToolError::failed(...)` or an error type";
    RETURNS_FUTURE = 47, "fn read() -> impl Future<Output = String> {}"
        => "a plain function that returns a future would never be awaited; make it `async fn`";
    BLOCKING_BORROW = 48, "fn read(#[ctx] workspace: &Workspace) -> String {}"
        => "blocking tools run on another thread and cannot borrow; take an owned handle, or add `inline` to `#[tool(...)]`";

    // The parameters.
    NO_PARAMETER_DOCS = 26, "async fn read(path: String) -> String {}"
        => "parameter `{name}` has no description; write a `///` comment above it";
    PATTERN = 27, "(path, line): (String, u32)"
        => "a tool parameter must be a plain name; take it apart in the body";
    UNDERSCORE = 28, "_path: String"
        => "the model would see `{name}`; rename the parameter, or add `#[arg(name = \"{corrected}\")]`";
    ARGUMENT_NAME = 28, r#"#[arg(name = "a path")] path: String"#
        => "argument names use letters, digits, `_` and `-`, start with a letter and have at most 64 characters; write `\"{corrected}\"`";
    CFG_PARAMETER = 29, "#[cfg(unix)] path: String"
        => "the schema would not see `#[{attribute}]`; put it on the function";
    UNKNOWN_ARG_KEY = 30, "#[arg(defalt = 1)] line: u32"
        => "unknown key `{key}`; {nearest}";
    ARG_MISPLACED = 30, r#"#[arg(effect = "read")] path: String"#
        => "`{key}` belongs to the function; write `#[tool({usage})]`";
    ARG_FORM = 30, r#"#[arg = "path"] path: String"#
        => "write `#[arg(key = value)]`";
    ARG_AND_CTX = 31, "#[arg(min = 1)] #[ctx] line: u32"
        => "a value of the host has no schema; drop `#[arg]` or `#[ctx]`";
    CTX_FORM = 31, "#[ctx(host)] line: u32"
        => "`#[ctx]` takes nothing, since the parameter's type says what is wanted; write `#[ctx]`";
    CTX_MISSING = 31, "workspace: &Workspace"
        => "the session supplies a `{type}`; write `#[ctx]` above it";
    SAME_NAME = 32, r#"#[arg(name = "path")] from: String, /** Where to. */ path: String"#
        => "two arguments answer to `{name}`; rename one";
    BORROWED = 34, "path: &str"
        => "arguments are owned; write `{owned}`{hint}";
    BORROWED_INSIDE = 34, "path: Cow<'_, str>"
        => "arguments are owned; use a type without lifetimes, such as `String`";
    BELOW_MINIMUM = 37, "#[arg(default = 0, min = 1)] line: u32"
        => "{key} {value} is below the minimum {min}; change one of them";
    ABOVE_MAXIMUM = 37, "#[arg(default = 9, max = 5)] line: u32"
        => "{key} {value} is above the maximum {max}; change one of them";
    NOT_A_VALUE = 37, r#"#[arg(default = "a", values = ["b", "c"])] mode: String"#
        => "{key} `{value}` is not one of the values; write {choices}";
    LENGTH_OUTSIDE = 37, r#"#[arg(default = "", len = 1..=64)] name: String"#
        => "{key} has {count} characters where `len` allows {range}; change one of them";
    EXAMPLE_LITERAL = 37, "#[arg(example = make())] path: String"
        => "expected a literal or a list of literals; write `{usage}`";
    NUMBER_EXPECTED = 38, r#"#[arg(min = "1")] line: u32"#
        => "expected a number; write `{usage}`";
    MINIMUM_ABOVE = 38, "#[arg(min = 5, max = 1)] line: u32"
        => "the minimum {min} is above the maximum {max}; no number fits both";
    LENGTH_FORM = 38, "#[arg(len = 1..64)] name: String"
        => "expected a length or a range with its end; write `len = 3`, `len = 1..=64`, `len = 1..` or `len = ..=10`";
    LENGTH_REVERSED = 38, "#[arg(len = 9..=3)] name: String"
        => "the shortest length {min} is above the longest {max}; swap them";
    ITEMS_KEY = 30, "#[arg(items(default = 1))] lines: Vec<u32>"
        => "`items` takes bounds alone, not `{key}`; {nearest}";
    FORMAT = 30, r#"#[arg(format = "datetime")] from: String"#
        => "unknown format `{format}`; {nearest}";
    SCHEMARS_KEY = 30, "#[arg(schemars, min = 1)] line: Line"
        => "the bounds of a type with `schemars` are its own; write `#[schemars(...)]` on it in place of `{key}`";
    SCHEMARS_DEFAULT = 30, "#[arg(schemars, default = Line::new())] line: Line"
        => "the default of a type with `schemars` is a literal; take an `Option` and choose in the body";
    FLATTEN_ALONE = 32, "#[arg(flatten)] edit: Edit, /** Where to. */ path: String"
        => "`flatten` makes one parameter all of the arguments; put the others into its type";
    FLATTEN_KEYS = 30, "#[arg(flatten, default = 1)] edit: Edit"
        => "a flattened parameter has no key of its own, so `{key}` says nothing; put it on a field of the type";
    DEFAULT_OF_OPTION = 40, "#[arg(default = 1)] line: Option<u32>"
        => "with a default the value is never absent; drop `default` or `Option`";

    // `#[derive(ToolParam)]`.
    DERIVE_SHAPE = 49, "#[derive(ToolParam)] struct Pair(u32, u32);"
        => "{item} cannot be a tool parameter, since its parts have no names; write a struct with named fields";
    DERIVE_EMPTY = 49, "#[derive(ToolParam)] enum Never {}"
        => "an enum without variants has no value that a model could send; add one";
    DERIVE_GENERIC = 49, r#"#[derive(ToolParam)] #[param(tag = "type")] enum Either<T> { /** One. */ Left { /** It. */ value: T } }"#
        => "a generic enum cannot be a tool parameter; write one enum for each type";
    UNTAGGED = 49, "#[derive(ToolParam)] enum Move { /** On foot. */ Walk { /** How far. */ steps: u32 } }"
        => "an enum with data needs a key that tells its forms apart; add `#[param(tag = \"type\")]`";
    VARIANT_FIELDS = 49, r#"#[derive(ToolParam)] #[param(tag = "type")] enum Move { /** On foot. */ Walk(u32, u32) }"#
        => "a variant holds named fields, one struct or nothing; give the fields names";
    DERIVE_FLATTEN = 49, r#"#[derive(ToolParam)] #[param(tag = "type")] enum Move { /** On foot. */ Walk { #[param(flatten)] how: How } }"#
        => "`flatten` stands in structs; hold the struct itself, as in `Walk(How)`";
    FLATTEN_GENERIC = 49, "#[derive(ToolParam)] struct Page<T> { /** Items. */ items: Vec<T>, #[param(flatten)] common: Common }"
        => "`flatten` does not stand in a generic type, whose table has to be known; write one struct for each type";
    FIELD_DOCS = 49, "#[derive(ToolParam)] struct Edit { line: u32 }"
        => "field `{name}` has no description; write a `///` comment above it";
    FIELD_NAME = 49, "#[derive(ToolParam)] struct Edit { /** Line. */ _line: u32 }"
        => "the model would see `{name}`; rename the field, or add `#[param(name = \"{corrected}\")]`";
    PARAM_KEY = 49, "#[derive(ToolParam)] #[param(rename_al = \"snake_case\")] struct Edit { /** Line. */ line: u32 }"
        => "unknown key `{key}`; {nearest}";
    PARAM_MISPLACED = 49, "#[derive(ToolParam)] struct Edit { /** Line. */ #[param(tag = \"type\")] line: u32 }"
        => "`{key}` does not stand here; write `#[param({usage})]` on the type, or on a field if it is one of a field";
    PARAM_FORM = 49, "#[derive(ToolParam)] #[param = \"x\"] struct Edit { /** Line. */ line: u32 }"
        => "write `#[param(key = value)]`";

    // The list `tools![]`.
    LIST_PATH = 56, "tools![read_file()]"
        => "expected the path of a tool function; write `module::function`";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in_order() {
        let message = NAME_LENGTH.with(&[&70, &"short"]);
        assert_eq!(
            message.text,
            "tool names have at most 64 characters, and this one has 70; write `name = \"short\"`"
        );
    }

    #[test]
    fn every_misuse_that_the_macros_see_by_themselves_has_a_rule() {
        let mut ids: Vec<u8> = RULES.iter().map(|(_, rule)| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut expected: Vec<u8> = (1..=10).chain([13, 15]).chain(16..=32).collect();
        expected.extend([34, 37, 38, 40, 43, 45, 47, 48, 49, 56]);
        assert_eq!(ids, expected);
    }

    #[test]
    fn messages_are_lowercase_fragments_without_a_full_stop() {
        for (name, rule) in RULES {
            let first = rule.text.chars().next().unwrap();
            assert!(!first.is_uppercase(), "{name}");
            assert!(!rule.text.ends_with('.'), "{name}");
        }
    }
}
