//! The paragraphs of a word processor's document.

use hermes_tools::Cancel;
use quick_xml::events::Event;

use super::{Archive, Events, LONGEST, referred};

/// What stands behind the part of a document that is shown.
const MORE: &str = "\n[... the rest of the document is left out: it is too large]\n";

/// The paragraphs, each on a line; tabs and line breaks stay. What is too long ends with a line that says
/// so. None for what is no such document, and when the call was cancelled.
pub(in super::super) fn text_of(bytes: Vec<u8>, cancel: &Cancel) -> Option<String> {
    let member = Archive::open(bytes)?.member("word/document.xml")?;
    let mut events = Events::of(&member, cancel);
    let mut text = String::new();
    // What is shown stands in `t`; the rest is instructions, or was deleted.
    let mut shown = false;
    loop {
        if text.len() > LONGEST {
            text.push_str(MORE);
            return Some(text);
        }
        match events.next()? {
            Event::Start(element) => match element.local_name().as_ref() {
                "t" => shown = true,
                "tab" => text.push('\t'),
                "br" | "cr" => text.push('\n'),
                _ => {}
            },
            Event::Empty(element) => match element.local_name().as_ref() {
                "tab" => text.push('\t'),
                "br" | "cr" | "p" => text.push('\n'),
                _ => {}
            },
            Event::End(element) => match element.local_name().as_ref() {
                "t" => shown = false,
                "p" => text.push('\n'),
                _ => {}
            },
            Event::Text(part) if shown => text.push_str(&part.xml10_content()),
            Event::CData(part) if shown => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) if shown => text.push_str(&referred(&reference)),
            Event::Eof => {
                if member.is_cut {
                    text.push_str(MORE);
                }
                return Some(text);
            }
            _ => {}
        }
    }
}
