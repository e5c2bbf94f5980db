//! Documents and sheets of office programs (Office Open XML) as text.
//!
//! Such a file is an archive of XML. What is taken from it is bounded: a small archive may say that it
//! holds a great deal, and a short sheet may name a long text in each of its cells.

mod sheet;
mod words;

use std::io::{Cursor, Read as _};

use hermes_tools::Cancel;
use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use zip::ZipArchive;

pub(super) use self::sheet::text_of as sheets;
pub(super) use self::words::text_of as words;

/// Largest file that is read as a document, in bytes.
pub(super) const LARGEST: u64 = 32 << 20;

/// Most bytes that are taken out of one member of an archive, and out of all of them.
const MEMBER: usize = 32 << 20;
const ALL_MEMBERS: usize = 64 << 20;

/// Most members of an archive that is opened: each takes room before anything is read.
const MEMBERS: usize = 20_000;

/// Most bytes of text that are made of a document. What is behind them is left out, and that is said.
const LONGEST: usize = 16 << 20;

/// Events of XML between two looks at the cancel sign.
const STEPS: u32 = 4_096;

/// An open archive, and what may still be taken out of it.
struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    left: usize,
}

/// The text of a member, or its start.
struct Member {
    xml: String,
    /// Whether there is more.
    is_cut: bool,
}

impl Archive {
    /// Opens an archive; none for what is none, and for one with too many members.
    fn open(bytes: Vec<u8>) -> Option<Self> {
        let members = memchr::memmem::find_iter(&bytes, b"PK\x01\x02").take(MEMBERS + 1);
        if members.count() > MEMBERS {
            return None;
        }
        Some(Self {
            zip: ZipArchive::new(Cursor::new(bytes)).ok()?,
            left: ALL_MEMBERS,
        })
    }

    /// The text of a member as far as it may be taken; none when there is no such member, or it is no
    /// text.
    fn member(&mut self, name: &str) -> Option<Member> {
        let most = MEMBER.min(self.left);
        let file = self.zip.by_name(name).ok()?;
        let mut bytes = Vec::new();
        file.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
        let is_cut = bytes.len() > most;
        bytes.truncate(most);
        self.left -= bytes.len();
        if is_cut {
            // The cut may go through a character.
            let behind = match std::str::from_utf8(&bytes) {
                Err(error) if error.error_len().is_none() => error.valid_up_to(),
                _ => bytes.len(),
            };
            bytes.truncate(behind);
        }
        let xml = String::from_utf8(bytes).ok()?;
        Some(Member { xml, is_cut })
    }
}

/// The events of a member, until its end, its cut or the cancel sign.
struct Events<'m> {
    reader: Reader<&'m [u8]>,
    is_cut: bool,
    steps: u32,
    cancel: &'m Cancel,
}

impl<'m> Events<'m> {
    fn of(member: &'m Member, cancel: &'m Cancel) -> Self {
        Self {
            reader: reader(&member.xml),
            is_cut: member.is_cut,
            steps: 0,
            cancel,
        }
    }

    /// The next event; none for what is no XML, and when the call was cancelled.
    fn next(&mut self) -> Option<Event<'m>> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS) && self.cancel.is_cancelled() {
            return None;
        }
        match self.reader.read_event() {
            Ok(event) => Some(event),
            // Where it was cut it need not be whole.
            Err(_) if self.is_cut => Some(Event::Eof),
            Err(_) => None,
        }
    }

    /// Passes over the rest of an element.
    fn pass_over(&mut self, element: &BytesStart<'_>) -> Option<()> {
        match self.reader.read_to_end(element.name()) {
            Ok(_) => Some(()),
            Err(_) if self.is_cut => Some(()),
            Err(_) => None,
        }
    }
}

fn reader(xml: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    reader
}

/// An attribute of an element, by its name without prefix.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    // Looking for an attribute that is there twice takes time with the square of their number.
    element
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)
        .map(|attribute| match unescape(&attribute.value) {
            Ok(text) => text.into_owned(),
            Err(_) => attribute.value.into_owned(),
        })
}

/// The characters that a reference such as `&amp;` or `&#233;` stands for. Entities of the file's own
/// are not followed.
fn referred(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    resolve_predefined_entity(reference)
        .unwrap_or_default()
        .to_owned()
}
