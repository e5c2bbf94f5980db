//! The library's own runtime: made when something has to wait, and kept.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use tokio::runtime::{Builder, EnterGuard, Handle, Runtime};

use super::pool;
use crate::context::{Executor, JobFuture};

/// Plain functions run on the blocking threads of the library's own runtime, whatever runtime the
/// host has: a host that shuts its runtime down does not wait for a job that is stuck here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnRuntime {
    /// How many functions may go on behind the end of their calls.
    pub(crate) most_stuck: usize,
}

impl Executor for OwnRuntime {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        pool::start(handle(), job, self.most_stuck)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let _inside = enter();
        Box::pin(tokio::time::sleep(time))
    }
}

/// Waits for a future that needs no runtime around it to begin with. The runtime is not even made when
/// the future is ready at once.
pub(crate) fn settle<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    match future.as_mut().poll(&mut task) {
        Poll::Ready(output) => output,
        Poll::Pending => block_on(future),
    }
}

/// Enters the library's runtime until the guard is dropped.
pub(crate) fn enter() -> EnterGuard<'static> {
    handle().enter()
}

/// Waits for a future, from any thread. It stays on this thread; what it waits for goes on in the
/// library's runtime.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let _inside = enter();
    // Most calls are ready at once, and nothing is set up for those that are not before that is known.
    let mut task = Context::from_waker(Waker::noop());
    if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
        return output;
    }
    let sign = Arc::new(Sign::default());
    let waker = Waker::from(Arc::clone(&sign));
    let mut task = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return output;
        }
        sign.wait();
    }
}

/// A sign of its own and not the thread's park token, which a tool may take.
#[derive(Default)]
struct Sign {
    given: Mutex<bool>,
    changed: Condvar,
}

impl Sign {
    fn wait(&self) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let mut given = self
            .changed
            .wait_while(given, |given| !*given)
            .unwrap_or_else(PoisonError::into_inner);
        *given = false;
    }
}

impl Wake for Sign {
    fn wake(self: Arc<Self>) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
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
