//! Commands that are allowed, asked about, or never run.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::dispatch::guard::Policy;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    command: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    verdict: String,
    /// A label for people.
    #[serde(rename = "category")]
    _category: String,
}

#[test]
fn command_safety_vectors() {
    let policy = Policy::new().home("/home/dev");
    VectorFile::new("command_safety")
        .kinds(["command_safety"])
        .run(|line| {
            let input: Input = line.input()?;
            let expected: Expected = line.expected()?;
            let verdict = policy.command(&input.command, None);
            Ok(Outcome::Judged {
                passed: verdict.as_str() == expected.verdict,
                got: format!(
                    "{} {}: {}",
                    verdict.as_str(),
                    verdict.category(),
                    input.command
                ),
            })
        });
}
