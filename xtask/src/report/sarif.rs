//! Findings as SARIF 2.1.0, which code hosts and editors read.

use serde_json::{Value, json};

use super::{Finding, Report, Severity};
use crate::rules::{RULES, Rule};

impl Report {
    /// One log with one run. Paths start at the repository that the workspace is in. Findings that a comment allows are there as suppressed results.
    pub fn to_sarif(&self) -> Value {
        let rules: Vec<Value> = RULES.iter().map(rule).collect();
        let mut results: Vec<Value> = self
            .findings
            .iter()
            .map(|finding| self.result(finding))
            .collect();
        for allowed in &self.allowed {
            let mut result = self.result(&allowed.finding);
            result["suppressions"] =
                json!([{ "kind": "inSource", "justification": allowed.reason }]);
            results.push(result);
        }
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "check-toolsets",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        })
    }

    fn result(&self, finding: &Finding) -> Value {
        let problem = &finding.problem;
        let mut message = problem.message.clone();
        for note in &problem.notes {
            message.push_str("\nnote: ");
            message.push_str(note);
        }
        message.push_str("\nhelp: ");
        message.push_str(&problem.help);
        let index = RULES.iter().position(|rule| rule.id == finding.rule);
        let level = match finding.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let position = &problem.position;
        let mut result = json!({
            "ruleId": finding.rule,
            "level": level,
            "message": { "text": message },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(&self.in_repository(&position.file)), "uriBaseId": "%SRCROOT%" },
                "region": { "startLine": position.line, "startColumn": position.column },
            } }],
        });
        if let Some(index) = index {
            result["ruleIndex"] = index.into();
        }
        result
    }
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.about },
        "defaultConfiguration": { "level": rule.severity.as_str() },
    })
}

/// A path as a relative reference: what a URI does not take as it is, is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            for digit in [byte >> 4, byte & 15] {
                uri.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("a b/ü.rs"), "a%20b/%C3%BC.rs");
    }
}
