//! What could pass for a part of a conversation: role tags, special tokens, CDATA sections.

use std::borrow::Cow;

/// Names in angle brackets, alone or after a slash, that frame turns of a conversation.
///
/// The first nine are those of hermes-agent; the others are the frames that open models are trained
/// on (Hermes function calling, Gemma).
const ROLE_TAGS: [&str; 13] = [
    "tool_call",
    "function_call",
    "result",
    "response",
    "output",
    "input",
    "system",
    "assistant",
    "user",
    "tool_response",
    "tools",
    "start_of_turn",
    "end_of_turn",
];

/// Letters of the longest of them.
const LONGEST_TAG: usize = 13;

/// Tokens in square brackets of the chat templates of Llama 2 and Mistral.
const BRACKET_TOKENS: [&str; 8] = [
    "[INST",
    "[/INST",
    "[SYSTEM_PROMPT",
    "[/SYSTEM_PROMPT",
    "[AVAILABLE_TOOLS",
    "[/AVAILABLE_TOOLS",
    "[TOOL_CALLS",
    "[TOOL_RESULTS",
];

const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";

/// The longest name between the bars of a special token.
const TOKEN_NAME: usize = 64;

/// Removes the role tags and special tokens that stand in the text as it is, not those that their
/// removal makes.
pub(super) fn strip_tags(text: &str) -> Cow<'_, str> {
    strip_stacked(text, false)
}

/// Removes role tags, special tokens and CDATA sections, however they are nested.
pub(super) fn strip_nested(text: &str) -> Cow<'_, str> {
    strip_stacked(text, true)
}

/// Removes CDATA sections with their content. One without an end stays.
pub(super) fn strip_cdata(text: &str) -> Cow<'_, str> {
    let mut rest = text;
    let mut clean = String::new();
    while let Some(open) = rest.find(CDATA_OPEN) {
        let inside = open + CDATA_OPEN.len();
        let Some(close) = rest[inside..].find(CDATA_CLOSE) else {
            break;
        };
        clean.push_str(&rest[..open]);
        rest = &rest[inside + close + CDATA_CLOSE.len()..];
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

/// Where the tag or token starts that `before` and a closing angle bracket make.
pub(super) fn tag_start(before: &str) -> Option<usize> {
    role_tag(before)
        .or_else(|| special_token(before))
        .or_else(|| {
            ["<<SYS>", "<</SYS>"]
                .into_iter()
                .find_map(|token| before.strip_suffix(token))
                .map(str::len)
        })
}

/// Where the token starts that `before` and a closing square bracket make. Its bracket may be that of an
/// opening `<![CDATA[`, where a `section` may end further on, and is none of a token then.
pub(super) fn bracket_start(before: &str, section: bool) -> Option<usize> {
    let front = BRACKET_TOKENS
        .into_iter()
        .find_map(|token| before.strip_suffix(token))?;
    (!section || !front.ends_with("<![CDATA")).then_some(front.len())
}

/// One pass in which what is kept grows like a stack: a tag is taken off it when its last character
/// comes, so that what lay around it is joined at once. No tag can overlap another, so the order of
/// removal makes no difference.
fn strip_stacked(text: &str, nested: bool) -> Cow<'_, str> {
    if !text.contains(['<', '[']) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    // Where the first CDATA section that is open starts.
    let mut section: Option<usize> = None;
    // Where a tag may start at the earliest: behind the last removal, unless pieces may meet.
    let mut floor = 0;
    // Where the last section may end; what opens one behind that is no section.
    let last_close = text.rfind(CDATA_CLOSE);
    let mut rest = text;
    while let Some(at) = rest.find(['>', ']', '[']) {
        kept.push_str(&rest[..at]);
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        let start = match mark {
            b'>' => tag_start(&kept).or_else(|| {
                let start = section?;
                let long_enough = kept.len() >= start + CDATA_OPEN.len() + 2;
                (long_enough && kept.ends_with("]]")).then_some(start)
            }),
            b']' => {
                let here = text.len() - rest.len() - 1;
                bracket_start(&kept, last_close.is_some_and(|close| close >= here))
            }
            _ => None,
        };
        let Some(start) = start.filter(|start| *start >= floor) else {
            kept.push(char::from(mark));
            if nested && mark == b'[' && section.is_none() && kept.ends_with(CDATA_OPEN) {
                section = Some(kept.len() - CDATA_OPEN.len());
            }
            continue;
        };
        kept.truncate(start);
        floor = if nested { 0 } else { start };
        section = section.filter(|open| kept.len() >= open + CDATA_OPEN.len());
    }
    kept.push_str(rest);
    if kept.len() == text.len() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(kept)
    }
}

fn role_tag(before: &str) -> Option<usize> {
    let inner = before.trim_end_matches(is_space);
    let name_start = inner
        .char_indices()
        .rev()
        .take(LONGEST_TAG)
        .take_while(|(_, character)| fold(*character).is_some())
        .last()?
        .0;
    let name = &inner[name_start..];
    if !ROLE_TAGS.iter().any(|tag| is_folded(name, tag)) {
        return None;
    }
    let front = inner[..name_start].trim_end_matches(is_space);
    let front = front.strip_suffix('/').unwrap_or(front);
    front.strip_suffix('<').map(str::len)
}

/// `<|im_start|>` and its like, also with the wide bars of `DeepSeek`.
fn special_token(before: &str) -> Option<usize> {
    const BARS: [char; 2] = ['|', '\u{ff5c}'];
    let inner = before.strip_suffix(BARS)?;
    let mut name = inner.char_indices().rev().take(TOKEN_NAME);
    let (bar, _) = name.find(|(_, character)| !is_token_name(*character))?;
    let bar_is_one = inner[bar..].starts_with(BARS);
    let named = inner[bar..].chars().nth(1).is_some();
    let front = inner[..bar].strip_suffix('<')?;
    (bar_is_one && named).then_some(front.len())
}

fn is_token_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | '\u{2581}')
}

/// White space as the patterns of hermes-agent mean it, which count four separators in.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

/// Whether a name is a tag's in any case, letters included that only look like another case.
fn is_folded(name: &str, tag: &str) -> bool {
    name.chars().map(fold).eq(tag.chars().map(Some))
}

/// The letter of a tag that a character stands for: the long s and the Turkish i fold into ASCII
/// where text is compared without case.
fn fold(character: char) -> Option<char> {
    match character {
        '\u{17f}' => Some('s'),
        '\u{130}' | '\u{131}' => Some('i'),
        '_' => Some('_'),
        _ if character.is_ascii_alphabetic() => Some(character.to_ascii_lowercase()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_tag_is_as_long_as_said() {
        assert_eq!(
            ROLE_TAGS.iter().map(|tag| tag.len()).max(),
            Some(LONGEST_TAG)
        );
    }

    #[test]
    fn tags_and_tokens_go_and_their_lookalikes_stay() {
        for (text, clean) in [
            ("<SYSTEM> x </ system >", " x "),
            ("<|im_start|>user<\u{ff5c}User\u{ff5c}>", "user"),
            ("[INST] <<SYS>> y <</SYS>> [/INST]", "  y  "),
            ("a <|> b <||> c <| x |> y", "a <|> b <||> c <| x |> y"),
            (
                "<user id=1> <systems> <supersystem>",
                "<user id=1> <systems> <supersystem>",
            ),
            ("[INSTALL] [x] <T>", "[INSTALL] [x] <T>"),
        ] {
            assert_eq!(strip_tags(text), clean);
        }
    }

    #[test]
    fn sections_and_tags_are_removed_from_inside_each_other() {
        assert_eq!(strip_nested("<us<![CDATA[x]]>er>a"), "a");
        assert_eq!(strip_nested("<![CDA<user>TA[x]]>a"), "a");
        assert_eq!(strip_nested("<![CDATA[INST]]>a"), "a");
        assert_eq!(strip_nested("<![CDATA[a"), "<![CDATA[a");
        // A section that never ends is none, so the bracket is that of the token.
        assert_eq!(strip_tags("<![CDATA[INST]"), "<![CDATA");
        assert_eq!(strip_tags("]]><![CDATA[INST]a"), "]]><![CDATAa");
        assert_eq!(strip_cdata("<![CDATA[x]>]]>rest"), "rest");
    }
}
