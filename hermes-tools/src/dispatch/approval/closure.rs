//! A closure as an approver.

use std::sync::Arc;

use super::{Approval, ApprovalFuture, ApprovalRequest, Approver};
use crate::context::run_job;

/// Runs where plain tools run, so that one that waits for a person holds no one else up.
pub(crate) struct Closure<F>(pub(crate) Arc<F>);

impl<F> Approver for Closure<F>
where
    F: Fn(&ApprovalRequest) -> Approval + Send + Sync + 'static,
{
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> ApprovalFuture<'a> {
        let (closure, question) = (Arc::clone(&self.0), request.clone());
        Box::pin(async move { Ok(run_job(request.executor(), move || closure(&question)).await?) })
    }
}

impl<F> std::fmt::Debug for Closure<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Closure")
    }
}
