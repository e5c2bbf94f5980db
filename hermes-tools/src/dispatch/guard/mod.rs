//! The guards: what no hook and no consent switches off.
//!
//! They go by the roles of arguments and the targets of tools, on the arguments as the tool will get
//! them, for every tool and on every way in. A guard that fails or panics refuses.

pub(crate) mod command;
mod path;
pub(crate) mod places;
mod policy;
mod url;
mod verdict;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use self::policy::Policy;
pub use self::url::{Resolver, ResolverFuture};
pub use self::verdict::{Finding, Findings, Verdict};

use crate::effect::{Effect, Role};
use crate::gate::PendingCall;
use crate::output::{ErrorKind, ToolError};
use crate::panics;
use crate::target::Access;

impl Policy {
    /// Judges a call.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::GuardFailed`] when a guard panics.
    #[expect(
        clippy::unused_async,
        reason = "looking up the addresses of a host will wait"
    )]
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
                Role::Command | Role::Url | Role::Code | Role::Secret => continue,
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
