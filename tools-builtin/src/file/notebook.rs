//! Notebooks of Jupyter as text: their cells, without what they printed.

use std::fmt::Write as _;

use serde::Deserialize;

/// Largest notebook that is read as one, in bytes.
pub(super) const LARGEST: u64 = 32 << 20;

#[derive(Deserialize)]
struct Notebook {
    cells: Option<Vec<Cell>>,
    /// The form of version 3.
    worksheets: Option<Vec<Worksheet>>,
}

#[derive(Deserialize)]
struct Worksheet {
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(alias = "input")]
    source: Option<Source>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Text(String),
    Lines(Vec<String>),
}

/// The cells of a notebook in their order, each behind a line that says what it is; none for a text
/// that is no notebook.
pub(super) fn text_of(json: &[u8]) -> Option<String> {
    let notebook: Notebook = serde_json::from_slice(json).ok()?;
    let cells = match (notebook.cells, notebook.worksheets) {
        (Some(cells), _) => cells,
        (None, Some(sheets)) => sheets.into_iter().flat_map(|sheet| sheet.cells).collect(),
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
        match cell.source {
            Some(Source::Text(source)) => text.push_str(&source),
            Some(Source::Lines(lines)) => text.extend(lines),
            None => {}
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    Some(text)
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
}
