//! Properties of cleaning: once is enough, nothing is left, and long text takes no longer than it must.

use hermes_tools::output::sanitize::{
    ERROR_LIMIT, display_text, error_body, mark_untrusted, model_error, strip_ansi,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Text of the pieces that the searches look for, whole and broken, and of anything else.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![
            "<user>", "</system>", "<us", "er>", "<SYS", "tem>", "<", ">", "</", " ", "\n", "\r\n",
            "\t", "```", "```json", "`", "``", "<![CDATA[", "]]>", "<![CDA", "TA[", "<|im_start|>",
            "<|", "|>", "[INST]", "[IN", "ST]", "<<SYS>>", "<<", "\u{1b}[31m", "\u{1b}", "\u{1b}]0;",
            "\u{7}", "\u{1b}\\", "\u{9b}", "1m", "\u{17f}", "</untrusted>", "untrusted", "&lt;", "x",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn error_text_cleaned_twice_is_cleaned_once(text in hostile()) {
        let once = error_body(&text).into_owned();
        prop_assert_eq!(error_body(&once), once.as_str());
        prop_assert!(once.chars().count() <= ERROR_LIMIT);
        let once = model_error(&text).into_owned();
        prop_assert_eq!(model_error(&once), once.as_str());
    }

    #[test]
    fn nothing_that_frames_a_conversation_is_left(text in hostile()) {
        let clean = model_error(&text).to_lowercase();
        for mark in ["<user>", "</user>", "<system>", "</system>", "<|im_start|>", "[inst]", "<<sys>>", "\u{1b}"] {
            prop_assert!(!clean.contains(mark), "{clean:?} holds {mark:?}");
        }
        for line in clean.lines() {
            prop_assert!(!line.trim_start().starts_with("```"), "{clean:?}");
        }
    }

    #[test]
    fn text_without_marks_is_left_alone(text in "[a-zA-Z0-9 .,;:'\"(){}/\\\\=+*&%$!?éß数😀-]{0,200}") {
        prop_assert_eq!(model_error(&text), text.as_str());
        prop_assert_eq!(display_text(&text), text.as_str());
    }

    #[test]
    fn stripping_leaves_no_introducer(text in hostile()) {
        let clean = strip_ansi(&text).into_owned();
        let introducer = |c: char| matches!(c, '\u{1b}' | '\u{80}'..='\u{9f}');
        prop_assert!(!clean.contains(introducer));
        prop_assert_eq!(strip_ansi(&clean), clean.as_str());
        let shown = display_text(&text).into_owned();
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(display_text(&shown), shown.as_str());
    }

    #[test]
    fn framed_text_holds_one_frame(text in hostile()) {
        let marked = mark_untrusted("tool", &text);
        if marked.contains("<untrusted source=\"tool\">\n") {
            prop_assert_eq!(marked.to_lowercase().matches("</untrusted>").count(), 1);
            prop_assert_eq!(marked.to_lowercase().matches("<untrusted").count(), 1);
            prop_assert_eq!(marked.find('\u{1b}'), None);
        } else {
            let space = |c: char| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}');
            prop_assert_eq!(text.trim_matches(space), "");
        }
    }
}

/// Quadratic time would not end here.
#[test]
fn long_text_built_to_be_slow_is_cleaned() {
    let cleaners: [fn(&str) -> usize; 4] = [
        |text| error_body(text).len(),
        |text| strip_ansi(text).len(),
        |text| display_text(text).len(),
        |text| mark_untrusted("t", text).len(),
    ];
    for (front, back) in [
        ("<us", "er>"),
        ("<user\n``", "`\n>"),
        ("<![CDATA[", ""),
        ("<us<![CDATA[x]]>", "er>"),
        ("``` ", ""),
        ("\n", "```x"),
        ("< ", " user>"),
        ("<user ", ">"),
        ("[IN", "ST]"),
        ("\u{1b}]", ""),
        ("\u{1b}P\u{9d}", ""),
        ("\u{1b}[1;", ""),
        ("<|a", "|>"),
        ("<", "untrusted"),
    ] {
        let times = 200_000 / (front.len() + back.len());
        let text = format!("{}{}", front.repeat(times), back.repeat(times));
        for clean in cleaners {
            assert!(clean(&text) <= text.len() * 5);
        }
    }
}
