//! What is kept of the output of a command: both ends, in bounded memory.

/// Raw output. The first bytes stay, then the newest; what was between them is counted.
#[derive(Debug)]
pub(crate) struct Kept {
    head: Vec<u8>,
    head_limit: usize,
    tail: Vec<u8>,
    tail_limit: usize,
    /// Characters that came, by the bytes that begin one.
    characters: u64,
    /// What went of the middle.
    lost_bytes: u64,
    lost_lines: u64,
}

impl Kept {
    /// Keeps so many bytes of each end.
    pub(crate) fn new(head: usize, tail: usize) -> Self {
        Self {
            head: Vec::new(),
            head_limit: head,
            tail: Vec::new(),
            tail_limit: tail,
            characters: 0,
            lost_bytes: 0,
            lost_lines: 0,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.characters += characters(bytes);
        let room = self.head_limit - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        // A piece that is longer than what is kept would only be copied to be dropped.
        let (skipped, rest) = rest.split_at(rest.len().saturating_sub(self.tail_limit));
        if !skipped.is_empty() {
            lose(&mut self.lost_bytes, &mut self.lost_lines, &self.tail);
            lose(&mut self.lost_bytes, &mut self.lost_lines, skipped);
            self.tail.clear();
        }
        self.tail.extend_from_slice(rest);
        // Twice the limit is let in before the front is dropped, so that each byte is moved once at most.
        if self.tail.len() > 2 * self.tail_limit {
            self.drop_front();
        }
    }

    /// Whether so many bytes more can be kept with nothing lost.
    pub(crate) const fn has_room(&self, bytes: usize) -> bool {
        self.head.len() + self.tail.len() + bytes <= self.head_limit + self.tail_limit
    }

    /// The two ends; with nothing lost the second goes on where the first ends.
    pub(crate) fn ends(&mut self) -> (&[u8], &[u8]) {
        self.drop_front();
        (&self.head, &self.tail)
    }

    /// All that is kept, as one text.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let (head, tail) = self.ends();
        [head, tail].concat()
    }

    pub(crate) const fn is_whole(&self) -> bool {
        self.lost_bytes == 0
    }

    /// How many characters came.
    pub(crate) const fn characters(&self) -> u64 {
        self.characters
    }

    /// Lines that are not kept any more.
    pub(crate) const fn lost_lines(&self) -> u64 {
        self.lost_lines
    }

    fn drop_front(&mut self) {
        let surplus = self.tail.len().saturating_sub(self.tail_limit);
        if surplus > 0 {
            lose(
                &mut self.lost_bytes,
                &mut self.lost_lines,
                &self.tail[..surplus],
            );
            self.tail.drain(..surplus);
        }
    }
}

fn lose(bytes: &mut u64, lines: &mut u64, lost: &[u8]) {
    *bytes += lost.len() as u64;
    *lines += memchr::memchr_iter(b'\n', lost).count() as u64;
}

/// Bytes that begin a character in UTF-8. Of output in another encoding it is a count of much the same
/// size.
fn characters(bytes: &[u8]) -> u64 {
    // Sums that fit into a byte let the compiler count sixteen and more at once.
    let few = |piece: &[u8]| {
        piece
            .iter()
            .map(|byte| u8::from(byte & 0xc0 != 0x80))
            .sum::<u8>()
    };
    let pieces = bytes.chunks(usize::from(u8::MAX));
    pieces.map(|piece| u64::from(few(piece))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(head: usize, tail: usize, pieces: &[&str]) -> (String, String, u64, u64) {
        let mut kept = Kept::new(head, tail);
        for piece in pieces {
            kept.push(piece.as_bytes());
        }
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (head, tail) = kept.ends();
        let (head, tail) = (text(head), text(tail));
        (head, tail, kept.characters, kept.lost_bytes)
    }

    #[test]
    fn what_fits_is_kept_whole() {
        assert_eq!(
            kept(4, 6, &["abc", "", "defghij"]),
            ("abcd".into(), "efghij".into(), 10, 0)
        );
    }

    #[test]
    fn both_ends_stay_however_the_output_is_cut() {
        let text = "0123456789".repeat(30);
        for size in [1, 3, 7, 64, 300] {
            let pieces: Vec<&str> = (0..text.len())
                .step_by(size)
                .map(|at| &text[at..(at + size).min(text.len())])
                .collect();
            assert_eq!(
                kept(4, 6, &pieces),
                ("0123".into(), "456789".into(), 300, 290),
                "{size}"
            );
        }
    }

    #[test]
    fn characters_and_lost_lines_are_counted() {
        let mut kept = Kept::new(0, 3);
        kept.push("é\nb\n".as_bytes());
        kept.push(b"c\nd");
        assert_eq!(kept.bytes(), b"c\nd");
        assert_eq!((kept.characters(), kept.lost_lines()), (7, 2));
    }
}
