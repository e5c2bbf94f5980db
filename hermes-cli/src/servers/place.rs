//! Where `hermes` keeps what it knows of servers, and where its configuration is.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::error::CliError;

/// A folder of the environment, if it says one.
fn folder(variable: &str, in_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    absolute(variable).or_else(|| Some(absolute("HOME")?.join(in_home)))
}

/// A file of the state of the user that is about servers.
pub(crate) fn state_file(name: &str) -> Option<PathBuf> {
    let state = folder("XDG_STATE_HOME", ".local/state")?;
    Some(state.join("hermes/mcp").join(name))
}

/// The user's own configuration: that of `$HERMES_CONFIG`, or `hermes/hermes.toml` in the user's folder for
/// configuration. A `hermes.toml` of the current folder is none: it may be a stranger's.
pub(crate) fn config_place() -> Option<PathBuf> {
    match named() {
        Some(path) => Some(path),
        None => Some(folder("XDG_CONFIG_HOME", ".config")?.join("hermes/hermes.toml")),
    }
}

/// The user's file of configuration. One that the environment names is there or its absence is an error when it
/// is read: what it forbids must not be allowed by a mistake in its name.
///
/// # Errors
///
/// Whether there is one cannot be told.
pub(crate) fn config_file() -> Result<Option<PathBuf>, CliError> {
    if let Some(path) = named() {
        return Ok(Some(path));
    }
    let Some(path) = config_place() else {
        return Ok(None);
    };
    // A link that leads nowhere stands for a file that says something, too.
    match path.symlink_metadata() {
        Ok(_) => Ok(Some(path)),
        // Nothing is below what is no folder.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(CliError::Input {
            name: format!("`{}`", path.display()),
            source,
        }),
    }
}

fn named() -> Option<PathBuf> {
    let path = std::env::var_os("HERMES_CONFIG").filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}
