//! Servers of the Model Context Protocol whose tools a session has: which there are, which it needs, and
//! their life beside it.

mod form;
mod host;
mod place;
mod written;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hermes_mcp::{PinFile, ServerSetup, ServerState, ServerStatus, Servers, TokenFolder};
use hermes_tools::hook::HookVerdict;
use hermes_tools::{Selection, SessionBuilder, ToolRegistry, Why};
use hermes_toolsets::{Request, Toolsets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::runtime::{Builder, Runtime};

pub(crate) use self::host::{Asked, SessionHost};
pub(crate) use self::place::{config_file, config_place, state_file};
pub(crate) use self::written::{Source, Written, trust, written};
use crate::error::CliError;
use crate::terminal::{self, one_line};

/// How long a command waits for servers before it goes on without them, unless their entries say that they
/// may take longer; what arrives later is there later.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a session that goes on waits for them.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);

/// Which servers a command needs.
#[derive(Debug, Clone, Default)]
pub(crate) enum Need {
    /// All whose tools the session may have.
    #[default]
    All,
    /// The same, and it goes on without those that are late.
    Soon,
    /// That of one tool.
    Tool(String),
}

/// A server that the session asks for.
struct Granted {
    written: Written,
    why: Why,
    bound: hermes_tools::Effect,
}

/// Servers beside a session. They end with it.
pub(crate) struct Beside {
    servers: Option<Servers>,
    runtime: Option<Runtime>,
}

/// What a session needs to know of its servers.
pub(crate) struct Started {
    beside: Beside,
    granted: Vec<Granted>,
    /// Tools that no server may bring in.
    never: Vec<String>,
}

/// What starts servers for `hermes`.
pub(crate) fn setup(workspace: Option<&Path>) -> ServerSetup {
    setup_asking(workspace, Asked::Terminal)
}

fn setup_asking(workspace: Option<&Path>, asked: Asked) -> ServerSetup {
    let mut setup = ServerSetup::new(|name| std::env::var(name).ok())
        .host(Arc::new(SessionHost::new(workspace, asked)));
    if let Some(tokens) = tokens() {
        setup = setup.tokens(tokens);
    }
    if let Some(pins) = pins() {
        setup = setup.pins(Arc::new(pins));
    }
    setup
}

/// Where the tokens of sign-ins are.
pub(crate) fn tokens() -> Option<TokenFolder> {
    state_file("tokens").map(TokenFolder::at)
}

/// Where it is kept what tools looked like when they were approved.
pub(crate) fn pins() -> Option<PinFile> {
    state_file("pins.json").map(PinFile::at)
}

/// Starts the servers whose tools a session may have, if there are any.
pub(crate) fn start(
    written: Vec<Written>,
    toolsets: &Toolsets,
    request: &Request,
    registry: &Arc<ToolRegistry>,
    need: &Need,
    asked: Asked,
    workspace: Option<&Path>,
) -> Result<Option<Started>, CliError> {
    if written.is_empty() || needs_none(need, registry) {
        return Ok(None);
    }
    let (granted, never) = granted(written, toolsets, request, registry, need)?;
    if granted.is_empty() {
        return Ok(None);
    }
    let runtime = runtime()?;
    let specs = granted.iter().map(|it| it.written.spec.clone()).collect();
    let servers = {
        let _inside = runtime.enter();
        setup_asking(workspace, asked).start(registry, specs)
    };
    let patience = match need {
        Need::Soon => SHORT_PATIENCE,
        Need::All => {
            let said = granted.iter().filter(|it| it.written.start_is_said);
            let longest = said.map(|it| it.written.start).max();
            longest.map_or(PATIENCE, |longest| longest.max(PATIENCE))
        }
        Need::Tool(_) => granted
            .iter()
            .map(|it| it.written.start)
            .max()
            .unwrap_or(PATIENCE),
    };
    waited(&granted, || runtime.block_on(servers.settle(patience)));
    for status in servers.status() {
        tell(&status);
    }
    Ok(Some(Started {
        beside: Beside {
            servers: Some(servers),
            runtime: Some(runtime),
        },
        granted,
        never,
    }))
}

/// Whether a linked tool is called, so that servers have nothing to do with it.
fn needs_none(need: &Need, registry: &ToolRegistry) -> bool {
    matches!(need, Need::Tool(name) if registry.get(name).is_some())
}

/// The servers that a request asks for, and the tools that it takes away. A tool that is not there stands
/// for those that will come.
fn granted(
    written: Vec<Written>,
    toolsets: &Toolsets,
    request: &Request,
    registry: &ToolRegistry,
    need: &Need,
) -> Result<(Vec<Granted>, Vec<String>), CliError> {
    let snapshot = registry.snapshot();
    let coming: Vec<(String, String)> = written
        .iter()
        .map(|it| {
            let server = it.spec.name();
            let toolset = hermes_tools::registry::foreign_toolset(server);
            (hermes_tools::registry::foreign_name(server, "*"), toolset)
        })
        .collect();
    let there = snapshot.tools().iter().map(|it| (it.name(), it.toolset()));
    let coming_tools = coming
        .iter()
        .map(|(tool, toolset)| (tool.as_str(), toolset.as_str()));
    let table = toolsets.with_tools(there.chain(coming_tools));
    let selection = table.select(request)?.selection;
    let wanted = |(written, (tool, _)): (Written, &(String, String))| {
        let (why, bound) = (selection.why(tool)?.clone(), selection.bound(tool)?);
        let prefix = tool.trim_end_matches('_');
        let meant = match need {
            Need::Tool(name) => !name.starts_with("mcp__") || name.starts_with(prefix),
            Need::All | Need::Soon => true,
        };
        meant.then_some(Granted {
            written,
            why,
            bound,
        })
    };
    let granted = written
        .into_iter()
        .zip(&coming)
        .filter_map(wanted)
        .collect();
    let disabled = request.disabled_names();
    let never = disabled
        .flat_map(|name| table.removed_by(name))
        .map(str::to_owned);
    Ok((granted, never.collect()))
}

impl Started {
    /// Opens the selection for the tools of the servers, also those that are late, and makes the servers
    /// end with the session.
    pub(crate) fn join(
        self,
        selection: &mut Selection,
    ) -> impl FnOnce(SessionBuilder) -> SessionBuilder + use<> {
        let mut asked = Vec::new();
        for it in &self.granted {
            let toolset = hermes_tools::registry::foreign_toolset(it.written.spec.name());
            selection.insert_toolset(&toolset, it.why.clone(), it.bound);
            if it.written.always_asked {
                asked.push(toolset);
            }
        }
        for name in &self.never {
            selection.remove(name);
        }
        let beside = self.beside;
        move |builder| {
            let builder = builder.state(beside);
            if asked.is_empty() {
                return builder;
            }
            builder.before("approval of servers", move |call| {
                if asked.iter().any(|toolset| toolset == call.tool().toolset()) {
                    HookVerdict::ask("the configuration asks about every call of this server")
                } else {
                    HookVerdict::Pass
                }
            })
        }
    }
}

impl Drop for Beside {
    /// Lets the servers end, on a thread of its own, since a session may end inside another runtime.
    fn drop(&mut self) {
        let (servers, runtime) = (self.servers.take(), self.runtime.take());
        let ending = thread::spawn(move || {
            if let (Some(servers), Some(runtime)) = (servers, runtime) {
                runtime.block_on(servers.stop());
                runtime.shutdown_background();
            }
        });
        // A fault there has left nothing to do here.
        let _ = ending.join();
    }
}

/// A runtime for servers.
pub(crate) fn runtime() -> Result<Runtime, CliError> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| CliError::Serve(hermes_mcp::ServeError::Runtime(error)))
}

/// Waits, and says for whom where somebody sees it.
fn waited<T>(granted: &[Granted], wait: impl FnOnce() -> T) -> T {
    let names: Vec<&str> = granted.iter().map(|it| it.written.spec.name()).collect();
    progress(&format!("starting {}", names.join(", ")), wait)
}

/// Does something that takes a while. The error output shows it if that is a terminal.
pub(crate) fn progress<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // Nobody knows how far it is.
    bar.set_style(ProgressStyle::default_spinner());
    bar.set_message(one_line(what));
    if io::stderr().is_terminal() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    let done = work();
    bar.finish_and_clear();
    done
}

/// Says what is wrong with a server and its tools.
fn tell(status: &ServerStatus) {
    let name = &status.name;
    match &status.state {
        ServerState::Ready => {}
        ServerState::SignIn => terminal::report_warning(&format!(
            "the server `{name}` wants a sign-in; `hermes mcp login {name}` does that"
        )),
        ServerState::Waiting(why) | ServerState::Failed(why) => {
            terminal::report_warning(&format!(
                "the server `{name}` has no tools now: {}",
                one_line(why)
            ));
        }
        _ => terminal::report_warning(&format!(
            "the server `{name}` is still starting; its tools come later"
        )),
    }
    for odd in oddities(status) {
        terminal::report_warning(&format!("the server `{name}`: {odd}"));
    }
    for (tool, why) in &status.refused {
        terminal::report_warning(&format!(
            "the tool `{}` of the server `{name}` is left out: {}",
            one_line(tool),
            one_line(why)
        ));
    }
}

/// What a person should know of a server that can be used all the same. Names in it are the operator's
/// and the server's.
pub(crate) fn oddities(status: &ServerStatus) -> Vec<String> {
    let unknown = status.unknown_names.iter().map(|name| {
        format!("no tool of it is called `{name}`, as its `include`, `exclude` or `effects` say")
    });
    let fault = status.pins_fault.iter().map(|fault| {
        format!(
            "what was approved cannot be read or kept: {fault}; put that right, or remove the file, after which every \
             tool counts as new"
        )
    });
    unknown
        .chain(status.incomplete.clone())
        .chain(fault)
        .collect()
}

/// The workspace of a command, for what is looked for there.
pub(crate) fn workspace_folder(named: Option<&Path>) -> Option<PathBuf> {
    std::path::absolute(named.unwrap_or(Path::new("."))).ok()
}
