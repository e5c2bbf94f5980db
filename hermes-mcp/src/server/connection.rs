//! What a server keeps for one client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use hermes_tools::definitions::Definitions;
use hermes_tools::{Content, Session};
use rmcp::model::{ErrorData, ResourceUpdatedNotificationParam};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;
use tokio::time::MissedTickBehavior;

use super::Server;
use super::call::LogListener;
use super::listing::Listing;
use super::log::Log;
use super::watched::{NOT_OPEN, Signs};

/// One client and what it knows.
pub(super) struct Connection {
    /// Makes the server when the client opens the connection.
    make: Box<Make>,
    server: OnceLock<Server>,
    signs: OnceLock<Signs>,
    latest: Mutex<Option<Arc<Listing>>>,
    /// What the client has listed, or was told that it has changed to.
    told: Mutex<Option<Arc<Definitions>>>,
    pub(super) called: Notify,
    pub(super) log: Arc<Log>,
    pub(super) hear: Arc<LogListener>,
    /// The resources of which the client wants to hear.
    followed: Mutex<HashMap<String, Follower>>,
}

/// Makes a server for a client, or says why there is none.
pub(super) type Make = dyn Fn() -> Result<Server, String> + Send + Sync;

/// A task that ends with this.
struct Follower(AbortHandle);

/// How often it is looked whether the tools have changed.
const LOOK: Duration = Duration::from_secs(1);

/// How many resources one client may follow.
const MOST_FOLLOWED: usize = 1_000;

impl Connection {
    pub(super) fn new(make: Box<Make>) -> Self {
        let log: Arc<Log> = Arc::default();
        let heard = Arc::clone(&log);
        Self {
            make,
            server: OnceLock::new(),
            signs: OnceLock::new(),
            latest: Mutex::default(),
            told: Mutex::default(),
            called: Notify::new(),
            log,
            hear: Arc::new(move |event| heard.hear(event)),
            followed: Mutex::default(),
        }
    }

    /// Takes note that the client has come.
    ///
    /// # Errors
    ///
    /// There is no session to be had for it.
    pub(super) fn open(&self, signs: Option<&Signs>) -> Result<(), ErrorData> {
        if let Some(signs) = signs {
            // A second handshake changes nothing.
            let _ = self.signs.set(signs.clone());
        }
        if self.server.get().is_none() {
            let server = (self.make)().map_err(|why| {
                tracing::error!(why, "a client gets no session");
                ErrorData::internal_error(
                    "there is no session to be had; see the server's log",
                    None,
                )
            })?;
            let _ = self.server.set(server);
        }
        Ok(())
    }

    /// The server.
    ///
    /// # Errors
    ///
    /// The client has not opened the connection.
    pub(super) fn server(&self) -> Result<&Server, ErrorData> {
        let open = self.server.get();
        open.ok_or_else(|| ErrorData::invalid_request(NOT_OPEN, None))
    }

    /// The signs of the connection.
    pub(super) fn signs(&self) -> &Signs {
        self.signs
            .get_or_init(|| Signs::below(&hermes_tools::Cancel::never()))
    }

    /// The tools as they are now.
    pub(super) async fn listing(&self, session: &Session) -> Arc<Listing> {
        let now = Listing::definitions(session).await;
        self.listing_of(session, now)
    }

    fn listing_of(&self, session: &Session, now: Arc<Definitions>) -> Arc<Listing> {
        let mut latest = lock(&self.latest);
        if let Some(listing) = latest.as_ref().filter(|it| Arc::ptr_eq(it.source(), &now)) {
            return Arc::clone(listing);
        }
        let listing = Arc::new(Listing::of(session, now));
        *latest = Some(Arc::clone(&listing));
        listing
    }

    /// Whether a tool says what its results look like. No check is asked for it.
    pub(super) fn promises(&self, session: &Session, tool: &str) -> bool {
        let now = Listing::known(session);
        self.listing_of(session, now).has_output_schema(tool)
    }

    /// Takes note that the client has listed the tools.
    pub(super) fn listed(&self, listing: &Listing) {
        *lock(&self.told) = Some(Arc::clone(listing.source()));
    }

    /// Whether the tools have changed since the client was told of them. The answer is yes once.
    async fn has_changed(&self) -> bool {
        let Some(server) = self.server.get() else {
            return false;
        };
        if lock(&self.told).is_none() {
            return false;
        }
        let now = Listing::definitions(&server.session).await;
        let mut told = lock(&self.told);
        match &mut *told {
            Some(before) if !Arc::ptr_eq(before, &now) => {
                let changed = **before != *now;
                *before = now;
                changed
            }
            _ => false,
        }
    }

    /// Tells the client from now on what it does not ask for: that the tools have changed since it has
    /// listed them, and what tools say while they run. Ends with the connection.
    pub(super) fn tell(self: &Arc<Self>, client: Peer<RoleServer>) {
        let gone = self.signs().gone.clone();
        let tell_changes = tell_changes(Arc::downgrade(self), client.clone());
        let tell_log = tell_log(Arc::clone(&self.log), client);
        tokio::spawn(async move {
            tokio::select! {
                () = tell_changes => {}
                () = tell_log => {}
                () = gone.cancelled() => {}
            }
        });
    }

    /// Tells the client whenever a resource changes.
    pub(super) fn follow(
        &self,
        uri: String,
        mut changes: watch::Receiver<Content>,
        client: Peer<RoleServer>,
    ) {
        let mut followed = lock(&self.followed);
        if followed.len() >= MOST_FOLLOWED && !followed.contains_key(&uri) {
            return;
        }
        changes.mark_unchanged();
        let followed_uri = uri.clone();
        let gone = self.signs().gone.clone();
        let task = tokio::spawn(async move {
            let tell = async {
                while changes.changed().await.is_ok() {
                    let update = ResourceUpdatedNotificationParam::new(&*followed_uri);
                    if client.notify_resource_updated(update).await.is_err() {
                        return;
                    }
                }
            };
            tokio::select! {
                () = tell => {}
                () = gone.cancelled() => {}
            }
        });
        followed.insert(uri, Follower(task.abort_handle()));
    }

    /// Tells the client nothing more of a resource.
    pub(super) fn forget(&self, uri: &str) {
        lock(&self.followed).remove(uri);
    }
}

/// Ends when the client cannot be told any more.
async fn tell_changes(connection: Weak<Connection>, client: Peer<RoleServer>) {
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while let Some(connection) = connection.upgrade() {
        tokio::select! {
            _ = look.tick() => {}
            () = connection.called.notified() => {}
        }
        if connection.has_changed().await && client.notify_tool_list_changed().await.is_err() {
            return;
        }
    }
}

/// Sends what tools say while they run.
async fn tell_log(log: Arc<Log>, client: Peer<RoleServer>) {
    loop {
        log.news().await;
        log.send(&client).await;
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn lock<T>(value: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What stands behind these locks is replaced as a whole.
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
