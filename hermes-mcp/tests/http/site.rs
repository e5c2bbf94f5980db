//! The server that the tests ask.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hermes_mcp::{Http, HttpError, Server};
use hermes_tools::testing::FakeClock;
use hermes_tools::{Cancel, Content, Selection, Session, ToolRegistry, tool, tools};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinHandle;

/// What a session has: a number of its own, and what all of them share.
pub(crate) struct Room {
    number: usize,
    shared: Arc<Shared>,
}

/// How long a session stays that nobody uses, unless something else is set.
const IDLE: Duration = Duration::from_mins(30);

/// What the tests know of all sessions.
pub(crate) struct Shared {
    pub(crate) made: AtomicUsize,
    ended: AtomicUsize,
    changed: Notify,
    begun: AtomicUsize,
    stopped: AtomicUsize,
    /// How many waiting calls may go on.
    pub(crate) go: Semaphore,
    /// The clock of calls.
    pub(crate) clock: FakeClock,
    /// The clock by which sessions end that nobody uses.
    pub(crate) idle: FakeClock,
}

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            made: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            changed: Notify::new(),
            begun: AtomicUsize::new(0),
            stopped: AtomicUsize::new(0),
            go: Semaphore::new(0),
            clock: FakeClock::new(),
            idle: FakeClock::new(),
        })
    }

    fn count(&self, what: &AtomicUsize) {
        what.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    async fn until(&self, what: &AtomicUsize, least: usize) {
        loop {
            let changed = self.changed.notified();
            if what.load(Ordering::SeqCst) >= least {
                return;
            }
            changed.await;
        }
    }

    /// Waits until so many sessions have ended.
    pub(crate) async fn until_ended(&self, sessions: usize) {
        self.until(&self.ended, sessions).await;
    }

    /// Lets time pass, again and again, until so many sessions have ended that nobody uses.
    pub(crate) async fn until_expired(&self, sessions: usize) {
        while self.ended.load(Ordering::SeqCst) < sessions {
            self.idle.advance(IDLE);
            tokio::task::yield_now().await;
        }
    }

    /// Waits until so many calls of `wait` have begun.
    pub(crate) async fn until_begun(&self, calls: usize) {
        self.until(&self.begun, calls).await;
    }

    /// Waits until so many calls of `wait` have ended, however they did.
    pub(crate) async fn until_stopped(&self, calls: usize) {
        self.until(&self.stopped, calls).await;
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.shared.count(&self.shared.ended);
    }
}

/// The number of the session.
#[tool(toolset = "test", effect = "read", inline)]
fn which(#[ctx] room: &Room) -> String {
    room.number.to_string()
}

/// The number itself.
#[tool(toolset = "test", effect = "read", inline)]
fn same(
    /// A large one.
    number: i128,
) -> String {
    number.to_string()
}

/// Wait until the test says so.
#[tool(toolset = "test", effect = "read")]
async fn wait(#[ctx] room: &Room) -> &'static str {
    struct Stopped<'a>(&'a Shared);

    impl Drop for Stopped<'_> {
        fn drop(&mut self) {
            self.0.count(&self.0.stopped);
        }
    }

    let _stopped = Stopped(&room.shared);
    room.shared.count(&room.shared.begun);
    // The semaphore is never closed.
    let _ = room
        .shared
        .go
        .acquire()
        .await
        .map(tokio::sync::SemaphorePermit::forget);
    "waited"
}

/// A picture of nine megabytes.
#[tool(toolset = "test", effect = "read", inline)]
fn picture() -> Content {
    Content::image("image/png", vec![7; 9_000_000])
}

/// A server at a port of its own.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    pub(crate) shared: Arc<Shared>,
    pub(crate) stop: Cancel,
    pub(crate) served: JoinHandle<Result<(), HttpError>>,
}

/// A server before anything is set, and what its sessions share.
pub(crate) fn http() -> (Http, Arc<Shared>) {
    let shared = Shared::new();
    let of_server = Arc::clone(&shared);
    let clock = Arc::new(shared.idle.clone());
    let http = Http::new(move || {
        let registry = ToolRegistry::of(tools![picture, same, wait, which])?;
        let number = of_server.made.fetch_add(1, Ordering::SeqCst) + 1;
        let room = Room {
            number,
            shared: Arc::clone(&of_server),
        };
        let session = Session::builder(
            registry,
            Selection::of(["picture", "same", "wait", "which"]),
        )
        .state(room)
        .executor(of_server.clock.clone())
        .build()?;
        Ok(Server::new(session))
    });
    (http.clock(clock), shared)
}

impl Site {
    pub(crate) async fn new() -> Self {
        Self::with(|http| http).await
    }

    /// A server with settings.
    pub(crate) async fn with(settings: impl FnOnce(Http) -> Http) -> Self {
        let (http, shared) = http();
        let stop = Cancel::new();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = tokio::spawn(settings(http).stop_at(&stop).serve(listener));
        Self {
            address,
            shared,
            stop,
            served,
        }
    }
}
