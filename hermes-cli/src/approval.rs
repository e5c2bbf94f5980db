//! Asking the person at the terminal whether a call may run.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use hermes_mcp::Elicitation;
use hermes_tools::approval::{Approval, ApprovalPolicy, ApprovalRequest, Rule};
use hermes_tools::{Effect, SessionBuilder};

use crate::terminal::one_line;

/// Options about what needs consent.
#[derive(Debug, Args)]
pub(crate) struct ApprovalArgs {
    /// Ask before a call that does this or more: `read`, `write` or `destructive`
    #[arg(long, value_name = "EFFECT", value_parser = effect)]
    ask: Option<Effect>,

    /// Answer every question with yes
    #[arg(long)]
    yes: bool,
}

impl ApprovalArgs {
    /// Says who is asked: the person at the terminal. Where there is none nobody is, and what needs
    /// consent is refused at once.
    pub(crate) fn apply(&self, builder: SessionBuilder) -> SessionBuilder {
        let builder = self.policy(builder);
        if self.yes {
            return builder.approve_with(|_| Approval::Once);
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            return builder.approve_with(|request| {
                let answer = ask(request, &mut io::stdin().lock(), &mut io::stderr());
                answer.unwrap_or_else(|_| Approval::denied())
            });
        }
        builder
    }

    /// Says that the person in front of an MCP client is asked.
    pub(crate) fn apply_for_client(&self, builder: SessionBuilder) -> SessionBuilder {
        let builder = self.policy(builder);
        if self.yes {
            builder.approve_with(|_| Approval::Once)
        } else {
            builder.approver(Elicitation)
        }
    }

    fn policy(&self, builder: SessionBuilder) -> SessionBuilder {
        match self.ask {
            Some(least) => {
                builder.approvals(ApprovalPolicy::default().from_effect(least, Rule::Ask))
            }
            None => builder,
        }
    }
}

/// How often an answer that is none is asked for again.
const TRIES: usize = 3;

/// Puts a question. Nothing of it can drive the terminal.
fn ask(
    request: &ApprovalRequest,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<Approval> {
    put(out, request)?;
    for _ in 0..TRIES {
        write!(out, "allow it? `y`es, or `n`o and why: ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            break;
        }
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

/// What a line says; `None` when that is not clear.
fn answer(line: &str) -> Option<Approval> {
    let line = line.trim();
    let (word, rest) = line.split_once([' ', ',']).unwrap_or((line, ""));
    match word.to_ascii_lowercase().as_str() {
        "y" | "yes" if rest.is_empty() => Some(Approval::Once),
        "n" | "no" => Some(Approval::denied_because(rest.trim())),
        _ => None,
    }
}

fn effect(text: &str) -> Result<Effect, String> {
    [Effect::Read, Effect::Write, Effect::Destructive]
        .into_iter()
        .find(|effect| effect.as_str() == text)
        .ok_or_else(|| "expected `read`, `write` or `destructive`".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use hermes_tools::{Selection, Session, ToolRegistry, tool, tools};

    use super::*;

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
                ask(request, &mut lines.as_bytes(), &mut *out).unwrap()
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
             allow it? `y`es, or `n`o and why: "
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
    }
}
