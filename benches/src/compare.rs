//! Comparing ways in one run: batches in turn, medians, ratios to the first way.

use std::fmt;
use std::time::{Duration, Instant};

/// One way of doing the work that is compared.
pub struct Way<'w> {
    name: &'static str,
    batch: Box<dyn FnMut(u32) -> Duration + 'w>,
}

/// What was measured of one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name of the way.
    pub name: &'static str,
    /// Nanoseconds that one piece of work takes.
    pub nanoseconds: Quartiles,
    /// Times that of the first way, formed in each round and not from the medians: what slows the
    /// whole machine for a while slows both.
    pub ratio: Quartiles,
}

/// The middle of many measurements, and where the middle half of them lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quartiles {
    /// A quarter lies below.
    pub low: f64,
    /// Half lie below.
    pub median: f64,
    /// Three quarters lie below.
    pub high: f64,
}

impl<'w> Way<'w> {
    /// A way that times a whole batch of so many pieces of work by itself.
    pub fn timed(name: &'static str, batch: impl FnMut(u32) -> Duration + 'w) -> Self {
        Self {
            name,
            batch: Box::new(batch),
        }
    }

    /// A way that does one piece of work; what comes of it is dropped within the time.
    pub fn new<T>(name: &'static str, mut work: impl FnMut() -> T + 'w) -> Self {
        Self::timed(name, move |count| {
            let start = Instant::now();
            for _ in 0..count {
                std::hint::black_box(work());
            }
            start.elapsed()
        })
    }

    /// What it is called in tables.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Does so many pieces of work and tells how long they took.
    pub fn run(&mut self, count: u32) -> Duration {
        (self.batch)(count)
    }
}

/// Runs a batch of every way in each round, beginning with another one each time.
///
/// A tenth of the batch goes before it, untimed: the way before has left its own traces in the caches.
/// So does a tenth of the rounds. A batch should take well below a millisecond, so that most batches
/// end before the system lets another program run.
pub fn compare(ways: &mut [Way<'_>], rounds: usize, batch: u32) -> Vec<Row> {
    let mut times = vec![Vec::with_capacity(rounds); ways.len()];
    for round in 0..rounds + rounds / 10 {
        for turn in 0..ways.len() {
            let index = (round + turn) % ways.len();
            let way = &mut ways[index];
            way.run(batch / 10);
            let took = way.run(batch).as_secs_f64() * 1e9 / f64::from(batch);
            if round >= rounds / 10 {
                times[index].push(took);
            }
        }
    }
    let first = times.first().cloned().unwrap_or_default();
    ways.iter()
        .zip(times)
        .map(|(way, times)| Row {
            name: way.name,
            ratio: Quartiles::of(times.iter().zip(&first).map(|(time, first)| time / first)),
            nanoseconds: Quartiles::of(times),
        })
        .collect()
}

impl Quartiles {
    /// Of at least one measurement.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let last = values
            .len()
            .checked_sub(1)
            .expect("at least one measurement");
        Self {
            low: values[last / 4],
            median: values[last / 2],
            high: values[last * 3 / 4],
        }
    }

    /// Whether the median lies in the middle half of the other's measurements.
    pub fn lies_within(&self, other: &Self) -> bool {
        (other.low..=other.high).contains(&self.median)
    }
}

/// A line of a Markdown table with the columns way, nanoseconds, ratio, middle half of the ratios.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            nanoseconds,
            ratio,
        } = self;
        let time = nanoseconds.median;
        let digits = usize::from(time < 100.0);
        write!(
            f,
            "| {name} | {time:.digits$} | {:.2} | {:.2} to {:.2} |",
            ratio.median, ratio.low, ratio.high
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_measured_values() {
        let quartiles = Quartiles::of([5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!(
            quartiles,
            Quartiles {
                low: 2.0,
                median: 3.0,
                high: 4.0
            }
        );
        assert_eq!(
            Quartiles::of([7.0]),
            Quartiles {
                low: 7.0,
                median: 7.0,
                high: 7.0
            }
        );
    }

    #[test]
    fn a_ratio_is_formed_within_its_round() {
        let mut round = 0_u32;
        let mut twice_round = 0_u32;
        let mut ways = [
            Way::timed("limit", |count| {
                round += count;
                Duration::from_micros(u64::from(round))
            }),
            Way::timed("other", |count| {
                twice_round += 2 * count;
                Duration::from_micros(u64::from(twice_round))
            }),
        ];
        let rows = compare(&mut ways, 9, 1);
        assert_eq!(
            rows[1].ratio,
            Quartiles {
                low: 2.0,
                median: 2.0,
                high: 2.0
            }
        );
        assert_eq!(
            rows[0].to_string(),
            "| limit | 5000 | 1.00 | 1.00 to 1.00 |"
        );
    }
}
