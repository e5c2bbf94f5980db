//! Guards stand before every tool, on every way in, and go by what arguments are.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod addresses;
mod calls;
mod places;

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use hermes_tools::gate::{DestinationFuture, Gate, GateFuture, PendingCall};
use hermes_tools::workspace::Confined;
use hermes_tools::{
    ErrorKind, Selection, Session, SessionBuilder, SessionFacts, ToolContext, ToolEntry, ToolError,
    ToolParam, ToolRegistry, Workspace, tool,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Write a text.
#[tool(toolset = "test", effect = "write", inline)]
fn put(
    #[ctx] workspace: &Workspace,
    /// Where.
    #[arg(role = "path")]
    path: String,
) -> Result<String, ToolError> {
    workspace.resolve(&path)?.replace(b"text")?;
    Ok("done".to_owned())
}

/// Read a text.
#[tool(toolset = "test", effect = "read", inline)]
fn get(
    #[ctx] workspace: &Workspace,
    /// Where.
    #[arg(role = "path", default = "a.txt")]
    path: PathBuf,
) -> Result<String, Failure> {
    let path = path.to_string_lossy();
    let mut text = String::new();
    io::Read::read_to_string(&mut workspace.resolve(&path)?.open()?, &mut text)?;
    Ok(text)
}

/// One change.
#[derive(Debug, ToolParam)]
struct Edit {
    /// Where.
    #[param(role = "path")]
    path: String,
}

/// Change many files.
#[tool(toolset = "test", effect = "write", inline)]
fn edit_many(
    /// The changes.
    edits: Vec<Edit>,
    /// Files to look at besides.
    #[arg(role = "path")]
    more: Option<Vec<String>>,
) -> String {
    format!("{} {}", edits.len(), more.map_or(0, |more| more.len()))
}

/// Run a command.
#[tool(
    toolset = "test",
    effect = "destructive",
    inline,
    exposure = "deferred"
)]
fn terminal(
    /// The line.
    #[arg(role = "command")]
    command: String,
    /// Whether nobody waits.
    #[arg(default = false)]
    background: bool,
) -> String {
    format!("ran {command} {background}")
}

/// Run a program.
#[tool(toolset = "test", effect = "destructive", inline)]
fn spawn(
    /// The program with its arguments.
    #[arg(role = "command")]
    argv: Vec<String>,
) -> String {
    argv.join(" ")
}

/// Fetch a page.
#[tool(toolset = "test", effect = "read")]
async fn fetch(
    #[ctx] cx: &ToolContext,
    /// The address.
    #[arg(role = "url")]
    url: String,
    /// Where it leads.
    redirect: Option<String>,
) -> Result<String, ToolError> {
    let mut to = cx.destination(&url).await?;
    if let Some(redirect) = redirect {
        to = cx.redirect(&to, &redirect).await?;
    }
    Ok(format!("{} {} {:?}", to.url, to.port, to.addresses))
}

/// Sign in.
#[tool(toolset = "test", effect = "read", inline)]
fn sign_in(
    /// The key.
    #[arg(role = "secret", len = 1..=10)]
    key: String,
    /// How often.
    times: u8,
) -> Result<String, ToolError> {
    Err(
        ToolError::failed(format!("the service said: bad key {key}, {times} times"))
            .with_help(format!("not {key}")),
    )
}

/// Count.
#[tool(toolset = "test", effect = "read", inline)]
fn count(
    /// A number.
    number: u8,
) -> String {
    number.to_string()
}

struct Place {
    session: Session,
    folder: tempfile::TempDir,
}

impl Place {
    fn of(tools: &[&'static ToolEntry]) -> Self {
        Self::with(tools, |builder| builder)
    }

    fn with(
        tools: &[&'static ToolEntry],
        change: impl FnOnce(SessionBuilder) -> SessionBuilder,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("home/.ssh")).unwrap();
        fs::create_dir_all(folder.path().join("home/.hermes")).unwrap();
        let home = folder.path().canonicalize().unwrap().join("home");
        let home = home.to_string_lossy().into_owned();
        let facts =
            SessionFacts::default().environment(move |name| (name == "HOME").then(|| home.clone()));
        let registry = ToolRegistry::of(tools).unwrap();
        let selection = Selection::of(tools.iter().map(|tool| tool.name()));
        let workspace = Workspace::new(Confined::open(folder.path()).unwrap());
        let builder = Session::builder(registry, selection)
            .facts(facts)
            .workspace(workspace);
        Self {
            session: change(builder).build().unwrap(),
            folder,
        }
    }

    fn code(&self, tool: &str, arguments: &str) -> String {
        let result = self.session.call_blocking(tool, arguments);
        match result.outcome {
            Ok(_) => "ok".to_owned(),
            Err(error) => {
                assert!(
                    error.help().is_some_and(|help| !help.is_empty()),
                    "{error:?}"
                );
                error.code().to_owned()
            }
        }
    }
}

/// Change a link behind the guard's back, and then write.
#[tool(toolset = "test", effect = "write", inline)]
fn swap(
    #[ctx] workspace: &Workspace,
    /// Where.
    #[arg(role = "path")]
    path: String,
) -> Result<String, Failure> {
    let folder = workspace.root().join("d");
    fs::remove_dir(&folder)?;
    symlink("home/.ssh", &folder)?;
    workspace.resolve(&path)?.replace(b"key")?;
    Ok("done".to_owned())
}

/// Counts the calls that pass.
struct Counting(AtomicUsize);

impl Gate for Counting {
    fn pass<'a>(&'a self, call: &'a PendingCall<'_>) -> GateFuture<'a> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let shown = call.arguments().map(|tree| tree.to_json());
        assert_eq!(shown.unwrap(), r#"{"command":"ls","background":false}"#);
        Box::pin(std::future::ready(Ok(())))
    }

    fn destination<'a>(
        &'a self,
        _: &'a ToolContext,
        _: &'a str,
        _: Option<&'a str>,
    ) -> DestinationFuture<'a> {
        Box::pin(std::future::ready(Err(ToolError::new(
            ErrorKind::UrlBlocked,
            "no",
        ))))
    }
}
