//! The parts of a result.

use std::borrow::Cow;

/// One part of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Text for the model.
    Text(Cow<'static, str>),
    /// A JSON value as its text, made by [`Json`](super::Json).
    Json(String),
}

/// The result of a call that went well: one part or more, for a tool must say something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    // The first part lies here and not in the list, so that the usual result of one part
    // needs no list at all.
    first: Content,
    rest: Vec<Content>,
}

impl Content {
    /// The part as text, as it goes to a model.
    pub fn as_text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Json(json) => json,
        }
    }
}

impl Output {
    /// A result of these parts. A list without parts is the text `(no output)`.
    pub fn new(parts: Vec<Content>) -> Self {
        let mut parts = parts.into_iter();
        match parts.next() {
            Some(first) => Self {
                first,
                rest: parts.collect(),
            },
            None => Self::from(Content::Text(Cow::Borrowed("(no output)"))),
        }
    }

    /// The parts in order, at least one.
    pub fn parts(&self) -> impl Iterator<Item = &Content> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    /// The parts in order, to be changed in place.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        std::iter::once(&mut self.first).chain(&mut self.rest)
    }

    /// All parts as one text, a line break between them.
    pub fn text(&self) -> Cow<'_, str> {
        if self.rest.is_empty() {
            return Cow::Borrowed(self.first.as_text());
        }
        Cow::Owned(
            self.parts()
                .map(Content::as_text)
                .collect::<Vec<_>>()
                .join("\n"),
        )
    }

    /// The JSON text of the first part that is JSON.
    pub fn json(&self) -> Option<&str> {
        self.parts().find_map(|part| match part {
            Content::Json(json) => Some(json.as_str()),
            Content::Text(_) => None,
        })
    }
}

impl From<Content> for Output {
    fn from(content: Content) -> Self {
        Self {
            first: content,
            rest: Vec::new(),
        }
    }
}
