//! Characters that stand for one another: what a typist writes and what a typesetter makes of it.

/// A space of any width but the line's end: blank, tab, and the fixed spaces of Unicode.
pub(super) const fn is_blank(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// What is typed for a typographic character.
pub(super) const fn typed(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{2018}'..='\u{201b}' => "'",
        '\u{201c}'..='\u{201f}' => "\"",
        '\u{2010}'..='\u{2013}' => "-",
        '\u{2014}' | '\u{2015}' => "--",
        '\u{2026}' => "...",
        _ => return None,
    })
}

/// Whether a character stands for itself alone, however it is written: no space, no line end, no part
/// of a typographic character, and no part of an escape sequence.
pub(super) const fn is_plain(character: char) -> bool {
    !matches!(character, '\n' | '\r' | '\'' | '"' | '-' | '.' | '\\')
        && !is_blank(character)
        && typed(character).is_none()
}
