//! The parts of a result.

use std::borrow::Cow;

use serde::Serialize;

use super::sanitize::model_error;
use super::{Media, ToolError};

/// One part of a result.
///
/// Several parts are a list: `vec![Content::text("the plot"), Content::image("image/png", bytes)]`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Text for the model.
    Text(Cow<'static, str>),
    /// A JSON value as its text, made by [`Json`](super::Json).
    Json(String),
    /// A picture.
    Image(Media),
    /// Sound.
    Audio(Media),
    /// A file of any kind, with its bytes.
    File(Media),
    /// A file that can be had elsewhere.
    Link(Box<Link>),
}

/// Where a file can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    uri: String,
    label: String,
}

/// The result of a call that went well: one part or more, for a tool must say something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    // The first part lies here and not in the list, so that the usual result of one part
    // needs no list at all.
    first: Content,
    rest: Vec<Content>,
    failure: bool,
}

impl Content {
    /// Text for the model.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Text(text.into())
    }

    /// A value as JSON.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        match serde_json::to_string(value) {
            Ok(json) => Ok(Self::Json(json)),
            Err(error) => {
                Err(ToolError::failed("the result cannot be written as JSON").because(error))
            }
        }
    }

    /// A picture of a media type such as `image/png`.
    pub fn image(media_type: impl Into<Cow<'static, str>>, data: impl Into<Vec<u8>>) -> Self {
        Self::Image(Media::new("image", media_type, data))
    }

    /// Sound of a media type such as `audio/wav`.
    pub fn audio(media_type: impl Into<Cow<'static, str>>, data: impl Into<Vec<u8>>) -> Self {
        Self::Audio(Media::new("audio", media_type, data))
    }

    /// A file with its name, its media type and its bytes.
    pub fn file(
        name: impl Into<String>,
        media_type: impl Into<Cow<'static, str>>,
        data: impl Into<Vec<u8>>,
    ) -> Self {
        Self::File(Media::new("file", media_type, data).named(name))
    }

    /// A file that can be had at a URI.
    pub fn link(uri: impl Into<String>) -> Self {
        let uri = uri.into();
        let label = format!("[link: {}]", model_error(&uri));
        Self::Link(Box::new(Link { uri, label }))
    }

    /// The part as text, as it goes to a model that takes nothing else: the text, the JSON, or for
    /// other parts one line that says what is there.
    pub fn as_text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Json(json) => json,
            Self::Image(media) | Self::Audio(media) | Self::File(media) => media.label(),
            Self::Link(link) => &link.label,
        }
    }

    /// Whether the part is text or JSON, so that its text is all of it and may be cut.
    pub const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Json(_))
    }

    /// The bytes of a picture, of sound or of a file.
    pub const fn media(&self) -> Option<&Media> {
        match self {
            Self::Image(media) | Self::Audio(media) | Self::File(media) => Some(media),
            Self::Text(_) | Self::Json(_) | Self::Link(_) => None,
        }
    }
}

impl Link {
    /// The place.
    pub fn uri(&self) -> &str {
        &self.uri
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
                failure: false,
            },
            None => Self::from(Content::Text(Cow::Borrowed("(no output)"))),
        }
    }

    /// The same result with one part more.
    #[must_use]
    pub fn with(mut self, part: Content) -> Self {
        self.rest.push(part);
        self
    }

    /// Says that the tool has an answer although what it was asked for did not work: a command that
    /// ended with an error. The model gets the answer as it is; a session that watches for loops
    /// counts a failure.
    #[must_use]
    pub fn as_failure(mut self) -> Self {
        self.failure = true;
        self
    }

    /// Whether what the tool was asked for did not work.
    pub const fn is_failure(&self) -> bool {
        self.failure
    }

    /// The parts in order, at least one.
    pub fn parts(&self) -> impl Iterator<Item = &Content> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    /// The parts in order, to be changed in place.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        std::iter::once(&mut self.first).chain(&mut self.rest)
    }

    /// All parts as one text, a line break between them. Of parts that are no text it holds one line
    /// each that says what is there.
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
            _ => None,
        })
    }
}

impl From<Content> for Output {
    fn from(content: Content) -> Self {
        Self {
            first: content,
            rest: Vec::new(),
            failure: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_no_text_are_named_in_the_text() {
        let output = Output::from(Content::text("a plot:"))
            .with(Content::image("image/png", [1, 2, 3]))
            .with(Content::link("https://example.org/a"));
        assert_eq!(
            output.text(),
            "a plot:\n[image: image/png, 3 bytes]\n[link: https://example.org/a]"
        );
        assert_eq!(output.json(), None);
    }

    #[test]
    fn a_value_that_is_no_json_is_an_error() {
        let error = Content::json(&std::collections::BTreeMap::from([((1, 2), 3)])).unwrap_err();
        assert_eq!(error.message(), "the result cannot be written as JSON");
    }
}
