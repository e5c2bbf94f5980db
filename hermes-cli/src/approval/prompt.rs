//! A question on the terminal, and what its answer means.

use std::io::{self, Write};

use hermes_tools::approval::{Approval, ApprovalRequest};

use crate::terminal::one_line;

/// Where answers come from, one line after the other.
pub(super) trait Lines {
    /// The next line; `None` when there is none any more, or not in time.
    fn line(&mut self) -> io::Result<Option<String>>;
}

/// How often an answer that is none is asked for again.
const TRIES: usize = 3;

/// Puts a question. Nothing of it can drive the terminal.
pub(super) fn ask(
    request: &ApprovalRequest,
    input: &mut impl Lines,
    out: &mut impl Write,
) -> io::Result<Approval> {
    put(out, request)?;
    for _ in 0..TRIES {
        write!(
            out,
            "allow it? `y`es, `a`lways in this run, or `n`o and why: "
        )?;
        out.flush()?;
        let Some(line) = input.line()? else {
            // Whatever comes next begins on a line of its own.
            writeln!(out)?;
            break;
        };
        if let Some(approval) = answer(&line) {
            return Ok(approval);
        }
    }
    Ok(Approval::denied())
}

fn put(out: &mut impl Write, request: &ApprovalRequest) -> io::Result<()> {
    let (name, arguments) = (request.tool().name(), request.arguments());
    writeln!(out, "`{}` {}", one_line(name), one_line(arguments))?;
    for reason in request.reasons() {
        let about = match reason.subject.as_str() {
            "" => String::new(),
            subject => format!("`{}`: ", one_line(subject)),
        };
        writeln!(out, "  {about}{}", one_line(&reason.why))?;
    }
    Ok(())
}

/// What a line says; `None` when that is not clear. A yes for the run holds for what the question was about:
/// the effect of a tool, or exactly this command.
fn answer(line: &str) -> Option<Approval> {
    let line = line.trim();
    let (word, rest) = line.split_once([' ', ',']).unwrap_or((line, ""));
    match word.to_ascii_lowercase().as_str() {
        "y" | "yes" if rest.is_empty() => Some(Approval::Once),
        "a" | "always" if rest.is_empty() => Some(Approval::Session),
        "n" | "no" => Some(Approval::denied_because(rest.trim())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use hermes_tools::approval::{ApprovalPolicy, Rule};
    use hermes_tools::{Effect, Selection, Session, ToolRegistry, tool, tools};

    use super::*;

    /// Lines that were written before.
    struct Written(std::str::SplitInclusive<'static, char>);

    impl Lines for Written {
        fn line(&mut self) -> io::Result<Option<String>> {
            Ok(self.0.next().map(str::to_owned))
        }
    }

    /// Remove something.
    #[tool(toolset = "test", effect = "destructive", inline)]
    fn remove(
        /// What.
        what: String,
    ) -> String {
        what
    }

    /// What a session asks, and what comes of these lines as the answer.
    fn told(lines: &'static str) -> (String, Result<String, String>) {
        let shown: Arc<Mutex<Vec<u8>>> = Arc::default();
        let out = Arc::clone(&shown);
        let registry = ToolRegistry::of(tools![remove]).unwrap();
        let session = Session::builder(registry, Selection::of(["remove"]))
            .approvals(ApprovalPolicy::default().effect(Effect::Destructive, Rule::Ask))
            .approve_with(move |request| {
                let mut out = out.lock().unwrap();
                ask(
                    request,
                    &mut Written(lines.split_inclusive('\n')),
                    &mut *out,
                )
                .unwrap()
            })
            .build()
            .unwrap();
        let result = session.call_blocking("remove", "{\"what\": \"a\\u001b[2J\"}");
        let outcome = match result.outcome {
            Ok(output) => Ok(output.text().into_owned()),
            Err(error) => Err(error.message().to_owned()),
        };
        (
            String::from_utf8(shown.lock().unwrap().clone()).unwrap(),
            outcome,
        )
    }

    #[test]
    fn a_question_says_what_would_be_called_and_why_and_cannot_drive_the_terminal() {
        let (shown, outcome) = told("y\n");
        assert_eq!(
            shown,
            "`remove` {\"what\":\"a\\u001b[2J\"}\n  the effect of this call is destructive\n\
             allow it? `y`es, `a`lways in this run, or `n`o and why: "
        );
        assert_eq!(outcome.as_deref(), Ok("a\u{1b}[2J"));
    }

    #[test]
    fn a_no_may_say_why_and_silence_is_a_no() {
        let refused = |lines| told(lines).1.unwrap_err();
        assert_eq!(
            refused("no, keep it\n"),
            "this call of `remove` was not allowed: keep it"
        );
        assert_eq!(refused("n\n"), "this call of `remove` was not allowed");
        assert_eq!(refused(""), "this call of `remove` was not allowed");
        assert_eq!(
            refused("maybe\n\nyes please\ny\n"),
            "this call of `remove` was not allowed"
        );
        assert!(told("what?\nYES\n").1.is_ok());
        assert!(told("Always\n").1.is_ok());
        assert!(told("always, why not\n").1.is_err());
    }
}
