//! Quotations in which a line break was written as a backslash and a letter.

/// A quotation and what is put in its place, with their escape sequences undone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Undone {
    pub(super) old: String,
    /// None where the new passage has an escape sequence of which the text does not tell whether it is
    /// meant as one.
    pub(super) new: Option<String>,
}

/// Which sequences are undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Those of white space, of quotes and of the backslash.
    All,
    /// Those of white space: the others stand in the text as they are quoted.
    WhiteSpace,
}

/// The readings of a quotation in which something is undone.
pub(super) fn readings(old: &str, new: &str) -> impl Iterator<Item = Undone> {
    let all = undo(old, Extent::All);
    let some = undo(old, Extent::WhiteSpace);
    let some = some.filter(|some| all.as_ref() != Some(some));
    let reading = move |extent, undone: Option<String>| {
        undone.map(|text| Undone {
            new: undo_new(old, new, extent),
            old: text,
        })
    };
    [reading(Extent::All, all), reading(Extent::WhiteSpace, some)]
        .into_iter()
        .flatten()
}

/// A text with its sequences undone; none when it has none.
fn undo(text: &str, extent: Extent) -> Option<String> {
    let mut undone = String::with_capacity(text.len());
    let mut changed = false;
    for piece in pieces(text) {
        match meaning(piece) {
            Some(meaning) if extent == Extent::All || meaning.is_whitespace() => {
                undone.push(meaning);
            }
            _ => {
                undone.push_str(piece);
                continue;
            }
        }
        changed = true;
    }
    changed.then_some(undone)
}

/// The new passage as the quotation is read. White space is always undone with it.
fn undo_new(old: &str, new: &str, extent: Extent) -> Option<String> {
    for piece in pieces(new) {
        let is_certain = match (meaning(piece), extent) {
            (None | Some('\n' | '\t' | '\r'), _) => true,
            // A quote that was escaped for no reason may be escaped for one in the new passage.
            (Some('"' | '\''), Extent::All) => false,
            _ => pieces(old).any(|quoted| quoted == piece),
        };
        if !is_certain {
            return None;
        }
    }
    Some(undo(new, extent).unwrap_or_else(|| new.to_owned()))
}

/// A text in characters and escape sequences.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices();
        let (_, first) = characters.next()?;
        if first == '\\' {
            characters.next();
        }
        let (piece, behind) = rest.split_at(characters.offset());
        rest = behind;
        Some(piece)
    })
}

/// What an escape sequence stands for.
fn meaning(piece: &str) -> Option<char> {
    Some(match piece {
        r"\n" => '\n',
        r"\t" => '\t',
        r"\r" => '\r',
        "\\\"" => '"',
        r"\'" => '\'',
        r"\\" => '\\',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[(&str, Option<&str>)]) {
        let found: Vec<Undone> = readings(old, new).collect();
        let found: Vec<(&str, Option<&str>)> = found
            .iter()
            .map(|undone| (&*undone.old, undone.new.as_deref()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn both_sides_are_undone() {
        check(r"a\nb", r"c\td\n", &[("a\nb", Some("c\td\n"))]);
        check("a", r"c\td", &[]);
        check(r"\d", r"\d", &[]);
    }

    #[test]
    fn what_the_quotation_does_not_tell_is_left_open() {
        check(r#"say(\"a\")"#, r#"say(\"b\")"#, &[(r#"say("a")"#, None)]);
        check(
            r#"say(\"a\")"#,
            "say(1)",
            &[(r#"say("a")"#, Some("say(1)"))],
        );
        check(r"a\nb", r"a\\b", &[("a\nb", None)]);
        check(r"a\\b", r"c\\d", &[(r"a\b", Some(r"c\d"))]);
    }

    #[test]
    fn quotes_may_be_escaped_in_the_text_itself() {
        check(
            r#"x = "a\"b"\ny"#,
            r#"x = "\""\nz"#,
            &[
                ("x = \"a\"b\"\ny", None),
                ("x = \"a\\\"b\"\ny", Some("x = \"\\\"\"\nz")),
            ],
        );
    }
}
