//! The folders of `hermes` itself: its settings, and what it knows of servers and of other sessions. A command
//! that changed them could trust a server, or switch its own confinement off.

use std::path::{Path, PathBuf};

/// What of the state no command reads: tokens, and what belongs to other sessions.
const SECRET: [&str; 3] = ["checkpoints", "mcp", "results"];

/// Where those folders are for a session.
#[derive(Debug, Clone, Default)]
pub(super) struct Own {
    /// Folders, and the file that the environment names.
    settings: Vec<PathBuf>,
    state: Vec<PathBuf>,
    /// What is kept of sessions elsewhere: the folder of checkpoints that the environment names, and the
    /// store of results.
    elsewhere: Vec<PathBuf>,
    /// The stored results of the session itself, which its commands may read.
    pub(super) results: Vec<PathBuf>,
}

impl Own {
    /// Those that the environment names, and those below the home folder: either may be where another
    /// `hermes` looks. `results` is the folder of the session in its store of results, and `read_only` are its
    /// roots that are only read.
    pub(super) fn new(
        variable: impl Fn(&str) -> Option<String>,
        home: Option<&Path>,
        results: Option<&Path>,
        read_only: impl IntoIterator<Item = PathBuf>,
    ) -> Self {
        let named = |name: &str| {
            let path = variable(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute() && path.parent().is_some())
        };
        let folders = |name: &str, below_home: &str| -> Vec<PathBuf> {
            let below_home = home.map(|home| home.join(below_home));
            let all = named(name).into_iter().chain(below_home);
            all.map(|it| it.join("hermes")).collect()
        };
        let mut settings = folders("XDG_CONFIG_HOME", ".config");
        settings.extend(home.map(|home| home.join(".hermes")));
        settings.extend(named("HERMES_HOME"));
        settings.extend(named("HERMES_CONFIG"));
        // A store is no folder that holds all others.
        let store = results
            .and_then(Path::parent)
            .filter(|store| store.parent().is_some());
        let mut own = Self {
            settings,
            state: folders("XDG_STATE_HOME", ".local/state"),
            elsewhere: store.map(Path::to_owned).into_iter().collect(),
            results: Vec::new(),
        };
        let read_only = read_only.into_iter();
        own.results = read_only
            .filter(|root| {
                let state = own.state.iter().map(|state| state.join("results"));
                let mut stores = state.chain(own.elsewhere.iter().cloned());
                stores.any(|store| root.starts_with(store))
            })
            .collect();
        own.elsewhere.extend(named("HERMES_CHECKPOINTS"));
        own
    }

    /// All of them, which no command changes.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let all = self.settings.iter().chain(&self.state);
        all.chain(&self.elsewhere).cloned().collect()
    }

    /// What no command reads.
    pub(super) fn hidden(&self) -> impl Iterator<Item = PathBuf> {
        let state = self.state.iter();
        let secret = state.flat_map(|state| SECRET.iter().map(|name| state.join(name)));
        secret.chain(self.elsewhere.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_environment_names_is_kept_beside_what_is_below_home() {
        let variable = |name: &str| match name {
            "XDG_STATE_HOME" => Some("/data/state".to_owned()),
            "XDG_CONFIG_HOME" => Some("relative".to_owned()),
            "HERMES_CONFIG" => Some("/data/own.toml".to_owned()),
            "HERMES_CHECKPOINTS" => Some("/data/kept".to_owned()),
            _ => None,
        };
        let roots = [
            "/data/state/hermes/results/place-1",
            "/srv/store/session-1",
            "/work/manuals",
        ];
        let own = Own::new(
            variable,
            Some(Path::new("/home/dev")),
            Some(Path::new("/srv/store/session-1")),
            roots.map(PathBuf::from),
        );
        let expected = [
            "/home/dev/.config/hermes",
            "/home/dev/.hermes",
            "/data/own.toml",
            "/data/state/hermes",
            "/home/dev/.local/state/hermes",
            "/srv/store",
            "/data/kept",
        ];
        assert_eq!(own.folders(), expected.map(PathBuf::from));
        let expected = [
            "/data/state/hermes/checkpoints",
            "/data/state/hermes/mcp",
            "/data/state/hermes/results",
            "/home/dev/.local/state/hermes/checkpoints",
            "/home/dev/.local/state/hermes/mcp",
            "/home/dev/.local/state/hermes/results",
            "/srv/store",
            "/data/kept",
        ];
        assert_eq!(
            own.hidden().collect::<Vec<_>>(),
            expected.map(PathBuf::from)
        );
        assert_eq!(
            own.results,
            [
                Path::new("/data/state/hermes/results/place-1"),
                Path::new("/srv/store/session-1")
            ]
        );
    }
}
