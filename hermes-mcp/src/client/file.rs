//! Servers as the configuration files of clients have them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use hermes_tools::Effect;
use hermes_tools::registry::ServerFilter;
use serde::Deserialize;
use serde::de::Error as _;

use super::spec::{ServerSpec, SpecError};

/// The object under `mcpServers`, or under `servers` as one editor calls it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    mcp_servers: Option<BTreeMap<String, Entry>>,
    servers: Option<BTreeMap<String, Entry>>,
}

/// An entry as clients write it. What else they put there is theirs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(rename = "type", alias = "transport")]
    kind: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<PathBuf>,
    #[serde(alias = "serverUrl")]
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    disabled: bool,
    #[serde(default)]
    include: Vec<Box<str>>,
    #[serde(default)]
    exclude: Vec<Box<str>>,
    #[serde(default)]
    effects: BTreeMap<String, String>,
    #[serde(default)]
    trusted: bool,
    /// In milliseconds, as clients have it.
    timeout: Option<u64>,
}

impl ServerSpec {
    /// The servers of a client's configuration, the object under `mcpServers` or `servers`, those that are
    /// `disabled` left out.
    ///
    /// An entry has a `command` with `args`, `env` and `cwd`, or a `url` with `headers`; `type` (`stdio`,
    /// `http`, `sse`) may say which. Beside that it may say how long a call may take (`timeout`, in
    /// milliseconds), which tools are taken (`include`, `exclude`), what they do (`effects`, such as
    /// `{"search": "read"}`), and that the server is `trusted`, so that its results are not marked. Other
    /// keys are passed over.
    ///
    /// ```
    /// let text = r#"{"mcpServers": {"notes": {"command": "notes-server", "effects": {"find": "read"}}}}"#;
    /// let servers = hermes_mcp::ServerSpec::from_json(text)?;
    /// assert_eq!(servers[0].name(), "notes");
    /// # Ok::<(), hermes_mcp::SpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not of that form, or a server in it cannot be used.
    pub fn from_json(text: &str) -> Result<Vec<Self>, SpecError> {
        let file: File = serde_json::from_str(text)?;
        let Some(servers) = file.mcp_servers.or(file.servers) else {
            return Err(serde_json::Error::missing_field("mcpServers").into());
        };
        let used = servers.into_iter().filter(|(_, it)| !it.disabled);
        used.map(|(name, entry)| of_entry(&name, entry)).collect()
    }
}

fn of_entry(name: &str, entry: Entry) -> Result<ServerSpec, SpecError> {
    let mut spec = match (entry.command, entry.url) {
        (Some(command), None) => {
            let mut spec = ServerSpec::new(name, command)?.args(entry.args);
            for (key, value) in entry.env {
                spec = spec.env(key, value);
            }
            if let Some(folder) = entry.cwd {
                spec = spec.cwd(folder);
            }
            spec
        }
        (None, Some(url)) => {
            let mut spec = ServerSpec::remote(name, url)?;
            for (key, value) in entry.headers {
                spec = spec.header(key, value);
            }
            spec
        }
        _ => return Err(SpecError::NoCommand(name.to_owned())),
    };
    spec = match (entry.kind.as_deref(), spec.url()) {
        (None, _) | (Some("stdio"), None) => spec,
        (Some("http" | "streamable-http" | "streamableHttp" | "streamable_http"), Some(_)) => {
            spec.streamable()
        }
        (Some("sse"), Some(_)) => spec.legacy_sse(),
        (Some(kind), _) => {
            let (server, kind) = (name.to_owned(), kind.to_owned());
            return Err(SpecError::Kind { server, kind });
        }
    };
    for (tool, effect) in entry.effects {
        let known = [Effect::Read, Effect::Write, Effect::Destructive];
        let Some(known) = known.into_iter().find(|it| it.as_str() == effect) else {
            let server = name.to_owned();
            return Err(SpecError::Effect { server, effect });
        };
        spec = spec.effect(tool, known);
    }
    if let Some(limit) = entry.timeout.filter(|limit| *limit > 0) {
        spec = spec.timeout(Duration::from_millis(limit));
    }
    if entry.trusted {
        spec = spec.trusted();
    }
    Ok(spec.filter(ServerFilter {
        include: entry.include,
        exclude: entry.exclude,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::spec::{Protocol, Way};

    fn refused(text: &str) -> String {
        ServerSpec::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn a_client_s_file_is_read_and_what_is_disabled_is_left_out() {
        let text = r#"{"theme": "dark", "mcpServers": {
            "b": {"type": "stdio", "command": "b", "args": ["-x"], "env": {"K": "v"}, "alwaysAllow": []},
            "a": {"command": "a", "disabled": true},
            "c": {"command": "c", "exclude": ["rm"], "effects": {"ls": "read"}, "trusted": true, "timeout": 1500}}}"#;
        let specs = ServerSpec::from_json(text).unwrap();
        assert_eq!(specs.len(), 2);
        assert_eq!((specs[0].name(), &*specs[0].origin()), ("b", "b -x"));
        let Way::Command(program) = &specs[0].way else {
            panic!("{specs:?}");
        };
        assert_eq!(program.env["K"], "v");
        assert!(!specs[0].trusted && specs[1].trusted);
        assert!(specs[1].filter.takes("ls") && !specs[1].filter.takes("rm"));
        assert_eq!(specs[1].effects["ls"], Effect::Read);
        assert_eq!(specs[1].timeout, Duration::from_millis(1500));
    }

    #[test]
    fn servers_at_an_address_are_read_in_the_forms_of_several_clients() {
        let text = r#"{"inputs": [], "servers": {
            "a": {"type": "http", "url": "https://example.org/mcp", "headers": {"X-Key": "${KEY}"}},
            "b": {"type": "sse", "url": "http://localhost:1/sse"},
            "c": {"serverUrl": "https://example.org/other"}}}"#;
        let specs = ServerSpec::from_json(text).unwrap();
        let ways: Vec<_> = specs
            .iter()
            .map(|spec| match &spec.way {
                Way::Url(remote) => (&*remote.url, remote.protocol, remote.headers.len()),
                Way::Command(_) => panic!("{spec:?}"),
            })
            .collect();
        assert_eq!(
            ways,
            [
                ("https://example.org/mcp", Protocol::Streamable, 1),
                ("http://localhost:1/sse", Protocol::Sse, 0),
                ("https://example.org/other", Protocol::Either, 0),
            ]
        );
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_what_to_write() {
        for both in [r#"{"command": "x", "url": "https://example.org"}"#, "{}"] {
            assert_eq!(
                refused(&format!(r#"{{"mcpServers": {{"far": {both}}}}}"#)),
                "the server `far` needs either a `command` or a `url`"
            );
        }
        assert_eq!(
            refused(r#"{"mcpServers": {"a": {"type": "ws", "url": "https://example.org"}}}"#),
            "`ws` is no transport of the server `a`; use `stdio`, `http` or `sse`"
        );
        assert_eq!(
            refused(r#"{"mcpServers": {"a b": {"command": "x"}}}"#),
            "`a b` cannot be the name of a server; use ASCII letters, digits, `_` and `-`"
        );
        assert_eq!(
            refused(r#"{"mcpServers": {"a": {"command": "x", "effects": {"t": "none"}}}}"#),
            "`none` is no effect of a tool of `a`; use `read`, `write` or `destructive`"
        );
        assert!(refused("[]").starts_with("the servers cannot be read: "));
        assert!(refused("{}").contains("missing field `mcpServers`"));
    }
}
