//! Secrets taken out of texts.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::output::redact::{Mode, Redactor};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    mode: String,
    text: String,
    #[serde(default)]
    command: String,
    enabled: bool,
    force: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    text: String,
    #[serde(default)]
    also_ok: Vec<String>,
}

#[test]
fn redaction_vectors() {
    VectorFile::new("redaction")
        .kinds(["redaction"])
        .run(|line| {
            let input: Input = line.input()?;
            let expected: Expected = line.expected()?;
            let mode = match &*input.mode {
                "log" => Mode::Log,
                "code" => Mode::Code,
                "file" => Mode::File,
                "terminal" => Mode::Terminal {
                    command: &input.command,
                },
                "strict_url" => Mode::StrictUrl,
                other => return Err(format!("unknown mode `{other}`")),
            };
            let redactor = Redactor::new(mode).enabled(input.enabled);
            let got = if input.force {
                redactor.forced(&input.text)
            } else {
                redactor.redact(&input.text)
            };
            Ok(Outcome::Judged {
                passed: got == expected.text || expected.also_ok.iter().any(|also| got == *also),
                got: got.into_owned(),
            })
        });
}
