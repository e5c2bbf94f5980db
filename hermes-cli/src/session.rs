//! The session that a command line asks for.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};
use hermes_tools::checkpoint::Checkpoints;
use hermes_tools::output::Budget;
use hermes_tools::output::store::ResultStore;
use hermes_tools::workspace::{Confined, WorkspaceBackend as _};
use hermes_tools::{
    Selection, Session, SessionBuilder, SessionFacts, SessionSource, Tool, ToolRegistry, Worker,
    Workspace,
};
use hermes_toolsets::{Config, Explanation, FileSettings, Reaction, Request, Toolsets, sources};
use tools_builtin::{LintMode, StaleMode};

use crate::error::CliError;
use crate::isolation::CommandArgs;
use crate::servers::{self, Need, Started, Written};
use crate::terminal;

/// Options that say which tools a session has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionArgs {
    /// Enable a toolset, instead of the default of the source (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) toolset: Vec<String>,

    /// Take away the tools of a toolset (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Vec<String>,

    #[command(flatten)]
    files: FileArgs,

    /// What to do about a change of a file that someone else changed since it was read
    /// [default: `files.stale` of the configuration, or `warn`]
    #[arg(long, value_name = "HOW", value_parser = reaction)]
    stale: Option<Reaction>,

    /// What to do about a change after which a file does not parse any more
    /// [default: `files.lint` of the configuration, or `warn`]
    #[arg(long, value_name = "HOW", value_parser = reaction)]
    lint: Option<Reaction>,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// How commands run; the commands of `hermes` that make calls say so.
    #[arg(skip)]
    pub(crate) commands: CommandArgs,

    /// Which servers the command needs.
    #[arg(skip)]
    pub(crate) need: Need,

    /// Who is asked for what servers want to know.
    #[arg(skip)]
    pub(crate) asked: servers::Asked,
}

/// Options that say which files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct FileArgs {
    /// Read toolsets, what is enabled and MCP servers from this configuration file
    /// [default: `$HERMES_CONFIG`, or `hermes/hermes.toml` in the user's folder for configuration, if it is there]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Use the MCP servers of a client's file too, those under `mcpServers` (repeatable)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, alias = "servers")]
    pub(crate) mcp_config: Vec<PathBuf>,
}

/// Options that say where a session comes from and where it works.
#[derive(Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct PlaceArgs {
    #[arg(long, value_name = "SOURCE", default_value = "cli", help = source_help())]
    source: String,

    /// Folder in which files are read and written [default: the current folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    workspace: Option<PathBuf>,

    /// Folder that keeps what files were before they were changed, `off` for none
    /// [default: `$HERMES_CHECKPOINTS`, or `hermes/checkpoints` in the user's folder for state]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    checkpoints: Option<PathBuf>,

    /// What a checkpoint of this run is called: the command and the tool, and never its arguments.
    #[arg(skip)]
    pub(crate) label: String,
}

/// What the options and the configuration ask for.
struct Asked {
    toolsets: Toolsets,
    request: Request,
    config: Config,
    changes: FileSettings,
    servers: Vec<Written>,
    folder: Option<PathBuf>,
}

impl FileArgs {
    /// The configuration: the file that was named, or the user's own.
    pub(crate) fn config(&self) -> Result<Config, CliError> {
        read(self.config.as_deref())
    }

    /// Where the configuration is, whether or not it is there.
    fn place(&self) -> Option<PathBuf> {
        self.config.clone().or_else(servers::config_place)
    }

    /// The servers of the configuration, of the files of clients, and of a workspace that is trusted.
    pub(crate) fn servers(
        &self,
        config: &Config,
        workspace: Option<&Path>,
    ) -> Result<Vec<Written>, CliError> {
        servers::written(config, &self.mcp_config, workspace)
    }
}

impl SessionArgs {
    /// A session with the selected tools. What is odd about the selection is told as a warning.
    pub(crate) fn session(&self) -> Result<Session, CliError> {
        self.session_with(|builder| builder)
    }

    /// A session whose calls are made: what is too long to be shown is kept.
    pub(crate) fn session_of_calls(
        &self,
        settings: impl FnOnce(SessionBuilder) -> SessionBuilder,
    ) -> Result<Session, CliError> {
        self.session_by(|builder, config| {
            let store = self.place.result_store();
            keeping_results(settings(builder), config, store)
        })
    }

    /// A session whose calls a client makes: no other session reads what is kept of them.
    pub(crate) fn session_of_client(
        &self,
        settings: impl FnOnce(SessionBuilder) -> SessionBuilder,
    ) -> Result<Session, CliError> {
        self.session_by(|builder, config| {
            keeping_results(settings(builder), config, result_store_of_user())
        })
    }

    /// The same with settings of the command.
    pub(crate) fn session_with(
        &self,
        settings: impl FnOnce(SessionBuilder) -> SessionBuilder,
    ) -> Result<Session, CliError> {
        self.session_by(|builder, _| settings(builder))
    }

    fn session_by(
        &self,
        settings: impl FnOnce(SessionBuilder, &Config) -> SessionBuilder,
    ) -> Result<Session, CliError> {
        let mut asked = self.asked()?;
        let registry = Arc::new(asked.registry()?);
        let started = self.start(&mut asked, &registry)?;
        let mut selected = asked
            .toolsets
            .with_registry(&registry.snapshot())
            .select(&asked.request)?;
        for warning in &selected.warnings {
            terminal::report_warning(&warning.to_string());
        }
        let joined = started.map(|it| it.join(&mut selected.selection));
        let config = self.files.place();
        let mut builder = self
            .place
            .builder(config.as_deref(), registry, selected.selection)?;
        if let Some(join) = joined {
            builder = join(builder);
        }
        let builder = self
            .commands
            .apply(asked.config.terminal(), asked.apply(builder));
        Ok(settings(builder, &asked.config).build()?)
    }

    /// How commands are confined, in one word.
    pub(crate) fn isolation(&self) -> Result<String, CliError> {
        let config = self.files.config()?;
        Ok(self.commands.isolation(config.terminal()).to_owned())
    }

    /// Warns of what is dangerous about the calls that are about to be made.
    pub(crate) fn warn(&self) -> Result<(), CliError> {
        self.place.warn();
        self.commands.warn(self.files.config()?.terminal());
        Ok(())
    }

    /// Why the session has a tool, or why not.
    pub(crate) fn explain(&self, tool: &str) -> Result<(Session, Explanation), CliError> {
        let mut asked = self.asked()?;
        let registry = Arc::new(asked.registry()?);
        let started = self.start(&mut asked, &registry)?;
        let snapshot = registry.snapshot();
        let table = asked.toolsets.with_registry(&snapshot);
        let explanation = table.explain(&asked.request, tool)?;
        let mut selection = table.select(&asked.request)?.selection;
        let joined = started.map(|it| it.join(&mut selection));
        let config = self.files.place();
        let mut builder = self.place.builder(config.as_deref(), registry, selection)?;
        if let Some(join) = joined {
            builder = join(builder);
        }
        Ok((asked.apply(builder).build()?, explanation))
    }

    /// Starts the servers that the session needs.
    fn start(
        &self,
        asked: &mut Asked,
        registry: &Arc<ToolRegistry>,
    ) -> Result<Option<Started>, CliError> {
        let written = std::mem::take(&mut asked.servers);
        servers::start(
            written,
            &asked.toolsets,
            &asked.request,
            registry,
            &self.need,
            self.asked,
            asked.folder.as_deref(),
        )
    }

    /// What the options name goes before the file.
    fn asked(&self) -> Result<Asked, CliError> {
        let facts = self.place.facts(None);
        let on_board = facts.worker().is_some();
        let mut toolsets = Toolsets::linked()?;
        let config = self.files.config()?;
        config.define(&mut toolsets);
        let folder = self.place.folder();
        let servers = self.files.servers(&config, folder.as_deref())?;
        for server in &servers {
            toolsets.server(server.spec.name());
        }
        config.check(&toolsets.with_tools([]))?;
        let mut request = config
            .request(facts.source().clone())
            .disable(&self.without)
            .board_task(on_board);
        if !self.toolset.is_empty() {
            request = request.enable_only(&self.toolset);
        } else if !config.enables(facts.source()) && is_of_a_person(&facts) {
            // Whoever wrote a server down wants its tools, unless others write to the session.
            let all = servers.iter().map(|it| it.spec.name());
            request = request.also(all.map(hermes_tools::registry::foreign_toolset));
        }
        let mut changes = config.files();
        changes.stale = self.stale.or(changes.stale);
        changes.lint = self.lint.or(changes.lint);
        Ok(Asked {
            toolsets,
            request,
            config,
            changes,
            servers,
            folder,
        })
    }
}

/// Whether the person at this machine alone speaks in a session.
fn is_of_a_person(facts: &SessionFacts) -> bool {
    let source = facts.source();
    !facts.is_unattended()
        && matches!(
            source,
            SessionSource::Cli | SessionSource::Desktop | SessionSource::Editor
        )
}

impl Asked {
    /// The linked tools, and who may override them.
    fn registry(&self) -> Result<ToolRegistry, CliError> {
        let registry = ToolRegistry::linked()?;
        self.config.allow_overrides(&registry);
        Ok(registry)
    }

    /// What is said about the size of definitions and about changing files.
    fn apply(&self, mut builder: SessionBuilder) -> SessionBuilder {
        if let Some(stale) = self.changes.stale {
            builder = builder.state(match stale {
                Reaction::Warn => StaleMode::Warn,
                Reaction::Refuse => StaleMode::Refuse,
            });
        }
        if let Some(lint) = self.changes.lint {
            builder = builder.state(match lint {
                Reaction::Warn => LintMode::Warn,
                Reaction::Refuse => LintMode::Refuse,
            });
        }
        builder = builder.tool_search(self.config.tool_search(&self.toolsets));
        if let Some(tokens) = self.config.context_window() {
            builder = builder.context_window(tokens);
        }
        if let Some(tokens) = self.config.definitions_budget() {
            builder = builder.definitions_budget(tokens);
        }
        builder
    }
}

impl PlaceArgs {
    /// A session with these tools.
    pub(crate) fn session(
        &self,
        registry: ToolRegistry,
        selection: Selection,
    ) -> Result<Session, CliError> {
        let config = servers::config_place();
        Ok(self
            .builder(config.as_deref(), registry, selection)?
            .build()?)
    }

    /// The same, for settings of the command. No tool changes the file of the configuration.
    pub(crate) fn builder(
        &self,
        config: Option<&Path>,
        registry: impl Into<Arc<ToolRegistry>>,
        selection: Selection,
    ) -> Result<SessionBuilder, CliError> {
        let mut builder = Session::builder(registry, selection).facts(self.facts(config));
        if let Some(workspace) = self.workspace()? {
            builder = builder.workspace(workspace);
        }
        Ok(builder)
    }

    /// A session with every linked tool.
    pub(crate) fn session_of_everything(&self) -> Result<Session, CliError> {
        let registry = ToolRegistry::linked()?;
        let selection = Selection::of(tools_of(&registry).into_iter().map(|(name, _)| name));
        self.session(registry, selection)
    }

    /// The path of the workspace.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        servers::workspace_folder(self.workspace.as_deref())
    }

    /// Warns of a workspace in which nearly everything can be changed.
    pub(crate) fn warn(&self) {
        let folder = self.workspace.as_deref().unwrap_or(Path::new("."));
        if let Ok(root) = folder.canonicalize()
            && holds_home(&root)
        {
            terminal::report_warning(&format!(
                "the workspace is `{}`, which holds all that is yours: tools and commands may change nearly \
                 everything there; name the folder of a project with `--workspace`",
                root.display()
            ));
        }
    }

    /// What the session knows of itself. Guards and commands learn from it where the configuration is that was
    /// read, and where checkpoints are kept, also where an option says so.
    fn facts(&self, config: Option<&Path>) -> SessionFacts {
        let absolute = |path: &Path| {
            let path = std::path::absolute(path).ok()?;
            path.into_os_string().into_string().ok()
        };
        let config = config.and_then(absolute);
        let checkpoints = self.checkpoints_folder().as_deref().and_then(absolute);
        let facts =
            SessionFacts::new(SessionSource::from_name(&self.source)).environment(move |name| {
                match name {
                    "HERMES_CONFIG" => config.clone(),
                    "HERMES_CHECKPOINTS" => checkpoints.clone(),
                    _ => std::env::var(name).ok(),
                }
            });
        let set = |name| facts.env(name).filter(|value| !value.is_empty());
        let Some(task) = set("HERMES_KANBAN_TASK") else {
            return facts;
        };
        let worker = Worker::of_task(task);
        let worker = match set("HERMES_KANBAN_RUN_ID") {
            Some(run) => worker.in_run(run),
            None => worker,
        };
        facts.works_as(worker)
    }

    /// The folder that was named, or the current one. A current folder that is gone is no error here:
    /// the tools that need it say so.
    fn workspace(&self) -> Result<Option<Workspace>, CliError> {
        let opened = match &self.workspace {
            Some(path) => Confined::open(path)
                .map(Some)
                .map_err(|source| CliError::Workspace {
                    path: path.clone(),
                    source,
                }),
            None => Ok(Confined::open(Path::new(".")).ok()),
        };
        let Some(root) = opened? else { return Ok(None) };
        let checkpoints = self.checkpoints(root.root());
        let workspace = Workspace::new(root);
        let Some(checkpoints) = checkpoints else {
            return Ok(Some(workspace));
        };
        checkpoints.begin_turn(&*self.label);
        Ok(Some(workspace.with_journal(checkpoints)))
    }

    /// The workspace, and the checkpoints of what was changed in it.
    ///
    /// # Errors
    ///
    /// There is no workspace, or nothing is kept.
    pub(crate) fn kept(&self) -> Result<(Workspace, Checkpoints), CliError> {
        let workspace = self.workspace()?.ok_or_else(|| CliError::Workspace {
            path: PathBuf::from("."),
            source: io::ErrorKind::NotFound.into(),
        })?;
        let checkpoints = self.checkpoints(workspace.root());
        Ok((workspace, checkpoints.ok_or(CliError::NoCheckpoints)?))
    }

    /// Where what is too long to be shown is kept. The next run of the same source in the same workspace may
    /// read it, and no other one.
    pub(crate) fn result_store(&self) -> Option<ResultStore> {
        let store = result_store_of_user()?;
        let folder = self.workspace.as_deref().unwrap_or(Path::new("."));
        match folder.canonicalize() {
            Ok(root) => Some(store.of_place(format!("{}\n{}", self.source, root.display()))),
            Err(_) => Some(store),
        }
    }

    /// Where the checkpoints of a workspace are: a folder for each, so that workspaces that are moved or
    /// copied do not share them.
    fn checkpoints(&self, root: &Path) -> Option<Checkpoints> {
        let folder = self.checkpoints_folder()?;
        Some(Checkpoints::open(folder.join(folder_name(root))))
    }

    /// Where checkpoints are kept, if they are.
    fn checkpoints_folder(&self) -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let absolute = |name: &str| {
            let folder = set(name).map(PathBuf::from);
            folder.filter(|folder| folder.is_absolute())
        };
        let folder = match &self.checkpoints {
            Some(folder) => folder.clone(),
            None => match set("HERMES_CHECKPOINTS") {
                Some(folder) => PathBuf::from(folder),
                None => absolute("XDG_STATE_HOME")
                    .or_else(|| Some(absolute("HOME")?.join(".local/state")))?
                    .join("hermes/checkpoints"),
            },
        };
        (folder != Path::new("off")).then_some(folder)
    }
}

/// Whether a folder, without links, holds the home folder of the user, or is it; or holds everything.
pub(crate) fn holds_home(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let home = home.filter(|home| home.is_absolute());
    let home = home.and_then(|home| home.canonicalize().ok());
    folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder))
}

/// A name for the checkpoints of a workspace: its path in one word, and cut at its start where that is
/// too long for a name, with a number that tells such ones apart.
fn folder_name(root: &Path) -> String {
    const LONGEST: usize = 100;
    let mut number = 0xcbf2_9ce4_8422_2325_u64;
    let mut words = String::new();
    for byte in root.as_os_str().as_encoded_bytes() {
        number = (number ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        words.push(if plain { char::from(*byte) } else { '-' });
    }
    let start = words.len().saturating_sub(LONGEST);
    format!("{}-{number:016x}", words[start..].trim_matches(['-', '.']))
}

/// A session that keeps what is too long to be shown, and prints all else.
pub(crate) fn keeping_results(
    builder: SessionBuilder,
    config: &Config,
    store: Option<ResultStore>,
) -> SessionBuilder {
    let budget = config
        .context_window()
        .map_or_else(Budget::default, Budget::for_window);
    // All that the calls of a program answer is printed, so it has no budget together.
    let builder = builder.result_budget(budget.with_per_turn(usize::MAX));
    match store {
        Some(store) => builder.result_store(store),
        None => builder,
    }
}

/// What the configuration says: the file that was named, or the user's own.
pub(crate) fn read(named: Option<&Path>) -> Result<Config, CliError> {
    match named {
        Some(file) => Ok(Config::load(file)?),
        None => match servers::config_file()? {
            Some(file) => Ok(Config::load(&file)?),
            None => Ok(Config::default()),
        },
    }
}

fn reaction(text: &str) -> Result<Reaction, String> {
    match text {
        "warn" => Ok(Reaction::Warn),
        "refuse" => Ok(Reaction::Refuse),
        _ => Err("expected `warn` or `refuse`".to_owned()),
    }
}

/// Where results are kept: below the user's state folder, or that of temporary files. Nothing is
/// made there before there is a result to keep.
fn result_store_of_user() -> Option<ResultStore> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let folder = absolute("XDG_STATE_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".local/state")))
        .map_or_else(
            || std::env::temp_dir().join("hermes-results"),
            |state| state.join("hermes/results"),
        );
    ResultStore::at(folder).ok()
}

/// Each linked tool of a registry with its toolset.
pub(crate) fn tools_of(registry: &ToolRegistry) -> Vec<(&'static str, &'static str)> {
    registry
        .snapshot()
        .tools()
        .iter()
        .filter_map(Tool::entry)
        .map(|tool| (tool.name(), tool.toolset()))
        .collect()
}

fn source_help() -> String {
    let known: Vec<&str> = sources().collect();
    format!(
        "Where the session comes from, which decides what is enabled: {}, or the platform of a plugin",
        known.join(", ")
    )
}
