//! Approvals: calls that a person has to allow.
//!
//! Three things ask: a guard that is not sure of a text (`Ask` in its
//! [`Verdict`](super::guard::Verdict)), the session's [`ApprovalPolicy`] by what a call does, and a
//! hook ([`HookVerdict::Ask`](super::hook::HookVerdict)). All that is asked of one call is put to the
//! [`Approver`] as one question. No answer is a no: so are an approver that fails, panics or takes
//! too long, and a session that has none. What tools of a server say of themselves never makes a
//! question go away.

mod ask;
mod closure;
mod grants;
mod key;
mod policy;
mod request;

use std::error::Error;
use std::future::Future;
use std::pin::Pin;

pub(crate) use self::ask::{Approvals, Asked};
pub(crate) use self::closure::Closure;
pub use self::grants::GrantStore;
pub use self::key::GrantKey;
pub use self::policy::{ApprovalPolicy, Rule, Unattended};
pub use self::request::{ApprovalRequest, Reason};

/// Puts questions to a person, or to what decides in a person's place.
///
/// Questions of one session are put one after the other. For an approver that waits without a future,
/// a closure is enough: [`SessionBuilder::approve_with`](crate::SessionBuilder::approve_with).
pub trait Approver: Send + Sync {
    /// Puts a question. The session gives it up after the time of its policy, or when the call is
    /// cancelled, by dropping the future; an answer that comes later counts for nothing.
    ///
    /// # Errors
    ///
    /// The question could not be put. The call is refused.
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> ApprovalFuture<'a>;
}

/// A question that waits for its answer.
pub type ApprovalFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Approval, ApproverError>> + Send + 'a>>;

/// Why a question could not be put: any error, also a text.
pub type ApproverError = Box<dyn Error + Send + Sync>;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// Yes, this time.
    Once,
    /// Yes, and so for the rest of the session.
    Session,
    /// Yes, and so from now on: kept in the host's [`GrantStore`], and for the session where there is
    /// none.
    Always,
    /// No.
    Denied {
        /// Why, for the model; may be empty.
        reason: String,
    },
}

impl Approval {
    /// No, without a reason.
    pub fn denied() -> Self {
        Self::denied_because("")
    }

    /// No, and the model is told why.
    pub fn denied_because(reason: impl Into<String>) -> Self {
        Self::Denied {
            reason: reason.into(),
        }
    }

    /// The word for logs: `once`, `session`, `always` or `denied`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Always => "always",
            Self::Denied { .. } => "denied",
        }
    }
}
