//! Bytes with a media type.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::sanitize::model_error;

/// A picture, sound or a file: bytes, what they are, and a name where there is one.
///
/// Clones share the bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Media(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    what: Cow<'static, str>,
    name: Option<String>,
    data: Arc<[u8]>,
    label: String,
    kind: &'static str,
}

/// The type of bytes of which nothing is known (RFC 2046, 4.5.1).
const UNKNOWN: &str = "application/octet-stream";

impl Media {
    /// Bytes of a kind that a reader knows by a word, such as `image`.
    ///
    /// What is no media type (RFC 6838, 4.2) becomes `application/octet-stream`, for providers refuse a
    /// whole request for one that they cannot read.
    pub(super) fn new(
        kind: &'static str,
        media_type: impl Into<Cow<'static, str>>,
        data: impl Into<Vec<u8>>,
    ) -> Self {
        let media_type = media_type.into();
        let media_type = if is_media_type(&media_type) {
            media_type
        } else {
            Cow::Borrowed(UNKNOWN)
        };
        let mut media = Self(Box::new(Inner {
            what: media_type,
            name: None,
            data: Arc::from(data.into()),
            label: String::new(),
            kind,
        }));
        media.relabel();
        media
    }

    /// The same bytes under a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.0.name = Some(name.into());
        self.relabel();
        self
    }

    /// What the bytes are, such as `image/png`.
    pub fn media_type(&self) -> &str {
        &self.0.what
    }

    /// A name, such as that of the file.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The bytes.
    pub fn data(&self) -> &[u8] {
        &self.0.data
    }

    /// The bytes in base 64 with padding (RFC 4648, 4), as providers and MCP want them.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.0.data)
    }

    /// The bytes as a `data:` URL (RFC 2397).
    pub fn data_url(&self) -> String {
        let mut url = format!("data:{};base64,", self.0.what);
        STANDARD.encode_string(&self.0.data, &mut url);
        url
    }

    /// One line that says what is there.
    pub(super) fn label(&self) -> &str {
        &self.0.label
    }

    fn relabel(&mut self) {
        let name = match &self.0.name {
            Some(name) => format!("{}, ", model_error(name)),
            None => String::new(),
        };
        self.0.label = format!(
            "[{}: {name}{}, {} bytes]",
            self.0.kind,
            self.0.what,
            self.0.data.len()
        );
    }
}

/// Whether a text is a media type: two names with a slash between, parameters behind.
fn is_media_type(text: &str) -> bool {
    let name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let bare = text.split(';').next().unwrap_or(text).trim_end();
    let shown = text.bytes().all(|byte| matches!(byte, 0x20..=0x7e));
    shown
        && bare
            .split_once('/')
            .is_some_and(|(kind, subtype)| name(kind) && name(subtype))
}

impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_out_in_base_64() {
        let media = Media::new("file", "text/csv; charset=utf-8", *b"a,b\n").named("t.csv");
        assert_eq!(media.base64(), "YSxiCg==");
        assert_eq!(
            media.data_url(),
            "data:text/csv; charset=utf-8;base64,YSxiCg=="
        );
        assert_eq!(
            media.label(),
            "[file: t.csv, text/csv; charset=utf-8, 4 bytes]"
        );
    }

    #[test]
    fn what_is_no_media_type_is_unknown_bytes() {
        for bad in ["", "png", "image/", "/png", "image/p ng", "a/b\n", "a/b/c"] {
            assert_eq!(
                Media::new("image", bad, []).media_type(),
                UNKNOWN,
                "{bad:?}"
            );
        }
        assert_eq!(
            Media::new("image", "image/svg+xml", []).media_type(),
            "image/svg+xml"
        );
    }
}
