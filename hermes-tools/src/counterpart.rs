//! Whoever makes the calls of a session, where a tool turns to it: for words of its model, or for what
//! only its user knows.
//!
//! A host gives a session a [`Counterpart`]. A tool takes [`Sampling`] or [`Questions`] as a `#[ctx]`
//! parameter, or `Option` of them where it can do without. A session without a counterpart answers that
//! the agent loop must handle the tool; a counterpart that cannot do what is asked refuses, and says so.
//!
//! ```
//! use hermes_tools::counterpart::{Counterpart, Reply, Sample, SampleRequest, Sampling};
//! use hermes_tools::{Selection, Session, ToolError, ToolRegistry, tool};
//!
//! /// Put a text into one sentence.
//! #[tool(toolset = "words", effect = "read")]
//! async fn sum_up(
//!     #[ctx] model: Sampling,
//!     /// The text.
//!     text: String,
//! ) -> Result<String, ToolError> {
//!     let request = SampleRequest::new(format!("In one sentence: {text}"), 100);
//!     Ok(model.sample(&request).await?.text)
//! }
//!
//! struct Parrot;
//!
//! impl Counterpart for Parrot {
//!     fn sample<'a>(&'a self, request: &'a SampleRequest) -> Reply<'a, Sample> {
//!         Box::pin(async { Ok(Sample::new(request.prompt(), "parrot")) })
//!     }
//! }
//!
//! let session = Session::builder(ToolRegistry::linked()?, Selection::of(["sum_up"]))
//!     .counterpart(Parrot)
//!     .build()?;
//! let result = session.call_blocking("sum_up", r#"{"text": "It rains."}"#);
//! assert_eq!(result.outcome?.text(), "In one sentence: It rains.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::context::{FromToolContext, ToolContext, missing_state};
use crate::output::{ErrorKind, ToolError};

/// What comes back from a counterpart.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// Whoever makes the calls of a session. What it does not do is refused.
pub trait Counterpart: Send + Sync + 'static {
    /// Has its model write something.
    fn sample<'a>(&'a self, request: &'a SampleRequest) -> Reply<'a, Sample> {
        let _ = request;
        Box::pin(std::future::ready(Err(ToolError::new(
            ErrorKind::Unavailable,
            "whoever makes this call lends no model",
        )
        .with_help("do without it, or write the text yourself")
        .final_())))
    }

    /// Asks its user.
    fn ask<'a>(&'a self, question: &'a Question) -> Reply<'a, Answer> {
        let _ = question;
        Box::pin(std::future::ready(Err(ToolError::new(
            ErrorKind::Unavailable,
            "nobody can be asked in this session",
        )
        .with_help("ask the user yourself, and put the answer into the arguments")
        .final_())))
    }
}

/// What a model is to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRequest {
    prompt: String,
    system: Option<String>,
    max_tokens: u32,
}

/// What a model has written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// The text. It comes from a model: nothing in it is an instruction.
    pub text: String,
    /// The name of the model, as the counterpart says.
    pub model: String,
    /// Why it stopped, in the words of its provider.
    pub stop_reason: Option<String>,
}

/// What a user is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    message: String,
    form: Value,
}

/// What a user has answered.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The form, filled in. It was not held against the form's schema.
    Given(Map<String, Value>),
    /// A no.
    Declined,
    /// No answer: the user put the question away.
    Dismissed,
}

/// The model of whoever makes the call.
#[derive(Clone)]
pub struct Sampling(Arc<dyn Counterpart>);

/// The user of whoever makes the call.
#[derive(Clone)]
pub struct Questions(Arc<dyn Counterpart>);

/// How a session holds its counterpart.
pub(crate) struct Held(pub(crate) Arc<dyn Counterpart>);

impl SampleRequest {
    /// A text to answer, with at most so many tokens.
    pub fn new(prompt: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            prompt: prompt.into(),
            system: None,
            max_tokens,
        }
    }

    /// Sets what the model is told before the text.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = Some(text.into());
        self
    }

    /// The text to answer.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// What the model is told before the text.
    pub fn system_text(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// How many tokens the answer may have.
    pub const fn max_tokens(&self) -> u32 {
        self.max_tokens
    }
}

impl Sample {
    /// A text, and the name of the model that wrote it.
    pub fn new(text: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            model: model.into(),
            stop_reason: None,
        }
    }

    /// Sets why the model stopped.
    #[must_use]
    pub fn stopped(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }
}

impl Question {
    /// A question with a form to fill in: a JSON Schema of an object whose properties are texts, numbers,
    /// booleans and choices, and nothing deeper (Model Context Protocol 2025-11-25, "Elicitation").
    pub fn new(message: impl Into<String>, form: Value) -> Self {
        Self {
            message: message.into(),
            form,
        }
    }

    /// What the user is asked.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The schema of the form.
    pub const fn form(&self) -> &Value {
        &self.form
    }
}

impl Sampling {
    /// Has the model write something.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] where no model is lent, and whatever goes wrong on the way.
    pub async fn sample(&self, request: &SampleRequest) -> Result<Sample, ToolError> {
        self.0.sample(request).await
    }
}

impl Questions {
    /// Asks the user. The answer may take as long as the call may.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] where nobody can be asked, and whatever goes wrong on the way.
    pub async fn ask(&self, question: &Question) -> Result<Answer, ToolError> {
        self.0.ask(question).await
    }
}

fn held(cx: &ToolContext, name: &'static str) -> Result<Arc<dyn Counterpart>, ToolError> {
    match cx.state().get::<Held>() {
        Some(Held(counterpart)) => Ok(Arc::clone(counterpart)),
        None => Err(missing_state(cx.tool(), name)),
    }
}

impl<'a> FromToolContext<'a> for Sampling {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        held(cx, "Sampling").map(Self)
    }
}

impl<'a> FromToolContext<'a> for Questions {
    fn from_context(cx: &'a ToolContext) -> Result<Self, ToolError> {
        held(cx, "Questions").map(Self)
    }
}

impl fmt::Debug for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sampling")
    }
}

impl fmt::Debug for Questions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Questions")
    }
}
