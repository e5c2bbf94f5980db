//! The library's own runtime: made when something has to wait, and kept.

use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::mpsc;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::context::{Executor, JobFuture, JobLost};

/// Plain functions run on the blocking threads of the library's own runtime, whatever runtime the
/// host has: a host that shuts its runtime down does not wait for a job that is stuck here.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OwnRuntime;

impl Executor for OwnRuntime {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        let job = handle().spawn_blocking(job);
        Box::pin(async move { job.await.map_err(|_| JobLost) })
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let _inside = handle().enter();
        Box::pin(tokio::time::sleep(time))
    }
}

/// A call's task ended without an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lost;

/// Waits for a future, from any thread.
///
/// It is polled once where it stands, since most calls are ready at once; only what has to wait is
/// handed to the runtime.
pub(crate) fn block_on<F>(future: F) -> Result<F::Output, Lost>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    let mut future = Box::pin(future);
    {
        let _inside = handle().enter();
        let mut task = Context::from_waker(Waker::noop());
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return Ok(output);
        }
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    handle().spawn(async move {
        // The receiver waits below, so the answer arrives.
        let _ = sender.send(future.await);
    });
    receiver.recv().map_err(|_| Lost)
}

/// Waits for a future where it stands. What it waits for goes on in other threads.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let _inside = handle().enter();
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut task = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return output;
        }
        thread::park();
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn handle() -> &'static Handle {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME
        .get_or_init(|| {
            Builder::new_multi_thread()
                .worker_threads(2)
                .thread_name("hermes-tools")
                .enable_all()
                .build()
                .expect("a process that cannot start two threads cannot run tools")
        })
        .handle()
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task ended without an answer")
    }
}

impl std::error::Error for Lost {}
