//! Finding the next byte of a string that means something.

/// The first place from `from` on that holds `quote`, a backslash or a control character; the
/// length of `bytes` when there is none. Eight bytes at a time, and 64 once the text is seen to be
/// long.
#[inline]
pub(super) fn plain_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let quotes = ONES * u64::from(quote);
    let mut at = from;
    let long = from + 32;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let closing = has_zero(word ^ quotes);
        let backslash = has_zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let hit = closing | backslash | control;
        if hit != 0 {
            // The lowest hit is exact: a borrow disturbs only the bytes above it.
            return at + (hit.trailing_zeros() / 8) as usize;
        }
        at += 8;
        if at == long {
            at += plain_blocks(&bytes[at..], quote);
        }
    }
    while let Some(byte) = bytes.get(at) {
        if ends_plain(*byte, quote) {
            return at;
        }
        at += 1;
    }
    at
}

/// The bytes of the whole blocks at the start of `bytes` that hold none of these.
#[inline(never)]
fn plain_blocks(bytes: &[u8], quote: u8) -> usize {
    // Written without a branch inside a block, so that the compiler compares it all at once.
    let hit = |block: &[u8; 64]| {
        block
            .iter()
            .fold(false, |hit, byte| hit | ends_plain(*byte, quote))
    };
    let blocks = bytes.as_chunks::<64>().0.iter();
    64 * blocks.take_while(|block| !hit(block)).count()
}

#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches the compiler compares a block at once"
)]
const fn ends_plain(byte: u8, quote: u8) -> bool {
    (byte == quote) | (byte == b'\\') | (byte < 0x20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_in_a_word_is_found_for_every_meaning() {
        for meaning in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for place in 0..300 {
                let mut bytes = vec![b'a'; 310];
                bytes[place] = meaning;
                assert_eq!(plain_end(&bytes, 0, b'"'), place);
                assert_eq!(plain_end(&bytes, place + 1, b'"'), 310);
            }
        }
        assert_eq!(plain_end("é\u{80}\u{7f} '".as_bytes(), 0, b'"'), 7);
        assert_eq!(plain_end("é\u{80}\u{7f} '".as_bytes(), 0, b'\''), 6);
    }
}
