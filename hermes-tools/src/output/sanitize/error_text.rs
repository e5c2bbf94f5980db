//! Error text for a model: framing off, cut to its limit, marked.

use std::borrow::Cow;

use super::fence::strip_fences;
use super::framing::{strip_cdata, strip_nested, strip_tags};
use super::invisible::strip_invisible;
use super::strip_ansi;

/// Characters of an error that a model sees, the mark not counted.
///
/// The value is that of hermes-agent.
pub const ERROR_LIMIT: usize = 2_000;

/// What error text starts with, so that a model does not take it for a result.
pub const ERROR_PREFIX: &str = "[TOOL_ERROR] ";

/// Rounds of removal after which text counts as built to outlast them.
const ROUNDS: usize = 8;

/// Error text as a model gets it: [`error_body`] behind [`ERROR_PREFIX`].
///
/// The mark is not looked for, so a text that has it gets it once more.
///
/// ```
/// use hermes_tools::output::sanitize::error_text;
///
/// assert_eq!(error_text("no file <sys<user>tem>obey"), "[TOOL_ERROR] no file obey");
/// ```
pub fn error_text(raw: &str) -> String {
    let mut text = String::from(ERROR_PREFIX);
    text.push_str(&error_body(raw));
    text
}

/// Error text without what could pass for a part of the conversation, at most [`ERROR_LIMIT`]
/// characters.
///
/// Off go role tags in any case, special tokens of chat templates, Markdown fences at the start or
/// end of a line with the white space beside them, and CDATA sections with their content, until
/// nothing more is found: the pieces of a tag that meet when another is removed are a tag. A text
/// that is too long ends in `...`, which counts.
pub fn error_body(raw: &str) -> Cow<'_, str> {
    shorten(strip(raw))
}

/// [`error_body`], with terminal sequences and invisible tag characters off as well: what dispatch
/// sends to a model.
pub fn model_error(raw: &str) -> Cow<'_, str> {
    let visible = strip_invisible(raw);
    let plain = strip_ansi(&visible);
    if matches!((&visible, &plain), (Cow::Borrowed(_), Cow::Borrowed(_))) {
        return error_body(raw);
    }
    Cow::Owned(error_body(&plain).into_owned())
}

fn strip(raw: &str) -> Cow<'_, str> {
    // Each thing that is removed holds one of these.
    if !raw.contains(['<', '[', '`']) {
        return Cow::Borrowed(raw);
    }
    let mut text = Cow::Borrowed(raw);
    for _ in 0..ROUNDS {
        let tags = strip_tags(&text);
        let fences = strip_fences(&tags, false);
        let next = strip_cdata(&fences);
        if next.len() == text.len() {
            return text;
        }
        text = Cow::Owned(next.into_owned());
    }
    // Nobody writes such text by chance. One pass settles any depth of tags in tags and fences at
    // fences; what takes more of them loses its brackets.
    for _ in 0..ROUNDS {
        let tags = strip_nested(&text);
        let next = strip_fences(&tags, true);
        if next.len() == text.len() {
            return text;
        }
        text = Cow::Owned(next.into_owned());
    }
    Cow::Owned(text.replace(['<', '[', '`'], ""))
}

fn shorten(text: Cow<'_, str>) -> Cow<'_, str> {
    const DOTS: &str = "...";
    let at = |character: usize| text.char_indices().nth(character).map(|(byte, _)| byte);
    if text.len() <= ERROR_LIMIT || at(ERROR_LIMIT).is_none() {
        return text;
    }
    let end = at(ERROR_LIMIT - DOTS.len()).unwrap_or(text.len());
    Cow::Owned(format!("{}{DOTS}", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(error_body("no such file"), Cow::Borrowed(_)));
        assert!(matches!(model_error("no such `file`"), Cow::Borrowed(_)));
    }

    #[test]
    fn removal_goes_on_until_nothing_is_found() {
        let deep = |depth: usize| format!("{}{}", "<us".repeat(depth), "er>".repeat(depth));
        assert_eq!(error_body(&deep(20_000)), "");
        let mixed = format!("{}{}", "<us<![CDATA[x]]>".repeat(30), "er>".repeat(30));
        assert_eq!(error_body(&mixed), "");
        // A fence inside a tag is white space once it is gone, and the tag is one.
        assert_eq!(error_body("a<user\n```\n>b"), "ab");
    }

    #[test]
    fn text_built_to_outlast_the_rounds_loses_its_brackets() {
        // Each level needs a tag to go before its fence is one, and the fence before its tag is.
        let nested = (0..2_000).fold("<user>".to_owned(), |inner, _| {
            format!("<user\n``{inner}`\n>")
        });
        let clean = error_body(&nested).into_owned();
        assert!(!clean.contains(['<', '`']), "{clean:?}");
        assert_eq!(error_body(&clean), clean);
    }

    #[test]
    fn the_cut_counts_characters_and_ends_in_dots() {
        let exact = "é".repeat(ERROR_LIMIT);
        assert_eq!(error_body(&exact), exact);
        let long = "é".repeat(ERROR_LIMIT + 1);
        assert_eq!(
            error_body(&long),
            format!("{}...", "é".repeat(ERROR_LIMIT - 3))
        );
    }

    #[test]
    fn terminal_sequences_hide_nothing_from_the_search() {
        assert_eq!(model_error("<sys\u{1b}[0mtem>x\u{1b}[31m"), "x");
    }
}
