//! Guards stand before every tool, on every way in, and go by what arguments are.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io;
use std::net::IpAddr;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hermes_tools::checkpoint::Checkpoints;
use hermes_tools::context::SessionContext;
use hermes_tools::dispatch::guard::{Policy, Resolver, ResolverFuture};
use hermes_tools::gate::{DestinationFuture, Gate, GateFuture, PendingCall};
use hermes_tools::search::ToolSearch;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Access, Effect, ErrorKind, Role, RuntimeTool, Selection, Session, SessionBuilder, SessionFacts,
    Target, ToolContext, ToolEntry, ToolError, ToolParam, ToolRegistry, Workspace, tool, tools,
};
use serde_json::json;

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

#[test]
fn what_stands_at_a_path_decides_and_not_how_it_is_spelt() {
    let place = Place::of(tools![put, get]);
    fs::write(place.folder.path().join("a.txt"), "a").unwrap();
    fs::write(place.folder.path().join(".env"), "KEY=hush").unwrap();
    fs::write(place.folder.path().join("home/.hermes/auth.json"), "{}").unwrap();
    symlink("home/.ssh", place.folder.path().join("keys")).unwrap();
    symlink(".env", place.folder.path().join("plain.txt")).unwrap();
    let put = |path: &str| place.code("put", &json!({ "path": path }).to_string());
    let get = |path: &str| place.code("get", &json!({ "path": path }).to_string());
    for path in [
        "home/.ssh/authorized_keys",
        "keys/authorized_keys",
        "home/x/../.ssh/a",
        ".ssh/config",
        "home/.bashrc",
        "home/.netrc",
        "home/.hermes/.env",
        ".git/hooks/pre-commit",
        "sub/.git/config",
    ] {
        let expected = if path.contains("x/..") {
            "not_found"
        } else {
            "protected_path"
        };
        assert_eq!(put(path), expected, "{path}");
    }
    for path in [".env", "plain.txt", "home/.hermes/auth.json", "./.env"] {
        assert_eq!(get(path), "protected_path", "{path}");
    }
    for path in [
        "b.txt",
        ".env.example",
        ".npmrc",
        "home/notes.txt",
        ".gitignore",
    ] {
        assert_eq!(put(path), "ok", "{path}");
    }
    assert_eq!(put("../x"), "outside_workspace");
    // An argument that was left out is judged by its default.
    assert_eq!(place.code("get", "{}"), "ok");
    let error = place
        .session
        .call_blocking("get", r#"{"path": ".env"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`.env` is not read by tools: it holds credentials; `.env.example` may say what is in it; do without it, or ask the user to do it"
    );
    assert!(!fs::exists(place.folder.path().join("home/.bashrc")).unwrap());
}

#[test]
fn a_file_that_is_not_read_can_be_kept_and_replaced() {
    let store = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::open(store.path());
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".env"), "KEY=hush").unwrap();
    let workspace =
        Workspace::new(Confined::open(folder.path()).unwrap()).with_journal(checkpoints);
    let session = Session::builder(
        ToolRegistry::of(tools![put]).unwrap(),
        Selection::of(["put"]),
    )
    .workspace(workspace)
    .build()
    .unwrap();
    let outcome = session.call_blocking("put", r#"{"path": ".env"}"#).outcome;
    assert_eq!(outcome.unwrap().text(), "done");
    assert_eq!(
        fs::read_to_string(folder.path().join(".env")).unwrap(),
        "text"
    );
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

#[test]
fn a_link_that_changes_after_the_guard_is_seen_by_the_handle() {
    let place = Place::of(tools![swap]);
    fs::create_dir(place.folder.path().join("d")).unwrap();
    assert_eq!(
        place.code("swap", r#"{"path": "d/authorized_keys"}"#),
        "protected_path"
    );
    assert!(!fs::exists(place.folder.path().join("home/.ssh/authorized_keys")).unwrap());
}

#[test]
fn roles_count_in_fields_and_lists() {
    let place = Place::of(tools![edit_many]);
    assert_eq!(
        place.code(
            "edit_many",
            r#"{"edits": [{"path": "a"}, {"path": "b"}], "more": ["c"]}"#
        ),
        "ok"
    );
    assert_eq!(
        place.code(
            "edit_many",
            r#"{"edits": [{"path": "a"}, {"path": "home/.netrc"}]}"#
        ),
        "protected_path"
    );
    assert_eq!(
        place.code("edit_many", r#"{"edits": [], "more": ["a", "../b"]}"#),
        "outside_workspace"
    );
}

#[test]
fn tools_of_the_run_time_are_guarded_alike() {
    let schema = json!({"type": "object", "properties": {"file": {"type": "string"}, "urls": {"type": "array", "items": {"type": "string"}}, "key": {"type": "string", "maxLength": 3}}});
    let tool = RuntimeTool::new("remote_write", "mcp-files", "Write.", schema)
        .effect(Effect::Write)
        .role("file", Role::Path)
        .role("urls", Role::Url)
        .role("key", Role::Secret)
        .targets(|arguments| match arguments.text("file") {
            Some("none") => Err(ToolError::failed("no target")),
            Some("hidden") => Ok(vec![Target::write("home/.netrc")]),
            _ => Ok(Vec::new()),
        })
        .answering(|_| "done".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let registry = ToolRegistry::of(&[]).unwrap();
    registry.register(tool);
    let home = folder.path().canonicalize().unwrap().join("home");
    let session = Session::builder(registry, Selection::of(["remote_write"]))
        .workspace(Workspace::new(Confined::open(folder.path()).unwrap()))
        .guard(Policy::new().home(home))
        .build()
        .unwrap();
    let code = |arguments: &str| {
        let outcome = session.call_blocking("remote_write", arguments).outcome;
        outcome.map_or_else(|error| error.code().to_owned(), |_| "ok".to_owned())
    };
    assert_eq!(code(r#"{"file": "a"}"#), "ok");
    assert_eq!(code(r#"{"file": "../a"}"#), "outside_workspace");
    assert_eq!(code(r#"{"file": "home/.ssh/x"}"#), "protected_path");
    assert_eq!(code(r#"{"file": "hidden"}"#), "protected_path");
    assert_eq!(code(r#"{"file": "none"}"#), "failed");
    assert_eq!(
        code(r#"{"urls": ["https://93.184.216.34/", "http://127.0.0.1/"]}"#),
        "url_blocked"
    );
    let error = session
        .call_blocking("remote_write", r#"{"key": "hunter2"}"#)
        .outcome
        .unwrap_err();
    assert!(!error.to_json().contains("hunter2"), "{error:?}");
}

#[test]
fn commands_are_run_asked_about_or_never_run() {
    let place = Place::of(tools![terminal, spawn]);
    let run = |command: &str| place.code("terminal", &json!({ "command": command }).to_string());
    assert_eq!(run("ls -la"), "ok");
    assert_eq!(run("rm -rf build"), "approval_required");
    assert_eq!(run("rm -rf /"), "command_blocked");
    assert_eq!(run("rm -rf ~"), "command_blocked");
    assert_eq!(run("./a\0b.sh"), "approval_required");
    assert_eq!(place.code("spawn", r#"{"argv": ["ls", "-la"]}"#), "ok");
    assert_eq!(
        place.code("spawn", r#"{"argv": ["rm", "-rf", "/"]}"#),
        "command_blocked"
    );
    assert_eq!(
        place.code("spawn", r#"{"argv": ["echo", "rm -rf /"]}"#),
        "command_blocked"
    );
    let error = place
        .session
        .call_blocking("terminal", r#"{"command": "rm -rf /"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "this command is never run: it deletes everything on the machine; do it in a way that touches less, or ask the user to do it"
    );
}

#[test]
fn every_door_leads_to_the_guard() {
    let place = Place::with(tools![terminal], |builder| {
        builder.tool_search(ToolSearch::of_value(&json!({"enabled": true})))
    });
    let doors = [
        ("terminal", r#"{"command": "rm -rf /"}"#),
        (
            "Terminal_tool",
            r#"{"command": "rm -rf /", "background": true}"#,
        ),
        ("terminal", r#"{"arguments": {"command": "rm -rf /"}}"#),
        ("terminal", r#"{"command": "[\"rm\",\"-rf\",\"/\"]"}"#),
        (
            "tool_call",
            r#"{"name": "terminal", "arguments": {"command": "rm -rf /"}}"#,
        ),
        (
            "tool_call",
            r#"{"name": "tool_call", "arguments": {"name": "terminal", "arguments": {"command": "rm -rf /"}}}"#,
        ),
    ];
    for (tool, arguments) in doors {
        let result = place.session.call_blocking(tool, arguments);
        assert!(result.outcome.is_err(), "{tool} {arguments}: {result:?}");
    }
}

#[test]
fn the_value_that_is_judged_is_the_one_that_is_used() {
    let place = Place::of(tools![put]);
    // The last of equal keys counts, for the guard as for the tool; a list is no path.
    assert_eq!(
        place.code("put", r#"{"path": "ok.txt", "path": "../bad.txt"}"#),
        "outside_workspace"
    );
    assert_ne!(place.code("put", r#"{"path": ["../bad.txt"]}"#), "ok");
    assert!(!fs::exists(place.folder.path().join("../bad.txt")).unwrap());
}

struct Hosts;

impl Resolver for Hosts {
    fn resolve<'a>(&'a self, host: &'a str) -> ResolverFuture<'a> {
        let addresses: &[&str] = match host {
            "public.example" => &["93.184.216.34"],
            "both.example" => &["93.184.216.34", "10.0.0.1"],
            "boom.example" => panic!("the resolver is broken"),
            _ => &[],
        };
        let addresses: Vec<IpAddr> = addresses.iter().map(|it| it.parse().unwrap()).collect();
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

#[test]
fn addresses_are_pinned_and_every_hop_is_judged() {
    let place = Place::with(tools![fetch], |builder| {
        builder.guard(
            Policy::new()
                .resolver(Hosts)
                .block_site("https://www.Blocked.example/x"),
        )
    });
    let told = |arguments: &str| match place.session.call_blocking("fetch", arguments).outcome {
        Ok(output) => output.text().into_owned(),
        Err(error) => error.code().to_owned(),
    };
    assert_eq!(
        told(r#"{"url": "https://Public.example/a b"}"#),
        "https://public.example/a%20b 443 [93.184.216.34]"
    );
    assert_eq!(
        told(r#"{"url": "http://public.example:8080/x", "redirect": "../y"}"#),
        "http://public.example:8080/y 8080 [93.184.216.34]"
    );
    for url in [
        "http://both.example/",
        "http://none.example/",
        "http://sub.blocked.example/",
        "http://127.0.0.1/",
        "http://public.example:22/",
        "http:/public.example",
        "javascript:alert(1)",
    ] {
        assert_eq!(
            told(&json!({ "url": url }).to_string()),
            "url_blocked",
            "{url}"
        );
    }
    for target in [
        "http://127.0.0.1/",
        "//10.0.0.1/",
        "file:///etc/passwd",
        "http://both.example/",
        "//localhost",
        "http:\\\\127.0.0.1",
    ] {
        let arguments = json!({ "url": "https://public.example/", "redirect": target }).to_string();
        assert_eq!(told(&arguments), "url_blocked", "{target}");
    }
    // What a guard cannot do is refused.
    assert_eq!(told(r#"{"url": "http://boom.example/"}"#), "guard_failed");
    let error = place
        .session
        .call_blocking("fetch", r#"{"url": "http://u:pw@127.0.0.1/?token=abc"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`http://u:***@127.0.0.1/?token=***` is not fetched: it leads to this machine; use a public address, or ask the user to allow addresses of the own network"
    );
}

#[test]
fn secrets_are_in_no_error_and_no_repair() {
    let place = Place::of(tools![sign_in]);
    for arguments in [
        r#"{"key": "hunter2", "times": 3}"#,
        r#"{"key": "hunter2hunter2", "times": 3}"#,
        r#"{"key": ["hunter2"], "times": 3}"#,
        r#"{"key": 70412938, "times": 3}"#,
        r#"{"key": "hunter2", "times": "x"}"#,
        r#"{"key": "hunter2", times: 3"#,
    ] {
        let result = place.session.call_blocking("sign_in", arguments);
        let shown = format!("{} {:?}", result.model_text(), result.repairs);
        assert!(
            !shown.contains("hunter2") && !shown.contains("70412938"),
            "{arguments}: {shown}"
        );
        assert!(result.outcome.is_err());
    }
    let error = place
        .session
        .call_blocking("sign_in", r#"{"key": "hunter2hunter2", "times": 3}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.message(),
        "invalid arguments for `sign_in`: `key`: expected text of 1 to 10 characters, got a secret that is not shown"
    );
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

#[test]
fn tools_without_roles_do_not_pass_the_gate() {
    let gate = Arc::new(Counting(AtomicUsize::new(0)));
    let session = Arc::new(SessionContext {
        gate: Some(Arc::<Counting>::clone(&gate)),
        ..SessionContext::default()
    });
    let call = |entry: &'static ToolEntry, arguments: &str| {
        let cx = ToolContext::new(entry.name(), Arc::clone(&session));
        let raw = hermes_tools::args::RawArguments::new(arguments);
        let mut future = entry.call(&cx, raw);
        let mut task = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(future.as_mut().poll(&mut task).is_ready());
    };
    call(tools![count][0], r#"{"number": 1}"#);
    assert_eq!(gate.0.load(Ordering::Relaxed), 0);
    assert!(!tools![count][0].has_roles());
    call(tools![terminal][0], r#"{"command": "ls"}"#);
    assert_eq!(gate.0.load(Ordering::Relaxed), 1);
}

#[test]
fn a_home_that_is_none_frees_no_place() {
    let homes = [
        "/", "", "//", "/.", "/home/..", "home/dev", "~", "/dev", "/root", "/srv",
    ];
    let written = [
        ("/dev/sda", "device"),
        ("/proc/1/environ", "process"),
        ("/etc/shadow", "system-file"),
        ("/etc/passwd", "system-file"),
        ("/usr/bin/ls", "system-file"),
        ("/root/.ssh/id_ed25519", "credential-file"),
        ("/root/.bashrc", "startup-file"),
        ("/home/eve/.ssh/authorized_keys", "credential-file"),
        ("/home/eve/.bashrc", "startup-file"),
        ("/srv/data/eve/.ssh/id_ed25519", "credential-file"),
        ("/.ssh/id_ed25519", "credential-file"),
        ("/.bashrc", "startup-file"),
    ];
    let read = [
        ("/dev/sda", "device"),
        ("/proc/1/environ", "process"),
        ("/etc/shadow", "credential-file"),
        ("/root/.hermes/auth.json", "agent-file"),
        ("/srv/app/.env", "secret-file"),
    ];
    let facts = |home: &str| {
        let home = home.to_owned();
        SessionFacts::default().environment(move |name| (name == "HOME").then(|| home.clone()))
    };
    for home in homes {
        let policies = [
            (Policy::new().home(home), SessionFacts::default()),
            (Policy::new(), facts(home)),
            (
                Policy::new().home(home).agent_home(home),
                SessionFacts::default(),
            ),
        ];
        for (policy, facts) in policies {
            let told = |path: &str, access| {
                let verdict = policy.path(path.as_ref(), access, &facts);
                (verdict.as_str(), verdict.category())
            };
            for (path, category) in written {
                assert_eq!(
                    told(path, Access::Write),
                    ("block", category),
                    "{home} {path}"
                );
            }
            for (path, category) in read {
                assert_eq!(
                    told(path, Access::Read),
                    ("block", category),
                    "{home} {path}"
                );
            }
            assert_eq!(
                told("/work/src/a.rs", Access::Write),
                ("allow", ""),
                "{home}"
            );
            let verdict = policy.command("rm -rf ~", None);
            assert_eq!(verdict.as_str(), "block", "{home}");
        }
    }
}

#[test]
fn an_agent_home_that_is_the_home_frees_nothing_in_it() {
    let policy = Policy::new().home("/data/ada").agent_home("/data/ada");
    for (path, category) in [
        ("/data/ada/.ssh/config", "credential-file"),
        ("/data/ada/.bashrc", "startup-file"),
        ("/data/ada/config.yaml", "agent-file"),
    ] {
        let verdict = policy.path(path.as_ref(), Access::Write, &SessionFacts::default());
        assert_eq!(verdict.category(), category, "{path}");
    }
}
