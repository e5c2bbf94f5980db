//! The servers of the Model Context Protocol in `hermes.toml`.

use std::collections::BTreeMap;
use std::time::Duration;

use toml::de::DeValue;

use super::reference::unreadable;
use super::{At, File, Place, Result};
use crate::config::servers::{McpApproval, McpServer, McpTransport, McpWay};

const KEYS: [&str; 15] = [
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "transport",
    "include",
    "exclude",
    "effects",
    "trusted",
    "timeout",
    "start_timeout",
    "enabled",
    "approval",
];

/// The longest that anybody waits for a server, in seconds.
const LONGEST: u64 = 24 * 60 * 60;

/// What is written of how a server is reached, before it is known which way that is.
#[derive(Default)]
struct Written {
    command: Option<String>,
    args: Option<Vec<String>>,
    env: Option<BTreeMap<String, String>>,
    cwd: Option<String>,
    url: Option<String>,
    headers: Option<BTreeMap<String, String>>,
    transport: Option<McpTransport>,
}

impl File<'_> {
    /// The servers that are enabled, and the names of the others.
    pub(super) fn servers(&self, value: &At<'_>) -> Result<(Vec<McpServer>, Vec<Box<str>>)> {
        let (mut servers, mut off) = (Vec::new(), Vec::new());
        for (_, value) in self.fields(self.table(value)?, &["servers"])? {
            for (key, value) in self.table(value)? {
                let name: &str = key.get_ref();
                let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
                if name.is_empty() || name.len() > 40 || !name.bytes().all(fits) {
                    let expected =
                        "a name of at most 40 ASCII letters, digits, `_` and `-` for the server";
                    return Err(self.error(key.span().start, expected, format!("`{name}`")));
                }
                match self.server(name, value)? {
                    Some(server) => servers.push(server),
                    None => off.push(name.into()),
                }
            }
        }
        servers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((servers, off))
    }

    fn server(&self, name: &str, value: &At<'_>) -> Result<Option<McpServer>> {
        let mut server = McpServer {
            name: name.into(),
            ..McpServer::default()
        };
        let (mut written, mut enabled) = (Written::default(), true);
        let table = self.table(value)?;
        for (key, value) in self.fields(table, &KEYS)? {
            if matches!(key, "command" | "url") {
                server.at = Some(Place::of(self.text, value.span().start));
            }
            let text = |expected| {
                let text = self.text(value, false)?;
                if text.trim().is_empty() {
                    return Err(self.misfit(value, expected));
                }
                Ok(Some(text))
            };
            match key {
                "command" => written.command = text("a program")?,
                "args" => written.args = Some(self.texts(value)?),
                "env" => written.env = Some(self.map(value, is_variable, VARIABLE)?),
                "cwd" => written.cwd = text("a folder")?,
                "url" => written.url = text("an address")?,
                "headers" => written.headers = Some(self.map(value, is_header, HEADER)?),
                "transport" => written.transport = Some(self.transport(value)?),
                "include" => {
                    server.include = self.plain(value)?;
                    if server.include.is_empty() {
                        let expected = "a list with a name in it, or no `include` for all tools, or \
                                        `enabled = false` for none";
                        return Err(self.misfit(value, expected));
                    }
                }
                "exclude" => server.exclude = self.plain(value)?,
                "effects" => {
                    for (key, value) in self.table(value)? {
                        let tool: &str = key.get_ref();
                        self.some_name(key.span().start, tool)?;
                        server.effects.insert(tool.into(), self.effect(value)?);
                    }
                }
                "trusted" => server.trusted = self.boolean(value)?,
                "timeout" => server.timeout = Some(self.time(value)?),
                "start_timeout" => server.start_timeout = Some(self.time(value)?),
                "enabled" => enabled = self.boolean(value)?,
                _ => server.approval = self.approval(value)?,
            }
        }
        self.takes_what_it_leaves(table)?;
        server.way = self.way(value, written)?;
        Ok(enabled.then_some(server))
    }

    fn way(&self, value: &At<'_>, written: Written) -> Result<McpWay> {
        let wrong = |expected: &str, found: &str| {
            Err(self.error(value.span().start, expected, found.to_owned()))
        };
        match (written.command, written.url) {
            (Some(command), None) => {
                if written.headers.is_some() || written.transport.is_some() {
                    return wrong(
                        "`args`, `env` and `cwd` beside `command`",
                        "what belongs to `url`",
                    );
                }
                Ok(McpWay::Command {
                    command,
                    args: written.args.unwrap_or_default(),
                    env: written.env.unwrap_or_default(),
                    cwd: written.cwd,
                })
            }
            (None, Some(url)) => {
                if written.args.is_some() || written.env.is_some() || written.cwd.is_some() {
                    return wrong(
                        "`headers` and `transport` beside `url`",
                        "what belongs to `command`",
                    );
                }
                Ok(McpWay::Url {
                    url,
                    headers: written.headers.unwrap_or_default(),
                    transport: written.transport,
                })
            }
            (Some(_), Some(_)) => wrong("either `command` or `url`", "both"),
            (None, None) => wrong("either `command` or `url`", "neither"),
        }
    }

    fn texts(&self, value: &At<'_>) -> Result<Vec<String>> {
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.misfit(value, "a list of texts"));
        };
        // One of them may be for a shell.
        let text = |item| self.text(item, true);
        items.iter().map(text).collect()
    }

    /// A text in which every reference to the environment can be read.
    fn text(&self, value: &At<'_>, for_a_shell: bool) -> Result<String> {
        let text = self.string(value, "a text in quotes")?;
        if text.contains('\0') {
            let found = "U+0000".to_owned();
            return Err(self.error(
                value.span().start,
                "a text without control characters",
                found,
            ));
        }
        if let Some(found) = unreadable(text, for_a_shell) {
            let found = format!("`{}`", super::short(found));
            let expected = "`${NAME}` or `${NAME:-text}` for a variable of the environment";
            return Err(self.error(value.span().start, expected, found));
        }
        Ok(text.to_owned())
    }

    fn plain(&self, value: &At<'_>) -> Result<Vec<Box<str>>> {
        Ok(self.list(value)?.into_iter().map(|it| it.name).collect())
    }

    /// A table of texts, whose keys are of one kind.
    fn map(
        &self,
        value: &At<'_>,
        fits: impl Fn(&str) -> bool,
        expected: &str,
    ) -> Result<BTreeMap<String, String>> {
        let mut map = BTreeMap::new();
        for (key, value) in self.table(value)? {
            let name: &str = key.get_ref();
            if !fits(name) {
                let found = format!("`{}`", super::short(name));
                return Err(self.error(key.span().start, expected, found));
            }
            map.insert(name.to_owned(), self.text(value, false)?);
        }
        Ok(map)
    }

    fn transport(&self, value: &At<'_>) -> Result<McpTransport> {
        match value.get_ref() {
            DeValue::String(word) if &**word == "http" => Ok(McpTransport::Http),
            DeValue::String(word) if &**word == "sse" => Ok(McpTransport::Sse),
            _ => Err(self.misfit(value, "`http` or `sse`")),
        }
    }

    fn approval(&self, value: &At<'_>) -> Result<McpApproval> {
        match value.get_ref() {
            DeValue::String(word) if &**word == "always" => Ok(McpApproval::Always),
            DeValue::String(word) if &**word == "changed" => Ok(McpApproval::Changed),
            DeValue::String(word) if &**word == "never" => Ok(McpApproval::Never),
            _ => Err(self.misfit(value, "`always`, `changed` or `never`")),
        }
    }

    fn time(&self, value: &At<'_>) -> Result<Duration> {
        Ok(Duration::from_secs(self.whole(value, 1..=LONGEST)?))
    }
}

const VARIABLE: &str = "the name of an environment variable";
const HEADER: &str = "the name of a header, such as `Authorization`";

fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// Whether a text is a token of HTTP.
fn is_header(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(fits)
}
