//! Numbers, read exactly.
//!
//! A number keeps its text until its type is known, and a whole number never makes a detour through
//! a float: it is exact to the last digit.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;
use unicode_general_category::{GeneralCategory, get_general_category};

use super::REPAIRS;
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
#[inline]
pub(super) fn in_bounds(value: Number, schema: &Schema) -> bool {
    schema
        .min
        .is_none_or(|min| compare(value, min) != Ordering::Less)
        && schema
            .max
            .is_none_or(|max| compare(value, max) != Ordering::Greater)
}

/// Nearly all bounds of whole numbers are whole numbers.
#[inline]
fn compare(value: Number, bound: Number) -> Ordering {
    match (value, bound) {
        (Number::Int(value), Number::Int(bound)) => value.cmp(&bound),
        _ => value.total_cmp(bound),
    }
}

/// Whether JSON text of a number has nothing behind the point.
pub(super) fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
        || Decimal::parse(text).is_some_and(|decimal| decimal.is_whole())
}

/// The exact order of two numbers as JSON text; `None` when one is beyond every reasonable size.
pub(super) fn value(text: &str) -> Option<Number> {
    // Eighteen digits fit 64 bits whatever they are; nearly all numbers are shorter.
    if text.len() <= 18
        && let Ok(value) = text.parse::<i64>()
    {
        return Some(Number::Int(i128::from(value)));
    }
    match Decimal::parse(text)?.to_integer() {
        Some(value) => Some(Number::Int(value)),
        // Beyond `i128` the nearest double is on the right side of every bound.
        None => text.parse().ok().map(Number::Float),
    }
}

/// The whole number that a value of a configuration is, as a number or as the text of one: `3`, `3.0`,
/// `" 3 "`, `"3_000"`. `None` for all else, and below zero.
pub(crate) fn configured(value: &Value) -> Option<u64> {
    let number = match value {
        Value::Number(number) => Decimal::parse(&number.to_string()),
        Value::String(text) => Decimal::parse(text),
        _ => None,
    };
    u64::try_from(number?.to_integer()?).ok()
}

/// A decimal number of any size: `digits * 10^exponent`.
#[derive(Debug, Clone)]
pub(crate) struct Decimal {
    negative: bool,
    /// Without leading or trailing zeros; empty for zero.
    digits: String,
    exponent: i64,
    /// Whether it was written with an exponent.
    scientific: bool,
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.exponent == other.exponent
            && self.digits == other.digits
            && (self.negative == other.negative || self.digits.is_empty())
    }
}

impl Eq for Decimal {}

/// More digits than this are no number that anybody meant.
const MAX_DIGITS: usize = 1_000;

impl Decimal {
    /// Reads a number as people and models write it: white space around it, a sign, leading zeros,
    /// `.5`, `5.`, an exponent, single underscores between digits, digits of any script. No
    /// hexadecimal, no thousands commas, no units, no infinities.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = trimmed(text);
        // Three bytes to a digit, and as many underscores as digits.
        if text.len() > 8 * MAX_DIGITS {
            return None;
        }
        let text = &*ascii_digits(text);
        let (negative, text) = match text.strip_prefix(['-', '+']) {
            Some(rest) => (text.starts_with('-'), rest),
            None => (false, text),
        };
        let (mantissa, exponent, scientific) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?, true),
            None => (text, 0, false),
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
            scientific,
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

    /// The digits of a whole number, when nobody has to make any of them up: `1e3` has four, and
    /// `6.02e23` is a measure whose last digits are unknown.
    pub(crate) fn written_digits(&self) -> Option<String> {
        let digits = self.whole_text()?;
        if self.scientific {
            let exact: i128 = digits.parse().ok()?;
            let double: f64 = digits.parse().ok()?;
            // Up to 10^22 every power of ten is a double of its own.
            #[expect(clippy::cast_possible_truncation, reason = "i128 has held the digits")]
            let same = double.abs() <= 1e22 && double as i128 == exact;
            return same.then_some(digits);
        }
        Some(digits)
    }

    /// The number as JSON text: a whole number as its digits where those were written, else with a
    /// fraction or an exponent. `None` when it is infinite as a double.
    pub(crate) fn json_text(&self) -> Option<String> {
        if let Some(digits) = self.written_digits() {
            let double: f64 = digits.parse().ok()?;
            return double.is_finite().then_some(digits);
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

/// A text without the white space around it.
///
/// The four separators of ASCII (U+001C to U+001F) count too: Unicode does not call them white space,
/// but Python and Java do, and a word in them is still the word.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// A text whose decimal digits of every script are ASCII digits.
fn ascii_digits(text: &str) -> Cow<'_, str> {
    // In JSON there are no others, and the table of them is large.
    if !REPAIRS || text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let digit = |character: char| decimal_digit(character).unwrap_or(character);
    Cow::Owned(text.chars().map(digit).collect())
}

/// The ASCII digit that a decimal digit of another script stands for.
///
/// Unicode keeps the ten digits of a script in one row, in their order (The Unicode Standard, 4.6),
/// so the value is the distance from the start of the row. Rows may touch each other.
fn decimal_digit(character: char) -> Option<char> {
    let is_digit = |code: u32| {
        char::from_u32(code).is_some_and(|character| {
            get_general_category(character) == GeneralCategory::DecimalNumber
        })
    };
    let code = u32::from(character);
    if character.is_ascii() || !is_digit(code) {
        return None;
    }
    let before = (1..=code).take_while(|back| is_digit(code - back)).count();
    char::from_digit(u32::try_from(before % 10).ok()?, 10)
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
    let digits = plain_digits(text.strip_prefix(['-', '+']).unwrap_or(text))?;
    if digits.is_empty() {
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
        assert_eq!(whole("1_0e1_0").as_deref(), Some("100000000000"));
        assert_eq!(whole("\u{1c}9\u{1f}").as_deref(), Some("9"));
        assert_eq!(whole("-0").as_deref(), Some("0"));
        assert_eq!(whole("42.5"), None);
        assert_eq!(whole("1e-1"), None);
        assert_eq!(whole("1e999999"), None);
    }

    #[test]
    fn configurations_write_whole_numbers_in_several_ways() {
        use serde_json::json;
        for (value, number) in [
            (json!(3), Some(3)),
            (json!(3.0), Some(3)),
            (json!(" 3 "), Some(3)),
            (json!("3_000"), Some(3000)),
            (json!(0), Some(0)),
            (json!(1.5), None),
            (json!(-1), None),
            (json!("many"), None),
            (json!(true), None),
            (json!([3]), None),
            (json!(null), None),
        ] {
            assert_eq!(configured(&value), number, "{value}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "-", ".", "1__0", "_1", "0x10", "1,000", "5px", "inf", "NaN", "1e", "e5", "1e_5",
            "1e5_", "1e1__0", "1\u{1c}0",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn digits_of_every_script_count() {
        let whole = |text| Decimal::parse(text).and_then(|decimal| decimal.whole_text());
        assert_eq!(whole("４２").as_deref(), Some("42"));
        assert_eq!(whole("-١٢٣").as_deref(), Some("-123"));
        assert_eq!(whole("१０").as_deref(), Some("10"));
        // The five rows of mathematical digits touch each other.
        assert_eq!(whole("𝟎𝟗𝟘𝟡𝟿").as_deref(), Some("9099"));
        for text in ["½", "一", "²", "Ⅳ"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn digits_that_nobody_wrote_are_not_made_up() {
        let json = |text| Decimal::parse(text).and_then(|decimal| decimal.json_text());
        assert_eq!(json("1e20").as_deref(), Some("100000000000000000000"));
        assert_eq!(json("6.02e23").as_deref(), Some("602e21"));
        assert_eq!(
            json("72057594037927937").as_deref(),
            Some("72057594037927937")
        );
        let written = |text| Decimal::parse(text).and_then(|decimal| decimal.written_digits());
        assert_eq!(written("100e-2").as_deref(), Some("1"));
        assert_eq!(written("1e309"), None);
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
