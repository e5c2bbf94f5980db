//! An example of a tool pack, as anybody would write one.
//!
//! Nothing here lists the tools: a binary that links this crate has them. See `text-agent`.

mod counting;
mod spelling;

hermes_tools::pack!();

hermes_tools::toolset! {
    name: "text",
    description: "Counting and rewriting text.",
    tools: ["count_words", "reverse_words", "slugify"],
    max_effect: hermes_tools::Effect::Read,
}

pub use self::spelling::is_slug;
