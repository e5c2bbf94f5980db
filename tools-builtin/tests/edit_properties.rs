//! Properties of edits on made-up texts with every kind of line end.

use proptest::prelude::*;
use tools_builtin::edit::{apply_patch, diff, replace};

/// Texts of a few lines that resemble each other, ended by LF, CR LF, a lone CR, or nothing.
fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "b",
        "  b",
        "\tb  ",
        "",
        "c  d",
        "“é” — x",
        "c\rd",
        "*** x",
    ]);
    let uniform = |end: &'static str| {
        let line = line.clone();
        (prop::collection::vec(line, 0..12), any::<bool>()).prop_map(move |(lines, ended)| {
            let text = lines.join(end);
            if ended { text + end } else { text }
        })
    };
    let end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let mixed = prop::collection::vec((line.clone(), end), 0..12).prop_map(|lines| {
        lines
            .into_iter()
            .flat_map(|(line, end)| [line, end])
            .collect()
    });
    prop_oneof![uniform("\n"), uniform("\r\n"), uniform("\r"), mixed]
}

/// Applies a unified diff as it is written, and takes nothing that does not stand there.
fn apply(diff: &str, old: &str) -> Option<String> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut new, mut at) = (String::new(), 0);
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        if let Some(numbers) = line.strip_prefix("@@ -") {
            let (start, _) = numbers.split_once(' ')?;
            let (start, length) = start.split_once(',').unwrap_or((start, "1"));
            let start: usize = start.parse().ok()?;
            let start = if length == "0" { start } else { start - 1 };
            new.extend(old.get(at..start)?.iter().copied());
            at = start;
            continue;
        }
        let (sign, mut text) = line.split_at(1);
        if lines.next_if(|next| next.starts_with('\\')).is_some() {
            text = text.strip_suffix('\n')?;
        }
        if sign != "+" {
            if old.get(at) != Some(&text) {
                return None;
            }
            at += 1;
        }
        if sign != "-" {
            new.push_str(text);
        }
    }
    new.extend(old.get(at..)?.iter().copied());
    Some(new)
}

/// A patch that turns one text into the other, in hunks of a line of context.
fn as_patch(diff: &str) -> String {
    let mut patch = String::from("*** Begin Patch\n*** Update File: f\n");
    for line in diff.lines().skip(2) {
        if line.starts_with("@@") {
            patch.push_str("@@\n");
        } else if !line.starts_with('\\') {
            patch.push_str(line);
            patch.push('\n');
        }
    }
    patch + "*** End Patch"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_diff_leads_from_the_one_text_to_the_other(old in text(), new in text()) {
        let diff = diff("f", &old, &new);
        if old == new {
            prop_assert_eq!(diff, "");
        } else {
            prop_assert_eq!(apply(&diff, &old), Some(new));
        }
    }

    /// A patch knows no line ends of its own, so the text's are kept: between texts of LF alone, both
    /// with a last line feed, it leads to the very text.
    #[test]
    fn a_patch_leads_from_the_one_text_to_the_other_or_is_refused(old in text(), new in text()) {
        let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "-").trim_end().to_owned() + "\n";
        let (old, new) = (plain(&old), plain(&new));
        let patch = as_patch(&diff("f", &old, &new));
        let mut files = vec![("f".to_owned(), old.clone())];
        if apply_patch(&patch, &mut files).is_ok() {
            prop_assert_eq!(&files[0].1, &new);
            // The same in a text of CR LF gives CR LF.
            let windows = |text: &str| text.replace('\n', "\r\n");
            let mut files = vec![("f".to_owned(), windows(&old))];
            prop_assert_eq!(apply_patch(&patch, &mut files), Ok(()));
            prop_assert_eq!(&files[0].1, &windows(&new));
        }
    }

    #[test]
    fn a_replacement_changes_its_part_alone(
        text in text(),
        old in text(),
        new in text(),
        all in any::<bool>(),
    ) {
        if let Ok(replaced) = replace(&text, &old, &new, all) {
            let (before, after) = (&text[..replaced.changed.start], &text[replaced.changed.end..]);
            prop_assert!(replaced.text.starts_with(before) && replaced.text.ends_with(after));
            prop_assert!(all || replaced.count == 1);
            if replaced.count == 1 {
                prop_assert_eq!(words(&text[replaced.changed]), words(&old));
            }
        }
    }

    /// What is quoted with another formatting is found where it stands.
    #[test]
    fn a_part_in_another_formatting_is_found(before in text(), after in text(), tabs in any::<bool>()) {
        let there = "    start(one,  two)\n        “go” – on\n    end\n";
        let line_feed = |text: String| if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
        let (before, after) = (line_feed(before), line_feed(after));
        let text = format!("{before}{there}{after}");
        let indent = if tabs { "\t" } else { "  " };
        let old = format!("{indent}start(one, two)\n{indent}{indent}\"go\" - on\n{indent}end\n");
        let new = old.replace("end", "stop").replace("on\n", "off\n");
        let replaced = replace(&text, &old, &new, false).unwrap();
        prop_assert_eq!(replaced.strategy, "unicode");
        let expected = "    start(one,  two)\n        “go” – off\n    stop\n";
        let crlf = replaced.text.contains("off\r\n");
        let expected = if crlf { expected.replace('\n', "\r\n") } else { expected.to_owned() };
        prop_assert_eq!(replaced.text, format!("{before}{expected}{after}"));
    }
}

/// A text without all that may differ.
fn words(text: &str) -> String {
    let typed = text
        .replace(['“', '”'], "\"")
        .replace('—', "--")
        .replace('–', "-");
    typed
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect()
}
