//! `server-everything` over its three transports, and `server-filesystem`.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use hermes_mcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use hermes_mcp::{Host, HostFuture, Offers, ServerSetup, ServerSpec, ServerState, Servers};
use hermes_tools::{Selection, Session, ToolRegistry};
use serde_json::json;

use crate::npm::{Npm, npm};

/// A host that fills in forms and has one folder.
struct Willing(String);

impl Host for Willing {
    fn offers(&self) -> Offers {
        Offers {
            forms: true,
            roots: true,
            ..Offers::default()
        }
    }

    fn elicit<'a>(&'a self, _: &'a str, _: ElicitRequestParams) -> HostFuture<'a, ElicitResult> {
        let content = json!({"name": "Ada"});
        Box::pin(async { ElicitResult::new(ElicitationAction::Accept).with_content(content) })
    }

    fn roots(&self, _: &str) -> Vec<(String, String)> {
        vec![(format!("file://{}", self.0), "work".to_owned())]
    }
}

pub(crate) async fn started(spec: ServerSpec, root: &str) -> (Servers, Session) {
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let setup = ServerSetup::new(|name| std::env::var(name).ok());
    let setup = setup.host(Arc::new(Willing(root.to_owned())));
    let servers = setup.start(&registry, vec![spec.trusted()]);
    servers.settle(Duration::from_mins(1)).await;
    let status = servers.status();
    assert_eq!(status[0].state, ServerState::Ready, "{status:?}");
    assert_eq!(status[0].refused, [], "{status:?}");
    let selection = Selection::of(status[0].tools.iter().map(|name| &**name));
    let session = Session::builder(registry, selection).build().unwrap();
    (servers, session)
}

pub(crate) async fn text(session: &Session, tool: &str, arguments: &str) -> String {
    let result = session.call(tool, arguments).await;
    match result.outcome {
        Ok(output) => output.text().into_owned(),
        Err(error) => panic!("{tool}: {error}"),
    }
}

/// What the server does over every transport.
async fn everything(spec: ServerSpec) {
    let (servers, session) = started(spec, "/").await;
    let echo = text(&session, "mcp__everything__echo", r#"{"message": "hi"}"#).await;
    assert_eq!(echo, "Echo: hi");
    let sum = text(&session, "mcp__everything__get_sum", r#"{"a": 2, "b": 3}"#).await;
    assert!(sum.contains('5'), "{sum}");
    let image = text(&session, "mcp__everything__get_tiny_image", "{}").await;
    assert!(image.contains("image/png"), "{image}");
    // Two seconds in four steps: answers of other calls come meanwhile.
    let long = session.call(
        "mcp__everything__trigger_long_running_operation",
        r#"{"duration": 2, "steps": 4}"#,
    );
    let meanwhile = text(&session, "mcp__everything__echo", r#"{"message": "fast"}"#);
    let (long, meanwhile) = tokio::join!(long, meanwhile);
    assert_eq!(meanwhile, "Echo: fast");
    assert!(long.outcome.is_ok());
    let names: Vec<String> = session
        .tools()
        .iter()
        .map(|(tool, _)| tool.name().to_owned())
        .collect();
    if names
        .iter()
        .any(|name| name == "mcp__everything__trigger_elicitation_request")
    {
        let asked = text(
            &session,
            "mcp__everything__trigger_elicitation_request",
            "{}",
        )
        .await;
        assert!(asked.contains("Ada"), "{asked}");
    }
    drop(session);
    servers.stop().await;
}

fn node(npm: &Npm, script: &str) -> ServerSpec {
    let node = npm.node();
    let script = npm.script(script);
    ServerSpec::new("everything", node.to_str().unwrap())
        .unwrap()
        .args([script.to_str().unwrap()])
}

#[tokio::test]
async fn everything_over_pipes() {
    let Some(npm) = npm() else { return };
    everything(node(npm, "server-everything")).await;
}

/// A server on a port of its own, which is killed with this.
struct Listening(Child, u16);

impl Listening {
    fn start(npm: &Npm, mode: &str) -> Self {
        let port = {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            free.local_addr().unwrap().port()
        };
        let child = Command::new(npm.node())
            .arg(npm.script("server-everything"))
            .arg(mode)
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(child, port)
    }

    /// It takes its time until it listens; it is started again and again until then by the client itself.
    async fn reached(&self) {
        let until = tokio::time::timeout(Duration::from_mins(1), async {
            while tokio::net::TcpStream::connect(("127.0.0.1", self.1))
                .await
                .is_err()
            {
                tokio::task::yield_now().await;
            }
        });
        until.await.unwrap();
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn everything_over_streamable_http() {
    let Some(npm) = npm() else { return };
    let server = Listening::start(npm, "streamableHttp");
    server.reached().await;
    let url = format!("http://127.0.0.1:{}/mcp", server.1);
    everything(ServerSpec::remote("everything", url).unwrap()).await;
}

#[tokio::test]
async fn everything_over_the_older_transport() {
    let Some(npm) = npm() else { return };
    let server = Listening::start(npm, "sse");
    server.reached().await;
    let url = format!("http://127.0.0.1:{}/sse", server.1);
    everything(ServerSpec::remote("everything", url).unwrap()).await;
}

#[tokio::test]
async fn the_file_server_works_in_the_root_that_it_is_given() {
    let Some(npm) = npm() else { return };
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let root = root.to_str().unwrap();
    fs::write(folder.path().join("notes.txt"), "first\nsecond\n").unwrap();
    let script = npm.script("server-filesystem");
    let spec = ServerSpec::new("fs", npm.node().to_str().unwrap()).unwrap();
    let (servers, session) = started(spec.args([script.to_str().unwrap(), root]), root).await;
    let arguments = json!({"path": format!("{root}/notes.txt")}).to_string();
    let notes = text(&session, "mcp__fs__read_text_file", &arguments).await;
    assert!(notes.contains("first\nsecond"), "{notes}");
    let outside = session
        .call("mcp__fs__read_text_file", r#"{"path": "/etc/hostname"}"#)
        .await;
    assert!(outside.outcome.unwrap_err().to_string().contains("denied"));
    drop(session);
    servers.stop().await;
}
