//! Every rule is broken by its own example, and mistakes do not hide each other.

use super::{expand, reports, texts};
use crate::diagnostics::{RULES, Rule};
use crate::{derive, list};

/// An example as a whole function: an attribute alone gets a function, a parameter alone gets one
/// around it, and a function without `#[tool]` gets that and a description.
fn completed(misuse: &str) -> String {
    let is_item = ["fn ", "struct "].iter().any(|word| misuse.contains(word));
    let has_tool = misuse.contains("#[tool");
    match (has_tool, is_item) {
        (true, true) => misuse.to_owned(),
        (true, false) => format!("{misuse} /** Does it. */ async fn example() -> String {{}}"),
        (false, true) => format!("#[tool(toolset = \"file\")] /** Does it. */ {misuse}"),
        (false, false) => format!(
            "#[tool(toolset = \"file\")] /** Does it. */ \
             async fn example(/** What. */ {misuse}) -> String {{}}"
        ),
    }
}

/// Whether a text is the rule's message with some values.
pub(super) fn is_message_of(rule: &Rule, text: &str) -> bool {
    let fixed = |part: &'static str| part.split_once('}').map_or(part, |(_, fixed)| fixed);
    let mut rest = text;
    rule.text
        .split('{')
        .map(fixed)
        .all(|part| match rest.find(part) {
            Some(index) => {
                rest = &rest[index + part.len()..];
                true
            }
            None => false,
        })
}

#[test]
fn the_example_of_each_rule_breaks_that_rule_and_no_other() {
    for (name, rule) in RULES {
        let found = if let Some(list) = rule.misuse.strip_prefix("tools![") {
            list::read(list.trim_end_matches(']').parse().unwrap()).reports
        } else if let Some(item) = rule.misuse.strip_prefix("#[derive(ToolParam)]") {
            derive::analyse(item.parse().unwrap()).1
        } else {
            reports(&completed(rule.misuse))
        };
        assert!(!found.is_empty(), "{name} is not reported");
        for report in found {
            let broken = report.rule.map_or("syntax", |rule| rule.misuse);
            assert_eq!(
                broken,
                rule.misuse,
                "{name} was not meant: {}",
                report.text()
            );
            assert!(
                is_message_of(rule, &report.text()),
                "{name}: {}",
                report.text()
            );
        }
    }
}

#[test]
fn nine_independent_mistakes_are_nine_errors() {
    let source = r#"
        #[tool(toolst = "file", effect = "reed", timeout = 30, max_result = 0)]
        pub async fn read(
            path: String,
            /** The line. */ #[arg(defalt = 1)] line: u32,
            /** The mode. */ mode: &str,
            /** The pair. */ (a, b): (u32, u32),
        ) -> String {
            half typed
        }
    "#;
    assert_eq!(
        texts(source),
        [
            "unknown argument `toolst`; did you mean `toolset`?",
            "expected `\"read\"`, `\"write\"` or `\"destructive\"`; did you mean `\"read\"`?",
            "expected a whole number with a unit; write `\"30s\"`, `\"500ms\"` or `\"2m\"`",
            "expected a positive number of characters or `\"unlimited\"`",
            "unknown key `defalt`; did you mean `default`?",
            "the model needs a description; write `///` above the function",
            "parameter `path` has no description; write a `///` comment above it",
            "arguments are owned; write `String`",
            "a tool parameter must be a plain name; take it apart in the body",
        ]
    );
}

#[test]
fn the_function_is_emitted_beside_its_errors_and_nothing_else() {
    let expanded = expand(
        r#"#[tool(toolset = "file", nonsense)]
        #[must_use]
        pub async fn read(#[doc = " The path."] #[arg(role = "path")] path: String) -> String { a b }"#,
    );
    let function = "# [must_use] pub async fn read (path : String) -> String { a b }";
    assert!(expanded.starts_with(function), "{expanded}");
    let rest = &expanded[function.len()..];
    assert_eq!(rest.matches("compile_error").count(), 2);
    assert!(!expanded.contains("const"), "{expanded}");
}

#[test]
fn a_broken_signature_loses_neither_the_function_nor_the_mistakes_of_the_attribute() {
    let expanded = expand("#[tool(toolset = 1)] fn read(#[ctx] cx: ) -> String { x }");
    assert!(
        expanded.starts_with("fn read (cx :) -> String { x }"),
        "{expanded}"
    );
    assert_eq!(expanded.matches("compile_error").count(), 2);
}

#[test]
fn a_second_tool_attribute_is_taken_off() {
    let expanded =
        expand(r#"#[tool(toolset = "a")] #[tool(toolset = "b")] async fn f() -> String {}"#);
    assert!(!expanded.contains("# [tool"), "{expanded}");
}

#[test]
fn attributes_of_other_crates_called_tool_are_left_alone() {
    let source = r#"#[tool(toolset = "a")] #[rmcp::tool] /** Does. */ async fn f() -> String {}"#;
    assert_eq!(texts(source), [""; 0]);
}

#[test]
fn both_places_of_a_shared_name_are_marked() {
    let source = r#"#[tool(toolset = "a")] /** Does. */ async fn f(
        /** One. */ a: String,
        /** Two. */ #[arg(alias = "a")] b: String,
    ) -> String {}"#;
    assert_eq!(
        texts(source),
        ["two arguments answer to `a`; rename one"; 2]
    );
}

#[test]
fn a_broken_entry_does_not_end_the_reading() {
    let source = r#"#[tool(toolset = , effect = "reed", name == "x", check(a), inline = true)]
        /** Does. */ fn f() -> String {}"#;
    let texts = texts(source);
    assert_eq!(texts.len(), 5, "{texts:#?}");
    assert_eq!(texts[2], "`check` takes a value; write `check = available`");
    assert_eq!(
        texts[3],
        "`inline` is a flag; write `inline` alone, or leave it out"
    );
}

#[test]
fn a_toolset_that_was_meant_is_not_missing_too() {
    for attribute in ["toolst = \"a\"", "toolset", "toolset(\"a\")", "\"a\""] {
        let source = format!("#[tool({attribute})] /** Does. */ async fn f() -> String {{}}");
        assert_eq!(texts(&source).len(), 1, "{attribute}");
    }
}

#[test]
fn names_say_which_character_is_wrong_and_what_would_be_right() {
    for (name, text) in [
        (
            "read file",
            "tool names use a-z, 0-9, `_` and `-`, not a space; write `name = \"read_file\"`",
        ),
        (
            "9lives",
            "tool names start with a letter, not with `9`; write `name = \"lives\"`",
        ),
        (
            "",
            "the name is empty; leave `name` out to use the function's",
        ),
    ] {
        let source = format!(
            "#[tool(toolset = \"a\", name = {name:?})] /** Does. */ async fn f() -> String {{}}"
        );
        assert_eq!(texts(&source), [text]);
    }
}

#[test]
fn each_wrong_form_of_a_value_has_its_advice() {
    for (entry, text) in [
        ("toolset = file", "expected a string; write `\"file\"`"),
        ("toolset = 12", "expected a string; write `\"12\"`"),
        (
            "toolset = \"My Tools\"",
            "toolset names use a-z, 0-9, `-`, `_`, start with a letter and have at most 64 characters; try `my-tools`",
        ),
        (
            "toolset = \"a\", check = net::up(1)",
            "pass the function itself: `check = net::up`",
        ),
        (
            "toolset = \"a\", check = \"net::up\"",
            "expected the path of a function; write `check = net::up`",
        ),
        (
            "toolset = \"a\", effect = read",
            "expected `\"read\"`, `\"write\"` or `\"destructive\"`; did you mean `\"read\"`?",
        ),
        (
            "toolset = \"a\", effect = \"none\"",
            "expected `\"read\"`, `\"write\"` or `\"destructive\"`",
        ),
        (
            "toolset = \"a\", max_result = \"many\"",
            "expected a positive number of characters or `\"unlimited\"`",
        ),
        (
            "toolset = \"a\", crate = \"my::tools\"",
            "expected the path of the runtime crate; write `crate = my::tools`",
        ),
        (
            "toolset = \"a\", lock = \"path\"",
            "`lock` belongs to a parameter; write `#[arg(lock)]` above it",
        ),
        (
            "toolset = \"a\", zzz",
            "unknown argument `zzz`; the known ones are `toolset`, `name`, `title`, `description`, `emoji`, `check`, `requires_env`, `effect`, `effect_of`, `parallel`, `idempotent`, `open_world`, `untrusted`, `timeout`, `teardown`, `max_result`, `spill`, `agent_loop`, `inline`, `exposure`, `overrides`, `schema_patch`, `targets`, `deprecated` or `crate`",
        ),
        (
            "toolset = \"a\", effect_of = f()",
            "pass the function itself: `effect_of = f`",
        ),
        (
            "toolset = \"a\", targets = \"find\"",
            "expected the path of a function; write `targets = find`",
        ),
        (
            "toolset = \"a\", parallel = \"always\"",
            "expected `\"never\"` or `\"safe\"`",
        ),
        (
            "toolset = \"a\", exposure = \"defered\"",
            "expected `\"direct\"`, `\"deferred\"` or `\"hidden\"`; did you mean `\"deferred\"`?",
        ),
    ] {
        let source = format!("#[tool({entry})] /** Does. */ async fn f() -> String {{}}");
        assert_eq!(texts(&source), [text], "{entry}");
    }
}

#[test]
fn timeouts_need_a_unit_and_an_amount() {
    for timeout in [
        "\"30\"",
        "30",
        "30s",
        "\"s\"",
        "\"1.5s\"",
        "\"-1s\"",
        "\"1d\"",
        "\"99999999999999999999s\"",
    ] {
        let source = format!(
            "#[tool(toolset = \"a\", timeout = {timeout})] /** Does. */ async fn f() -> String {{}}"
        );
        assert_eq!(
            texts(&source),
            ["expected a whole number with a unit; write `\"30s\"`, `\"500ms\"` or `\"2m\"`"],
            "{timeout}"
        );
    }
}

#[test]
fn blank_docs_and_docs_for_rustdoc_alone_are_empty() {
    for docs in ["///\n", "/// # Errors\n///\n/// Never.\n"] {
        let source = format!("#[tool(toolset = \"a\")]\n{docs}async fn f() -> String {{}}");
        assert_eq!(
            texts(&source),
            ["the description is empty; say in a sentence what the tool does"]
        );
    }
}

#[test]
fn defaults_and_examples_are_held_against_the_bounds() {
    for (keys, ty, text) in [
        (
            "default = 0, min = 1",
            "u32",
            "default 0 is below the minimum 1; change one of them",
        ),
        (
            "default = -1, min = 0",
            "i32",
            "default -1 is below the minimum 0; change one of them",
        ),
        (
            "example = 2.5, max = 2",
            "f64",
            "example 2.5 is above the maximum 2; change one of them",
        ),
        (
            "default = \"c\", values = [\"a\", \"b\"]",
            "String",
            "default `c` is not one of the values; write `a` or `b`",
        ),
        (
            "default = \"é\", len = 2..",
            "String",
            "default has 1 characters where `len` allows 2 or more; change one of them",
        ),
        (
            "default = \"abc\", len = ..=2",
            "String",
            "default has 3 characters where `len` allows 0 to 2; change one of them",
        ),
        (
            "default = \"\", len = 3",
            "String",
            "default has 0 characters where `len` allows 3; change one of them",
        ),
    ] {
        let source = format!(
            "#[tool(toolset = \"a\")] /** Does. */ async fn f(/** X. */ #[arg({keys})] x: {ty}) -> String {{}}"
        );
        assert_eq!(texts(&source), [text], "{keys}");
    }
}

#[test]
fn lengths_are_inclusive_ranges_or_one_number() {
    for len in ["1..64", "..", "..10", "-1", "\"3\"", "1..=x", "4294967296"] {
        let source = format!(
            "#[tool(toolset = \"a\")] /** Does. */ async fn f(/** X. */ #[arg(len = {len})] x: String) -> String {{}}"
        );
        assert_eq!(
            texts(&source),
            [
                "expected a length or a range with its end; write `len = 3`, `len = 1..=64`, `len = 1..` or `len = ..=10`"
            ],
            "{len}"
        );
    }
}

#[test]
fn borrowed_arguments_are_told_their_owned_form() {
    for (ty, advice) in [
        ("&str", "`String`"),
        ("&std::path::Path", "`PathBuf`"),
        (
            "&[u32]",
            "`Vec<u32>`, or mark what the host supplies with `#[ctx]`",
        ),
        (
            "&mut Db",
            "`Db`, or mark what the host supplies with `#[ctx]`",
        ),
    ] {
        let source = format!(
            "#[tool(toolset = \"a\")] /** Does. */ async fn f(/** X. */ x: {ty}) -> String {{}}"
        );
        assert_eq!(
            texts(&source),
            [format!("arguments are owned; write {advice}")]
        );
    }
}

#[test]
fn qualifiers_and_generics_are_each_reported() {
    let source = r#"#[tool(toolset = "a")] /** Does. */
        const unsafe extern "C" fn f<'a, T, const N: usize>(&self) -> String where T: Copy {}"#;
    assert_eq!(
        texts(source),
        [
            "a `const fn` cannot be a tool, since calls come at run time; drop `const`",
            "an `unsafe fn` cannot be a tool, since a model cannot keep its contract; write a safe function that calls it",
            "an `extern fn` cannot be a tool, since tools are called from Rust; drop `extern`",
            "a tool is a free function; take state with a parameter marked `#[ctx]`",
            "the schema must be known at compile time; write one function for each type",
            "the schema must be known at compile time; write one function for each type",
        ]
    );
}

#[test]
fn results_that_a_model_cannot_read_are_refused_by_syntax() {
    for (function, text) in [
        (
            "async fn f()",
            "a tool must return something that the model can read; return `String`",
        ),
        (
            "async fn f() -> ()",
            "a tool must return something that the model can read; return `String`",
        ),
        (
            "async fn f() -> Result<String, &'static str>",
            "`&'static str` is not a tool error; use `ToolError::failed(...)` or an error type",
        ),
        (
            "async fn f() -> Vec<impl ToString>",
            "`impl Trait` has no schema; name the type",
        ),
        (
            "fn f() -> BoxFuture<'static, String>",
            "a plain function that returns a future would never be awaited; make it `async fn`",
        ),
    ] {
        let source = format!("#[tool(toolset = \"a\")] /** Does. */ {function} {{}}");
        assert_eq!(texts(&source), [text], "{function}");
    }
}
