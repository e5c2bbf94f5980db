//! The protocols of the crate under shuttle, which chooses the order in which threads go on.
//!
//! The files of `src/protocol` are compiled here once more, against locks of shuttle. Every lock, atomic
//! and pointer is a place where another thread may go first; a test tries many such orders, and fails
//! with the one that breaks what must hold. A thread that nobody wakes is a deadlock, and a failure too.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::sync::atomic::Ordering;

use shuttle::future::block_on;
use shuttle::sync::atomic::{AtomicU64, AtomicUsize};
use shuttle::thread;

mod sync {
    use std::sync::Arc;

    pub(crate) use shuttle::sync::atomic::{AtomicU64, AtomicUsize};
    pub(crate) use shuttle::sync::{Mutex, MutexGuard};

    /// The pointer of `arc-swap`, behind a lock so that each use is a place where threads may change.
    pub(crate) struct ArcSwap<T>(Mutex<Arc<T>>);

    impl<T> ArcSwap<T> {
        pub(crate) fn from_pointee(value: T) -> Self {
            Self(Mutex::new(Arc::new(value)))
        }

        pub(crate) fn load(&self) -> Arc<T> {
            self.load_full()
        }

        pub(crate) fn load_full(&self) -> Arc<T> {
            Arc::clone(&self.0.lock().unwrap())
        }

        pub(crate) fn store(&self, value: Arc<T>) {
            *self.0.lock().unwrap() = value;
        }
    }
}

#[path = "../src/protocol/flight.rs"]
mod flight;
#[path = "../src/protocol/published.rs"]
mod published;
#[path = "../src/protocol/recent.rs"]
mod recent;

use self::flight::{Flights, Memory};
use self::published::Published;
use self::recent::Recent;

/// Orders that are tried of each test, by chance and with few changes of thread.
const ORDERS: usize = 1_500;
/// The same where `HERMES_SLOW_TESTS` is set: a fault may need one order of ten thousand.
const ORDERS_OF_SLOW_TESTS: usize = 60_000;

fn in_many_orders(test: impl Fn() + Clone + Send + Sync + 'static) {
    let is_slow = std::env::var_os("HERMES_SLOW_TESTS").is_some_and(|value| !value.is_empty());
    let orders = if is_slow {
        ORDERS_OF_SLOW_TESTS
    } else {
        ORDERS
    };
    shuttle::check_random(test.clone(), orders);
    shuttle::check_pct(test, orders, 4);
}

/// What the registry publishes: tools and a generation.
#[derive(Debug, Clone, Default)]
struct Snapshot {
    generation: u64,
    left: u64,
    right: u64,
}

/// What its writers know: how many changes they made.
type Registry = Published<Snapshot, u64>;

/// Two steps, of which no reader may see one alone.
fn change(registry: &Registry) -> u64 {
    let done: Result<u64, ()> = registry.change(|before, count| {
        let mut next = Snapshot::clone(before);
        next.left += 1;
        next.generation += 1;
        *count += 1;
        thread::yield_now();
        next.right += 1;
        next.generation += 1;
        Ok((Some(next), *count))
    });
    done.unwrap()
}

#[test]
fn readers_see_whole_changes_and_writers_lose_none() {
    in_many_orders(|| {
        let registry = Arc::new(Registry::new(
            Snapshot::default(),
            |snapshot| snapshot.generation,
            0,
        ));
        let writers = (0..2).map(|_| {
            let registry = Arc::clone(&registry);
            thread::spawn(move || {
                change(&registry);
                let refused: Result<(), &str> = registry.change(|_, _| Err("refused"));
                assert_eq!(refused, Err("refused"));
                change(&registry);
            })
        });
        let writers: Vec<_> = writers.collect();
        let reader = thread::spawn({
            let registry = Arc::clone(&registry);
            move || {
                let mut last = 0;
                for _ in 0..4 {
                    let told = registry.version();
                    let seen = registry.current();
                    assert!(
                        seen.generation >= told,
                        "{} told as {told}",
                        seen.generation
                    );
                    assert_eq!(seen.left, seen.right);
                    assert_eq!(seen.generation, seen.left + seen.right);
                    assert!(seen.generation >= last, "{} after {last}", seen.generation);
                    last = registry.look(|current| current.generation);
                    assert!(last >= seen.generation);
                }
            }
        });
        for writer in writers {
            writer.join().unwrap();
        }
        reader.join().unwrap();
        assert_eq!(registry.look(|current| current.generation), 8);
        assert_eq!(registry.version(), 8);
        assert_eq!(*registry.writer(), 4);
    });
}

/// Definitions as sessions ask for them: of a snapshot, by its generation.
#[test]
fn definitions_are_those_of_the_snapshot_and_each_is_made_once() {
    in_many_orders(|| {
        let registry = Arc::new(Registry::new(
            Snapshot::default(),
            |snapshot| snapshot.generation,
            0,
        ));
        let cache: Arc<Recent<u64, u64, 8>> = Arc::default();
        let made = Arc::new(AtomicUsize::new(0));
        let readers = (0..2).map(|_| {
            let (registry, cache) = (Arc::clone(&registry), Arc::clone(&cache));
            let made = Arc::clone(&made);
            thread::spawn(move || {
                for _ in 0..3 {
                    let before = registry.look(|current| current.left);
                    let snapshot = registry.current();
                    let definitions = cache.get(snapshot.generation, |_| {
                        made.fetch_add(1, Ordering::Relaxed);
                        thread::yield_now();
                        snapshot.left
                    });
                    assert_eq!(*definitions, snapshot.left);
                    assert!(*definitions >= before);
                }
            })
        });
        let readers: Vec<_> = readers.collect();
        for _ in 0..2 {
            change(&registry);
        }
        for reader in readers {
            reader.join().unwrap();
        }
        let last = registry.current();
        assert_eq!(*cache.get(last.generation, |_| last.left), 2);
        assert!(made.load(Ordering::Relaxed) <= 3);
    });
}

#[test]
fn no_more_than_so_many_are_kept_whoever_asks() {
    in_many_orders(|| {
        let cache: Arc<Recent<u64, u64, 2>> = Arc::default();
        let threads = (0..3).map(|first| {
            let cache = Arc::clone(&cache);
            thread::spawn(move || {
                for key in first..first + 3 {
                    assert_eq!(*cache.get(key, |key| key * 10), key * 10);
                }
            })
        });
        for thread in threads.collect::<Vec<_>>() {
            thread.join().unwrap();
        }
        assert_eq!(format!("{cache:?}"), "Recent { kept: 2 }");
    });
}

/// What is remembered of a check: the answer that was kept last. Time stands still.
#[derive(Default)]
struct Answers(Option<u64>);

impl Memory for Answers {
    type Moment = ();
    type Said = u64;
    type Answer = u64;

    fn known(&self, (): ()) -> Option<u64> {
        self.0
    }

    fn settle(&mut self, (): (), said: u64) -> u64 {
        self.0 = Some(said);
        said
    }

    fn passing((): (), said: u64) -> u64 {
        said
    }
}

type Checks = Flights<u8, Answers>;

/// A server that answers with what is true when it looks, and counts who asks at the same time.
#[derive(Default)]
struct Server {
    truth: AtomicU64,
    busy: AtomicUsize,
    /// How many have asked at the same time at most.
    most: AtomicUsize,
    begun: AtomicUsize,
}

/// Takes back what it counted, also when the probe is dropped in the middle.
struct Busy(Arc<Server>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Server {
    fn probe(self: &Arc<Self>) -> flight::Probe<u64> {
        let server = Arc::clone(self);
        Box::pin(async move {
            server.begun.fetch_add(1, Ordering::SeqCst);
            let beside = server.busy.fetch_add(1, Ordering::SeqCst);
            server.most.fetch_max(beside + 1, Ordering::SeqCst);
            let busy = Busy(Arc::clone(&server));
            shuttle::future::yield_now().await;
            let said = server.truth.load(Ordering::SeqCst);
            shuttle::future::yield_now().await;
            drop(busy);
            said
        })
    }
}

#[test]
fn callers_at_the_same_time_share_one_probe() {
    in_many_orders(|| {
        let (checks, server) = (Arc::new(Checks::default()), Arc::new(Server::default()));
        server.truth.store(7, Ordering::SeqCst);
        let callers = (0..3).map(|_| {
            let (checks, server) = (Arc::clone(&checks), Arc::clone(&server));
            thread::spawn(move || block_on(checks.ask(1, (), || server.probe())))
        });
        for caller in callers.collect::<Vec<_>>() {
            assert_eq!(caller.join().unwrap(), 7);
        }
        assert_eq!(server.begun.load(Ordering::SeqCst), 1);
        assert_eq!(checks.probes(), 1);
        assert_eq!(checks.known(1, ()), Some(7));
    });
}

/// One caller looks once and goes away. The others get their answers, whoever began, and no two probes
/// run side by side.
#[test]
fn a_caller_that_goes_away_takes_nothing_from_the_others() {
    in_many_orders(|| {
        let (checks, server) = (Arc::new(Checks::default()), Arc::new(Server::default()));
        server.truth.store(7, Ordering::SeqCst);
        let hasty = thread::spawn({
            let (checks, server) = (Arc::clone(&checks), Arc::clone(&server));
            move || {
                let mut ask = Box::pin(checks.ask(1, (), || server.probe()));
                block_on(std::future::poll_fn(|task| {
                    let _ = ask.as_mut().poll(task);
                    std::task::Poll::Ready(())
                }));
            }
        });
        let callers = (0..2).map(|_| {
            let (checks, server) = (Arc::clone(&checks), Arc::clone(&server));
            thread::spawn(move || block_on(checks.ask(1, (), || server.probe())))
        });
        for caller in callers.collect::<Vec<_>>() {
            assert_eq!(caller.join().unwrap(), 7);
        }
        hasty.join().unwrap();
        // The first one alone may have been begun in vain.
        assert!(server.begun.load(Ordering::SeqCst) <= 2);
        assert_eq!(server.most.load(Ordering::SeqCst), 1);
        assert_eq!(server.busy.load(Ordering::SeqCst), 0);
        assert_eq!(checks.known(1, ()), Some(7));
    });
}

/// What became true before the answers were forgotten is what is told afterwards.
#[test]
fn an_answer_from_before_it_was_forgotten_is_not_kept() {
    in_many_orders(|| {
        let (checks, server) = (Arc::new(Checks::default()), Arc::new(Server::default()));
        let callers = (0..2).map(|_| {
            let (checks, server) = (Arc::clone(&checks), Arc::clone(&server));
            thread::spawn(move || block_on(checks.ask(1, (), || server.probe())))
        });
        let callers: Vec<_> = callers.collect();
        let before = checks.epoch();
        server.truth.store(1, Ordering::SeqCst);
        checks.forget(1);
        assert_eq!(checks.epoch(), before + 1);
        assert_eq!(block_on(checks.ask(1, (), || server.probe())), 1);
        for caller in callers {
            assert!(caller.join().unwrap() <= 1);
        }
        assert_eq!(checks.known(1, ()), Some(1));
        checks.clear();
        assert_eq!(checks.known(1, ()), None);
    });
}
