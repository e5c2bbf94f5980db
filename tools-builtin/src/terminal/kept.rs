//! What is kept of the output of a command: both ends, in bounded memory.

use memchr::memmem;

use super::edge::{end_of_head, start_of_tail};
use super::visible::Visible;

/// Raw output. The first bytes stay, then the newest; what was between them is counted.
#[derive(Debug)]
pub(crate) struct Kept {
    head: Vec<u8>,
    head_limit: usize,
    tail: Vec<u8>,
    tail_limit: usize,
    /// What went of the middle, once something did.
    lost: Option<Middle>,
}

/// What was between the ends.
#[derive(Debug, Clone, Copy, Default)]
struct Middle {
    visible: Visible,
    lines: u64,
    last: u8,
}

/// Both ends of an output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ends<'k> {
    pub(crate) head: &'k [u8],
    pub(crate) tail: &'k [u8],
    /// What is missing between them; with nothing missing the tail goes on where the head ends, even in
    /// the middle of a character.
    pub(crate) lost: Option<Lost>,
}

/// What is not kept any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Characters that would have been seen.
    pub(crate) characters: u64,
    pub(crate) lines: u64,
}

impl Kept {
    /// Keeps so many bytes of each end.
    pub(crate) fn new(head: usize, tail: usize) -> Self {
        Self {
            head: Vec::new(),
            head_limit: head,
            tail: Vec::new(),
            tail_limit: tail,
            lost: None,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = match self.lost {
            None => self.head_limit - self.head.len(),
            Some(_) => 0,
        };
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        // A piece that is longer than what is kept would only be copied to be dropped.
        let (skipped, rest) = rest.split_at(rest.len().saturating_sub(self.tail_limit));
        if !skipped.is_empty() {
            self.drop_front(self.tail.len());
            self.lose(skipped);
        }
        self.tail.extend_from_slice(rest);
        // Twice the limit is let in before the front is dropped, so that each byte is moved once at most.
        if self.tail.len() > 2 * self.tail_limit {
            self.drop_front(self.tail.len() - self.tail_limit);
        }
    }

    /// Whether so many bytes more can be kept with nothing lost.
    pub(crate) const fn has_room(&self, bytes: usize) -> bool {
        self.lost.is_none()
            && self.head.len() + self.tail.len() + bytes <= self.head_limit + self.tail_limit
    }

    /// The two ends and what is missing between them. Where something is, neither end has a part of a word
    /// or line that goes on in what is missing: half of a secret is not known as one.
    pub(crate) fn ends(&mut self) -> Ends<'_> {
        self.drop_front(self.tail.len().saturating_sub(self.tail_limit));
        let Some(mut middle) = self.lost else {
            return Ends {
                head: &self.head,
                tail: &self.tail,
                lost: None,
            };
        };
        let (broken, tail) = self.tail.split_at(start_of_tail(middle.last, &self.tail));
        middle.add(broken);
        let (head, line) = self.head.split_at(last_line(&self.head));
        if let Some(over) = written_over(&middle.visible, tail) {
            // Of the line before, nothing is seen.
            middle.visible.forget_line();
            if middle.lines == 0 {
                let tail = &tail[over..];
                return Ends {
                    head,
                    tail,
                    lost: None,
                };
            }
        }
        // The first line of the tail may write over what is missing of it.
        let first = &tail[..memchr::memchr(b'\n', tail).unwrap_or(tail.len())];
        middle.visible.push(first);
        let shown = Visible::of(line).count() + Visible::of(first).count();
        Ends {
            head: &self.head,
            tail,
            lost: Some(Lost {
                characters: middle.visible.count().saturating_sub(shown),
                lines: middle.lines,
            }),
        }
    }

    fn drop_front(&mut self, bytes: usize) {
        if bytes > 0 {
            let mut tail = std::mem::take(&mut self.tail);
            self.lose(&tail[..bytes]);
            tail.drain(..bytes);
            self.tail = tail;
        }
    }

    fn lose(&mut self, bytes: &[u8]) {
        let Some(next) = bytes.first() else { return };
        let head = &mut self.head;
        let middle = self.lost.get_or_insert_with(|| {
            let mut middle = Middle::default();
            let end = end_of_head(head, *next);
            // The line goes on in what is missing, which may write it over.
            middle.visible.push(&head[last_line(&head[..end])..end]);
            middle.add(&head[end..]);
            head.truncate(end);
            middle
        });
        middle.add(bytes);
    }
}

/// Where the last line begins.
fn last_line(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)
}

/// Where the first line of a tail begins anew and covers all of that line that came before.
fn written_over(before: &Visible, tail: &[u8]) -> Option<usize> {
    let end = memchr::memchr(b'\n', tail).unwrap_or(tail.len());
    let line = tail[..end].strip_suffix(b"\r").unwrap_or(&tail[..end]);
    let starts = ["\r", "\u{1b}[2K", "\u{1b}[1G", "\u{1b}[G"];
    let starts = starts.map(|start| memmem::find(line, start.as_bytes()));
    let start = starts.into_iter().flatten().min()?;
    let mut whole = *before;
    whole.push(line);
    (whole.line() == Visible::of(&line[start..]).line()).then_some(start)
}

impl Middle {
    fn add(&mut self, bytes: &[u8]) {
        self.visible.push(bytes);
        self.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.last = bytes.last().copied().unwrap_or(self.last);
    }
}

impl Ends<'_> {
    /// All of the output as one text, where nothing is missing; otherwise its end.
    pub(crate) fn newest(&self) -> Vec<u8> {
        match self.lost {
            None => [self.head, self.tail].concat(),
            Some(_) => self.tail.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(limits: (usize, usize), output: &[u8], expected: &Ends<'_>) {
        for size in 1..=output.len().max(1) {
            let mut kept = Kept::new(limits.0, limits.1);
            for piece in output.chunks(size) {
                kept.push(piece);
            }
            assert_eq!(kept.ends(), *expected, "by {size}");
        }
    }

    const fn lost(characters: u64, lines: u64) -> Lost {
        Lost { characters, lines }
    }

    #[test]
    fn what_fits_is_kept_whole() {
        let (head, tail) = (&b"abcd"[..], &b"efghij"[..]);
        check(
            (4, 6),
            b"abcdefghij",
            &Ends {
                head,
                tail,
                lost: None,
            },
        );
    }

    #[test]
    fn one_byte_more_is_missing_however_the_output_comes() {
        check(
            (4, 6),
            b"a\nb\nc\nd\ne\nf",
            &Ends {
                head: b"a\nb\n",
                tail: b"d\ne\nf",
                lost: Some(lost(2, 1)),
            },
        );
    }

    #[test]
    fn the_ends_of_one_long_word_stay_though_shorter() {
        check(
            (4, 6),
            &b"0123456789".repeat(30),
            &Ends {
                head: b"01",
                tail: b"789",
                lost: Some(lost(295, 0)),
            },
        );
    }

    #[test]
    fn a_line_that_is_written_over_is_not_missing() {
        check(
            (12, 12),
            b"top\nstep 1\rstep 2\rstep 3\rstep 4\rstep 5\rstep 6\nend",
            &Ends {
                head: b"top\n",
                tail: b"\rstep 6\nend",
                lost: None,
            },
        );
        check(
            (8, 8),
            b"top\nthe long line goes on\rover 1\rover 2",
            &Ends {
                head: b"top\nthe ",
                tail: b"1\rover 2",
                lost: Some(lost(11, 0)),
            },
        );
    }

    #[test]
    fn characters_are_counted_as_seen_and_never_divided() {
        check(
            (0, 3),
            "\u{1b}[31mé\u{1b}[0m\nb\nc\nd".as_bytes(),
            &Ends {
                head: b"",
                tail: b"c\nd",
                lost: Some(lost(4, 2)),
            },
        );
        check(
            (5, 5),
            "ééééééé".as_bytes(),
            &Ends {
                head: "éé".as_bytes(),
                tail: "éé".as_bytes(),
                lost: Some(lost(3, 0)),
            },
        );
    }
}
