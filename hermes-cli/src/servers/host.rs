//! What servers may ask of the person at the terminal, or before the client.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use hermes_mcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use hermes_mcp::{Client, Host, HostFuture, Offers};

use super::form;

/// Who can be asked for what a server wants to know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Whoever sits at the terminal, where there is one.
    #[default]
    Terminal,
    /// Whoever sits before the client that calls.
    Client,
}

/// The workspace is what servers may work in; forms go to whoever can be asked.
#[derive(Debug)]
pub(crate) struct SessionHost {
    workspace: Option<PathBuf>,
    asked: Asked,
    attended: bool,
}

impl SessionHost {
    pub(crate) fn new(workspace: Option<&Path>, asked: Asked) -> Self {
        Self {
            workspace: workspace.map(Path::to_owned),
            asked,
            attended: io::stdin().is_terminal() && io::stderr().is_terminal(),
        }
    }
}

impl Host for SessionHost {
    fn offers(&self) -> Offers {
        Offers {
            forms: self.asked == Asked::Client || self.attended,
            roots: self.workspace.is_some(),
            ..Offers::default()
        }
    }

    fn elicit<'a>(
        &'a self,
        server: &'a str,
        request: ElicitRequestParams,
    ) -> HostFuture<'a, ElicitResult> {
        if self.asked == Asked::Client {
            return Client.elicit(server, request);
        }
        let server = server.to_owned();
        Box::pin(async move {
            // Reading a terminal blocks.
            let asked = tokio::task::spawn_blocking(move || {
                form::ask(
                    &server,
                    &request,
                    &mut io::stdin().lock(),
                    &mut io::stderr(),
                )
            });
            let answer = asked.await.ok().and_then(Result::ok);
            answer.unwrap_or_else(|| ElicitResult::new(ElicitationAction::Cancel))
        })
    }

    fn roots(&self, _: &str) -> Vec<(String, String)> {
        let root = |path: &PathBuf| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            (file_address(path), name.to_string_lossy().into_owned())
        };
        self.workspace.iter().map(root).collect()
    }
}

/// A path as a `file` address: every byte that is not plain stands as `%XX`.
fn file_address(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let spelled = bytes.map(|byte| {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(byte);
        if plain {
            char::from(*byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    format!("file://{}", spelled.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_an_address() {
        assert_eq!(
            file_address(Path::new("/home/me/a b%/ü")),
            "file:///home/me/a%20b%25/%C3%BC"
        );
    }
}
