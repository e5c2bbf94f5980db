//! What was wrong with a text, and is put right.

use crate::args::{Repair, SyntaxError};

/// A kind of damage that loses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    ByteOrderMark,
    Surroundings,
    Copy,
    Encoded,
    Quotes,
    BareKey,
    Word,
    Control,
    InnerQuote,
    Escape,
    Half,
    Comment,
    MissingComma,
    SurplusComma,
    MissingCloser,
    SurplusCloser,
    SwappedClosers,
    Tuple,
    RepeatedKey,
}

const KINDS: usize = Damage::RepeatedKey as usize + 1;

impl Damage {
    const ALL: [Self; KINDS] = [
        Self::ByteOrderMark,
        Self::Surroundings,
        Self::Copy,
        Self::Encoded,
        Self::Quotes,
        Self::BareKey,
        Self::Word,
        Self::Control,
        Self::InnerQuote,
        Self::Escape,
        Self::Half,
        Self::Comment,
        Self::MissingComma,
        Self::SurplusComma,
        Self::MissingCloser,
        Self::SurplusCloser,
        Self::SwappedClosers,
        Self::Tuple,
        Self::RepeatedKey,
    ];

    fn what(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte order mark removed",
            Self::Surroundings => "text around the arguments dropped",
            Self::Copy => "further copies of the arguments dropped",
            Self::Encoded => "arguments sent as text, opened",
            Self::Quotes => "single quotes made double",
            Self::BareKey => "quotes put around a key",
            Self::Word => "word of another language",
            Self::Control => "raw control character escaped",
            Self::InnerQuote => "quote inside a text escaped",
            Self::Escape => "impossible escape read as it is written",
            Self::Half => "half of a surrogate pair replaced",
            Self::Comment => "comment removed",
            Self::MissingComma => "missing comma added",
            Self::SurplusComma => "surplus comma removed",
            Self::MissingCloser => "missing closing bracket added",
            Self::SurplusCloser => "surplus closing bracket removed",
            Self::SwappedClosers => "closing brackets put in order",
            Self::Tuple => "tuple made a list",
            Self::RepeatedKey => "sent twice, the last one counts",
        }
    }
}

/// How often each kind occurred, and where first.
#[derive(Debug, Clone, Default)]
pub(in crate::args) struct Damages {
    /// By kind; empty until there is any.
    found: Vec<(usize, usize)>,
    /// The first key that stood twice in one object.
    repeated: Option<String>,
}

impl Damages {
    pub(super) fn add(&mut self, damage: Damage, at: usize) {
        self.found.resize(KINDS, (0, 0));
        let (count, first) = &mut self.found[damage as usize];
        if *count == 0 {
            *first = at;
        }
        *count += 1;
    }

    pub(in crate::args) fn repeated(&mut self, key: String) {
        self.add(Damage::RepeatedKey, 0);
        self.repeated.get_or_insert(key);
    }

    pub(in crate::args) fn halves(&mut self, count: usize) {
        for _ in 0..count {
            self.add(Damage::Half, 0);
        }
    }

    pub(in crate::args) fn encoded(&mut self) {
        self.add(Damage::Encoded, 0);
    }

    pub(in crate::args) fn is_empty(&self) -> bool {
        self.found.iter().all(|(count, _)| *count == 0)
    }

    pub(super) fn has(&self, damage: Damage) -> bool {
        self.found
            .get(damage as usize)
            .is_some_and(|(count, _)| *count > 0)
    }

    /// Adds what was found in a text inside.
    pub(in crate::args) fn extend(&mut self, other: Self) {
        if other.found.is_empty() {
            return;
        }
        self.found.resize(KINDS, (0, 0));
        for (mine, others) in self.found.iter_mut().zip(other.found) {
            if mine.0 == 0 {
                mine.1 = others.1;
            }
            mine.0 += others.0;
        }
        self.repeated = self.repeated.take().or(other.repeated);
    }

    /// One repair for each kind, however often it occurred.
    pub(in crate::args) fn repairs(mut self, text: &str) -> Vec<Repair> {
        let repeated = self.repeated.take();
        let mut repairs = Vec::new();
        if self.is_empty() {
            return repairs;
        }
        for damage in Damage::ALL {
            let (count, first) = self.found[damage as usize];
            if count == 0 {
                continue;
            }
            let place = SyntaxError::at(text, first, "");
            let mut before = format!("line {}, column {}", place.line, place.column);
            if count > 1 {
                before = format!("{count} times, first at {before}");
            }
            let mut path = String::new();
            if damage == Damage::RepeatedKey {
                path = repeated
                    .as_deref()
                    .map(crate::args::issue::key_step)
                    .unwrap_or_default();
                "an earlier value".clone_into(&mut before);
            }
            repairs.push(Repair {
                path,
                what: damage.what(),
                before,
                after: String::new(),
            });
        }
        repairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_stands_at_its_own_number() {
        for (at, damage) in Damage::ALL.into_iter().enumerate() {
            assert_eq!(damage as usize, at);
        }
    }

    #[test]
    fn a_kind_is_told_once() {
        let mut damages = Damages::default();
        damages.add(Damage::MissingComma, 3);
        damages.add(Damage::MissingComma, 5);
        let repairs = damages.repairs("ab\ncd");
        assert_eq!(repairs.len(), 1);
        assert_eq!(
            repairs[0].to_string(),
            "missing comma added (2 times, first at line 2, column 1)"
        );
    }
}
