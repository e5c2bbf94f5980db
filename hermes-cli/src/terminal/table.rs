//! Tables: aligned with headings for people, separated by tabs for programs.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::{Look, one_line, styles};

/// Rows of cells, as many in each as there are headings.
#[derive(Debug)]
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

/// A text on one line, and how it is shown.
#[derive(Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Table {
    /// A table with these headings. They are not shown when all are empty.
    pub(crate) fn new(headings: impl Into<Vec<&'static str>>) -> Self {
        Self {
            headings: headings.into(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        let cells = cells.into();
        debug_assert_eq!(
            cells.len(),
            self.headings.len(),
            "one cell for each heading"
        );
        self.rows.push(cells);
    }

    /// The table as text, each row on a line. Without rows it is empty.
    pub(crate) fn render(&self, look: Look) -> String {
        if !look.terminal {
            let lines = self.rows.iter().map(|row| {
                row.iter()
                    .map(|cell| cell.text.as_str())
                    .collect::<Vec<_>>()
                    .join("\t")
                    + "\n"
            });
            return lines.collect();
        }
        let widths = self.widths();
        let mut text = String::new();
        if !self.rows.is_empty() && self.headings.iter().any(|heading| !heading.is_empty()) {
            let headings: Vec<Cell> = self
                .headings
                .iter()
                .map(|heading| Cell::new(*heading, styles::HEADING))
                .collect();
            write_aligned(&headings, &widths, look, &mut text);
        }
        for row in &self.rows {
            write_aligned(row, &widths, look, &mut text);
        }
        text
    }

    /// The width of each column. One in which nothing stands takes no room.
    fn widths(&self) -> Vec<usize> {
        let column = |index: usize| {
            let cells = self.rows.iter().map(|row| row[index].text.width());
            cells
                .chain([self.headings[index].width()])
                .max()
                .unwrap_or(0)
        };
        (0..self.headings.len()).map(column).collect()
    }
}

impl Cell {
    /// A cell; what does not fit on one line is folded into one.
    pub(crate) fn new(text: impl AsRef<str>, style: Style) -> Self {
        Self {
            text: one_line(text.as_ref()),
            style,
        }
    }

    /// A cell without a style.
    pub(crate) fn plain(text: impl AsRef<str>) -> Self {
        Self::new(text, styles::PLAIN)
    }
}

fn write_aligned(cells: &[Cell], widths: &[usize], look: Look, text: &mut String) {
    let start = text.len();
    let mut gap = 0;
    for (cell, width) in cells.iter().zip(widths).filter(|(_, width)| **width > 0) {
        if !cell.text.is_empty() {
            text.extend(std::iter::repeat_n(' ', gap));
            text.push_str(&look.paint(cell.style, &cell.text));
            gap = 0;
        }
        gap += width - cell.text.width() + GAP;
    }
    debug_assert!(
        !text[start..].ends_with(' '),
        "no blanks at the end of a line"
    );
    text.push('\n');
}

/// Blanks between two columns.
const GAP: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["", "TOOL", "NOTE"]);
        table.row([
            Cell::plain("📖"),
            Cell::plain("read_file"),
            Cell::plain("two\nlines"),
        ]);
        table.row([Cell::plain(""), Cell::plain("ask"), Cell::plain("")]);
        table.row([Cell::plain("✍️"), Cell::plain("写"), Cell::plain("é")]);
        table
    }

    #[test]
    fn people_get_columns_aligned_by_the_width_of_characters() {
        assert_eq!(
            table().render(Look::TERMINAL),
            "    TOOL       NOTE\n\
             📖  read_file  two lines\n\
             \u{20}   ask\n\
             ✍️  写         é\n"
        );
    }

    #[test]
    fn programs_get_tabs_and_no_headings() {
        assert_eq!(
            table().render(Look::PLAIN),
            "📖\tread_file\ttwo lines\n\task\t\n✍️\t写\té\n"
        );
    }

    #[test]
    fn an_empty_column_takes_no_room_and_an_empty_table_has_no_headings() {
        let mut table = Table::new(["", "A"]);
        assert_eq!(table.render(Look::TERMINAL), "");
        table.row([Cell::plain(""), Cell::plain("x")]);
        assert_eq!(table.render(Look::TERMINAL), "A\nx\n");
    }
}
