//! When the watch speaks.

use serde_json::{Map, Value};

use crate::args::number::configured;

/// When the watch warns, and when it stops.
///
/// The defaults: warnings at 2 equal failures, 3 failures of a tool, 2 equal answers; hard stops off,
/// and at 5, 8 and 5 where they are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopSettings {
    pub(super) warnings: bool,
    pub(super) hard_stops: bool,
    pub(super) warn_after: Thresholds,
    pub(super) stop_after: Thresholds,
}

/// After how many times, for each thing that is counted. Each is at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// The same call failed.
    pub exact_failure: u32,
    /// Calls of the same tool failed, whatever their arguments.
    pub same_tool_failure: u32,
    /// The same repeatable call gave the same answer.
    pub no_progress: u32,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self {
            warnings: true,
            hard_stops: false,
            warn_after: Thresholds {
                exact_failure: 2,
                same_tool_failure: 3,
                no_progress: 2,
            },
            stop_after: Thresholds {
                exact_failure: 5,
                same_tool_failure: 8,
                no_progress: 5,
            },
        }
    }
}

impl LoopSettings {
    /// Whether the model is warned.
    #[must_use]
    pub fn warnings(mut self, on: bool) -> Self {
        self.warnings = on;
        self
    }

    /// Whether calls are refused and turns ended.
    #[must_use]
    pub fn hard_stops(mut self, on: bool) -> Self {
        self.hard_stops = on;
        self
    }

    /// Sets when the model is warned. A number below 1 counts as 1.
    #[must_use]
    pub fn warn_after(mut self, thresholds: Thresholds) -> Self {
        self.warn_after = thresholds.at_least_one();
        self
    }

    /// Sets when hard stops come. A number below 1 counts as 1.
    #[must_use]
    pub fn stop_after(mut self, thresholds: Thresholds) -> Self {
        self.stop_after = thresholds.at_least_one();
        self
    }

    /// The settings of a configuration section `tool_loop_guardrails`: `warnings_enabled`,
    /// `hard_stop_enabled`, and in the tables `warn_after` and `hard_stop_after` `exact_failure`,
    /// `same_tool_failure` and `idempotent_no_progress`. The older flat keys (`exact_failure_warn_after`,
    /// `exact_failure_block_after`, `same_tool_failure_warn_after`, `same_tool_failure_halt_after`,
    /// `no_progress_warn_after`, `no_progress_block_after`) count where the tables are silent.
    ///
    /// What cannot be read, and a number below 1, is the default.
    pub fn from_config(section: &Value) -> Self {
        let default = Self::default();
        let empty = Map::new();
        let section = section.as_object().unwrap_or(&empty);
        let switch = |key, default| section.get(key).and_then(switch).unwrap_or(default);
        let count = |table: &str, key: &str, flat: &str, default| {
            let nested = section.get(table).and_then(|table| table.get(key));
            let own = nested.or_else(|| section.get(flat));
            own.and_then(count).unwrap_or(default)
        };
        let (warn, stop) = ("warn_after", "hard_stop_after");
        Self {
            warnings: switch("warnings_enabled", default.warnings),
            hard_stops: switch("hard_stop_enabled", default.hard_stops),
            warn_after: Thresholds {
                exact_failure: count(
                    warn,
                    "exact_failure",
                    "exact_failure_warn_after",
                    default.warn_after.exact_failure,
                ),
                same_tool_failure: count(
                    warn,
                    "same_tool_failure",
                    "same_tool_failure_warn_after",
                    default.warn_after.same_tool_failure,
                ),
                no_progress: count(
                    warn,
                    "idempotent_no_progress",
                    "no_progress_warn_after",
                    default.warn_after.no_progress,
                ),
            },
            stop_after: Thresholds {
                exact_failure: count(
                    stop,
                    "exact_failure",
                    "exact_failure_block_after",
                    default.stop_after.exact_failure,
                ),
                same_tool_failure: count(
                    stop,
                    "same_tool_failure",
                    "same_tool_failure_halt_after",
                    default.stop_after.same_tool_failure,
                ),
                no_progress: count(
                    stop,
                    "idempotent_no_progress",
                    "no_progress_block_after",
                    default.stop_after.no_progress,
                ),
            },
        }
    }
}

impl Thresholds {
    fn at_least_one(self) -> Self {
        Self {
            exact_failure: self.exact_failure.max(1),
            same_tool_failure: self.same_tool_failure.max(1),
            no_progress: self.no_progress.max(1),
        }
    }
}

/// A count, as a number or as the text of one.
fn count(value: &Value) -> Option<u32> {
    u32::try_from(configured(value)?)
        .ok()
        .filter(|number| *number >= 1)
}

fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(on) => Some(*on),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" | "enabled" => Some(true),
            "0" | "false" | "no" | "off" | "disabled" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_configuration_is_read_with_tables_before_flat_keys() {
        let settings = LoopSettings::from_config(&json!({
            "warnings_enabled": " OFF ",
            "hard_stop_enabled": 1,
            "warn_after": {"exact_failure": "7", "same_tool_failure": 0},
            "hard_stop_after": {"same_tool_failure": 9.0},
            "exact_failure_warn_after": 3,
            "same_tool_failure_warn_after": 4,
            "no_progress_warn_after": 4.5,
            "exact_failure_block_after": -1,
            "no_progress_block_after": " 6 ",
        }));
        let expected = LoopSettings::default()
            .warnings(false)
            .hard_stops(true)
            .warn_after(Thresholds {
                exact_failure: 7,
                same_tool_failure: 3,
                no_progress: 2,
            })
            .stop_after(Thresholds {
                exact_failure: 5,
                same_tool_failure: 9,
                no_progress: 6,
            });
        assert_eq!(settings, expected);
        let odd = json!({"warnings_enabled": "maybe", "hard_stop_enabled": null});
        assert_eq!(LoopSettings::from_config(&odd), LoopSettings::default());
    }
}
