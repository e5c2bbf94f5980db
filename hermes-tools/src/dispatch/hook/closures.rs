//! Closures as hooks. They are plain functions, so they run where plain tools run: one that does not
//! come back can be given up.

use std::fmt;
use std::sync::Arc;

use super::{Ended, Hook, HookCall, HookError, HookFuture, HookVerdict, IntoDone, IntoVerdict};
use crate::args::ForeignArguments;
use crate::context::run_job;
use crate::output::Output;

pub(crate) struct Before<F>(pub(crate) Arc<F>);
pub(crate) struct Observe<F>(pub(crate) Arc<F>);
pub(crate) struct After<F>(pub(crate) Arc<F>);
pub(crate) struct Rewrite<F>(pub(crate) Arc<F>);
pub(crate) struct RewriteResult<F>(pub(crate) Arc<F>);

impl<F, R> Hook for Before<F>
where
    F: Fn(&HookCall) -> R + Send + Sync + 'static,
    R: IntoVerdict,
{
    fn before<'a>(&'a self, call: &'a HookCall) -> HookFuture<'a, HookVerdict> {
        let (hook, seen) = (Arc::clone(&self.0), call.clone());
        on_thread(call, move || hook(&seen).into_verdict())
    }
}

impl<F, R> Hook for Observe<F>
where
    F: Fn(&HookCall) -> R + Send + Sync + 'static,
    R: IntoDone,
{
    fn before<'a>(&'a self, call: &'a HookCall) -> HookFuture<'a, HookVerdict> {
        let (hook, seen) = (Arc::clone(&self.0), call.clone());
        on_thread(call, move || {
            hook(&seen).into_done().map(|()| HookVerdict::Pass)
        })
    }
}

impl<F, R> Hook for After<F>
where
    F: Fn(&HookCall, &Ended) -> R + Send + Sync + 'static,
    R: IntoDone,
{
    fn after<'a>(&'a self, call: &'a HookCall, ended: &'a Ended) -> HookFuture<'a, ()> {
        let (hook, seen, ended) = (Arc::clone(&self.0), call.clone(), ended.clone());
        on_thread(call, move || hook(&seen, &ended).into_done())
    }
}

impl<F, R> Hook for Rewrite<F>
where
    F: Fn(&HookCall, &mut ForeignArguments) -> R + Send + Sync + 'static,
    R: IntoDone,
{
    fn rewrite<'a>(
        &'a self,
        call: &'a HookCall,
        mut arguments: ForeignArguments,
    ) -> HookFuture<'a, ForeignArguments> {
        let (hook, seen) = (Arc::clone(&self.0), call.clone());
        on_thread(call, move || {
            hook(&seen, &mut arguments).into_done()?;
            Ok(arguments)
        })
    }
}

impl<F, R> Hook for RewriteResult<F>
where
    F: Fn(&HookCall, &mut Output) -> R + Send + Sync + 'static,
    R: IntoDone,
{
    fn rewrite_result<'a>(
        &'a self,
        call: &'a HookCall,
        mut output: Output,
    ) -> HookFuture<'a, Output> {
        let (hook, seen) = (Arc::clone(&self.0), call.clone());
        on_thread(call, move || {
            hook(&seen, &mut output).into_done()?;
            Ok(output)
        })
    }
}

fn on_thread<T: Send + 'static>(
    call: &HookCall,
    job: impl FnOnce() -> Result<T, HookError> + Send + 'static,
) -> HookFuture<'_, T> {
    Box::pin(async move { run_job(call.executor(), job).await? })
}

macro_rules! opaque {
    ($($name:ident),*) => {$(
        impl<F> fmt::Debug for $name<F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

opaque!(Before, Observe, After, Rewrite, RewriteResult);
