//! The macros of hermes-tools: `#[tool]`, which makes a function a tool, `#[derive(ToolParam)]`, which
//! makes a type an argument, and `tools!`, which lists tools by hand. Use them through that crate,
//! which re-exports them.
//!
//! A tool goes through three phases, each in modules of its own:
//!
//! | phase | modules |
//! |---|---|
//! | read | `input` (the function, its body unparsed), `keys`, `args`, `arg`, `bounds`, `value` (the attributes), `param`, `docs`, `strip` |
//! | validate | `validate` (rules across all of it), with the questions of `name`, `number`, `types` |
//! | expand | `expand`, with the identifiers and spans of `span` |
//!
//! `derive` has the same phases for types, and shares the rows of the table with tools.
//!
//! Mistakes are collected in `errors` and never end a phase: one run reports them all. Every text
//! stands in `diagnostics`.

mod arg;
mod args;
mod bounds;
mod derive;
mod diagnostics;
mod docs;
mod errors;
mod expand;
mod input;
mod json;
mod keys;
mod list;
mod name;
mod number;
mod param;
mod span;
mod strip;
mod suggest;
#[cfg(test)]
mod tests;
mod tool;
mod types;
mod validate;
mod value;

use proc_macro::TokenStream;

/// Makes a function a tool that a model can call.
///
/// ```
/// use hermes_tools::{ToolError, tool};
///
/// /// Count the words of a text.
/// #[tool(toolset = "text", effect = "read", emoji = "🔢", inline)]
/// pub fn count_words(
///     /// The text.
///     #[arg(len = 1..=100_000, example = "two words")]
///     text: String,
///     /// Words shorter than this are not counted.
///     #[arg(default = 1, min = 1, max = 40)]
///     shortest: usize,
/// ) -> Result<String, ToolError> {
///     let count = text.split_whitespace().filter(|word| word.chars().count() >= shortest).count();
///     Ok(count.to_string())
/// }
///
/// // It stays a function:
/// assert_eq!(count_words("one or two".to_owned(), 3)?, "2");
/// # Ok::<(), ToolError>(())
/// ```
///
/// The function stays as it is written and can be called and tested as before. Beside it stands one
/// hidden constant with everything that is known of the tool, registered when the binary is linked.
///
/// # The function
///
/// * It is a free function without type parameters, in a module or inside another function.
/// * An `async fn` runs where the session is polled, and its future is `Send`. A plain `fn` runs on
///   the blocking pool, unless it is marked `inline`.
/// * It returns what a model can read: `String`, `&'static str`, `Json<T>`, `Content`, a list of
///   that, or a `Result` of it with any error type. `String` is no error type.
/// * Its doc comment is the description that the model reads. Sections that only help a Rust
///   reader (`# Examples`, `# Errors`, `# Panics`, `# Safety`) are left out, lines of a paragraph are
///   joined, and lists, tables and code keep their lines. `#[doc = include_str!("...")]` is passed on
///   as it is.
///
/// # Keys of `#[tool(...)]`
///
/// | key | value | meaning | when absent |
/// |---|---|---|---|
/// | `toolset` | text | Toolset under which the tool is registered. Lower case, digits, `_` and `-`, a letter first, at most 64 characters. | required |
/// | `name` | text | Name under which the model calls it. Rules as for `toolset`. | the function's name |
/// | `title` | text | Name shown to people. | `name` |
/// | `description` | text, or a macro such as `include_str!` | Text for the model, in place of the doc comment. | the doc comment, which is then required |
/// | `emoji` | text | Sign shown to people. | none |
/// | `check` | path of a function, or a list of at most 4 | Asked whether the tool can be used here and now: `fn(&CheckContext<'_>) -> Availability`. All must agree. | always available |
/// | `requires_env` | text, or a list | Environment variables without which the tool is unavailable. | none |
/// | `effect` | `"read"`, `"write"` or `"destructive"` | The most that a call may do. | counts as destructive |
/// | `effect_of` | path of a function | Says the effect of one call by its arguments, for tools with many actions: `fn(&Arguments<'_>) -> Effect`. `effect` stays the most. | every call counts as `effect` |
/// | `parallel` | `"never"` or `"safe"` | Whether calls of a batch may run beside others: never, or beside anything. | from effect, paths and locks |
/// | `idempotent` | flag | A second equal call changes nothing more than the first. | only readers are |
/// | `open_world` | flag | The tool reaches beyond this machine. | it does not |
/// | `untrusted` | flag | Results hold what strangers wrote, and are marked so. | they do not |
/// | `timeout` | text with a unit: `"500ms"`, `"30s"`, `"2m"`, `"1h"` | How long a call may take; not with `inline`, which nothing interrupts. | the session's limit |
/// | `teardown` | text with a unit, as for `timeout` | How long a call that is cancelled or late is waited for after its cancel sign was given, so that it can clean up. What a tool with `effect = "read"` gives back in that time is its answer. | its future is dropped at once |
/// | `max_result` | number of characters, or `"unlimited"` | How long a result may be. A longer one goes to the session's result store with a preview in its place, or is cut. | `100_000` |
/// | `spill` | `false` | A result longer than `max_result` is cut and never kept in the result store, for a tool that pages by itself. Only the budget of a whole turn still stores it. | it may be kept |
/// | `agent_loop` | flag | The agent loop answers in a session that lacks what the tool takes. | such a session cannot be built |
/// | `inline` | flag | A plain function is called in place, not on the blocking pool: for what takes microseconds. It may borrow from the context. | blocking pool |
/// | `exposure` | `"direct"`, `"deferred"` or `"hidden"` | Who is told of the tool: the model, the model when it searches, or the host alone. | `"direct"` |
/// | `overrides` | text | Package whose tool of the same name this one replaces. | two tools of one name are refused |
/// | `schema_patch` | path of a function | Changes what is shown by what is known of the session: `fn(&CheckContext<'_>, &mut Definition)`. | shown as declared |
/// | `targets` | path of a function | Finds paths that stand inside text: `fn(&Arguments<'_>) -> Result<Vec<Target>, ToolError>`. Where it fails the call is refused. | paths have a role |
/// | `deprecated` | text | What to use instead. | not deprecated |
/// | `crate` | path | Where hermes-tools is, when it was renamed or is re-exported by another crate. | `::hermes_tools` |
///
/// # Parameters
///
/// A parameter is an argument, which the model sends, or marked `#[ctx]`, which the session supplies
/// by the parameter's type. The type of an argument is owned and is a `ToolParam`; an `Option<T>` may be
/// absent. An argument needs a doc comment: it is the description that the model reads. The comments
/// come back as a list in the function's rustdoc.
///
/// # Keys of `#[arg(...)]`
///
/// | key | value | meaning | when absent |
/// |---|---|---|---|
/// | `name` | text | Name under which the model sends it. Letters, digits, `_` and `-`, a letter first, at most 64 characters. | the parameter's name |
/// | `alias` | text, or a list | Further names under which it is taken. | none |
/// | `default` | expression | Value when the model sends none. Text becomes the parameter's type through `From<&str>`. Not together with `Option`. | the argument is required, unless it is an `Option` |
/// | `min`, `max` | number | Bounds of a number, both included. | those of the type |
/// | `len` | `3`, `1..=64`, `1..`, `..=10` | How many characters a text has, or items a list. | any |
/// | `items` | bounds in parentheses: `items(min = 1, len = ..=9)` | Bounds of each item of a list: `min`, `max`, `len`, `pattern`, `format`, `values`. | any |
/// | `pattern` | text | Regular expression that a text matches somewhere. Shown always, checked by hosts (feature `pattern`), in the dialect of `regex-lite`. | any |
/// | `format` | text | Format of a text, in the words of JSON Schema. Shown, not checked. | none |
/// | `values` | list of text | The only values allowed. | any |
/// | `example` | literal, or a list of literals | A value to show. | none |
/// | `nullable` | flag | Shows the model that `null` may be sent. | `null` means absent |
/// | `role` | `"path"`, `"command"`, `"code"`, `"url"` or `"secret"` | What the argument stands for: guards judge it, and calls of a batch wait for those that touch the same path. | plain data |
/// | `lock` | flag | It names a resource that one call at a time may hold: calls with an equal value wait for each other. | it does not |
/// | `any` | flag | The type takes any value, such as `serde_json::Value`. Several providers reject that, so it has to be said. | the type must be known |
/// | `schemars` | flag | The type has serde and schemars derives (feature `schemars`). What its schema says and ours cannot is listed by `hermes_tools::param::bridge::losses`. | it is a `ToolParam` |
/// | `flatten` | flag | The parameter is all of the arguments: a struct or tagged enum with `#[derive(ToolParam)]`. It is the only one. | one argument among others |
///
/// A literal `default` or `example` is held against the bounds when it is compiled.
///
/// # Errors
///
/// All misuse is reported at once, each mistake at its place with what to write instead, and the
/// function is emitted in any case, so that a mistake in the attribute does not make its callers fail
/// too.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
}

/// Makes a struct or an enum a type that an argument of a tool can have.
///
/// ```
/// use hermes_tools::{ToolParam, tool};
///
/// /// A change of some lines.
/// #[derive(ToolParam)]
/// struct Edit {
///     /// First line, counted from 1.
///     #[param(min = 1)]
///     line: u32,
///     /// The new text.
///     text: String,
///     /// What happens to the lines that stand there.
///     #[param(default = Place::Before)]
///     place: Place,
/// }
///
/// #[derive(ToolParam)]
/// #[param(rename_all = "snake_case")]
/// enum Place {
///     /// They stay, below the new text.
///     Before,
///     /// They go.
///     Instead,
/// }
///
/// /// Change lines of a file.
/// #[tool(toolset = "file", effect = "write", inline)]
/// fn edit_lines(
///     /// The changes.
///     edits: Vec<Edit>,
/// ) -> String {
///     edits.iter().map(|edit| edit.text.as_str()).collect()
/// }
/// ```
///
/// * A struct has named fields, each with a doc comment. It is an object; its fields are read as the
///   arguments of a tool are.
/// * An enum without data is a text with fixed values. What stands above its variants is told in
///   the description, so that the schema stays a plain `enum`.
/// * An enum with data has a tag: `#[param(tag = "type")]`. A variant has named fields, or one value
///   of a struct whose fields stand beside the tag, or nothing.
/// * A type that contains itself is seen by its own name in the type of a field. Types that contain
///   each other say `recursive`, one of them at least.
///
/// # Keys of `#[param(...)]` on the type
///
/// | key | value | meaning | when absent |
/// |---|---|---|---|
/// | `rename_all` | `"snake_case"`, `"camelCase"`, `"kebab-case"`, `"PascalCase"`, `"lowercase"`, `"UPPERCASE"` or `"SCREAMING_SNAKE_CASE"` | How fields or variants are named for the model. | as in Rust |
/// | `tag` | text | The key that holds the variant's name. | the enum has no data |
/// | `recursive` | flag | The type contains itself through another type. | found by its name |
/// | `crate` | path | Where hermes-tools is. | `::hermes_tools` |
///
/// # Keys of `#[param(...)]` on a field
///
/// `default`, `alias`, `min`, `max`, `len`, `items`, `pattern`, `format`, `values`, `example`,
/// `nullable`, `role` and `any` as in `#[arg(...)]`; `name` or `rename` for its name; `flatten`, which puts the fields of
/// a struct beside the others; and `recursive`. A variant has `name` or `rename`, and `alias`.
#[proc_macro_derive(ToolParam, attributes(param))]
pub fn tool_param(item: TokenStream) -> TokenStream {
    derive::expand(item.into()).into()
}

/// Lists tools by hand, as a `&'static [&'static ToolEntry]`.
///
/// For catalogues of chosen tools, for tests, and for targets without registration at link time.
///
/// ```
/// mod text {
///     use hermes_tools::tool;
///
///     /// Turn a text around.
///     #[tool(toolset = "text", effect = "read", inline)]
///     pub fn reverse(
///         /// The text.
///         text: String,
///     ) -> String {
///         text.chars().rev().collect()
///     }
/// }
///
/// let list = hermes_tools::tools![text::reverse];
/// assert_eq!(list[0].name(), "reverse");
/// ```
///
/// Each entry is the path of a tool function in the module that defines it: a re-export of the
/// function alone does not bring the tool with it. Where hermes-tools has another name, it is said
/// first: `tools![crate = umbrella::hermes_tools; text::reverse]`.
#[proc_macro]
pub fn tools(list: TokenStream) -> TokenStream {
    list::expand(list.into()).into()
}
