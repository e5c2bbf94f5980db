//! Numbers, read exactly.
//!
//! A number keeps its text until its type is known, and a whole number never makes a detour through
//! a float (DECISIONS 3 of the project's plan: exact to the last digit).

use std::cmp::Ordering;

use crate::schema::{Number, Schema};

/// The length of the JSON number that `bytes` begins with.
///
/// `None` when there is none, or when letters or digits follow that make it something else.
pub(super) fn json_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || (whole > 1 && bytes[at] == b'0') {
        return None;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    match bytes.get(at) {
        Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') => None,
        _ => Some(at),
    }
}

/// Whether a number lies within the bounds of a schema.
pub(super) fn in_bounds(value: Number, schema: &Schema) -> bool {
    schema
        .min
        .is_none_or(|min| value.total_cmp(min) != Ordering::Less)
        && schema
            .max
            .is_none_or(|max| value.total_cmp(max) != Ordering::Greater)
}

/// A decimal number of any size: `digits * 10^exponent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// Without leading or trailing zeros; empty for zero.
    digits: String,
    exponent: i64,
}

/// More digits than this are no number that anybody meant.
const MAX_DIGITS: usize = 1_000;

impl Decimal {
    /// Reads a number as people and models write it: white space around it, a sign, leading zeros,
    /// `.5`, `5.`, an exponent, single underscores between digits. No hexadecimal, no thousands
    /// commas, no units, no infinities.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (negative, text) = match text.strip_prefix(['-', '+']) {
            Some(rest) => (text.starts_with('-'), rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = plain_digits(whole)?;
        let fraction = plain_digits(fraction)?;
        if (digits.is_empty() && fraction.is_empty()) || digits.len() + fraction.len() > MAX_DIGITS
        {
            return None;
        }
        let mut exponent = exponent - i64::try_from(fraction.len()).ok()?;
        digits.push_str(&fraction);
        let trailing = digits.len() - digits.trim_end_matches('0').len();
        digits.truncate(digits.len() - trailing);
        exponent += i64::try_from(trailing).ok()?;
        let digits = digits.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            exponent = 0;
        }
        Some(Self {
            negative,
            digits,
            exponent,
        })
    }

    /// Whether there is nothing behind the point.
    pub(crate) fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// The value, when it is a whole number that `i128` holds.
    pub(crate) fn to_integer(&self) -> Option<i128> {
        // 39 digits are the most that `i128` has.
        if !self.is_whole() || self.exponent > 39 {
            return None;
        }
        self.whole_text()?.parse().ok()
    }

    /// The digits of a whole number without point or exponent; `None` for a fraction or for
    /// more digits than anybody meant.
    pub(crate) fn whole_text(&self) -> Option<String> {
        let zeros = usize::try_from(self.exponent).ok()?;
        if zeros + self.digits.len() > MAX_DIGITS {
            return None;
        }
        if self.digits.is_empty() {
            return Some("0".to_owned());
        }
        let sign = if self.negative { "-" } else { "" };
        Some(format!("{sign}{}{}", self.digits, "0".repeat(zeros)))
    }

    /// The number as JSON text: a whole number as its digits as long as a double counts exactly,
    /// else with a fraction or an exponent. `None` when it is infinite as a double.
    pub(crate) fn json_text(&self) -> Option<String> {
        if self.is_whole() && self.exponent < 16 {
            return self.whole_text();
        }
        let text = format!(
            "{}{}e{}",
            if self.negative { "-" } else { "" },
            if self.digits.is_empty() {
                "0"
            } else {
                &self.digits
            },
            self.exponent
        );
        let value: f64 = text.parse().ok()?;
        if !value.is_finite() {
            return None;
        }
        let point = i64::try_from(self.digits.len()).ok()? + self.exponent;
        if self.exponent < 0 && point > -7 && point < 22 {
            return Some(self.plain_fraction(point));
        }
        Some(text)
    }

    fn plain_fraction(&self, point: i64) -> String {
        let sign = if self.negative { "-" } else { "" };
        match usize::try_from(point) {
            Ok(point) if point > 0 => {
                format!("{sign}{}.{}", &self.digits[..point], &self.digits[point..])
            }
            _ => {
                let zeros = usize::try_from(point.unsigned_abs()).unwrap_or(0);
                format!("{sign}0.{}{}", "0".repeat(zeros), self.digits)
            }
        }
    }
}

/// Digits with single underscores between them taken out.
fn plain_digits(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    let edges = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    let sound = text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    (!edges && sound).then(|| text.replace('_', ""))
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // An exponent beyond a million is beyond every double and every sum of money.
    let value: i64 = digits.trim_start_matches('0').parse().unwrap_or_else(|_| {
        if digits.bytes().all(|b| b == b'0') {
            0
        } else {
            i64::MAX
        }
    });
    if value > 1_000_000 {
        return None;
    }
    Some(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_numbers_have_the_length_of_their_own_grammar() {
        for (text, length) in [
            ("0", Some(1)),
            ("-0,", Some(2)),
            ("12]", Some(2)),
            ("1.5e-3 ", Some(6)),
            ("01", None),
            ("1.", None),
            (".5", None),
            ("+1", None),
            ("1e", None),
            ("1x", None),
            ("1.2.3", None),
            ("-", None),
        ] {
            assert_eq!(json_length(text.as_bytes()), length, "{text}");
        }
    }

    #[test]
    fn whole_numbers_keep_every_digit() {
        let whole = |text| Decimal::parse(text).and_then(|decimal| decimal.whole_text());
        assert_eq!(
            whole("9007199254740993").as_deref(),
            Some("9007199254740993")
        );
        assert_eq!(whole(" +007 ").as_deref(), Some("7"));
        assert_eq!(whole("1_000").as_deref(), Some("1000"));
        assert_eq!(whole("5.").as_deref(), Some("5"));
        assert_eq!(whole("2.50e1").as_deref(), Some("25"));
        assert_eq!(whole("-0").as_deref(), Some("0"));
        assert_eq!(whole("42.5"), None);
        assert_eq!(whole("1e-1"), None);
        assert_eq!(whole("1e999999"), None);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "-", ".", "1__0", "_1", "0x10", "1,000", "5px", "inf", "NaN", "1e", "e5",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn fractions_come_back_as_json() {
        let json = |text| Decimal::parse(text).and_then(|decimal| decimal.json_text());
        assert_eq!(json(".5").as_deref(), Some("0.5"));
        assert_eq!(json("-012.250").as_deref(), Some("-12.25"));
        assert_eq!(json("0.00012").as_deref(), Some("0.00012"));
        assert_eq!(json("1e300").as_deref(), Some("1e300"));
        assert_eq!(json("1e400"), None);
        assert_eq!(json("3.0").as_deref(), Some("3"));
    }
}
