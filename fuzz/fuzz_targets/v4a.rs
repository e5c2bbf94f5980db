//! A patch is read and applied, or refused, and never panics. One that is made from two texts leads
//! from the one to the other, whatever ends their lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tools_builtin::edit::{apply_patch, diff};

/// The parts are parted by this byte, which no text has.
const GAP: u8 = 0xff;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|byte| *byte == GAP);
    let mut part = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (first, second) = (part(), part());
    let mut files = vec![("a".to_owned(), second.clone())];
    let _ = apply_patch(&first, &mut files);

    let _ = diff("a", &first, &second);
    // A carriage return at the end of a line of a patch is how the patch came, so that one in a text is
    // lost there.
    let plain = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
    let lone = [&first, &second].iter().any(|text| plain(text).contains('\r'));
    if first == second || first.is_empty() || second.is_empty() || lone {
        return;
    }
    // The whole text as one hunk: what is quoted to the letter is found, if it is not found twice.
    let mut patch = String::from("*** Begin Patch\n*** Update File: a\n@@\n");
    for (sign, text) in [('-', &first), ('+', &second)] {
        for line in text.split_inclusive('\n') {
            patch.push(sign);
            patch.push_str(line);
            if !line.ends_with('\n') {
                patch.push('\n');
            }
        }
    }
    patch.push_str("*** End Patch");
    let mut files = vec![("a".to_owned(), first.clone())];
    if apply_patch(&patch, &mut files).is_ok() {
        // What ends the lines is the text's own affair.
        assert_eq!(plain(&files[0].1), plain(&second));
    }
});
