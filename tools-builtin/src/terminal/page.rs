//! Pages of a log.

use hermes_tools::output::truncate::log_page;
use serde::Serialize;

/// Lines of a log.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Page {
    pub(crate) lines: Vec<String>,
    /// Number of the first of them, from 0; where the log's beginning is not kept any more, it is later
    /// than what was asked for.
    pub(crate) offset: u64,
    /// Lines that came in all, those that are not kept any more counted.
    pub(crate) total_lines: u64,
    /// The offset of the next page, while there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_offset: Option<u64>,
}

impl Page {
    /// A page of what is kept of a log, before which `lost` lines are not kept. Without an offset it is the
    /// newest lines.
    pub(crate) fn of(text: &str, lost: u64, offset: Option<u64>, limit: Option<usize>) -> Self {
        let kept: Vec<&str> = text.lines().collect();
        let total = lost + kept.len() as u64;
        let asked = offset.map(|offset| {
            // Lines that are not kept any more are left out of the count.
            usize::try_from(offset.saturating_sub(lost)).unwrap_or(usize::MAX)
        });
        let page = log_page(&kept, asked, limit);
        let from = match asked {
            Some(asked) => asked.min(kept.len()),
            None => kept.len() - page.len(),
        };
        let next = lost + (from + page.len()) as u64;
        Self {
            lines: page.iter().map(|line| (*line).to_owned()).collect(),
            offset: lost + from as u64,
            total_lines: total,
            next_offset: (next < total).then_some(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(
        lost: u64,
        offset: Option<u64>,
        limit: Option<usize>,
    ) -> (Vec<String>, u64, u64, Option<u64>) {
        let page = Page::of("a\nb\nc\nd\n", lost, offset, limit);
        (page.lines, page.offset, page.total_lines, page.next_offset)
    }

    #[test]
    fn every_line_can_be_reached() {
        assert_eq!(
            page(0, Some(0), Some(2)),
            (vec!["a".into(), "b".into()], 0, 4, Some(2))
        );
        assert_eq!(page(0, None, Some(1)), (vec!["d".into()], 3, 4, None));
        assert_eq!(page(0, Some(9), None), (vec![], 4, 4, None));
        assert_eq!(
            page(10, Some(3), Some(1)),
            (vec!["a".into()], 10, 14, Some(11))
        );
        assert_eq!(
            page(10, Some(12), None),
            (vec!["c".into(), "d".into()], 12, 14, None)
        );
    }
}
