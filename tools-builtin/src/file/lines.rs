//! Where the lines of a large file begin, in a bounded number of places.

use hermes_tools::workspace::PathFacts;

use super::page::Page;

/// Most places that are noted, whatever the size of the file.
const MOST: usize = 1_024;

/// Bytes between two places at first; doubled whenever there are too many.
const STRIDE: u64 = 1 << 20;

/// Places of a stream, each with the number of line feeds before it.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    places: Vec<(u64, u64)>,
    stride: u64,
    next: u64,
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            stride: STRIDE,
            next: STRIDE,
        }
    }
}

impl Marks {
    /// Notes a place, if it is far enough behind the last one.
    pub(super) fn pass(&mut self, bytes: u64, newlines: u64) {
        if bytes < self.next {
            return;
        }
        self.places.push((bytes, newlines));
        if self.places.len() > MOST {
            let mut index = 0;
            self.places.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.stride *= 2;
        }
        self.next = bytes + self.stride;
    }
}

/// The lines of a file as it was when they were counted.
#[derive(Debug, Clone)]
pub(crate) struct LineIndex {
    facts: PathFacts,
    /// Where the text begins, behind a byte order mark.
    start: u64,
    marks: Marks,
    total_lines: u64,
    bytes: u64,
    too_long: bool,
}

impl LineIndex {
    pub(super) fn new(facts: PathFacts, start: u64, marks: Marks, page: &Page) -> Self {
        Self {
            facts,
            start,
            marks,
            total_lines: page.total_lines,
            bytes: page.bytes,
            too_long: page.too_long,
        }
    }

    /// Whether the file is as it was.
    pub(super) fn is_of(&self, facts: &PathFacts) -> bool {
        self.facts == *facts
    }

    /// A page without lines.
    pub(super) fn page(&self) -> Page {
        Page {
            total_lines: self.total_lines,
            bytes: self.bytes,
            too_long: self.too_long,
            ..Page::default()
        }
    }

    /// The last noted place before the start of a line, and the number of line feeds before it.
    pub(super) fn before(&self, line: u64) -> (u64, u64) {
        // A place with as many line feeds before it as the line has could lie inside the line.
        let behind = self
            .marks
            .places
            .partition_point(|(_, newlines)| newlines + 1 < line);
        match behind.checked_sub(1) {
            Some(index) => {
                let (bytes, newlines) = self.marks.places[index];
                (self.start + bytes, newlines)
            }
            None => (self.start, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::io::Write as _;

    use hermes_tools::Cancel;

    use super::super::page::{read_indexed, read_large, read_page};
    use super::*;

    #[test]
    fn the_number_of_places_is_bounded() {
        let mut marks = Marks::default();
        for place in 1..=1_000_000_u64 {
            marks.pass(place * 65_536, place);
        }
        assert!(marks.places.len() <= MOST);
        assert_eq!(marks.stride, 64 << 20);
        assert!(marks.places.is_sorted());
    }

    #[test]
    fn every_page_is_found_by_the_index_as_it_is_by_reading() {
        let mut file = tempfile::tempfile().unwrap();
        let mut text = "\u{feff}".to_owned();
        for number in 0..40_000 {
            writeln!(text, "line {number} {}", "x".repeat(number % 200)).unwrap();
        }
        text.push_str("the end");
        file.write_all(text.as_bytes()).unwrap();
        let never = Cancel::never();
        let facts = PathFacts::MISSING;
        let open = || {
            use std::io::Seek as _;
            let mut file = file.try_clone().unwrap();
            file.rewind().unwrap();
            file
        };
        let (page, index) = read_large(open(), &facts, 1, 10, &never).unwrap();
        assert_eq!(page, read_page(text.as_bytes(), 1, 10, &never).unwrap());
        assert!(index.marks.places.len() > 2);
        for first in [1, 2, 9_000, 9_999, 10_000, 20_001, 39_999, 40_001, 40_002] {
            let found = read_indexed(open(), &index, first, 10, &never).unwrap();
            let read = read_page(text.as_bytes(), first, 10, &never).unwrap();
            assert_eq!(found, read, "line {first}");
        }
        for line in 1..200 {
            let (_, newlines) = index.before(index.marks.places[1].1 + line - 100);
            assert!(newlines < index.marks.places[1].1 + line - 100);
        }
    }
}
