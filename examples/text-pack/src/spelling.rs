//! Tools that rewrite text.

use hermes_tools::{ErrorKind, ToolError, tool};

/// Make a name for an address out of a title: lower case, words joined by `-`.
#[tool(toolset = "text", effect = "read", emoji = "🔗", inline)]
fn slugify(
    /// The title.
    #[arg(example = "Hello, World!")]
    title: String,
    /// Most characters of the result; the whole title when absent.
    max_length: Option<usize>,
) -> Result<String, ToolError> {
    let words: Vec<String> = title
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() {
        return Err(
            ToolError::new(ErrorKind::Failed, "the title has no letters or digits")
                .with_help("send a title with at least one word"),
        );
    }
    let slug = words.join("-");
    Ok(slug
        .chars()
        .take(max_length.unwrap_or(usize::MAX))
        .collect())
}

/// Whether a text is already a slug.
///
/// The function around it is never called by anybody, and still the tool inside is registered.
pub fn is_slug(text: &str) -> bool {
    /// Put the words of a text into reverse order.
    #[tool(toolset = "text", effect = "read", emoji = "🔁")]
    async fn reverse_words(
        /// The text.
        text: String,
    ) -> String {
        text.split_whitespace().rev().collect::<Vec<_>>().join(" ")
    }

    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_lowercase() || c.is_ascii_digit() || c == '-')
}
