//! The paragraphs of a word processor's document.

use quick_xml::events::Event;

use super::{member, open, reader, referred};

/// The paragraphs, each on a line; tabs and line breaks stay. None for what is no such document.
pub(in super::super) fn text_of(bytes: Vec<u8>) -> Option<String> {
    let xml = member(&mut open(bytes)?, "word/document.xml")?;
    let mut reader = reader(&xml);
    let mut text = String::new();
    // What is shown stands in `t`; the rest is instructions, or was deleted.
    let mut shown = false;
    loop {
        match reader.read_event().ok()? {
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
            Event::Eof => return Some(text),
            _ => {}
        }
    }
}
