//! Where the tokens of sign-ins are kept.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use rmcp::transport::auth::{
    AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use sha2::{Digest as _, Sha256};

use crate::client::private;

/// A folder with one file for each server that somebody has signed in to, for its owner alone.
#[derive(Debug, Clone)]
pub struct TokenFolder(PathBuf);

/// How often it is looked whether somebody has signed in.
const LOOK: Duration = Duration::from_secs(1);

/// The file of one server.
#[derive(Debug, Clone)]
pub(in crate::client) struct TokenFile(PathBuf);

impl TokenFolder {
    /// Keeps tokens here. Nothing is made before there is one to keep.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
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
        match fs::remove_file(self.of(server, url).0) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Tokens of one address are never sent to another one that takes its name over.
    pub(in crate::client) fn of(&self, server: &str, url: &str) -> TokenFile {
        let digest = Sha256::digest(url.as_bytes());
        let digest: String = digest[..8].iter().map(|it| format!("{it:02x}")).collect();
        TokenFile(self.0.join(format!("{server}-{digest}.json")))
    }
}

impl TokenFile {
    pub(super) fn is_there(&self) -> bool {
        self.0.exists()
    }

    /// When it was written last.
    fn written(&self) -> Option<SystemTime> {
        fs::metadata(&self.0).and_then(|it| it.modified()).ok()
    }

    /// Waits until somebody has signed in, in this process or another one.
    pub(in crate::client) async fn changed(&self) {
        let before = self.written();
        while self.written() == before {
            tokio::time::sleep(LOOK).await;
        }
    }

    fn read(&self) -> io::Result<Option<StoredCredentials>> {
        match fs::read(&self.0) {
            Ok(text) => Ok(serde_json::from_slice(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, credentials: &StoredCredentials) -> io::Result<()> {
        private::write(&self.0, &serde_json::to_vec(credentials)?)
    }
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
        beside(move || this.read()).await
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let this = self.clone();
        beside(move || this.write(&credentials)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        let this = self.clone();
        beside(move || match fs::remove_file(&this.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let this = self.clone();
        let held = beside(move || private::lock(&this.0)).await?;
        Ok(Some(CredentialRefreshGuard::new(held)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(mode(&file.0), 0o600);
        assert_eq!(mode(file.0.parent().unwrap()), 0o700);
        assert!(folder.has("issues", "https://example.org/mcp"));
        assert!(!folder.has("issues", "https://example.com/mcp"));
        assert!(folder.forget("issues", "https://example.org/mcp").unwrap());
        assert!(!folder.forget("issues", "https://example.org/mcp").unwrap());
    }
}
