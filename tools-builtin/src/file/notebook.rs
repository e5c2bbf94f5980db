//! Notebooks of Jupyter as text: their cells, without what they printed.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// Largest notebook that is read as one, in bytes.
pub(super) const LARGEST: u64 = 32 << 20;

/// Most cells that are shown. A cell takes more room than an empty one takes in the file.
const CELLS: usize = 100_000;

#[derive(Deserialize)]
struct Notebook {
    cells: Option<Cells>,
    /// The form of version 3.
    worksheets: Option<Worksheets>,
}

#[derive(Deserialize)]
struct Worksheet {
    cells: Cells,
}

/// The first cells of a list, and whether there are more.
#[derive(Default)]
struct Cells {
    cells: Vec<Cell>,
    more: bool,
}

/// The first cells of all worksheets.
#[derive(Default)]
struct Worksheets(Cells);

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(alias = "input", default)]
    source: Source,
}

/// A text, or its lines.
#[derive(Default)]
struct Source(String);

/// The cells of a notebook in their order, each behind a line that says what it is; none for a text
/// that is no notebook.
pub(super) fn text_of(json: &[u8]) -> Option<String> {
    let notebook: Notebook = serde_json::from_slice(json).ok()?;
    let Cells { cells, more } = match (notebook.cells, notebook.worksheets) {
        (Some(cells), _) => cells,
        (None, Some(sheets)) => sheets.0,
        (None, None) => return None,
    };
    let mut text = String::new();
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        // A cell type is one word in every version; whatever else stands there is one line.
        let kind = cell.cell_type.replace('\n', " ");
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "[cell {}: {kind}]", index + 1);
        text.push_str(&cell.source.0);
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    if more {
        let _ = writeln!(text, "\n[... cells behind the first {CELLS} are left out]");
    }
    Some(text)
}

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Cells;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of cells")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Cells, A::Error> {
                let mut read = Cells::default();
                while read.cells.len() < CELLS {
                    match list.next_element()? {
                        Some(cell) => read.cells.push(cell),
                        None => return Ok(read),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {
                    read.more = true;
                }
                Ok(read)
            }
        }

        deserializer.deserialize_seq(Read)
    }
}

impl<'de> Deserialize<'de> for Worksheets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Worksheets;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of worksheets")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Worksheets, A::Error> {
                let mut all = Cells::default();
                while let Some(Worksheet { cells }) = list.next_element()? {
                    let room = CELLS - all.cells.len();
                    all.more |= cells.more || cells.cells.len() > room;
                    all.cells.extend(cells.cells.into_iter().take(room));
                }
                Ok(Worksheets(all))
            }
        }

        deserializer.deserialize_seq(Read)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Source;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or its lines")
            }

            fn visit_unit<E>(self) -> Result<Source, E> {
                Ok(Source::default())
            }

            fn visit_str<E>(self, text: &str) -> Result<Source, E> {
                Ok(Source(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Source, A::Error> {
                let mut text = String::new();
                while let Some(line) = list.next_element::<Cow<'de, str>>()? {
                    text.push_str(&line);
                }
                Ok(Source(text))
            }
        }

        deserializer.deserialize_any(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_shown_in_order_without_their_outputs() {
        let json = br##"{"cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "text"]},
            {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "1"}]},
            {"cell_type": "raw"}
        ], "nbformat": 4}"##;
        let text = "[cell 1: markdown]\n# Title\ntext\n\n[cell 2: code]\nx = 1\n\n[cell 3: raw]\n";
        assert_eq!(text_of(json).as_deref(), Some(text));
    }

    #[test]
    fn notebooks_of_version_3_are_read_too() {
        let json = br#"{"worksheets": [{"cells": [{"cell_type": "code", "input": "y"}]}]}"#;
        assert_eq!(text_of(json).as_deref(), Some("[cell 1: code]\ny\n"));
    }

    #[test]
    fn what_is_no_notebook_is_told() {
        for text in ["{not json", "{}", "[]", r#"{"cells": 1}"#] {
            assert_eq!(text_of(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_number_of_cells_is_bounded_and_lines_are_held_once() {
        let cell = r#"{"cell_type":"","source":["a","","b"]}"#;
        let cells = vec![cell; CELLS + 1].join(",");
        for json in [
            format!(r#"{{"cells":[{cells}]}}"#),
            format!(r#"{{"worksheets":[{{"cells":[{cell}]}},{{"cells":[{cells}]}}]}}"#),
        ] {
            let text = text_of(json.as_bytes()).unwrap();
            assert!(text.starts_with("[cell 1: ]\nab\n\n[cell 2: ]\nab\n"));
            assert!(text.ends_with(
                "\n[cell 100000: ]\nab\n\n[... cells behind the first 100000 are left out]\n"
            ));
        }
    }
}
