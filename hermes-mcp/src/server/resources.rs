//! What a client can read: the long results that its session has stored, and what the host adds.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use hermes_tools::output::store::StoredPart;
use hermes_tools::{Content, Session};
use rmcp::model::{self, ErrorData, ReadResourceResult, ResourceContents};
use tokio::sync::watch;

use super::content::{contents, escaped};
use super::template::{Template, unescaped};

/// Something that the clients of a [`Server`](super::Server) can read.
#[derive(Clone)]
pub struct Resource {
    uri: String,
    name: String,
    description: Option<String>,
    media_type: Option<String>,
    source: Source,
}

/// What fills in the variables of a template.
pub type Variables = HashMap<String, String>;

#[derive(Clone)]
enum Source {
    Fixed(Content),
    Watched(watch::Receiver<Content>),
    Template(Template, Arc<Reader>),
}

type Reader = dyn Fn(&Variables) -> Option<Content> + Send + Sync;

/// What the addresses of stored results begin with. Behind it stand the turn and the file.
const STORED: &str = "hermes-result:///";

/// How many bytes of a stored result are read at once.
const PART: usize = 256 << 10;

impl Resource {
    /// A resource that stays as it is.
    pub fn fixed(uri: impl Into<String>, name: impl Into<String>, content: Content) -> Self {
        Self::of(uri.into(), name.into(), Source::Fixed(content))
    }

    /// A resource that changes: clients that have subscribed are told when the sender sends something
    /// new.
    pub fn watched(
        uri: impl Into<String>,
        name: impl Into<String>,
        content: watch::Receiver<Content>,
    ) -> Self {
        Self::of(uri.into(), name.into(), Source::Watched(content))
    }

    /// Resources of a kind: `{name}` in the address stands for one part of its path (RFC 6570, level 1).
    /// The reader gets what stands there, decoded, and says `None` when there is no such thing. What a
    /// client sends can be anything: no reader takes it for a safe name. A reader that waits holds up its
    /// client.
    pub fn template(
        uri: impl Into<String>,
        name: impl Into<String>,
        read: impl Fn(&Variables) -> Option<Content> + Send + Sync + 'static,
    ) -> Self {
        let uri = uri.into();
        let source = Source::Template(Template::new(&uri), Arc::new(read));
        Self::of(uri, name.into(), source)
    }

    const fn of(uri: String, name: String, source: Source) -> Self {
        Self {
            uri,
            name,
            description: None,
            media_type: None,
            source,
        }
    }

    /// Says what it is, for people and for the model.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the media type, such as `application/json`. Pictures, sound and files have one already.
    #[must_use]
    pub fn media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = Some(media_type.into());
        self
    }

    fn contents(&self, uri: &str, content: &Content) -> ResourceContents {
        let made = contents(uri, content);
        match &self.media_type {
            Some(media_type) => made.with_mime_type(media_type),
            None => made,
        }
    }

    fn told(&self) -> model::Resource {
        let mut told = model::Resource::new(&*self.uri, &*self.name);
        told.description.clone_from(&self.description);
        told.mime_type.clone_from(&self.media_type);
        if let (None, Source::Fixed(content)) = (&told.mime_type, &self.source) {
            told.mime_type = content.media().map(|media| media.media_type().to_owned());
        }
        told
    }
}

/// Everything that can be listed, sorted by address: what the host has added, and what is stored.
pub(super) fn list(session: &Session, added: &[Resource]) -> Vec<model::Resource> {
    let mut all: Vec<model::Resource> = added
        .iter()
        .filter(|resource| !matches!(resource.source, Source::Template(..)))
        .map(Resource::told)
        .collect();
    match session.stored_results() {
        Ok(stored) => all.extend(stored.iter().map(|stored| {
            let mut told = link(stored.turn, &stored.name);
            told.size = Some(stored.bytes);
            told
        })),
        Err(error) => tracing::warn!(%error, "stored results cannot be listed"),
    }
    all.sort_by(|a, b| a.uri.cmp(&b.uri));
    all
}

/// The templates.
pub(super) fn templates(added: &[Resource]) -> Vec<model::ResourceTemplate> {
    let stored = model::ResourceTemplate::new(
        format!("{STORED}turn-{{turn}}/{{file}}{{?from}}"),
        "stored result",
    )
    .with_description(
        "A result of this session that was too long to be shown, from this byte on, 256 KiB at a time",
    )
    .with_mime_type("text/plain");
    let added = added.iter().filter_map(|resource| {
        let Source::Template(..) = resource.source else {
            return None;
        };
        let mut told = model::ResourceTemplate::new(&*resource.uri, &*resource.name);
        told.description.clone_from(&resource.description);
        told.mime_type.clone_from(&resource.media_type);
        Some(told)
    });
    added.chain([stored]).collect()
}

/// Reads what stands at an address.
///
/// # Errors
///
/// Nothing of this session does.
pub(super) fn read(
    session: &Session,
    added: &[Resource],
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    for resource in added {
        let content = match &resource.source {
            Source::Fixed(content) if resource.uri == uri => Some(content.clone()),
            Source::Watched(content) if resource.uri == uri => Some(content.borrow().clone()),
            Source::Template(template, read) => match template.variables(uri) {
                // The SDK does not answer a request whose handler panics.
                Some(variables) => catch_unwind(AssertUnwindSafe(|| read(&variables)))
                    .map_err(|_| ErrorData::internal_error("the resource broke", None))?,
                None => None,
            },
            _ => None,
        };
        if let Some(content) = content {
            return Ok(ReadResourceResult::new(vec![
                resource.contents(uri, &content),
            ]));
        }
    }
    read_stored(session, uri)
}

fn read_stored(session: &Session, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let Some(place) = Place::in_uri(uri) else {
        return Err(unknown(uri));
    };
    let part = session.read_stored(place.turn, &place.name, place.from, PART);
    let StoredPart { text, next, .. } = part.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => unknown(uri),
        io::ErrorKind::InvalidInput => ErrorData::invalid_params(error.to_string(), None),
        _ => {
            tracing::warn!(%error, uri, "a stored result cannot be read");
            ErrorData::internal_error("the result cannot be read", None)
        }
    })?;
    let mut contents = vec![ResourceContents::text(text, uri).with_mime_type("text/plain")];
    if let Some(next) = next {
        let uri = format!("{}?from={next}", place.uri());
        let note = format!("[this is not all of it; read `{uri}` for what follows]");
        contents.push(ResourceContents::text(note, uri).with_mime_type("text/plain"));
    }
    Ok(ReadResourceResult::new(contents))
}

fn unknown(uri: &str) -> ErrorData {
    let why = format!("there is no resource `{uri}`; list the resources for those of this session");
    ErrorData::resource_not_found(why, Some(serde_json::json!({"uri": uri})))
}

/// Whether there is such a resource; what changes, and says so.
///
/// # Errors
///
/// There is none.
pub(super) fn changes(
    session: &Session,
    added: &[Resource],
    uri: &str,
) -> Result<Option<watch::Receiver<Content>>, ErrorData> {
    let named = added.iter().find(|resource| resource.uri == uri);
    if let Some(Source::Watched(content)) = named.map(|resource| &resource.source) {
        return Ok(Some(content.clone()));
    }
    read(session, added, uri).map(|_| None)
}

/// The resource that a stored result is, by the path of its file.
pub(super) fn stored_at(path: &Path) -> Option<model::Resource> {
    let name = path.file_name()?.to_str()?;
    let turn = path.parent()?.file_name()?.to_str()?;
    Some(link(turn.strip_prefix("turn-")?.parse().ok()?, name))
}

fn link(turn: u64, name: &str) -> model::Resource {
    let place = Place {
        turn,
        name: name.to_owned(),
        from: 0,
    };
    model::Resource::new(place.uri(), name)
        .with_description("a result that was too long to be shown")
        .with_mime_type("text/plain")
}

/// Where in which stored result.
struct Place {
    turn: u64,
    name: String,
    from: u64,
}

impl Place {
    fn in_uri(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(STORED)?;
        let (path, from) = match rest.split_once("?from=") {
            Some((path, from)) => (path, from.parse().ok()?),
            None => (rest, 0),
        };
        let (turn, name) = path.split_once('/')?;
        Some(Self {
            turn: turn.strip_prefix("turn-")?.parse().ok()?,
            name: unescaped(name)?,
            from,
        })
    }

    fn uri(&self) -> String {
        format!("{STORED}turn-{}/{}", self.turn, escaped(&self.name))
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Resource({})", self.uri)
    }
}
