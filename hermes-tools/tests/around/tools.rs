//! Tools to put something around.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_tools::args::Arguments;
use hermes_tools::{
    Content, Effect, ErrorKind, Output, ToolContext, ToolEntry, ToolError, Workspace, tool, tools,
};

pub(crate) static ALL: &[&ToolEntry] = tools![
    say,
    keep,
    run_command,
    remove,
    read_note,
    write_note,
    flaky,
    flaky_write,
    hang,
    write_and_hang,
    broken,
    login,
    act,
    fetch,
    ask_user
];

/// How often flaky tools still fail.
#[derive(Default)]
pub(crate) struct Failures(pub(crate) AtomicUsize);

/// Say a text.
#[tool(toolset = "test", effect = "read", inline)]
fn say(
    /// The text.
    text: String,
    /// How often.
    #[arg(default = 1, max = 3)]
    times: usize,
) -> String {
    text.repeat(times)
}

/// Keep a text.
#[tool(toolset = "test", effect = "write", inline)]
fn keep(
    /// The text.
    text: String,
) -> String {
    format!("kept {text}")
}

/// Run a command, in word only.
#[tool(toolset = "test", effect = "destructive", inline)]
fn run_command(
    /// The command.
    #[arg(role = "command")]
    command: String,
) -> Output {
    let output = Output::from(Content::text(format!("ran {command}")));
    if command.contains("fails") {
        output.as_failure()
    } else {
        output
    }
}

/// Fetch an address, in word only.
#[tool(toolset = "test", effect = "read", inline)]
fn fetch(
    /// The address.
    #[arg(role = "url")]
    url: String,
) -> String {
    url
}

/// Remove something.
#[tool(toolset = "test", effect = "destructive", timeout = "30s")]
fn remove() -> &'static str {
    "gone"
}

/// Read a note.
#[tool(toolset = "test", effect = "read", idempotent, inline)]
fn read_note(
    /// Its name.
    name: String,
) -> String {
    format!("note {name}")
}

/// Write a note.
#[tool(toolset = "test", effect = "write", inline)]
fn write_note(
    #[ctx] workspace: &Workspace,
    /// Where.
    #[arg(role = "path")]
    path: PathBuf,
    /// What.
    text: String,
) -> Result<String, ToolError> {
    let path = workspace.resolve(path.to_str().unwrap_or_default())?;
    path.replace(text.as_bytes())?;
    Ok(format!("wrote {}", path.display()))
}

/// Fail for some time.
#[tool(toolset = "test", effect = "read", timeout = "30s")]
async fn flaky(
    #[ctx] cx: &ToolContext,
    #[ctx] failures: Option<Arc<Failures>>,
) -> Result<String, ToolError> {
    fail_sometimes(failures)?;
    Ok(format!(
        "well, {:?} left",
        cx.deadline().remaining(cx.executor().now())
    ))
}

/// Fail for some time, and change something.
#[tool(toolset = "test", effect = "write", inline)]
fn flaky_write(#[ctx] failures: Option<Arc<Failures>>) -> Result<String, ToolError> {
    fail_sometimes(failures)?;
    Ok("written".to_owned())
}

fn fail_sometimes(failures: Option<Arc<Failures>>) -> Result<(), ToolError> {
    let left = &failures.unwrap().0;
    if left.load(Ordering::SeqCst) > 0 {
        left.fetch_sub(1, Ordering::SeqCst);
        return Err(ToolError::new(ErrorKind::Io, "the line is busy"));
    }
    Ok(())
}

/// Never answer.
#[tool(toolset = "test", effect = "write", timeout = "30s")]
async fn hang() -> String {
    std::future::pending().await
}

/// Write a text and never answer.
#[tool(toolset = "test", effect = "write", timeout = "30s")]
async fn write_and_hang(
    #[ctx] workspace: &Workspace,
    /// Where.
    #[arg(role = "path")]
    path: String,
) -> Result<String, ToolError> {
    workspace.resolve(&path)?.replace(b"new")?;
    std::future::pending().await
}

/// Never work.
#[tool(toolset = "test", effect = "read", inline)]
fn broken(
    /// Anything.
    #[arg(default = "x")]
    what: String,
) -> Result<String, ToolError> {
    Err(ToolError::failed(format!("no {what}")))
}

/// Log in, in word only.
#[tool(toolset = "test", effect = "write", inline)]
fn login(
    /// Who.
    name: String,
    /// Proof.
    #[arg(role = "secret")]
    password: String,
) -> String {
    format!("{name} has a password of {} characters", password.len())
}

/// Act, gravely or not.
#[tool(toolset = "test", effect = "destructive", effect_of = gravity, inline)]
fn act(
    /// Whether something may be lost.
    gravely: bool,
) -> String {
    format!("acted {gravely}")
}

fn gravity(arguments: &Arguments<'_>) -> Effect {
    match arguments.get("gravely") {
        Some(false) => Effect::Write,
        _ => Effect::Destructive,
    }
}

/// Ask the user.
#[tool(toolset = "test", effect = "read", agent_loop)]
async fn ask_user(#[ctx] person: &Person) -> &'static str {
    person.0
}

/// What only an agent loop has.
pub(crate) struct Person(pub(crate) &'static str);
