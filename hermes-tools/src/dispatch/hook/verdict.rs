//! What a hook says of a call.

use std::borrow::Cow;

use super::HookError;

/// What a hook says before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HookVerdict {
    /// It may run, as far as this hook is concerned.
    Pass,
    /// It does not run. The text goes to the model.
    Block(Cow<'static, str>),
    /// It runs when a person allows it.
    Ask {
        /// Why a person is asked.
        why: Cow<'static, str>,
        /// What an answer for the session or for always is remembered under, in place of the tool.
        key: Option<Cow<'static, str>>,
    },
}

/// What a closure may return that is asked before a call: nothing, a [`HookVerdict`], or a `Result` of
/// those.
pub trait IntoVerdict {
    /// Makes it a verdict.
    ///
    /// # Errors
    ///
    /// The closure failed, which blocks the call.
    fn into_verdict(self) -> Result<HookVerdict, HookError>;
}

/// What a closure may return that has nothing to say: nothing, or a `Result` of that.
pub trait IntoDone {
    /// Makes it a result.
    ///
    /// # Errors
    ///
    /// The closure failed.
    fn into_done(self) -> Result<(), HookError>;
}

impl HookVerdict {
    /// The call does not run. The text says to the model why, and what to do instead.
    pub fn block(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Block(message.into())
    }

    /// The call runs when a person allows it.
    pub fn ask(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Ask {
            why: why.into(),
            key: None,
        }
    }

    /// Sets what an answer for the session or for always is remembered under. It counts for this tool
    /// alone.
    #[must_use]
    pub fn remembered_as(self, key: impl Into<Cow<'static, str>>) -> Self {
        match self {
            Self::Ask { why, .. } => Self::Ask {
                why,
                key: Some(key.into()),
            },
            other => other,
        }
    }
}

impl IntoVerdict for HookVerdict {
    fn into_verdict(self) -> Result<HookVerdict, HookError> {
        Ok(self)
    }
}

impl IntoVerdict for () {
    fn into_verdict(self) -> Result<HookVerdict, HookError> {
        Ok(HookVerdict::Pass)
    }
}

impl<V: IntoVerdict, E: Into<HookError>> IntoVerdict for Result<V, E> {
    fn into_verdict(self) -> Result<HookVerdict, HookError> {
        self.map_err(Into::into)?.into_verdict()
    }
}

impl IntoDone for () {
    fn into_done(self) -> Result<(), HookError> {
        Ok(())
    }
}

impl<E: Into<HookError>> IntoDone for Result<(), E> {
    fn into_done(self) -> Result<(), HookError> {
        self.map_err(Into::into)
    }
}
