//! Checks and their cache, on a clock that is moved by hand.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use hermes_tools::context::{Executor, JobFuture, SessionContext};
use hermes_tools::search::ToolSearch;
use hermes_tools::{
    Availability, Cancel, CheckCache, CheckContext, CheckHandle, ErrorKind, RuntimeTool, Selection,
    Session, SessionFacts, ToolCall, ToolRegistry, tool, tools,
};
use serde_json::json;

/// Time passes when it is told to. Whoever sleeps looks again when it is polled.
#[derive(Clone)]
struct Clock {
    now: Arc<Mutex<Instant>>,
}

impl Clock {
    fn new() -> Self {
        let now = Arc::new(Mutex::new(Instant::now()));
        Self { now }
    }

    fn advance(&self, seconds: f64) {
        *self.now.lock().unwrap() += Duration::from_secs_f64(seconds);
    }
}

impl Executor for Clock {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        job();
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> Instant {
        *self.now.lock().unwrap()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let end = self.now() + time;
        Box::pin(poll_fn(move |_| {
            if self.now() >= end {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        }))
    }
}

fn context(clock: &Clock) -> Arc<SessionContext> {
    Arc::new(SessionContext {
        executor: Arc::new(clock.clone()),
        ..SessionContext::default()
    })
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn now<F: Future>(future: F) -> F::Output {
    match poll(pin!(future)) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

/// A check that says what is in the place, and counts.
fn counted(says: &Arc<Mutex<bool>>) -> (CheckHandle, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let (says, counting) = (Arc::clone(says), Arc::clone(&count));
    let check = CheckHandle::new(move |_| {
        counting.fetch_add(1, Ordering::Relaxed);
        if *says.lock().unwrap() {
            Availability::Available
        } else {
            Availability::unavailable("off").with_remedy("switch it on")
        }
    });
    (check, count)
}

/// Case 144: a success, a flicker, a recovery, a lasting failure, and its end.
#[test]
fn a_flicker_is_bridged_and_a_failure_lasts() {
    let clock = Clock::new();
    let cx = context(&clock);
    let cache = CheckCache::new();
    let says = Arc::new(Mutex::new(true));
    let (check, count) = counted(&says);
    let values = [(0, true), (31, false), (33, true), (64, false), (131, true)];
    let mut passed = 0;
    let mut available = Vec::new();
    for ask_at in [0, 10, 31, 32, 33, 64, 90, 130, 165] {
        clock.advance(f64::from(ask_at - passed));
        passed = ask_at;
        let value = values.iter().rev().find(|(from, _)| *from <= ask_at);
        *says.lock().unwrap() = value.unwrap().1;
        available.push(now(cache.ask(&check, &cx)).availability.is_available());
    }
    assert_eq!(
        available,
        [true, true, true, true, true, true, true, false, true]
    );
    assert_eq!(count.load(Ordering::Relaxed), 8);
}

#[test]
fn boundaries_are_exact() {
    for (after, probes) in [(29.999_999, 1), (30.0, 2)] {
        let clock = Clock::new();
        let cx = context(&clock);
        let cache = CheckCache::new();
        let (check, count) = counted(&Arc::new(Mutex::new(true)));
        now(cache.ask(&check, &cx));
        clock.advance(after);
        now(cache.ask(&check, &cx));
        assert_eq!(count.load(Ordering::Relaxed), probes, "{after}");
    }
    for (after, available) in [(59.999_999, true), (60.0, false)] {
        let clock = Clock::new();
        let cx = context(&clock);
        let cache = CheckCache::new();
        let says = Arc::new(Mutex::new(true));
        let (check, _) = counted(&says);
        now(cache.ask(&check, &cx));
        *says.lock().unwrap() = false;
        clock.advance(after);
        let answer = now(cache.ask(&check, &cx));
        assert_eq!(answer.availability.is_available(), available, "{after}");
    }
}

#[test]
fn callers_at_the_same_time_share_one_probe() {
    let clock = Clock::new();
    let cx = context(&clock);
    let cache = CheckCache::new();
    let open = Arc::new(Mutex::new(false));
    let asked = Arc::new(AtomicUsize::new(0));
    let check = {
        let (open, asked) = (Arc::clone(&open), Arc::clone(&asked));
        CheckHandle::waiting(move |_| {
            asked.fetch_add(1, Ordering::Relaxed);
            let open = Arc::clone(&open);
            poll_fn(move |_| {
                if *open.lock().unwrap() {
                    Poll::Ready(Availability::Available)
                } else {
                    Poll::Pending
                }
            })
        })
    };
    let mut first = pin!(cache.ask(&check, &cx));
    let mut second = pin!(cache.ask(&check, &cx));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    *open.lock().unwrap() = true;
    // Whoever looks first moves the probe on for all.
    assert!(poll(second.as_mut()).is_ready());
    assert!(poll(first.as_mut()).is_ready());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

/// A check that answers when it is told to, and counts how often it was begun.
fn gated() -> (CheckHandle, Arc<Mutex<bool>>, Arc<AtomicUsize>) {
    let open = Arc::new(Mutex::new(false));
    let begun = Arc::new(AtomicUsize::new(0));
    let (gate, counting) = (Arc::clone(&open), Arc::clone(&begun));
    let check = CheckHandle::waiting(move |_| {
        counting.fetch_add(1, Ordering::Relaxed);
        let gate = Arc::clone(&gate);
        poll_fn(move |_| {
            if *gate.lock().unwrap() {
                Poll::Ready(Availability::Available)
            } else {
                Poll::Pending
            }
        })
    });
    (check, open, begun)
}

#[test]
fn a_caller_that_goes_away_leaves_its_probe_to_the_others() {
    let clock = Clock::new();
    let cx = context(&clock);
    let cache = CheckCache::new();
    let (check, open, begun) = gated();
    let mut second = pin!(cache.ask(&check, &cx));
    {
        let mut first = pin!(cache.ask(&check, &cx));
        assert!(poll(first.as_mut()).is_pending());
        assert!(poll(second.as_mut()).is_pending());
    }
    // The time that the first one has waited counts.
    clock.advance(4.0);
    assert!(poll(second.as_mut()).is_pending());
    *open.lock().unwrap() = true;
    assert!(poll(second.as_mut()).is_ready());
    assert_eq!(begun.load(Ordering::Relaxed), 1);
}

#[test]
fn a_probe_that_nobody_waits_for_ends_and_the_next_question_begins_anew() {
    let clock = Clock::new();
    let cx = context(&clock);
    let cache = CheckCache::new();
    let (check, open, begun) = gated();
    {
        let mut first = pin!(cache.ask(&check, &cx));
        assert!(poll(first.as_mut()).is_pending());
    }
    clock.advance(60.0);
    // It has five seconds of its own, not what is left of the first one's.
    let mut second = pin!(cache.ask(&check, &cx));
    assert!(poll(second.as_mut()).is_pending());
    *open.lock().unwrap() = true;
    let Poll::Ready(answer) = poll(second.as_mut()) else {
        panic!("it still waits");
    };
    assert!(answer.availability.is_available());
    assert_eq!(begun.load(Ordering::Relaxed), 2);
}

#[test]
fn a_cancelled_call_ends_at_once_while_its_check_is_asked_and_the_others_go_on() {
    let (check, open, begun) = gated();
    let registry = ToolRegistry::of(&[]).unwrap();
    let tool = RuntimeTool::new("slow", "s", "", json!({})).check(check);
    registry.register(tool.answering(|_| "done"));
    let session = Session::builder(registry, Selection::of(["slow"]))
        .executor(Clock::new())
        .build()
        .unwrap();
    let cancel = Cancel::new();
    let mut first = pin!(session.call_with(ToolCall::new("slow", "{}").cancel(cancel.clone())));
    let mut second = pin!(session.call("slow", "{}"));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    cancel.cancel();
    let Poll::Ready(result) = poll(first.as_mut()) else {
        panic!("it still waits");
    };
    let error = result.outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(
        error.message(),
        "the call of `slow` was cancelled by the user"
    );
    assert!(poll(second.as_mut()).is_pending());
    *open.lock().unwrap() = true;
    let Poll::Ready(result) = poll(second.as_mut()) else {
        panic!("it still waits");
    };
    assert_eq!(result.outcome.unwrap().text(), "done");
    assert_eq!(begun.load(Ordering::Relaxed), 1);
}

#[test]
fn a_cancelled_search_ends_at_once_while_checks_are_asked() {
    let (check, _, _) = gated();
    let registry = ToolRegistry::of(&[]).unwrap();
    registry.register(RuntimeTool::new("slow", "s", "", json!({})).check(check));
    let session = Session::builder(registry, Selection::of(["slow"]))
        .executor(Clock::new())
        .tool_search(ToolSearch::default())
        .build()
        .unwrap();
    let cancel = Cancel::new();
    let call = ToolCall::new("tool_search", r#"{"query": "slow"}"#).cancel(cancel.clone());
    let mut search = pin!(session.call_with(call));
    assert!(poll(search.as_mut()).is_pending());
    cancel.cancel();
    let Poll::Ready(result) = poll(search.as_mut()) else {
        panic!("it still waits");
    };
    assert_eq!(result.outcome.unwrap_err().kind(), ErrorKind::Cancelled);
}

#[test]
fn a_probe_that_hangs_is_given_up() {
    let clock = Clock::new();
    let cx = context(&clock);
    let cache = CheckCache::new();
    let check = CheckHandle::waiting(|_| std::future::pending());
    let mut answer = pin!(cache.ask(&check, &cx));
    assert!(poll(answer.as_mut()).is_pending());
    clock.advance(5.0);
    let Poll::Ready(answer) = poll(answer) else {
        panic!("it still waits");
    };
    assert_eq!(
        answer.availability.to_string(),
        "its check did not answer within 5 s; try again later"
    );
}

type Job = Box<dyn FnOnce() + Send>;

/// Jobs wait in a list until the test runs them.
#[derive(Clone)]
struct Threads {
    clock: Clock,
    jobs: Arc<Mutex<Vec<Job>>>,
}

impl Executor for Threads {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        self.jobs.lock().unwrap().push(job);
        Box::pin(std::future::pending())
    }

    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.clock.sleep(time)
    }
}

#[test]
fn a_plain_check_that_hangs_takes_one_thread_however_often_it_is_asked() {
    let threads = Threads {
        clock: Clock::new(),
        jobs: Arc::default(),
    };
    let cx = Arc::new(SessionContext {
        executor: Arc::new(threads.clone()),
        ..SessionContext::default()
    });
    let waiting = || threads.jobs.lock().unwrap().len();
    let cache = CheckCache::new();
    let (check, count) = counted(&Arc::new(Mutex::new(true)));
    for round in 0..4 {
        let mut answer = pin!(cache.ask(&check, &cx));
        assert!(poll(answer.as_mut()).is_pending());
        threads.clock.advance(5.0);
        assert!(poll(answer.as_mut()).is_ready(), "{round}");
        assert_eq!(waiting(), 1);
        threads.clock.advance(30.0);
    }
    // When it comes back at last, whoever waits is told, and the next question runs it anew.
    let mut answer = pin!(cache.ask(&check, &cx));
    assert!(poll(answer.as_mut()).is_pending());
    let job = threads.jobs.lock().unwrap().pop().unwrap();
    job();
    let Poll::Ready(answer) = poll(answer.as_mut()) else {
        panic!("it still waits");
    };
    assert!(answer.availability.is_available());
    assert_eq!(count.load(Ordering::Relaxed), 1);
    threads.clock.advance(30.0);
    let mut next = pin!(cache.ask(&check, &cx));
    assert!(poll(next.as_mut()).is_pending());
    assert_eq!(waiting(), 1);
    // One that is forgotten is not waited for: it may have looked before.
    cache.forget(&check);
    let mut last = pin!(cache.ask(&check, &cx));
    assert!(poll(last.as_mut()).is_pending());
    assert_eq!(waiting(), 2);
    // A job that is lost answers, too.
    threads.jobs.lock().unwrap().clear();
    let Poll::Ready(answer) = poll(last.as_mut()) else {
        panic!("it still waits");
    };
    assert_eq!(
        answer.availability.reason(),
        Some("the host is shutting down")
    );
}

/// Case 147: a check that panics is a check that fails, again and again, and stops nothing else.
#[test]
fn a_check_that_panics_makes_its_tool_unavailable_and_is_asked_once() {
    let clock = Clock::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    let panics = CheckHandle::new(move |_| {
        counting.fetch_add(1, Ordering::Relaxed);
        panic!("on purpose")
    });
    let (disabled, disabled_count) = counted(&Arc::new(Mutex::new(true)));
    let registry = ToolRegistry::of(&[]).unwrap();
    let tool = |name| RuntimeTool::new(name, "s", "", json!({}));
    registry.register(tool("throws").check(panics));
    registry.register(tool("works"));
    registry.register(tool("elsewhere").check(disabled));
    let session = Session::builder(registry, Selection::of(["throws", "works"]))
        .executor(clock)
        .build()
        .unwrap();
    for _ in 0..20 {
        let definitions = session.definitions();
        let names: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["works"]);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    assert_eq!(disabled_count.load(Ordering::Relaxed), 0);
    let error = session.call_blocking("throws", "{}").outcome.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`throws` is unavailable: its check panicked: on purpose; report it to the author of the tool"
    );
}

/// Case 146: the check of one tool never speaks for another, whatever the order.
#[test]
fn one_usable_tool_makes_a_toolset_available() {
    let tools = [("cdp", false), ("navigate", true), ("click", true)];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let registry = ToolRegistry::of(&[]).unwrap();
        for place in order {
            let (name, says) = tools[place];
            let (check, _) = counted(&Arc::new(Mutex::new(says)));
            registry.register(RuntimeTool::new(name, "browser", "", json!({})).check(check));
        }
        let session = Session::builder(registry, Selection::of(["cdp", "navigate", "click"]))
            .executor(Clock::new())
            .build()
            .unwrap();
        let report = session.availability_report();
        assert!(report[0].is_available());
        let definitions = session.definitions();
        let offered: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
        assert_eq!(offered, ["click", "navigate"]);
    }
}

#[test]
fn definitions_follow_the_checks() {
    let clock = Clock::new();
    let says = Arc::new(Mutex::new(true));
    let (check, _) = counted(&says);
    let registry = ToolRegistry::of(&[]).unwrap();
    registry.register(RuntimeTool::new("a", "s", "", json!({})).check(check.clone()));
    let session = Session::builder(registry, Selection::of(["a"]))
        .executor(clock.clone())
        .build()
        .unwrap();
    let first = session.definitions();
    assert!(Arc::ptr_eq(&first, &session.definitions()));
    *says.lock().unwrap() = false;
    clock.advance(29.0);
    assert_eq!(session.definitions().count(), 1);
    clock.advance(31.0);
    assert_eq!(session.definitions().count(), 0);
    *says.lock().unwrap() = true;
    assert_eq!(session.definitions().count(), 0);
    session.checks().forget(&check);
    let last = session.definitions();
    assert!(
        Arc::ptr_eq(&first, &last),
        "the same tools are the same text"
    );
}

#[test]
fn missing_variables_are_named_and_never_shown() {
    let registry = ToolRegistry::of(&[]).unwrap();
    let tool = RuntimeTool::new("a", "s", "", json!({})).requires_env(["KEY", "TOKEN"]);
    registry.register(tool);
    let facts =
        SessionFacts::default().environment(|name| (name == "KEY").then(|| "hunter2".to_owned()));
    let session = Session::builder(registry, Selection::of(["a"]))
        .facts(facts)
        .build()
        .unwrap();
    let report = session.availability_report();
    let tool = &report[0].tools[0];
    assert_eq!(tool.missing_env, ["TOKEN".into()]);
    assert_eq!(
        tool.availability.to_string(),
        "environment variable not set: `TOKEN`; set `TOKEN`"
    );
}

static SHARED: AtomicUsize = AtomicUsize::new(0);

fn shared(_: &CheckContext<'_>) -> Availability {
    SHARED.fetch_add(1, Ordering::Relaxed);
    Availability::Available
}

/// First of two.
#[tool(toolset = "pair", effect = "read", check = shared)]
async fn first() -> String {
    String::new()
}

/// Second of two.
#[tool(toolset = "pair", effect = "read", check = shared)]
async fn second() -> String {
    String::new()
}

#[test]
fn tools_that_name_one_function_share_its_answer() {
    let registry = ToolRegistry::of(tools![first, second]).unwrap();
    let session = Session::builder(registry, Selection::of(["first", "second"]))
        .build()
        .unwrap();
    assert_eq!(session.definitions().count(), 2);
    assert!(session.call_blocking("second", "{}").outcome.is_ok());
    assert_eq!(SHARED.load(Ordering::Relaxed), 1);
}
