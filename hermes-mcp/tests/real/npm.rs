//! Packages of npm in a scratch folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

/// What is installed, all of it by name alone.
const PACKAGES: [&str; 4] = [
    "node@22",
    "@modelcontextprotocol/conformance",
    "@modelcontextprotocol/server-everything",
    "@modelcontextprotocol/server-filesystem",
];

/// A folder with the packages.
pub(crate) struct Npm {
    folder: TempDir,
}

/// The packages, installed once; `None`, with the reason on the error output, where slow tests are not asked
/// for or nothing can be installed.
pub(crate) fn npm() -> Option<&'static Npm> {
    static NPM: OnceLock<Option<Npm>> = OnceLock::new();
    let made = NPM.get_or_init(|| match install() {
        Ok(npm) => Some(npm),
        Err(why) => {
            eprintln!("skipped: {why}");
            None
        }
    });
    made.as_ref()
}

/// Whether slow tests are asked for.
pub(crate) fn asked() -> Result<(), String> {
    if std::env::var_os("HERMES_SLOW_TESTS").is_none_or(|value| value.is_empty()) {
        return Err("HERMES_SLOW_TESTS=1 runs this with servers of others".to_owned());
    }
    Ok(())
}

fn install() -> Result<Npm, String> {
    asked()?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("package.json"), "{\"private\": true}\n")
        .map_err(|error| error.to_string())?;
    let installed = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--loglevel=error"])
        .args(PACKAGES)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("npm cannot be started: {error}"))?;
    if !installed.status.success() {
        let why = String::from_utf8_lossy(&installed.stderr);
        return Err(format!("npm installs nothing here: {}", why.trim()));
    }
    Ok(Npm { folder })
}

impl Npm {
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The program of Node that the package brings, or that of the system where it brings none.
    pub(crate) fn node(&self) -> PathBuf {
        let own = self.folder().join("node_modules/node/bin/node");
        if own.exists() { own } else { "node".into() }
    }

    /// The file that a package is started by.
    pub(crate) fn script(&self, package: &str) -> PathBuf {
        let dist = self.folder().join("node_modules/@modelcontextprotocol");
        dist.join(package).join("dist/index.js")
    }
}
