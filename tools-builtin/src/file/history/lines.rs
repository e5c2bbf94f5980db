//! Which lines of a file the model has seen.

/// Pages of one file that are remembered; the oldest go first.
const PAGES: usize = 256;

/// The pages of a file that were shown, and by which calls. Whether a page was shown whole is known only
/// when its call was answered.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenLines {
    pages: Vec<Page>,
}

#[derive(Debug, Clone, Copy)]
struct Page {
    first: u64,
    /// The last line of the page.
    last: u64,
    call: u64,
}

impl SeenLines {
    /// Notes a page of so many lines.
    pub(super) fn add(&mut self, first: u64, lines: u64, call: u64) {
        if self.pages.len() == PAGES {
            self.pages.remove(0);
        }
        let last = (first + lines).saturating_sub(1);
        self.pages.push(Page { first, last, call });
    }

    /// How many lines from the first one on were shown, by calls whose results were.
    pub(super) fn shown_from_first(&self, was_shown: impl Fn(u64) -> bool) -> u64 {
        let mut pages: Vec<Page> = self.pages.clone();
        pages.retain(|page| was_shown(page.call));
        pages.sort_by_key(|page| page.first);
        pages.iter().fold(0, |known, page| {
            if page.first <= known + 1 {
                known.max(page.last)
            } else {
                known
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_were_shown_count_and_gaps_end_them() {
        let mut seen = SeenLines::default();
        seen.add(11, 10, 1);
        seen.add(1, 10, 2);
        seen.add(31, 10, 3);
        assert_eq!(seen.shown_from_first(|_| true), 20);
        assert_eq!(seen.shown_from_first(|call| call != 1), 10);
        assert_eq!(seen.shown_from_first(|call| call != 2), 0);
        seen.add(21, 10, 4);
        assert_eq!(seen.shown_from_first(|_| true), 40);
    }
}
