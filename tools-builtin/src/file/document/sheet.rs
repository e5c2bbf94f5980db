//! The cells of a workbook.

use std::fmt::Write as _;

use quick_xml::events::Event;

use super::{Archive, attribute, member, open, reader, referred};

/// Rows and columns of a sheet that are shown.
const ROWS: usize = 5_000;
const COLUMNS: usize = 256;

/// Sheets that are shown.
const SHEETS: usize = 64;

/// Characters that are shown of all sheets together.
const LONGEST: usize = 32 << 20;

/// The visible sheets of a workbook, each behind a line with its name: a line for each row, tabs
/// between the cells. None for what is no workbook.
pub(in super::super) fn text_of(bytes: Vec<u8>) -> Option<String> {
    let mut archive = open(bytes)?;
    let book = member(&mut archive, "xl/workbook.xml")?;
    let places = member(&mut archive, "xl/_rels/workbook.xml.rels")?;
    let strings = match member(&mut archive, "xl/sharedStrings.xml") {
        Some(xml) => strings(&xml)?,
        None => Vec::new(),
    };
    let mut text = String::new();
    for (name, id) in sheets(&book)?.into_iter().take(SHEETS) {
        let Some(place) = target(&places, &id) else {
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "[sheet: {}]", name.replace('\n', " "));
        let rows = rows(&mut archive, &place, &strings)?;
        for row in rows {
            text.push_str(&row.join("\t"));
            text.push('\n');
            if text.len() > LONGEST {
                text.push_str("[... more rows]\n");
                return Some(text);
            }
        }
    }
    Some(text)
}

/// The visible sheets of a workbook: name and id.
fn sheets(xml: &str) -> Option<Vec<(String, String)>> {
    let mut reader = reader(xml);
    let mut sheets = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) | Event::Empty(element)
                if element.local_name().as_ref() == "sheet" =>
            {
                let state = attribute(&element, "state").unwrap_or_default();
                if !matches!(&*state, "hidden" | "veryHidden") {
                    sheets.push((attribute(&element, "name")?, attribute(&element, "id")?));
                }
            }
            Event::Eof => return Some(sheets),
            _ => {}
        }
    }
}

/// The member of the archive that a relation leads to.
fn target(xml: &str, id: &str) -> Option<String> {
    let mut reader = reader(xml);
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) | Event::Empty(element)
                if attribute(&element, "Id").as_deref() == Some(id) =>
            {
                let target = attribute(&element, "Target")?;
                return Some(match target.strip_prefix('/') {
                    Some(whole) => whole.to_owned(),
                    None => format!("xl/{target}"),
                });
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

/// The texts that cells share.
fn strings(xml: &str) -> Option<Vec<String>> {
    let mut reader = reader(xml);
    let mut strings = Vec::new();
    let mut text = String::new();
    let mut shown = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) => match element.local_name().as_ref() {
                "si" => text.clear(),
                "t" => shown = true,
                // How a text is read aloud is no part of it.
                "rPh" => {
                    reader.read_to_end(element.name()).ok()?;
                }
                _ => {}
            },
            Event::Empty(element) if element.local_name().as_ref() == "si" => {
                strings.push(String::new());
            }
            Event::End(element) => match element.local_name().as_ref() {
                "si" => strings.push(std::mem::take(&mut text)),
                "t" => shown = false,
                _ => {}
            },
            Event::Text(part) if shown => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) if shown => text.push_str(&referred(&reference)),
            Event::Eof => return Some(strings),
            _ => {}
        }
    }
}

/// A cell that is being read.
#[derive(Default)]
struct Cell {
    kind: String,
    value: String,
}

/// The rows of a sheet, empty ones at the end left out.
fn rows(archive: &mut Archive, place: &str, strings: &[String]) -> Option<Vec<Vec<String>>> {
    let xml = member(archive, place)?;
    let mut reader = reader(&xml);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut row, mut column) = (0_usize, 0_usize);
    let mut cell = Cell::default();
    let mut shown = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) => match element.local_name().as_ref() {
                "row" => {
                    row = number(attribute(&element, "r").as_ref(), row.saturating_add(1));
                    column = 0;
                }
                "c" => {
                    column = attribute(&element, "r")
                        .and_then(|name| column_of(&name))
                        .unwrap_or(column.saturating_add(1));
                    cell = Cell {
                        kind: attribute(&element, "t").unwrap_or_default(),
                        value: String::new(),
                    };
                }
                "v" | "t" => shown = true,
                _ => {}
            },
            Event::Empty(element) if element.local_name().as_ref() == "c" => {
                column = attribute(&element, "r")
                    .and_then(|name| column_of(&name))
                    .unwrap_or(column.saturating_add(1));
            }
            Event::End(element) => match element.local_name().as_ref() {
                "v" | "t" => shown = false,
                "c" => put(&mut rows, row, column, &cell, strings),
                _ => {}
            },
            Event::Text(part) if shown => cell.value.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) if shown => cell.value.push_str(&referred(&reference)),
            Event::Eof => break,
            _ => {}
        }
    }
    while rows
        .last()
        .is_some_and(|row| row.iter().all(String::is_empty))
    {
        rows.pop();
    }
    Some(rows)
}

fn put(rows: &mut Vec<Vec<String>>, row: usize, column: usize, cell: &Cell, strings: &[String]) {
    if row == 0 || row > ROWS || column == 0 || column > COLUMNS {
        return;
    }
    let shared = || strings.get(cell.value.parse::<usize>().ok()?).cloned();
    let text = match &*cell.kind {
        "s" => shared().unwrap_or_default(),
        "b" if cell.value == "1" => "TRUE".to_owned(),
        "b" => "FALSE".to_owned(),
        _ => cell.value.clone(),
    };
    if rows.len() < row {
        rows.resize_with(row, Vec::new);
    }
    let cells = &mut rows[row - 1];
    if cells.len() < column {
        cells.resize_with(column, String::new);
    }
    // A cell is one piece of a line.
    cells[column - 1] = text.replace(['\n', '\r', '\t'], " ");
}

fn number(text: Option<&String>, absent: usize) -> usize {
    text.and_then(|text| text.parse().ok()).unwrap_or(absent)
}

/// The number of the column of a cell such as `C7`: 3.
fn column_of(name: &str) -> Option<usize> {
    let mut column = 0_usize;
    for letter in name.bytes().take_while(u8::is_ascii_alphabetic) {
        let letter = usize::from(letter.to_ascii_uppercase() - b'A') + 1;
        column = column.checked_mul(26)?.checked_add(letter)?;
    }
    (column > 0).then_some(column)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::words;
    use super::*;

    fn archive(members: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in members {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn book(sheet: &str) -> Vec<u8> {
        archive(&[
            (
                "xl/workbook.xml",
                r#"<workbook><sheets><sheet name="Stock" r:id="a"/>
                <sheet name="Old" state="hidden" r:id="b"/></sheets></workbook>"#,
            ),
            (
                "xl/_rels/workbook.xml.rels",
                r#"<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/>
                <Relationship Id="b" Target="/xl/worksheets/sheet1.xml"/></Relationships>"#,
            ),
            (
                "xl/sharedStrings.xml",
                "<sst><si><t>fruit &amp; nut</t></si><si><r><t>p</t></r><r><t>ear</t></r></si></sst>",
            ),
            ("xl/worksheets/sheet1.xml", sheet),
        ])
    }

    #[test]
    fn the_cells_of_visible_sheets_are_shown() {
        let sheet = r#"<worksheet><sheetData>
            <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="b"><v>1</v></c></row>
            <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><f>1+6</f><v>7</v></c>
            <c r="C3" t="inlineStr"><is><t>a&#x9;b</t></is></c></row>
            <row r="9"><c r="A9" s="1"/></row>
            </sheetData></worksheet>"#;
        assert_eq!(
            text_of(book(sheet)).as_deref(),
            Some("[sheet: Stock]\nfruit & nut\t\tTRUE\n\npear\t7\ta b\n")
        );
    }

    #[test]
    fn cells_far_away_take_no_room() {
        let sheet = r#"<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>
            <row r="18446744073709551615"><c r="ZZZZZZZZZZZZZZZZZZ1"><v>1</v></c></row>
            <row r="2"><c r="IV2"><v>2</v></c><c r="IW2"><v>3</v></c></row></sheetData></worksheet>"#;
        let text = text_of(book(sheet)).unwrap();
        assert_eq!(
            text.trim(),
            format!("[sheet: Stock]\n\n{}2", "\t".repeat(255)).trim()
        );
    }

    #[test]
    fn the_paragraphs_of_a_document_are_shown() {
        let xml = "<w:document><w:body><w:p><w:r><w:t>One</w:t><w:tab/><w:t>two &lt;</w:t></w:r></w:p>\
                   <w:p><w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText><w:t>a</w:t>\
                   <w:br/><w:t>b</w:t></w:r></w:p></w:body></w:document>";
        let bytes = archive(&[("word/document.xml", xml)]);
        assert_eq!(words(bytes).as_deref(), Some("One\ttwo <\na\nb\n"));
    }

    #[test]
    fn what_is_no_document_is_told() {
        assert_eq!(words(b"not a zip\n".to_vec()), None);
        assert_eq!(text_of(archive(&[("a", "b")])), None);
        assert_eq!(words(archive(&[("word/document.xml", "<w:p><")])), None);
    }
}
