//! Hooks: what a host puts around the calls of a session.
//!
//! In the order in which a call meets them:
//!
//! | event | may | when it fails, panics or takes too long |
//! |---|---|---|
//! | [`rewrite`](Hook::rewrite) | change the arguments | the call is refused |
//! | [`before`](Hook::before) | block the call, or have a person asked | the call is refused |
//! | [`after`](Hook::after) | look at how it ended | it is logged |
//! | [`rewrite_result`](Hook::rewrite_result) | change the output | it is logged, the output stays |
//!
//! Between `rewrite` and `before` stand the guard and approvals, so that they judge the arguments that
//! are used. Each event happens once a call, also when the call is tried again. A call that is
//! refused meets `after` with the status [`Blocked`](super::CallStatus::Blocked). Three kinds of calls meet
//! no hook: of a tool that the session does not have, with arguments that cannot be decoded, and such
//! as the agent loop must handle.

mod call;
mod closures;
mod run;
mod verdict;

use std::error::Error;
use std::future::{Future, ready};
use std::pin::Pin;

pub use self::call::{Ended, HookCall};
pub(crate) use self::closures::{After, Before, Observe, Rewrite, RewriteResult};
pub(crate) use self::run::{HookAsk, Hooks};
pub use self::verdict::{HookVerdict, IntoDone, IntoVerdict};
use crate::args::ForeignArguments;
use crate::output::Output;

/// What a hook does, under way.
pub type HookFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, HookError>> + Send + 'a>>;

/// Why a hook failed: any error, also a text (`"no".into()`).
pub type HookError = Box<dyn Error + Send + Sync>;

/// A hook that waits, or that takes part in more than one event. For the usual ones closures are
/// enough: [`SessionBuilder::before`](crate::SessionBuilder::before) and its neighbours.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use hermes_tools::hook::{Ended, Hook, HookCall, HookFuture, HookVerdict};
///
/// /// Lets so many calls through.
/// struct Quota(AtomicUsize);
///
/// impl Hook for Quota {
///     fn before<'a>(&'a self, _: &'a HookCall) -> HookFuture<'a, HookVerdict> {
///         Box::pin(async move {
///             let left = self.0.load(Ordering::Relaxed);
///             Ok(match left {
///                 0 => HookVerdict::block("the quota is used up; answer with what you have"),
///                 _ => HookVerdict::Pass,
///             })
///         })
///     }
///
///     fn after<'a>(&'a self, _: &'a HookCall, ended: &'a Ended) -> HookFuture<'a, ()> {
///         Box::pin(async move {
///             if ended.has_run() {
///                 self.0.fetch_sub(1, Ordering::Relaxed);
///             }
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait Hook: Send + Sync {
    /// Changes the arguments of a call. Each hook sees what the one before made of them; what the
    /// last one made is decoded again, and does not run when it does not fit.
    fn rewrite<'a>(
        &'a self,
        _call: &'a HookCall,
        arguments: ForeignArguments,
    ) -> HookFuture<'a, ForeignArguments> {
        Box::pin(ready(Ok(arguments)))
    }

    /// Looks at a call before it runs. All hooks are asked, and one that blocks is enough.
    fn before<'a>(&'a self, _call: &'a HookCall) -> HookFuture<'a, HookVerdict> {
        Box::pin(ready(Ok(HookVerdict::Pass)))
    }

    /// Looks at how a call ended, before its output is cut.
    fn after<'a>(&'a self, _call: &'a HookCall, _ended: &'a Ended) -> HookFuture<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    /// Changes the output of a call that went well. Each hook sees what the one before made of it.
    fn rewrite_result<'a>(&'a self, _call: &'a HookCall, output: Output) -> HookFuture<'a, Output> {
        Box::pin(ready(Ok(output)))
    }
}
