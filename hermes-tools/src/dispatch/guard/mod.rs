//! The guards: what no hook and no consent switches off.
//!
//! They go by the roles of arguments and the targets of tools, on the arguments as the tool will get
//! them, for every tool and on every way in. A guard that fails or panics refuses.

mod command;
mod path;
mod places;
mod policy;
mod url;
mod verdict;

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

pub use self::policy::Policy;
pub use self::url::{Resolver, ResolverFuture, may_connect};
pub use self::verdict::{Finding, Findings, Verdict};

use crate::context::{ToolContext, Workspace};
use crate::effect::{Effect, Role};
use crate::gate::{PendingCall, Subject};
use crate::output::redact::{self, redact};
use crate::output::{ErrorKind, ToolError};
use crate::panics;
use crate::target::Access;

impl Policy {
    /// Judges a call: each text with a role and each target, secrets apart.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::GuardFailed`] when a guard panics.
    pub async fn judge(&self, call: &PendingCall<'_>) -> Result<Findings, ToolError> {
        let mut findings = Findings::default();
        let by_effect = match call.effect() {
            Effect::Read => Access::Read,
            Effect::Write | Effect::Destructive => Access::Write,
        };
        for subject in call.subjects() {
            let finding = match subject.role {
                Role::Path => guarded(call, || {
                    path::judge(call.cx(), &subject.argument, &subject.text, by_effect)
                })?,
                Role::Command => guarded(call, || self.judge_command(call.cx(), subject))?,
                Role::Url => self.judge_url(call, subject).await?,
                // Nothing can be told of source text but that it runs: what it may do is up to where it
                // runs, and whether it may run is up to consent by effect.
                Role::Code => {
                    Finding::new(subject, redact(&subject.text).into_owned(), Verdict::Allow)
                }
                Role::Secret => continue,
            };
            findings.findings.push(finding);
        }
        for target in call.targets() {
            let finding = guarded(call, || {
                path::judge(call.cx(), "", &target.path, target.access)
            })?;
            findings.findings.push(finding);
        }
        Ok(findings)
    }

    fn judge_command(&self, cx: &ToolContext, subject: &Subject) -> Finding {
        let folder = cx.workspace().map(Workspace::folder);
        let verdict = self.command_of(&subject.text, folder, cx.facts());
        Finding::new(subject, redact(&subject.text).into_owned(), verdict)
    }

    async fn judge_url(
        &self,
        call: &PendingCall<'_>,
        subject: &Subject,
    ) -> Result<Finding, ToolError> {
        let mut judging = pin!(self.url(call.cx(), &subject.text, None));
        let judged = poll_fn(|task| match guarded(call, || judging.as_mut().poll(task)) {
            Ok(polled) => polled.map(Ok),
            Err(error) => Poll::Ready(Err(error)),
        })
        .await?;
        let verdict = judged.err().unwrap_or(Verdict::Allow);
        let shown = redact::address(&subject.text).into_owned();
        Ok(Finding::new(subject, shown, verdict))
    }
}

/// Runs a guard; a panic is a refusal.
fn guarded<R>(call: &PendingCall<'_>, guard: impl FnOnce() -> R) -> Result<R, ToolError> {
    catch_unwind(AssertUnwindSafe(guard)).map_err(|panic| {
        let error = ToolError::new(
            ErrorKind::GuardFailed,
            format!(
                "the guard of `{}` failed: nothing was done",
                call.tool().name()
            ),
        )
        .with_help("use another way, and tell the user");
        match panics::told(panic) {
            Some(text) => error.for_operator(format!("a guard panicked: {text}")),
            None => error,
        }
    })
}
