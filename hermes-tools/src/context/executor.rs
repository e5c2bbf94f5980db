//! What a host lends to calls beside memory: threads for plain functions, and time.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::ToolContext;
use crate::output::{ErrorKind, ToolError};

/// Runs jobs that block, and waits.
pub trait Executor: Send + Sync {
    /// Runs a job; the future is ready when it has ended. A job that has begun goes on when the future
    /// is dropped; one that has not should not begin.
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_>;

    /// The moment on the clock that [`sleep`](Self::sleep) follows.
    fn now(&self) -> Instant {
        Instant::now()
    }

    /// The time of day, for logs alone: it may jump.
    fn wall_clock(&self) -> SystemTime {
        SystemTime::now()
    }

    /// Is ready when this time has passed.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// A job under way.
pub type JobFuture<'a> = Pin<Box<dyn Future<Output = Result<(), JobLost>> + Send + 'a>>;

/// Why a job did not run to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobLost {
    /// The pool shut down.
    ShutDown,
    /// It was not started: so many jobs whose calls have ended still run, and the pool keeps the
    /// threads that are left for others.
    TooManyStuck(usize),
}

/// Runs every job where it stands, and no sleep ever ends. The choice of a context without a host.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inline;

impl Executor for Inline {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        job();
        Box::pin(std::future::ready(Ok(())))
    }

    fn sleep(&self, _time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::pending())
    }
}

/// Runs a plain function of a tool on the session's pool. A panic goes on where it is awaited.
pub(crate) async fn run_blocking<T, F>(cx: &ToolContext, function: F) -> Result<T, ToolError>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    // What the call holds is held until the function has ended, whatever becomes of the call.
    let hold = cx.hold();
    let function = move || {
        let value = function();
        drop(hold);
        value
    };
    let ran = run_job(cx.executor(), function).await;
    ran.map_err(|lost| match lost {
        JobLost::ShutDown => ToolError::new(
            ErrorKind::Cancelled,
            "the host is shutting down; the tool did not run to its end",
        )
        .with_help("do not repeat it"),
        JobLost::TooManyStuck(count) => ToolError::new(
            ErrorKind::Busy,
            format!(
                "`{}` was not started: {count} earlier calls were given up and still run",
                cx.tool()
            ),
        )
        .with_help("wait until some of them have ended, or go on without this tool"),
    })
}

/// Runs a plain function on the pool of an executor. A panic goes on where it is awaited.
pub(crate) async fn run_job<T, F>(executor: &dyn Executor, function: F) -> Result<T, JobLost>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    type Ended<T> = Result<T, Box<dyn Any + Send>>;
    let place: Arc<Mutex<Option<Ended<T>>>> = Arc::default();
    let result = Arc::clone(&place);
    let job = Box::new(move || {
        let ended = catch_unwind(AssertUnwindSafe(function));
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    });
    let ran = executor.run_blocking(job).await;
    let ended = place.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (ran, ended) {
        (_, Some(Ok(value))) => Ok(value),
        (_, Some(Err(panic))) => resume_unwind(panic),
        (Err(lost), None) => Err(lost),
        (Ok(()), None) => Err(JobLost::ShutDown),
    }
}

impl fmt::Display for JobLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShutDown => f.write_str("the job's pool shut down"),
            Self::TooManyStuck(count) => write!(f, "{count} jobs that were given up still run"),
        }
    }
}

impl std::error::Error for JobLost {}
