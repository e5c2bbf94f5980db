//! Documents and sheets of office programs (Office Open XML) as text.
//!
//! Such a file is an archive of XML. What is taken from it is bounded: a small archive may say that it
//! holds a great deal.

mod sheet;
mod words;

use std::io::{Cursor, Read as _};

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart};
use zip::ZipArchive;

pub(super) use self::sheet::text_of as sheets;
pub(super) use self::words::text_of as words;

/// Largest file that is read as a document, in bytes.
pub(super) const LARGEST: u64 = 32 << 20;

/// Most bytes that are taken out of one member of an archive.
const MEMBER: u64 = 64 << 20;

/// An open archive.
type Archive = ZipArchive<Cursor<Vec<u8>>>;

fn open(bytes: Vec<u8>) -> Option<Archive> {
    ZipArchive::new(Cursor::new(bytes)).ok()
}

/// The text of a member; none when there is no such member, or it is too large.
fn member(archive: &mut Archive, name: &str) -> Option<String> {
    let file = archive.by_name(name).ok()?;
    let mut bytes = Vec::new();
    file.take(MEMBER + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MEMBER {
        return None;
    }
    String::from_utf8(bytes).ok()
}

fn reader(xml: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    reader
}

/// An attribute of an element, by its name without prefix.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    element
        .attributes()
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
