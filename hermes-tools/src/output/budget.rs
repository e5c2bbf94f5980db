//! How much of a result a model sees: per result, and per answer of the model.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::args::number::configured;

/// Bounds of results, in characters.
///
/// The numbers are those of hermes-agent. A session whose context window is known scales them down
/// to it; see [`for_window`](Self::for_window).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    per_result: usize,
    per_turn: usize,
    preview: usize,
    overrides: BTreeMap<String, usize>,
}

const PER_RESULT: usize = 100_000;
const PER_TURN: usize = 200_000;
const PREVIEW: usize = 1_500;

/// The least that a small window scales down to.
const LEAST_PER_RESULT: usize = 8_000;
const LEAST_PER_TURN: usize = 16_000;

const CHARACTERS_PER_TOKEN: usize = 4;

impl Budget {
    /// The bounds for a context window of so many tokens: 15 % of it for a result, 30 % for all
    /// results of one answer, never more than without a window.
    ///
    /// ```
    /// use hermes_tools::output::Budget;
    ///
    /// let budget = Budget::for_window(128_000);
    /// assert_eq!((budget.per_result(), budget.per_turn()), (76_800, 153_600));
    /// assert_eq!(Budget::for_window(0), Budget::default());
    /// ```
    #[must_use]
    pub fn for_window(tokens: usize) -> Self {
        if tokens == 0 {
            return Self::default();
        }
        let window = tokens.saturating_mul(CHARACTERS_PER_TOKEN);
        // Divided first: a window may be larger than any product that fits.
        let percent = |share: usize| window / 100 * share + window % 100 * share / 100;
        Self {
            per_result: percent(15).clamp(LEAST_PER_RESULT, PER_RESULT),
            per_turn: percent(30).clamp(LEAST_PER_TURN, PER_TURN),
            ..Self::default()
        }
    }

    /// Sets the most for one result of a tool that names no smaller bound.
    #[must_use]
    pub fn with_per_result(mut self, characters: usize) -> Self {
        self.per_result = characters;
        self
    }

    /// Sets the most for all results of one answer of the model.
    #[must_use]
    pub fn with_per_turn(mut self, characters: usize) -> Self {
        self.per_turn = characters;
        self
    }

    /// Sets how much is left of the beginning of a result that is put into the store.
    #[must_use]
    pub fn with_preview(mut self, characters: usize) -> Self {
        self.preview = characters;
        self
    }

    /// Sets the bound for a tool, whatever the tool itself says: the choice of an operator.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<String>, characters: usize) -> Self {
        self.overrides.insert(tool.into(), characters);
        self
    }

    /// The most for one result.
    pub const fn per_result(&self) -> usize {
        self.per_result
    }

    /// The most for all results of one answer.
    pub const fn per_turn(&self) -> usize {
        self.per_turn
    }

    /// How much is left of the beginning.
    pub const fn preview(&self) -> usize {
        self.preview
    }

    /// Beyond how many characters a result of a tool goes into the store. `cap` is the tool's own bound,
    /// `usize::MAX` for none. A tool whose results are `pinned` (`spill = false`) has none: it pages
    /// by itself, and what it reads from the store would otherwise be stored again.
    pub fn threshold(&self, tool: &str, cap: Option<usize>, pinned: bool) -> usize {
        if pinned {
            return usize::MAX;
        }
        if let Some(own) = self.overrides.get(tool) {
            return *own;
        }
        match cap {
            Some(usize::MAX) => usize::MAX,
            Some(cap) => cap.min(self.per_result),
            None => self.per_result,
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            per_result: PER_RESULT,
            per_turn: PER_TURN,
            preview: PREVIEW,
            overrides: BTreeMap::new(),
        }
    }
}

/// Bounds for tools that page or collect output by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// Characters of a command's output that are kept.
    pub max_bytes: usize,
    /// Lines of a page.
    pub max_lines: usize,
    /// Characters of a line.
    pub max_line_length: usize,
}

impl OutputLimits {
    /// Reads the section `tool_output` of a configuration. What is no positive whole number counts
    /// for nothing; numbers may be text.
    pub fn from_config(section: &Value) -> Self {
        let read = |key: &str, default: usize| {
            section
                .get(key)
                .and_then(configured)
                .and_then(|number| usize::try_from(number).ok())
                .filter(|number| *number > 0)
                .unwrap_or(default)
        };
        let default = Self::default();
        Self {
            max_bytes: read("max_bytes", default.max_bytes),
            max_lines: read("max_lines", default.max_lines),
            max_line_length: read("max_line_length", default.max_line_length),
        }
    }
}

impl Default for OutputLimits {
    fn default() -> Self {
        Self {
            max_bytes: 50_000,
            max_lines: 2_000,
            max_line_length: 2_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bound_is_the_operators_then_the_smaller_of_the_tools_and_the_sessions() {
        let budget = Budget::for_window(65_536).with_tool("loud", 70_000);
        assert_eq!(budget.threshold("any", None, false), 39_321);
        assert_eq!(budget.threshold("any", Some(5_000), false), 5_000);
        assert_eq!(budget.threshold("any", Some(100_000), false), 39_321);
        assert_eq!(budget.threshold("any", Some(usize::MAX), false), usize::MAX);
        assert_eq!(budget.threshold("loud", Some(5_000), false), 70_000);
        assert_eq!(budget.threshold("loud", Some(5_000), true), usize::MAX);
    }

    #[test]
    fn odd_windows_do_not_overflow() {
        assert_eq!(Budget::for_window(usize::MAX), Budget::default());
        assert_eq!(Budget::for_window(1).per_result(), LEAST_PER_RESULT);
    }

    #[test]
    fn limits_that_are_no_positive_number_count_for_nothing() {
        let limits = json!({"max_bytes": -1, "max_lines": "300", "max_line_length": 1.5});
        let limits = OutputLimits::from_config(&limits);
        assert_eq!(
            limits,
            OutputLimits {
                max_lines: 300,
                ..OutputLimits::default()
            }
        );
    }
}
