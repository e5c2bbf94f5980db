//! `hermes.toml`: which toolsets a program starts with, written by its operator.

mod error;
mod read;
mod servers;
mod terminal;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use hermes_tools::search::ToolSearch;
use hermes_tools::{SessionSource, ToolRegistry, names};

pub use self::error::ConfigError;
use self::error::Place;
pub use self::servers::{McpApproval, McpServer, McpTransport, McpWay};
pub use self::terminal::TerminalConfig;
use crate::custom::CustomToolset;
use crate::presets::{default_toolset, sources};
use crate::request::Request;
use crate::table::ToolsetTable;
use crate::toolsets::Toolsets;

/// What a configuration file says of tools.
///
/// ```
/// use hermes_tools::SessionSource;
/// use hermes_toolsets::{Config, Toolsets};
///
/// let config = Config::parse("hermes.toml", r#"
///     enabled = ["review"]
///     disabled = ["terminal"]
///     tool_search = "off"
///
///     [toolsets.review]
///     description = "Reading code and asking about it."
///     includes = ["file", "clarify"]
///     max_effect = "read"
///
///     [sources.cron]
///     enabled = ["web"]
///
///     [plugins.entries.shiny]
///     allow_tool_override = true
///     toolsets = ["sparkle"]
/// "#)?;
/// let mut toolsets = Toolsets::linked()?;
/// config.define(&mut toolsets);
/// let table = toolsets.with_tools([]);
/// config.check(&table)?;
/// let selected = table.select(&config.request(SessionSource::Cron))?;
/// assert!(selected.selection.contains("web_search"));
///
/// let error = Config::parse("hermes.toml", "enabled = [\"file\", 5]").unwrap_err();
/// assert_eq!(error.to_string(), "hermes.toml:1:20: expected a name in quotes, found the number 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    file: String,
    enabled: Option<Vec<Named>>,
    disabled: Vec<Named>,
    custom: Vec<(CustomToolset, Vec<Named>)>,
    sources: BTreeMap<Box<str>, SourceConfig>,
    plugins: BTreeMap<Box<str>, Plugin>,
    tool_search: ToolSearch,
    context_window: Option<usize>,
    definitions_budget: Option<usize>,
    files: FileSettings,
    terminal: TerminalConfig,
    servers: Vec<McpServer>,
    /// Names of servers that are written down and switched off.
    servers_off: Vec<Box<str>>,
}

/// What a configuration says of changing files. What it does not say is left to the tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileSettings {
    /// What is done about a change of a file that someone else changed since it was read.
    pub stale: Option<Reaction>,
    /// What is done about a change after which a file does not parse any more.
    pub lint: Option<Reaction>,
}

/// What is done about a change of a file that is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// It is made, and the result warns.
    Warn,
    /// It is refused, and the file stays as it was.
    Refuse,
}

#[derive(Debug, Clone, PartialEq)]
struct SourceConfig {
    at: Place,
    enabled: Option<Vec<Named>>,
    disabled: Vec<Named>,
}

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// What a file holds; more than any configuration needs is an error. What is no file is not even opened: a
/// named pipe waits for someone to write, and a device may have no end.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        let problem = "no regular file; name a file that is a configuration";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        let problem = "more than 1 MiB; name a file that is a configuration";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// What is said of a plugin, which need not be there.
#[derive(Debug, Clone, Default, PartialEq)]
struct Plugin {
    allow_tool_override: bool,
    toolsets: Vec<Named>,
    platforms: Vec<Named>,
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq)]
struct Named {
    name: Box<str>,
    at: Place,
}

impl Config {
    /// Reads a configuration. `file` is the name that errors show.
    ///
    /// # Errors
    ///
    /// Text that is no TOML, a key that is not known, a value of another kind, with its place and
    /// what was expected. Nothing of a broken file holds.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        read::read(file, text)
    }

    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), and a file that cannot be read or is not there: it may disable
    /// what would be enabled without it.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let bytes = match read_bounded(path) {
            Ok(bytes) => bytes,
            Err(error) => return Err(ConfigError::unreadable(file, &error)),
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(&file, text),
            Err(error) => {
                let end = error.valid_up_to();
                let before = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default());
                let at = Place::of(&before, end);
                let byte = bytes.get(end).copied().unwrap_or_default();
                let found = format!("the byte 0x{byte:02x}");
                Err(ConfigError::new(&file, at, "text in UTF-8", found))
            }
        }
    }

    /// Adds the toolsets that it defines, and makes known what its plugins will bring: the toolset
    /// that is called like the plugin, those that are named, and the bundles of their platforms; and what its
    /// servers will bring, also those that are switched off.
    pub fn define(&self, toolsets: &mut Toolsets) {
        for (toolset, _) in &self.custom {
            toolsets.define(toolset.clone());
        }
        for (name, plugin) in &self.plugins {
            toolsets.expect(name);
            for toolset in &plugin.toolsets {
                toolsets.expect(&toolset.name);
            }
            for platform in &plugin.platforms {
                toolsets.plugin_platform(&platform.name);
            }
        }
        let servers = self.servers.iter().map(|server| &server.name);
        for name in servers.chain(&self.servers_off) {
            toolsets.server(name);
        }
    }

    /// Tells a registry which plugins may override tools.
    pub fn allow_overrides(&self, registry: &ToolRegistry) {
        for (name, plugin) in &self.plugins {
            registry.allow_override(name, plugin.allow_tool_override);
        }
    }

    /// Refuses names of toolsets and sources that do not exist: a session would have less or, where
    /// something is disabled, more than is written.
    ///
    /// # Errors
    ///
    /// The first such name, with its place and the nearest name.
    pub fn check(&self, table: &ToolsetTable<'_>) -> Result<(), ConfigError> {
        self.check_sources(table)?;
        let sources = self.sources.values();
        let of_sources = sources.flat_map(|it| it.enabled.iter().flatten().chain(&it.disabled));
        let named = self.enabled.iter().flatten().chain(&self.disabled);
        let mut all: Vec<&Named> = named.chain(of_sources).collect();
        all.extend(self.custom.iter().flat_map(|(_, includes)| includes));
        all.sort_unstable_by_key(|named| named.at);
        for named in all {
            let name: &str = &named.name;
            if table.check_known(&[name]).is_err() {
                let expected = match table.nearest(name) {
                    Some(nearest) => format!("a toolset such as `{nearest}`"),
                    None => "a toolset that `hermes toolsets` lists".to_owned(),
                };
                return Err(ConfigError::new(
                    &self.file,
                    named.at,
                    &expected,
                    format!("`{name}`"),
                ));
            }
        }
        Ok(())
    }

    fn check_sources(&self, table: &ToolsetTable<'_>) -> Result<(), ConfigError> {
        for (name, source) in &self.sources {
            if default_toolset(&SessionSource::from_name(name)).is_none()
                && !table.is_known(&format!("hermes-{name}"))
            {
                let expected = match names::nearest(name, sources()) {
                    Some(nearest) => format!("a session source such as `{nearest}`"),
                    None => format!(
                        "one of the session sources `{}`, or the platform of a plugin",
                        sources().collect::<Vec<_>>().join("`, `")
                    ),
                };
                let found = format!("`{name}`");
                return Err(ConfigError::new(&self.file, source.at, &expected, found));
            }
        }
        Ok(())
    }

    /// What a session of a source asks for: what is enabled for that source or, where nothing is said
    /// of it, for all; without both, the default of the source. What is disabled for all or for
    /// the source is disabled.
    pub fn request(&self, source: SessionSource) -> Request {
        let own = self.sources.get(source.name());
        let enabled = own
            .and_then(|it| it.enabled.as_ref())
            .or(self.enabled.as_ref());
        let disabled = self
            .disabled
            .iter()
            .chain(own.into_iter().flat_map(|it| &it.disabled));
        let request = Request::new(source).disable(disabled.map(|it| &it.name));
        match enabled {
            Some(names) => request.enable(names.iter().map(|it| &it.name)),
            None => request,
        }
    }

    /// The servers of the Model Context Protocol that are enabled, sorted by name.
    pub fn mcp_servers(&self) -> &[McpServer] {
        &self.servers
    }

    /// The error for a server whose command or address cannot be used, as whoever connects to it finds.
    pub fn wrong_server(&self, server: &McpServer, expected: &str, found: String) -> ConfigError {
        let place = server.at.map(|at| (at.line, at.column));
        ConfigError {
            place,
            file: self.file.clone(),
            expected: expected.to_owned(),
            found,
        }
    }

    /// Whether something is said of which toolsets are enabled in sessions of a source.
    pub fn enables(&self, source: &SessionSource) -> bool {
        let own = self.sources.get(source.name());
        self.enabled.is_some() || own.is_some_and(|it| it.enabled.is_some())
    }

    /// How many tokens the model's context window holds, where that is said.
    pub const fn context_window(&self) -> Option<usize> {
        self.context_window
    }

    /// How many tokens all definitions may take, where that is said.
    pub const fn definitions_budget(&self) -> Option<usize> {
        self.definitions_budget
    }

    /// What is said of changing files.
    pub const fn files(&self) -> FileSettings {
        self.files
    }

    /// What is said of the tools that run commands.
    pub const fn terminal(&self) -> &TerminalConfig {
        &self.terminal
    }

    /// How the tool search is used. The core list is always told.
    pub fn tool_search(&self, toolsets: &Toolsets) -> ToolSearch {
        self.tool_search.clone().visible(toolsets.core_tools())
    }
}
