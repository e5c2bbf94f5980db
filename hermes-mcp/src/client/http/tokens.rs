//! Where the tokens of sign-ins are kept.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use hermes_tools::context::{Executor, Inline};
use rmcp::transport::auth::{
    AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use sha2::{Digest as _, Sha256};

use crate::client::private;

/// A folder with one file for each server that somebody has signed in to, for its owner alone.
#[derive(Clone)]
pub struct TokenFolder {
    path: PathBuf,
    clock: Arc<dyn Executor>,
}

/// How often it is looked whether somebody has signed in.
const LOOK: Duration = Duration::from_secs(1);

/// How long before its end a token is renewed; of one that lasts shorter, half its life.
const EARLY: Duration = Duration::from_secs(30);

/// How far a clock may be set back without anybody asking whether tokens have aged meanwhile.
const TOLERANCE: Duration = Duration::from_mins(1);

/// The file of one server.
#[derive(Clone)]
pub(in crate::client) struct TokenFile {
    path: PathBuf,
    clock: Arc<dyn Executor>,
}

/// Which writing of a file is meant: whoever writes it puts a new file in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::client) struct Written {
    modified: SystemTime,
    length: u64,
    /// The number of the file, where the system has such.
    number: u64,
}

impl TokenFolder {
    /// Keeps tokens here. Nothing is made before there is one to keep.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self {
            path: folder.into(),
            clock: Arc::new(Inline),
        }
    }

    /// Sets whose time of day tells how old tokens are; that of the system without this. It may jump: a
    /// token of the future counts as one whose age nobody knows, and is renewed where it can be.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Executor>) -> Self {
        self.clock = clock;
        self
    }

    /// Whether somebody has signed in to this server at this address.
    pub fn has(&self, server: &str, url: &str) -> bool {
        self.of(server, url).is_there()
    }

    /// Forgets the tokens of a server; true when there were any.
    ///
    /// # Errors
    ///
    /// The file cannot be removed.
    pub fn forget(&self, server: &str, url: &str) -> io::Result<bool> {
        match fs::remove_file(self.of(server, url).path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Tokens of one address are never sent to another one that takes its name over.
    pub(in crate::client) fn of(&self, server: &str, url: &str) -> TokenFile {
        let digest = Sha256::digest(url.as_bytes());
        let digest: String = digest[..8].iter().map(|it| format!("{it:02x}")).collect();
        TokenFile {
            path: self.path.join(format!("{server}-{digest}.json")),
            clock: Arc::clone(&self.clock),
        }
    }
}

impl TokenFile {
    pub(super) fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// What was written last.
    pub(in crate::client) fn written(&self) -> Option<Written> {
        let facts = fs::metadata(&self.path).ok()?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&facts);
        #[cfg(not(unix))]
        let number = 0;
        Some(Written {
            modified: facts.modified().ok()?,
            length: facts.len(),
            number,
        })
    }

    /// Waits until somebody has signed in since, in this process or another one.
    pub(in crate::client) async fn changed(&self, since: Option<Written>) {
        while self.written() == since {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// What is kept, as it stands.
    fn read(&self) -> io::Result<Option<StoredCredentials>> {
        match fs::read(&self.path) {
            Ok(text) => Ok(serde_json::from_slice(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, credentials: &StoredCredentials) -> io::Result<()> {
        private::write(&self.path, &serde_json::to_vec(credentials)?)
    }

    /// The time of day in seconds.
    fn now(&self) -> u64 {
        let since = self.clock.wall_clock().duration_since(UNIX_EPOCH);
        since.unwrap_or_default().as_secs()
    }
}

/// Says of tokens whether they have to be renewed, in the form in which the SDK understands it: as the
/// moment at which they came.
///
/// Where they can be renewed, what is too old or of the future is said to be very old. Where they cannot,
/// nothing is said of their age: the server knows it, and refuses them no later than we would.
fn judged(mut kept: StoredCredentials, now: u64) -> StoredCredentials {
    // As they were read from the file.
    let tokens = serde_json::to_value(&kept.token_response).unwrap_or_default();
    let life = tokens["expires_in"].as_u64().map(Duration::from_secs);
    let ages = life.zip(kept.token_received_at);
    let renews = tokens["refresh_token"].is_string();
    let is_old = ages.is_some_and(|(life, came)| is_old(life, came, now));
    kept.token_received_at = (renews && is_old).then_some(0);
    kept
}

fn is_old(life: Duration, came: u64, now: u64) -> bool {
    let early = EARLY.min(life / 2);
    let age = Duration::from_secs(now.saturating_sub(came));
    came > now.saturating_add(TOLERANCE.as_secs()) || age + early >= life
}

/// Does something with files beside the threads that answer.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, AuthError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(io::Error::other)
        .and_then(|done| done)
        .map_err(|error| AuthError::CredentialStoreError(error.to_string()))
}

#[async_trait]
impl CredentialStore for TokenFile {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let this = self.clone();
        let kept = beside(move || this.read()).await?;
        Ok(kept.map(|kept| judged(kept, self.now())))
    }

    async fn save(&self, mut credentials: StoredCredentials) -> Result<(), AuthError> {
        credentials.token_received_at = credentials.token_received_at.map(|_| self.now());
        let this = self.clone();
        beside(move || this.write(&credentials)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        let this = self.clone();
        beside(move || match fs::remove_file(&this.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let this = self.clone();
        let held = beside(move || private::lock(&this.path)).await?;
        Ok(Some(CredentialRefreshGuard::new(held)))
    }
}

impl fmt::Debug for TokenFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenFolder({})", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use hermes_tools::testing::FakeClock;
    use rmcp::transport::auth::OAuthTokenResponse;

    use super::*;

    const HOUR: u64 = 3_600;

    fn tokens(life: u64, renews: bool) -> OAuthTokenResponse {
        let mut tokens =
            serde_json::json!({"access_token": "a", "token_type": "bearer", "expires_in": life});
        if renews {
            tokens["refresh_token"] = "r".into();
        }
        serde_json::from_value(tokens).unwrap()
    }

    /// Whether tokens that came at an hour have to be renewed at another one.
    async fn is_renewed(renews: bool, came: u64, now: u64) -> bool {
        let place = tempfile::tempdir().unwrap();
        let clock = FakeClock::new();
        let folder = TokenFolder::at(place.path()).clock(Arc::new(clock.clone()));
        let file = folder.of("s", "https://example.org/mcp");
        let at = |hour: u64| UNIX_EPOCH + Duration::from_secs(hour * HOUR);
        clock.set_wall_clock(at(came));
        // The SDK takes the time of the system, which counts as that of the clock.
        let tokens = Some(tokens(8 * HOUR, renews));
        let kept = StoredCredentials::new("id".to_owned(), tokens, vec![], Some(7));
        file.save(kept).await.unwrap();
        assert_eq!(
            file.read().unwrap().unwrap().token_received_at,
            Some(came * HOUR)
        );
        clock.set_wall_clock(at(now));
        match file.load().await.unwrap().unwrap().token_received_at {
            Some(0) => true,
            None => false,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn tokens_are_renewed_when_they_are_old_or_of_the_future() {
        let came = 1_000;
        assert!(!is_renewed(true, came, came).await);
        assert!(!is_renewed(true, came, came + 7).await);
        assert!(is_renewed(true, came, came + 8).await);
        assert!(is_renewed(true, came, came + 1_000).await);
        // The clock was set back: nobody knows how old they are.
        assert!(is_renewed(true, came, came - 1).await);
        assert!(is_renewed(true, came, 0).await);
    }

    #[tokio::test]
    async fn tokens_that_cannot_be_renewed_are_sent_whatever_the_clock_says() {
        for now in [0, 990, 1_000, 1_007, 1_010, 9_000] {
            assert!(!is_renewed(false, 1_000, now).await, "{now}");
        }
    }

    #[test]
    fn a_token_is_renewed_a_little_before_its_end() {
        let life = Duration::from_secs(100);
        assert!(!is_old(life, 1_000, 1_069));
        assert!(is_old(life, 1_000, 1_070));
        // Of a short life, half.
        assert!(!is_old(Duration::from_secs(10), 1_000, 1_004));
        assert!(is_old(Duration::from_secs(10), 1_000, 1_005));
        // A clock that is corrected by a little has not been set.
        assert!(!is_old(life, 1_000, 950));
        assert!(is_old(life, 1_000, 939));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn tokens_are_for_their_owner_alone_and_for_one_address() {
        use std::os::unix::fs::PermissionsExt as _;
        use std::path::Path;
        let place = tempfile::tempdir().unwrap();
        let folder = TokenFolder::at(place.path().join("state/tokens"));
        let file = folder.of("issues", "https://example.org/mcp");
        assert!(file.load().await.unwrap().is_none());
        let kept = StoredCredentials::new("id-1".to_owned(), None, vec![], None);
        file.save(kept).await.unwrap();
        assert_eq!(file.load().await.unwrap().unwrap().client_id, "id-1");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file.path), 0o600);
        assert_eq!(mode(file.path.parent().unwrap()), 0o700);
        assert!(folder.has("issues", "https://example.org/mcp"));
        assert!(!folder.has("issues", "https://example.com/mcp"));
        assert!(folder.forget("issues", "https://example.org/mcp").unwrap());
        assert!(!folder.forget("issues", "https://example.org/mcp").unwrap());
    }
}
