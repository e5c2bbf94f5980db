//! What `Cargo.toml` says of the check: `[workspace.metadata.check-toolsets]`.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::nearest::nearest;
use crate::report::Severity;
use crate::rules::RULES;

/// Longest description that every provider takes, in characters (`OpenAI`'s limit for functions).
const MAX_DESCRIPTION: usize = 1024;

/// Settings of the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Severities by rule. `None`: the rule is off.
    severities: BTreeMap<String, Option<Severity>>,
    /// Rules to apply; empty is all.
    only: Vec<String>,
    /// Most characters of a tool's description.
    pub max_description: usize,
    /// Most tokens (estimated) of a toolset's definitions.
    pub schema_budget: Option<u64>,
    /// Most tokens of single toolsets, in place of `schema_budget`.
    pub schema_budgets: BTreeMap<String, u64>,
    /// File, relative to the workspace, that holds the definitions as they were last agreed on.
    pub golden: Option<String>,
    /// Configuration files to check, relative to the workspace.
    pub configurations: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            severities: BTreeMap::new(),
            only: Vec::new(),
            max_description: MAX_DESCRIPTION,
            schema_budget: None,
            schema_budgets: BTreeMap::new(),
            golden: None,
            configurations: vec!["hermes.toml".to_owned()],
        }
    }
}

impl Settings {
    /// Reads the table `check-toolsets` as `cargo metadata` prints it; absent is all defaults.
    ///
    /// Fails on keys, rules and severities that do not exist.
    pub fn from_metadata(metadata: &Value) -> anyhow::Result<Self> {
        let mut settings = Self::default();
        let table = &metadata["check-toolsets"];
        for (key, value) in table.as_object().into_iter().flatten() {
            let read = settings.read(key, value);
            read.with_context(|| {
                format!("in `metadata.check-toolsets` of Cargo.toml, key `{key}`")
            })?;
        }
        Ok(settings)
    }

    /// The severity of a finding of `rule`; nothing if the rule is off. What could not be decided is a
    /// note and stays one, whatever the rule.
    pub fn severity(&self, rule: &str, usual: Severity) -> Option<Severity> {
        if !self.only.is_empty() && !self.only.iter().any(|only| only == rule) {
            return None;
        }
        match self.severities.get(rule) {
            Some(None) => None,
            Some(Some(severity)) if usual != Severity::Note || is_note(rule) => Some(*severity),
            _ => Some(usual),
        }
    }

    /// Leaves all rules out but these; none means all.
    ///
    /// Fails on one that does not exist.
    pub fn only(&mut self, rules: &[String]) -> anyhow::Result<()> {
        rules.iter().try_for_each(|rule| known(rule))?;
        self.only = rules.to_vec();
        Ok(())
    }

    fn read(&mut self, key: &str, value: &Value) -> anyhow::Result<()> {
        match key {
            "rules" => {
                for (rule, severity) in value.as_object().context("expected a table")? {
                    known(rule)?;
                    let severity = match severity.as_str() {
                        Some("error") => Some(Severity::Error),
                        Some("warning") => Some(Severity::Warning),
                        Some("note") => Some(Severity::Note),
                        Some("off") => None,
                        _ => bail!(
                            "rule `{rule}` takes `error`, `warning`, `note` or `off`, not {severity}"
                        ),
                    };
                    self.severities.insert(rule.clone(), severity);
                }
            }
            "max-description" => {
                let count = value.as_u64().context("expected a number of characters")?;
                self.max_description = usize::try_from(count)?;
            }
            "schema-budget" => match value {
                Value::Object(table) => {
                    for (toolset, tokens) in table {
                        let tokens = tokens.as_u64().context("expected numbers of tokens")?;
                        if toolset == "default" {
                            self.schema_budget = Some(tokens);
                        } else {
                            self.schema_budgets.insert(toolset.clone(), tokens);
                        }
                    }
                }
                value => {
                    let tokens = value
                        .as_u64()
                        .context("expected a number of tokens, or a table of them")?;
                    self.schema_budget = Some(tokens);
                }
            },
            "golden" => {
                self.golden = Some(value.as_str().context("expected a path")?.to_owned());
            }
            "configurations" => {
                let paths = value.as_array().context("expected a list of paths")?;
                let paths = paths.iter().map(|path| Some(path.as_str()?.to_owned()));
                self.configurations = paths
                    .collect::<Option<_>>()
                    .context("expected a list of paths")?;
            }
            _ => {
                let known = [
                    "configurations",
                    "golden",
                    "max-description",
                    "rules",
                    "schema-budget",
                ];
                bail!("unknown key; known are `{}`", known.join("`, `"));
            }
        }
        Ok(())
    }
}

/// Whether all findings of the rule are notes unless set otherwise.
fn is_note(rule: &str) -> bool {
    crate::rules::rule(rule).is_some_and(|rule| rule.severity == Severity::Note)
}

fn known(rule: &str) -> anyhow::Result<()> {
    let mut ids = RULES.iter().map(|known| known.id);
    if ids.clone().any(|id| id == rule) {
        return Ok(());
    }
    match nearest(rule, ids.by_ref()) {
        Some(near) => bail!("unknown rule `{rule}`; did you mean `{near}`?"),
        None => bail!("unknown rule `{rule}`; docs/checks.md lists them"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn error(table: &Value) -> String {
        let metadata = json!({ "check-toolsets": table });
        format!("{:#}", Settings::from_metadata(&metadata).unwrap_err())
    }

    #[test]
    fn severities_replace_the_usual_ones_and_notes_stay() {
        let rules = json!({ "missing-effect": "error", "duplicate-tool": "off" });
        let metadata = json!({ "check-toolsets": { "rules": rules, "schema-budget": 900 } });
        let settings = Settings::from_metadata(&metadata).unwrap();
        assert_eq!(
            settings.severity("missing-effect", Severity::Warning),
            Some(Severity::Error)
        );
        assert_eq!(
            settings.severity("missing-effect", Severity::Note),
            Some(Severity::Note)
        );
        assert_eq!(settings.severity("duplicate-tool", Severity::Error), None);
        assert_eq!(
            settings.severity("empty-toolset", Severity::Warning),
            Some(Severity::Warning)
        );
        assert_eq!(settings.schema_budget, Some(900));
        assert_eq!(
            Settings::from_metadata(&Value::Null).unwrap(),
            Settings::default()
        );
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        assert_eq!(
            error(&json!({ "rules": { "duplicate-tol": "off" } })),
            "in `metadata.check-toolsets` of Cargo.toml, key `rules`: unknown rule `duplicate-tol`; \
             did you mean `duplicate-tool`?"
        );
        assert_eq!(
            error(&json!({ "rules": { "duplicate-tool": "loud" } })),
            "in `metadata.check-toolsets` of Cargo.toml, key `rules`: rule `duplicate-tool` takes \
             `error`, `warning`, `note` or `off`, not \"loud\""
        );
        assert_eq!(
            error(&json!({ "budget": 1 })),
            "in `metadata.check-toolsets` of Cargo.toml, key `budget`: unknown key; known are \
             `configurations`, `golden`, `max-description`, `rules`, `schema-budget`"
        );
    }
}
