//! Asking the person at the terminal whether a call may run.

mod keyboard;
mod prompt;

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;
use hermes_mcp::Elicitation;
use hermes_tools::approval::{Approval, ApprovalPolicy, Rule};
use hermes_tools::{Effect, SessionBuilder};

use self::keyboard::Keyboard;
use self::prompt::ask;
use crate::commands::call::seconds;

/// Options about what needs consent.
#[derive(Debug, Args)]
pub(crate) struct ApprovalArgs {
    /// Ask before a call that does this or more: `read`, `write` or `destructive`
    #[arg(long, value_name = "EFFECT", value_parser = effect)]
    ask: Option<Effect>,

    /// Wait so long for the answer to a question; silence is a no
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    ask_timeout: Duration,

    /// Answer every question with yes
    #[arg(long)]
    yes: bool,
}

/// What else uses the terminal while a question stands there.
pub(crate) trait Screen: Send + Sync + 'static {
    /// A question stands on the terminal from now on, or does no more.
    fn question(&self, stands: bool);
}

/// Nothing else does.
impl Screen for () {
    fn question(&self, _: bool) {}
}

impl<S: Screen> Screen for std::sync::Arc<S> {
    fn question(&self, stands: bool) {
        (**self).question(stands);
    }
}

/// A question that stands on the terminal.
struct Standing<'s>(&'s dyn Screen);

impl<'s> Standing<'s> {
    fn on(screen: &'s dyn Screen) -> Self {
        screen.question(true);
        Self(screen)
    }
}

impl Drop for Standing<'_> {
    fn drop(&mut self) {
        self.0.question(false);
    }
}

impl ApprovalArgs {
    /// Says who is asked: the person at the terminal. Where there is none nobody is, and what needs
    /// consent is refused at once.
    pub(crate) fn apply(&self, builder: SessionBuilder, screen: impl Screen) -> SessionBuilder {
        let builder = self.policy(builder);
        if self.yes {
            return builder.approve_with(|_| Approval::Once);
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            let limit = self.ask_timeout;
            return builder.approve_with(move |request| {
                let _standing = Standing::on(&screen);
                let answer = Keyboard::open(limit)
                    .and_then(|mut keyboard| ask(request, &mut keyboard, &mut io::stderr()));
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
        let policy = ApprovalPolicy::default().timeout(self.ask_timeout);
        builder.approvals(match self.ask {
            Some(least) => policy.from_effect(least, Rule::Ask),
            None => policy,
        })
    }
}

fn effect(text: &str) -> Result<Effect, String> {
    [Effect::Read, Effect::Write, Effect::Destructive]
        .into_iter()
        .find(|effect| effect.as_str() == text)
        .ok_or_else(|| "expected `read`, `write` or `destructive`".to_owned())
}
