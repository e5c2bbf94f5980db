//! Points in time as people write them.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time as `2026-11-29 23:35:18` in UTC. A time before 1970 is 1970.
pub fn utc(time: SystemTime) -> String {
    let (date, clock) = parts(time);
    let [year, month, day] = date;
    let [hour, minute, second, _] = clock;
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// A time as an id that sorts by it: `20261129-233518-123`.
pub(super) fn id(time: SystemTime) -> String {
    let (date, clock) = parts(time);
    let [year, month, day] = date;
    let [hour, minute, second, milli] = clock;
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}-{milli:03}")
}

/// Year, month and day; hour, minute, second and millisecond.
fn parts(time: SystemTime) -> ([u64; 3], [u64; 4]) {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let clock = [
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        u64::from(since.subsec_millis()),
    ];
    (date(days), clock)
}

/// The date of a day counted from 1970-01-01, in years that begin in March: so the leap day is the last
/// of a year, and of the four centuries that the calendar repeats after.
fn date(days: u64) -> [u64; 3] {
    // From 0000-03-01 on.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    [400 * era + year + next, month, day]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        let at = |seconds: u64| UNIX_EPOCH + Duration::from_millis(seconds * 1_000 + 7);
        assert_eq!(utc(at(0)), "1970-01-01 00:00:00");
        assert_eq!(utc(at(951_782_400)), "2000-02-29 00:00:00");
        assert_eq!(utc(at(1_709_251_199)), "2024-02-29 23:59:59");
        assert_eq!(utc(at(4_107_542_400)), "2100-03-01 00:00:00");
        assert_eq!(id(at(1_796_081_718)), "20261130-233518-007");
    }
}
