//! Where tools can stand, and how the scan gets there.

use crate::fixture::{Fixture, report};

#[track_caller]
fn assert_tools(fixture: &str, expected: &[&str]) {
    assert_eq!(Fixture::new(fixture).tools(), expected);
}

#[test]
fn every_spelling_of_the_attribute() {
    assert_tools(
        r#"
//- src/lib.rs
use hermes_tools::{ToolError, tool, tool as agent_tool};
mod prelude { pub use hermes_tools::tool as prelude_tool; }
mod user;

#[tool(toolset = "a")]
fn plain() {}
#[hermes_tools::tool(toolset = "a")]
fn by_path() {}
#[::renamed::tool(crate = ::renamed, toolset = "a")]
fn by_global_path() {}
#[agent_tool(toolset = "a")]
async fn renamed() {}
#[cfg_attr(feature = "x", tool(toolset = "a"))]
fn on_condition() {}
#[cfg_attr(unix, cfg_attr(all(feature = "x", not(test)), hermes_tools::tool(toolset = "a")))]
fn on_two_conditions() {}
#[tool(name = "other_name", toolset = "a", check = [one, two], timeout = "30s")]
pub(crate) fn with_a_name() {}
#[tool(
    toolset = "a",
    description = "has, commas = and toolset = \"b\""
)]
fn r#type(#[arg(default = 1)] n: u32) -> String { String::new() }
//- src/user.rs
use crate::prelude::*;
#[prelude_tool(toolset = "a")]
fn through_a_prelude() {}
"#,
        &[
            "plain demo [] src/lib.rs:6:4",
            "by_path demo [] src/lib.rs:8:4",
            "by_global_path demo [] src/lib.rs:10:4",
            "renamed demo [] src/lib.rs:12:10",
            "on_condition demo [feature = \"x\"] src/lib.rs:14:4",
            "on_two_conditions demo [unix; all(feature = \"x\", not(test))] src/lib.rs:16:4",
            "other_name demo [] src/lib.rs:17:15",
            "type demo [] src/lib.rs:23:4",
            "through_a_prelude demo::user [] src/user.rs:3:4",
        ],
    );
}

#[test]
fn functions_in_functions_and_modules() {
    assert_tools(
        r#"
//- src/lib.rs
fn outer() {
    #[tool(toolset = "a")]
    fn in_a_function() {}
    let _ = || { if true { #[tool(toolset = "a")] fn in_a_closure() {} } };
}
struct S;
impl S {
    fn method(&self) {
        #[tool(toolset = "a")]
        fn in_a_method() {}
    }
}
const _: () = {
    #[tool(toolset = "a")]
    fn in_a_constant() {}
};
mod first {
    mod second {
        #[tool(toolset = "a")]
        fn in_modules() {}
    }
}
"#,
        &[
            "in_a_function demo [] src/lib.rs:3:8",
            "in_a_closure demo [] src/lib.rs:4:54",
            "in_a_method demo [] src/lib.rs:10:12",
            "in_a_constant demo [] src/lib.rs:15:8",
            "in_modules demo::first::second [] src/lib.rs:20:12",
        ],
    );
}

#[test]
fn other_attributes_named_tool_are_not_ours() {
    assert_tools(
        r#"
//- src/lib.rs
use rmcp::tool;
#[tool(description = "Of another framework.")]
fn foreign() {}
struct Server;
impl Server {
    #[tool(description = "Of another framework.")]
    fn method(&self) {}
}
#[route(toolset = "a")]
fn unrelated() {}
"#,
        &[],
    );
}

#[test]
fn module_files_are_found_as_the_compiler_finds_them() {
    assert_tools(
        r#"
//- src/lib.rs
mod beside;
mod folder;
mod inline {
    mod child;
    #[path = "odd.rs"]
    mod named;
}
#[path = "elsewhere/file.rs"]
mod path;
#[path = "moved"]
mod moved_inline {
    mod child;
}
mod r#loop;
//- src/beside.rs
mod child;
mod inline {
    mod deep;
    #[path = "odd.rs"]
    mod named;
}
//- src/beside/child.rs
#[tool(toolset = "a")] fn of_beside() {}
//- src/beside/inline/deep.rs
#[tool(toolset = "a")] fn of_beside_inline() {}
//- src/beside/inline/odd.rs
#[tool(toolset = "a")] fn of_beside_inline_path() {}
//- src/folder/mod.rs
mod child;
//- src/folder/child.rs
#[tool(toolset = "a")] fn of_folder() {}
//- src/inline/child.rs
#[tool(toolset = "a")] fn of_inline() {}
//- src/inline/odd.rs
#[tool(toolset = "a")] fn of_inline_path() {}
//- src/elsewhere/file.rs
mod child;
//- src/elsewhere/child.rs
#[tool(toolset = "a")] fn of_path() {}
//- src/moved/child.rs
#[tool(toolset = "a")] fn of_moved_inline() {}
//- src/loop.rs
#[path = "loop.rs"]
mod again;
#[tool(toolset = "a")] fn of_raw_name() {}
//- src/unreached.rs
#[tool(toolset = "a")] fn in_no_target() {}
"#,
        &[
            "of_beside demo::beside::child [] src/beside/child.rs:1:27",
            "of_beside_inline demo::beside::inline::deep [] src/beside/inline/deep.rs:1:27",
            "of_beside_inline_path demo::beside::inline::named [] src/beside/inline/odd.rs:1:27",
            "of_folder demo::folder::child [] src/folder/child.rs:1:27",
            "of_inline demo::inline::child [] src/inline/child.rs:1:27",
            "of_inline_path demo::inline::named [] src/inline/odd.rs:1:27",
            "of_path demo::path::child [] src/elsewhere/child.rs:1:27",
            "of_moved_inline demo::moved_inline::child [] src/moved/child.rs:1:27",
            "of_raw_name demo::loop [] src/loop.rs:3:27",
        ],
    );
}

#[test]
fn conditions_are_recorded_from_the_outside_in() {
    assert_tools(
        r#"
//- src/lib.rs
#[cfg(feature = "file")]
mod file;
#[cfg_attr(unix, path = "unix.rs")]
mod system;
//- src/file.rs
#![cfg(any(unix,
           windows))]
#[cfg(not(miri))]
mod inner {
    #[cfg(debug_assertions)]
    #[tool(toolset = "a")]
    fn guarded() {}
}
//- src/unix.rs
#[tool(toolset = "a")] fn on_unix() {}
//- src/system.rs
#[tool(toolset = "a")] fn elsewhere() {}
"#,
        &[
            "guarded demo::file::inner [feature = \"file\"; any(unix, windows); not(miri); \
             debug_assertions] src/file.rs:7:8",
            "on_unix demo::system [unix] src/unix.rs:1:27",
            "elsewhere demo::system [not(all(unix))] src/system.rs:1:27",
        ],
    );
}

#[test]
fn libraries_binaries_and_examples_count_and_tests_do_not() {
    let fixture = Fixture::new(
        r#"
//- src/lib.rs
#[tool(toolset = "a")] fn in_lib() {}
#[cfg(test)]
mod tests { #[tool(toolset = "a")] fn in_unit_test() {} }
//- src/main.rs
#[tool(toolset = "a")] fn in_bin() {}
fn main() {}
//- examples/show.rs
#[tool(toolset = "a")] fn in_example() {}
fn main() {}
//- tests/it.rs
#[tool(toolset = "a")] fn in_test() {}
//- benches/speed.rs
#[tool(toolset = "a")] fn in_bench() {}
fn main() {}
"#,
    );
    let tools = fixture.tools();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool.split(' ').next())
        .collect();
    assert_eq!(names, ["in_lib", "in_bin", "in_example"]);
    let mut all: Vec<String> = fixture
        .report()
        .scan
        .tools
        .into_iter()
        .map(|tool| tool.item.name.text)
        .collect();
    all.sort();
    let expected = [
        "in_bench",
        "in_bin",
        "in_example",
        "in_lib",
        "in_test",
        "in_unit_test",
    ];
    assert_eq!(all, expected);
}

#[test]
fn toolsets_are_read_in_full() {
    let report = Fixture::new(
        r#"
//- src/lib.rs
use hermes_tools::toolset;
toolset! {
    name: "web",
    description: "The web, read: only.",
    tools: ["web_search", "web_extract",],
    includes: ["search"],
    lent: ["web_search"],
    max_effect: hermes_tools::Effect::Read,
}
fn f() { hermes_tools::toolset! { name: "search", description: "" } }
reserved_tools!("web_search", "web_extract");
"#,
    )
    .report();
    let toolsets = &report.to_json()["toolsets"];
    let expected = serde_json::json!([
        {
            "name": "web", "tools": ["web_search", "web_extract"], "includes": ["search"],
            "lent": ["web_search"], "package": "demo", "target": "demo", "kind": "lib",
            "module": "demo", "cfg": [], "at": { "file": "src/lib.rs", "line": 3, "column": 11 }
        },
        {
            "name": "search", "tools": [], "includes": [], "lent": [], "package": "demo",
            "target": "demo", "kind": "lib", "module": "demo", "cfg": [],
            "at": { "file": "src/lib.rs", "line": 10, "column": 41 }
        }
    ]);
    assert_eq!(*toolsets, expected);
    assert_eq!(report.findings, []);
}

#[test]
fn what_cannot_be_seen_is_listed() {
    let fixture = r##"
//- src/lib.rs
macro_rules! make {
    ($name:ident) => {
        #[$crate::tool(toolset = "a", effect = "read")]
        fn $name() {}
    };
}
make!(made);
call! {
    if #[cfg(unix)] { #[tool(toolset = "a")] fn inside() {} }
}
include!(concat!(env!("OUT_DIR"), "/generated.rs"));
toolset! { name: NAME, description: "" }
toolset! { name: "core", description: "", tools: CORE_TOOLS }
#[cfg(generated)]
mod generated_module;
const TEXT: &str = r#"#[tool(toolset = "a")] fn quoted() {}"#;
"##;
    let expected = r#"note[blind-spot]: macro `make` writes tools or toolsets
 --> src/lib.rs:1:14
  |
1 | macro_rules! make {
  |              ^^^^

note[blind-spot]: tools inside a call of macro `call`
 --> src/lib.rs:9:23
  |
9 |     if #[cfg(unix)] { #[tool(toolset = "a")] fn inside() {} }
  |                       ^

note[blind-spot]: an included file with a computed path is not read
  --> src/lib.rs:11:1
   |
11 | include!(concat!(env!("OUT_DIR"), "/generated.rs"));
   | ^^^^^^^

note[blind-spot]: `toolset!` without a literal `name`
  --> src/lib.rs:12:1
   |
12 | toolset! { name: NAME, description: "" }
   | ^^^^^^^

note[blind-spot]: `tools` of toolset `core` is not a list of literals
  --> src/lib.rs:13:1
   |
13 | toolset! { name: "core", description: "", tools: CORE_TOOLS }
   | ^^^^^^^

note[blind-spot]: module `generated_module` has no file
  --> src/lib.rs:15:5
   |
15 | mod generated_module;
   |     ^^^^^^^^^^^^^^^^

0 tools and 1 toolset in 1 file: 0 errors, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn included_files_belong_to_the_module_that_includes_them() {
    assert_tools(
        r#"
//- src/lib.rs
mod inner {
    mod deep {
        #[cfg(unix)]
        include!("parts/more.rs");
    }
}
mod beside;
include!(
    r"parts/first.in",
);
const TABLE: [u8; 2] = include!("parts/table.in");
fn f() { let _: [u8; 2] = include!("parts/table.in"); }
//- src/parts/first.in
mod child;
include!("../again.rs");
#[tool(toolset = "a")] fn of_first() {}
//- src/parts/child.rs
#[tool(toolset = "a")] fn of_child() {}
//- src/parts/more.rs
#[tool(toolset = "a")] fn of_more() {}
//- src/parts/table.in
[1, 2]
//- src/again.rs
include!("parts/first.in");
#[tool(toolset = "a")] fn of_again() {}
//- src/beside.rs
mod inline { include!("parts/of_beside.rs"); }
//- src/parts/of_beside.rs
#[tool(toolset = "a")] fn of_beside() {}
"#,
        &[
            "of_more demo::inner::deep [unix] src/parts/more.rs:1:27",
            "of_beside demo::beside::inline [] src/parts/of_beside.rs:1:27",
            "of_first demo [] src/parts/first.in:3:27",
            "of_child demo::child [] src/parts/child.rs:1:27",
            "of_again demo [] src/again.rs:2:27",
        ],
    );
}

#[test]
fn macros_that_choose_items_are_looked_into() {
    assert_tools(
        r#"
//- src/lib.rs
cfg_if::cfg_if! {
    if #[cfg(unix)] {
        #[tool(toolset = "a")] fn chosen() {}
        mod here;
    } else {
        #[tool(toolset = "a")] fn chosen() {}
    }
}
cfg_select! {
    feature = "x" => { #[tool(toolset = "a")] fn selected() {} }
    _ => { #[path = "here.rs"] mod there; }
}
cfg_rt! {
    pub(crate) mod inside;
    mod absent;
    cfg_net! {
        /// Documented.
        #[cfg(windows)] #[path = "parts/net.rs"] mod net;
        mod r#inline { pub mod deep; }
    }
}
macro_rules! root {
    ($name:ident) => { mod written; pub mod $name; };
}
root!(named);
//- src/parts/net.rs
#[tool(toolset = "a")] fn of_net() {}
//- src/inline/deep.rs
#[tool(toolset = "a")] fn of_deep() {}
//- src/written.rs
#[tool(toolset = "a")] fn of_written() {}
//- src/here.rs
#[tool(toolset = "a")] fn of_here() {}
//- src/inside.rs
#[tool(toolset = "a")] fn of_inside() {}
"#,
        &[
            "chosen demo [unix] src/lib.rs:3:35",
            "chosen demo [not(any(unix))] src/lib.rs:6:35",
            "selected demo [feature = \"x\"] src/lib.rs:10:50",
            "of_here demo::here [unix] src/here.rs:1:27",
            "of_here demo::there [not(any(feature = \"x\"))] src/here.rs:1:27",
            "of_inside demo::inside [the macro cfg_rt] src/inside.rs:1:27",
            "of_net demo::net [the macro cfg_rt; windows] src/parts/net.rs:1:27",
            "of_deep demo::inline::deep [the macro cfg_rt] src/inline/deep.rs:1:27",
            "of_written demo::written [the macro root] src/written.rs:1:27",
        ],
    );
}

/// The macro that writes the `mod` stands in another file, so that the call tells nothing.
#[test]
fn files_with_tools_that_no_module_leads_to_are_blind_spots() {
    let fixture = r#"
//- src/lib.rs
#[macro_use]
mod macros;
modules!(written, plain);
//- src/macros.rs
macro_rules! modules {
    ($($name:ident),*) => { $(mod $name;)* };
}
//- src/written/mod.rs
mod below;
#[tool(toolset = "a")]
fn of_written() {}
//- src/written/below.rs
toolset! { name: "a", description: "" }
//- src/plain.rs
fn of_plain(tool: u8) {}
//- src/other/Cargo.toml
[package]
name = "other"
//- src/other/lib.rs
#[tool(toolset = "a")]
fn of_another_package() {}
//- notes/left.rs
#[tool(toolset = "a")]
fn beside_the_sources() {}
"#;
    let expected = r#"note[blind-spot]: no `mod` leads to this file, unless a macro writes one
 --> src/written/below.rs:1:18
  |
1 | toolset! { name: "a", description: "" }
  |                  ^^^

note[blind-spot]: no `mod` leads to this file, unless a macro writes one
 --> src/written/mod.rs:3:4
  |
3 | fn of_written() {}
  |    ^^^^^^^^^^

0 tools and 0 toolsets in 2 files: 0 errors, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn an_included_file_that_is_not_there_is_told() {
    let fixture =
        "//- src/lib.rs\ninclude!(\"absent.rs\");\n#[cfg(made)]\ninclude!(\"made.rs\");\n";
    let expected = r#"error[unparsed-file]: cannot read this file: there is no file `absent.rs` to include
 --> src/lib.rs:1:10
  |
1 | include!("absent.rs");
  |          ^^^^^^^^^^^
  |
  = note: its tools and modules are not checked
  = help: `cargo check` shows the compiler's view of it

note[blind-spot]: there is no file `made.rs` to include
 --> src/lib.rs:3:10
  |
3 | include!("made.rs");
  |          ^^^^^^^^^

0 tools and 0 toolsets in 1 file: 1 error, 0 warnings
"#;
    assert_eq!(report(fixture), expected);
}

#[test]
fn names_of_packages_outside_the_workspace_are_known() {
    let fixture = r#"
//- app/Cargo.toml
[package]
name = "app"
edition = "2024"
[workspace]
[dependencies]
presets.path = "../presets"
//- app/src/lib.rs
toolset! { name: "mine", description: "", tools: ["todo", "web_search"], includes: ["search"] }
//- presets/Cargo.toml
[package]
name = "presets"
edition = "2024"
[workspace]
[dependencies]
hermes-tools.path = "../hermes-tools"
//- presets/src/lib.rs
toolset! { name: "search", description: "", tools: ["nowhere"] }
reserved_tools!("todo");
#[tool(toolset = "search")]
fn web_search() {}
//- hermes-tools/Cargo.toml
[package]
name = "hermes-tools"
edition = "2024"
[workspace]
//- hermes-tools/src/lib.rs
"#;
    let fixture = Fixture::new(fixture);
    let options = hermes_xtask::check_toolsets::Options {
        manifest: Some(fixture.path().join("app/Cargo.toml")),
        no_cache: true,
        ..Default::default()
    };
    let report = hermes_xtask::check_toolsets::check(&options).unwrap();
    let expected = "0 tools and 1 toolset in 1 file: 0 errors, 0 warnings\n";
    assert_eq!(report.to_text(), expected);
}
