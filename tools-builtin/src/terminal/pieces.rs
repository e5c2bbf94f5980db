//! Output in pieces that can be cleaned each by itself while more of it comes.

use memchr::memmem;

/// Longest piece that waits for its end, in bytes.
const PENDING: usize = 64 << 10;

/// What a private key begins and ends with. It is a secret of many lines.
const KEY_BEGINS: &[u8] = b"-----BEGIN ";
const KEY_ENDS: &[u8] = b"-----END ";

/// Collects output until it can be cut where no secret is cut in two: behind a line, and outside a
/// private key.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pending: Vec<u8>,
}

impl Pieces {
    /// Takes output, and gives what is complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.pending.extend_from_slice(bytes);
        let end = self.end();
        (end > 0).then(|| self.pending.drain(..end).collect())
    }

    /// What is left at the end.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.pending)
    }

    fn end(&self) -> usize {
        let end = memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1);
        let lines = &self.pending[..end];
        let end = match memmem::rfind(lines, KEY_BEGINS) {
            Some(key) if memmem::find(&lines[key..], KEY_ENDS).is_none() => {
                memchr::memrchr(b'\n', &lines[..key]).map_or(0, |at| at + 1)
            }
            _ => end,
        };
        if end > 0 || self.pending.len() <= PENDING {
            return end;
        }
        // Something without an end: it is cut between words where it has some, and never in a character.
        let words = memchr::memrchr2(b' ', b'\t', &self.pending).map(|at| at + 1);
        let character = self.pending.iter().rposition(|byte| byte & 0xc0 != 0x80);
        words
            .or(character)
            .filter(|end| *end > 0)
            .unwrap_or(self.pending.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(output: &[&str]) -> Vec<String> {
        let mut pieces = Pieces::default();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let mut found: Vec<String> = output
            .iter()
            .filter_map(|it| pieces.push(it.as_bytes()).map(text))
            .collect();
        found.push(text(pieces.rest()));
        found
    }

    #[test]
    fn a_piece_is_made_of_whole_lines() {
        assert_eq!(
            pieces(&["a", "b\nc", "", "\nd\ne"]),
            ["ab\n", "c\nd\n", "e"]
        );
    }

    #[test]
    fn a_private_key_stays_in_one_piece() {
        let key = [
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n",
            "abcd\n-----END RSA PRIVATE KEY-----\nbehind\n",
        ];
        assert_eq!(
            pieces(&["before\n", key[0], key[1]]),
            ["before\n", &key.concat(), ""]
        );
    }

    #[test]
    fn what_has_no_end_is_cut_between_words_or_characters() {
        let words = "word ".repeat(20_000);
        assert_eq!(pieces(&[&words, "x"]), [&*words, "x"]);
        let long = "é".repeat(40_000);
        let cut = pieces(&[&long]);
        assert_eq!((cut[0].len(), &*cut[1]), (79_998, "é"));
    }
}
