//! A replacement changes the reported part and nothing else, and only formatting differs between what
//! was quoted and what is gone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tools_builtin::edit::replace;

/// Text, quotation and new passage are parted by this byte, which no text has.
const GAP: u8 = 0xff;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|byte| *byte == GAP);
    let mut part = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (text, old, new) = (part(), part(), part());
    for all in [false, true] {
        let Ok(replaced) = replace(&text, &old, &new, all) else {
            continue;
        };
        let (before, after) = (&text[..replaced.changed.start], &text[replaced.changed.end..]);
        assert!(replaced.text.starts_with(before) && replaced.text.ends_with(after));
        assert!(replaced.text.len() >= before.len() + after.len());
        assert_ne!(replaced.text, text, "an edit that changes nothing is refused");
        assert!(all || replaced.count == 1);
        if replaced.count == 1 && replaced.strategy != "escape" {
            let gone = &text[replaced.changed];
            assert_eq!(words(gone), words(&old), "words differ by {}", replaced.strategy);
        }
    }
});

/// A text without all that may differ.
fn words(text: &str) -> String {
    let mut words = String::new();
    for character in text.chars() {
        match character {
            '\u{2018}'..='\u{201b}' => words.push('\''),
            '\u{201c}'..='\u{201f}' => words.push('"'),
            '\u{2010}'..='\u{2013}' => words.push('-'),
            '\u{2014}' | '\u{2015}' => words.push_str("--"),
            '\u{2026}' => words.push_str("..."),
            character if character.is_whitespace() => {}
            character => words.push(character),
        }
    }
    words
}
