//! The macros of hermes-tools: `#[tool]`, which makes a function a tool, and `tools!`, which lists
//! tools by hand. Use them through that crate, which re-exports both.
//!
//! A tool goes through three phases, each in modules of its own:
//!
//! | phase | modules |
//! |---|---|
//! | read | `input` (the function, its body unparsed), `keys`, `args`, `arg`, `value` (the attributes), `param`, `docs`, `strip` |
//! | validate | `validate` (rules across all of it), with the questions of `name`, `number`, `types` |
//! | expand | `expand`, with the identifiers and spans of `span` |
//!
//! Mistakes are collected in `errors` and never end a phase: one run reports them all. Every text
//! stands in `diagnostics`.

mod arg;
mod args;
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
/// | `idempotent` | flag | A second equal call changes nothing more than the first. | only readers are |
/// | `open_world` | flag | The tool reaches beyond this machine. | it does not |
/// | `timeout` | text with a unit: `"500ms"`, `"30s"`, `"2m"`, `"1h"` | How long a call may take. | the session's limit |
/// | `max_result` | number of characters, or `"unlimited"` | How much of a result reaches the model. | `100_000` |
/// | `inline` | flag | A plain function is called in place, not on the blocking pool: for what takes microseconds. It may borrow from the context. | blocking pool |
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
/// | `values` | list of text | The only values allowed. | any |
/// | `example` | literal, or a list of literals | A value to show. | none |
/// | `nullable` | flag | Shows the model that `null` may be sent. | `null` means absent |
/// | `role` | `"path"`, `"command"`, `"code"`, `"url"` or `"secret"` | What the argument stands for; guards, planning and audit go by it. | plain data |
/// | `lock` | flag | It names a resource that one call at a time may hold. | it does not |
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
