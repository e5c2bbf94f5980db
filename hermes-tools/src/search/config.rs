//! When the tool search takes the place of definitions.

use std::collections::BTreeSet;

use serde_json::Value;

/// How a session uses the tool search: three bridge tools in place of the definitions of tools that
/// are seldom needed. The defaults are those of hermes-agent.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSearch {
    /// Whether it is used.
    pub mode: SearchMode,
    /// In [`SearchMode::Auto`]: the share of the context window, in percent, from which on the
    /// definitions it would save are too many. From 0 to 100.
    pub threshold_pct: f64,
    /// How many tools a search gives unless it asks for another number.
    pub default_limit: usize,
    /// The most tools that a search gives, from 1 to 50.
    pub max_limit: usize,
    /// Names of the tools whose definitions are always told.
    pub visible: BTreeSet<Box<str>>,
}

/// Whether the tool search is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// When the definitions it saves are too many.
    #[default]
    Auto,
    /// Whenever it saves a definition.
    On,
    /// Never.
    Off,
}

/// Tokens from which on definitions are too many where the context window is not known.
const UNKNOWN_WINDOW: usize = 20_000;

const PERCENT: f64 = 10.0;
const DEFAULT_LIMIT: usize = 5;
const MAX_LIMIT: usize = 20;
const LARGEST_LIMIT: usize = 50;

impl Default for ToolSearch {
    fn default() -> Self {
        Self {
            mode: SearchMode::Auto,
            threshold_pct: PERCENT,
            default_limit: DEFAULT_LIMIT,
            max_limit: MAX_LIMIT,
            visible: BTreeSet::new(),
        }
    }
}

impl ToolSearch {
    /// Never.
    pub fn off() -> Self {
        Self {
            mode: SearchMode::Off,
            ..Self::default()
        }
    }

    /// The settings that a value of a configuration means, as the original reads them: nothing or
    /// `true` is automatic, `false` is off, and of an object the keys `enabled`, `threshold_pct`,
    /// `search_default_limit` and `max_search_limit` count. What cannot be read is the default.
    pub fn of_value(value: &Value) -> Self {
        let mut settings = Self::default();
        let fields = match value {
            Value::Bool(false) => return Self::off(),
            Value::Object(fields) => fields,
            _ => return settings,
        };
        settings.mode = fields.get("enabled").map_or(SearchMode::Auto, mode);
        if let Some(percent) = fields.get("threshold_pct").and_then(number) {
            settings.threshold_pct = percent.clamp(0.0, 100.0);
        }
        if let Some(limit) = fields.get("max_search_limit").and_then(whole) {
            settings.max_limit = within(limit, LARGEST_LIMIT);
        }
        let limit = fields.get("search_default_limit").and_then(whole);
        settings.default_limit = match limit {
            Some(limit) => within(limit, settings.max_limit),
            None => DEFAULT_LIMIT.min(settings.max_limit),
        };
        settings
    }

    /// Says which definitions are always told.
    #[must_use]
    pub fn visible<S: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.visible.extend(names.into_iter().map(Into::into));
        self
    }

    /// Whether it is used when it would save definitions of so many tokens, in a context window of so
    /// many, where that is known.
    pub fn is_active(&self, deferred_tokens: usize, window: Option<usize>) -> bool {
        match self.mode {
            SearchMode::Off => false,
            _ if deferred_tokens == 0 => false,
            SearchMode::On => true,
            SearchMode::Auto => deferred_tokens >= self.threshold(window),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a context window is far below what a float tells apart, and no share is negative"
    )]
    fn threshold(&self, window: Option<usize>) -> usize {
        match window {
            None => UNKNOWN_WINDOW,
            Some(window) => (window as f64 * self.threshold_pct / 100.0) as usize,
        }
    }

    /// How many tools a search gives that asks for this number: a number or its text; what cannot be
    /// read is the default.
    pub fn limit(&self, asked: Option<&Value>) -> usize {
        match asked.and_then(whole) {
            Some(limit) => within(limit, self.max_limit),
            None => self.default_limit,
        }
    }
}

fn mode(value: &Value) -> SearchMode {
    let word = match value {
        Value::Bool(on) => on.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_lowercase(),
        _ => String::new(),
    };
    match word.as_str() {
        "on" | "true" | "1" | "yes" => SearchMode::On,
        "off" | "false" | "0" | "no" => SearchMode::Off,
        _ => SearchMode::Auto,
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a number beyond an `i64` becomes the nearest one, and is brought within the limits"
)]
fn whole(value: &Value) -> Option<i64> {
    number(value).map(|number| number as i64)
}

fn within(limit: i64, most: usize) -> usize {
    usize::try_from(limit.max(1))
        .unwrap_or(usize::MAX)
        .min(most)
}
