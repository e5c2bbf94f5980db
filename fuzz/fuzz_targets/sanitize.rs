//! Cleaning never panics, leaves nothing to clean, and cannot be closed from inside.
#![no_main]

use hermes_tools::output::sanitize::{
    ERROR_LIMIT, display_text, error_body, error_text, mark_untrusted, model_error, strip_ansi,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for clean in [error_body, model_error, strip_ansi, display_text] {
        let once = clean(&text).into_owned();
        assert_eq!(clean(&once), once.as_str(), "something was left");
    }
    assert!(model_error(&text).chars().count() <= ERROR_LIMIT);
    assert!(error_text(&text).starts_with("[TOOL_ERROR] "));
    let told = model_error(&text).to_lowercase();
    for mark in [
        "<system>",
        "</system>",
        "<user>",
        "</assistant>",
        "<|im_start|>",
        "\u{1b}",
    ] {
        assert!(!told.contains(mark), "{told:?} holds {mark:?}");
    }
    let clean = model_error(&text);
    let section = clean.split_once("<![CDATA[");
    assert!(
        !section.is_some_and(|(_, rest)| rest.contains("]]>")),
        "{clean:?}"
    );
    let introducer = |character: char| matches!(character, '\u{1b}' | '\u{80}'..='\u{9f}');
    assert!(!strip_ansi(&text).contains(introducer));
    let framed = mark_untrusted("web", &text);
    assert!(framed.matches("</untrusted>").count() <= 1, "{framed:?}");
});
