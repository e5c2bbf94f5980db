//! The cells of a workbook.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use hermes_tools::Cancel;
use quick_xml::events::Event;

use super::{Archive, Events, LONGEST, Member, attribute, referred};

/// Rows and columns of a sheet that are shown.
const ROWS: usize = 5_000;
const COLUMNS: usize = 256;

/// Sheets that are shown.
const SHEETS: usize = 64;

/// Texts that cells share which are held.
const STRINGS: usize = 1 << 20;

/// Characters of a cell that are shown: the most that one can have.
const CELL: usize = 32_767;

/// Characters of a sheet's name that are shown.
const NAME: usize = 255;

/// The visible sheets of a workbook, each behind a line with its name: a line for each row, tabs
/// between the cells. A line in brackets tells what is left out. None for what is no workbook, and when
/// the call was cancelled.
pub(in super::super) fn text_of(bytes: Vec<u8>, cancel: &Cancel) -> Option<String> {
    let mut archive = Archive::open(bytes)?;
    let book = archive.member("xl/workbook.xml")?;
    let places = archive.member("xl/_rels/workbook.xml.rels")?;
    let sheets = sheets(&book, cancel)?;
    let targets = targets(&places, &sheets, cancel)?;
    let (strings, mut is_cut) = match archive.member("xl/sharedStrings.xml") {
        Some(member) => strings(&member, cancel)?,
        None => (Vec::new(), false),
    };
    let mut text = String::new();
    for (name, id) in sheets.iter().take(SHEETS) {
        let Some(place) = targets.get(&**id) else {
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "[sheet: {}]", name.replace('\n', " "));
        let member = archive.member(place)?;
        let sheet = Sheet::read(&member, &strings, cancel)?;
        if !sheet.write(&mut text) {
            text.push_str("\n[... the rest of the workbook is left out: it is too large]\n");
            return Some(text);
        }
        is_cut |= member.is_cut;
    }
    if sheets.len() > SHEETS {
        let _ = writeln!(text, "[... sheets behind the first {SHEETS} are left out]");
    }
    if is_cut {
        text.push_str("[... some cells are left out: the workbook is too large]\n");
    }
    Some(text)
}

/// The visible sheets of a workbook, one more than are shown at the most: name and id.
fn sheets(member: &Member, cancel: &Cancel) -> Option<Vec<(String, String)>> {
    let mut events = Events::of(member, cancel);
    let mut sheets = Vec::new();
    while sheets.len() <= SHEETS {
        match events.next()? {
            Event::Start(element) | Event::Empty(element)
                if element.local_name().as_ref() == "sheet" =>
            {
                let state = attribute(&element, "state").unwrap_or_default();
                if !matches!(&*state, "hidden" | "veryHidden") {
                    let name = attribute(&element, "name")?;
                    let name = name.chars().take(NAME).collect();
                    sheets.push((name, attribute(&element, "id")?));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    Some(sheets)
}

/// The members of the archive that the relations of sheets lead to, by the sheets' ids.
fn targets<'s>(
    member: &Member,
    sheets: &'s [(String, String)],
    cancel: &Cancel,
) -> Option<HashMap<&'s str, String>> {
    let mut events = Events::of(member, cancel);
    let mut targets = HashMap::new();
    loop {
        match events.next()? {
            Event::Start(element) | Event::Empty(element) => {
                let Some(id) = attribute(&element, "Id") else {
                    continue;
                };
                let Some((_, id)) = sheets.iter().find(|(_, own)| *own == id) else {
                    continue;
                };
                let target = attribute(&element, "Target")?;
                targets
                    .entry(&**id)
                    .or_insert_with(|| match target.strip_prefix('/') {
                        Some(whole) => whole.to_owned(),
                        None => format!("xl/{target}"),
                    });
            }
            Event::Eof => return Some(targets),
            _ => {}
        }
    }
}

/// The texts that cells share, and whether there are more.
fn strings(member: &Member, cancel: &Cancel) -> Option<(Vec<String>, bool)> {
    let mut events = Events::of(member, cancel);
    let mut strings = Vec::new();
    let mut text = String::new();
    let mut shown = false;
    while strings.len() < STRINGS {
        match events.next()? {
            Event::Start(element) => match element.local_name().as_ref() {
                "si" => text.clear(),
                "t" => shown = true,
                // How a text is read aloud is no part of it.
                "rPh" => events.pass_over(&element)?,
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
            Event::Eof => return Some((strings, member.is_cut)),
            _ => {}
        }
    }
    Some((strings, true))
}

/// A cell that is being read.
#[derive(Default)]
struct Cell {
    kind: String,
    value: String,
}

/// The cells of a sheet. Texts that cells share are held once, however many name them.
#[derive(Default)]
struct Sheet<'s> {
    rows: Vec<Vec<Cow<'s, str>>>,
    /// Whether rows or columns are left out.
    more_rows: bool,
    more_columns: bool,
}

impl<'s> Sheet<'s> {
    fn read(member: &Member, strings: &'s [String], cancel: &Cancel) -> Option<Self> {
        let mut events = Events::of(member, cancel);
        let mut sheet = Self::default();
        let (mut row, mut column) = (0_usize, 0_usize);
        let mut cell = Cell::default();
        let mut shown = false;
        loop {
            match events.next()? {
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
                    "c" => sheet.put(row, column, std::mem::take(&mut cell), strings),
                    _ => {}
                },
                Event::Text(part) if shown => cell.value.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) if shown => cell.value.push_str(&referred(&reference)),
                Event::Eof => break,
                _ => {}
            }
        }
        let rows = &mut sheet.rows;
        while rows
            .last()
            .is_some_and(|row| row.iter().all(|cell| cell.is_empty()))
        {
            rows.pop();
        }
        Some(sheet)
    }

    fn put(&mut self, row: usize, column: usize, cell: Cell, strings: &'s [String]) {
        let text = match &*cell.kind {
            "s" => {
                let shared = cell.value.parse().ok();
                let shared = shared.and_then(|index: usize| strings.get(index));
                Cow::Borrowed(shared.map_or("", |text| text))
            }
            "b" if cell.value == "1" => Cow::Borrowed("TRUE"),
            "b" => Cow::Borrowed("FALSE"),
            _ => Cow::Owned(cell.value),
        };
        if text.is_empty() {
            return;
        }
        self.more_rows |= row > ROWS;
        self.more_columns |= column > COLUMNS;
        if row == 0 || row > ROWS || column == 0 || column > COLUMNS {
            return;
        }
        if self.rows.len() < row {
            self.rows.resize_with(row, Vec::new);
        }
        let cells = &mut self.rows[row - 1];
        if cells.len() < column {
            cells.resize_with(column, Cow::default);
        }
        cells[column - 1] = text;
    }

    /// Writes the rows, and what is left out; false where the text is too long, and ends there.
    fn write(&self, text: &mut String) -> bool {
        for row in &self.rows {
            for (index, cell) in row.iter().enumerate() {
                if index > 0 {
                    text.push('\t');
                }
                let mut letters = cell.chars();
                // A cell is one piece of a line.
                text.extend(letters.by_ref().take(CELL).map(|letter| match letter {
                    '\n' | '\r' | '\t' => ' ',
                    letter => letter,
                }));
                if letters.next().is_some() {
                    text.push_str("[...]");
                }
                if text.len() > LONGEST {
                    return false;
                }
            }
            text.push('\n');
        }
        if self.more_rows {
            let _ = writeln!(text, "[... rows behind {ROWS} are left out]");
        }
        if self.more_columns {
            let _ = writeln!(text, "[... columns behind {COLUMNS} are left out]");
        }
        true
    }
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

    fn words_of(bytes: Vec<u8>) -> Option<String> {
        words(bytes, &Cancel::never())
    }

    fn sheets_of(bytes: Vec<u8>) -> Option<String> {
        text_of(bytes, &Cancel::never())
    }

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
        book_with(
            sheet,
            "<sst><si><t>fruit &amp; nut</t></si><si><r><t>p</t></r><r><t>ear</t></r></si></sst>",
        )
    }

    fn book_with(sheet: &str, strings: &str) -> Vec<u8> {
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
            ("xl/sharedStrings.xml", strings),
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
            sheets_of(book(sheet)).as_deref(),
            Some("[sheet: Stock]\nfruit & nut\t\tTRUE\n\npear\t7\ta b\n")
        );
    }

    #[test]
    fn cells_far_away_take_no_room() {
        let sheet = r#"<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>
            <row r="18446744073709551615"><c r="ZZZZZZZZZZZZZZZZZZ1"><v>1</v></c></row>
            <row r="2"><c r="IV2"><v>2</v></c><c r="IW2"><v>3</v></c></row></sheetData></worksheet>"#;
        let text = sheets_of(book(sheet)).unwrap();
        assert_eq!(
            text.trim(),
            format!(
                "[sheet: Stock]\n\n{}2\n[... rows behind 5000 are left out]\n\
                 [... columns behind 256 are left out]",
                "\t".repeat(255)
            )
        );
    }

    #[test]
    fn the_paragraphs_of_a_document_are_shown() {
        let xml = "<w:document><w:body><w:p><w:r><w:t>One</w:t><w:tab/><w:t>two &lt;</w:t></w:r></w:p>\
                   <w:p><w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText><w:t>a</w:t>\
                   <w:br/><w:t>b</w:t></w:r></w:p></w:body></w:document>";
        let bytes = archive(&[("word/document.xml", xml)]);
        assert_eq!(words_of(bytes).as_deref(), Some("One\ttwo <\na\nb\n"));
    }

    #[test]
    fn what_is_no_document_is_told() {
        assert_eq!(words_of(b"not a zip\n".to_vec()), None);
        assert_eq!(sheets_of(archive(&[("a", "b")])), None);
        assert_eq!(words_of(archive(&[("word/document.xml", "<w:p><")])), None);
    }

    #[test]
    fn a_long_text_that_many_cells_share_does_not_multiply() {
        let long = "x".repeat(100_000);
        let cells = r#"<c t="s"><v>0</v></c>"#.repeat(256);
        let sheet = format!(
            "<sheetData>{}</sheetData>",
            format!("<row>{cells}</row>").repeat(500)
        );
        let strings = format!("<sst><si><t>{long}</t></si></sst>");
        let bytes = book_with(&sheet, &strings);
        assert!(bytes.len() < 40_000, "{}", bytes.len());
        let text = sheets_of(bytes).unwrap();
        assert!(text.len() < LONGEST + 2 * CELL, "{}", text.len());
        let cell = format!("{}[...]", "x".repeat(CELL));
        assert!(text.starts_with(&format!("[sheet: Stock]\n{cell}\t{cell}\t")));
        assert!(text.ends_with("\n[... the rest of the workbook is left out: it is too large]\n"));
    }

    #[test]
    fn what_unpacks_to_too_much_is_shown_in_part() {
        let paragraph = "<w:p><w:t>word</w:t></w:p>";
        let xml = format!(
            "<w:document>{}</w:document>",
            paragraph.repeat(super::super::MEMBER / paragraph.len() + 1_000)
        );
        let text = words_of(archive(&[("word/document.xml", &xml)])).unwrap();
        assert!(text.starts_with("word\nword\n"));
        assert!(text.ends_with("\n[... the rest of the document is left out: it is too large]\n"));
        let far = format!(
            "<sheetData><row><c><v>1</v></c></row>{}",
            " ".repeat(super::super::MEMBER)
        );
        assert_eq!(
            sheets_of(book(&far)).as_deref(),
            Some("[sheet: Stock]\n1\n[... some cells are left out: the workbook is too large]\n")
        );
    }

    #[test]
    fn many_attributes_and_depths_are_read_once() {
        let mut many = String::new();
        for index in 0..100_000 {
            let _ = write!(many, r#" a{index}="""#);
        }
        let sheet = format!(
            "{}<row{many}><c{many}><v>1</v></c></row>",
            "<deep>".repeat(100_000)
        );
        assert_eq!(
            sheets_of(book(&sheet)).as_deref(),
            Some("[sheet: Stock]\n1\n")
        );
    }

    #[test]
    fn reading_ends_when_the_call_is_cancelled() {
        let sheet = "<row><c><v>1</v></c></row>".repeat(4_096);
        let cancel = Cancel::new();
        cancel.cancel();
        assert_eq!(text_of(book(&sheet), &cancel), None);
    }
}
