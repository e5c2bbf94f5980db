//! A client that tries out a server: it signs in where the server wants that, lists the tools, and calls
//! each of them once with made-up arguments.
//!
//! ```console
//! $ cargo run -p hermes-mcp --example client -- https://mcp.example.org/mcp
//! ```
//!
//! The client scenarios of the protocol's conformance suite run it. A person is not there then, so forms
//! are accepted as they are, and the page of a sign-in is opened by the program itself.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use hermes_mcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use hermes_mcp::{
    Host, HostFuture, Login, Offers, ServerSetup, ServerSpec, ServerState, Servers, TokenFolder,
    login,
};
use hermes_tools::{Selection, Session, ToolRegistry};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Says yes to every form, with nothing but its defaults.
struct Agreeable;

impl Host for Agreeable {
    fn offers(&self) -> Offers {
        Offers {
            forms: true,
            ..Offers::default()
        }
    }

    fn elicit<'a>(&'a self, _: &'a str, _: ElicitRequestParams) -> HostFuture<'a, ElicitResult> {
        Box::pin(async { ElicitResult::new(ElicitationAction::Accept).with_content(json!({})) })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args()
        .next_back()
        .ok_or("name the address of a server")?;
    let spec = ServerSpec::remote("tried", &*url)?
        .trusted()
        .start_within(Duration::from_secs(20));
    let folder = tempfile::tempdir()?;
    let tokens = TokenFolder::at(folder.path());
    let registry = Arc::new(ToolRegistry::of(&[])?);
    let mut tries = 0;
    let servers = loop {
        let servers = started(&registry, &spec, &tokens).await?;
        match &servers.status()[0].state {
            ServerState::Ready => break servers,
            ServerState::SignIn if tries < 3 => {
                let challenge = servers.status()[0].challenge.clone();
                servers.stop().await;
                sign_in(&spec, &tokens, challenge).await?;
            }
            state => return Err(format!("{state:?}").into()),
        }
        tries += 1;
    };
    let tools = servers.status().swap_remove(0).tools;
    let selection = Selection::of(tools.iter().map(|name| &**name));
    let session = Session::builder(Arc::clone(&registry), selection).build()?;
    for name in &tools {
        let arguments = made_up(&registry, name);
        let mut result = session.call(name, &arguments).await;
        servers.changed(Duration::from_millis(200)).await;
        if let Some(challenge) = servers.status()[0].challenge.clone() {
            // It wants more than somebody has signed in for; the connection takes the new token.
            sign_in(&spec, &tokens, Some(challenge)).await?;
            result = session.call(name, &arguments).await;
        }
        println!("{name} {arguments}: {}", result.model_text());
    }
    drop(session);
    servers.stop().await;
    Ok(())
}

async fn started(
    registry: &Arc<ToolRegistry>,
    spec: &ServerSpec,
    tokens: &TokenFolder,
) -> Result<Servers, Box<dyn Error>> {
    let servers = ServerSetup::new(|name| std::env::var(name).ok())
        .host(Arc::new(Agreeable))
        .tokens(tokens.clone())
        .start(registry, vec![spec.clone()]);
    servers.settle(Duration::from_secs(25)).await;
    Ok(servers)
}

/// Something for every parameter that must be there.
fn made_up(registry: &ToolRegistry, tool: &str) -> String {
    let schema = registry
        .get(tool)
        .and_then(|tool| {
            tool.runtime()
                .and_then(|it| it.parameters().map(Value::from))
        })
        .unwrap_or_default();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let value = |name: &Value| {
        let name = name.as_str()?;
        let value = match schema["properties"][name]["type"].as_str() {
            Some("number" | "integer") => json!(1),
            Some("boolean") => json!(true),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => json!("x"),
        };
        Some((name.to_owned(), value))
    };
    let arguments: Map<String, Value> = required.iter().filter_map(value).collect();
    Value::Object(arguments).to_string()
}

/// What the conformance suite knows of a client that was registered by hand.
fn registered() -> Login {
    let context = std::env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
    let context: Value = serde_json::from_str(&context).unwrap_or_default();
    let text = |key: &str| context[key].as_str().map(str::to_owned);
    Login {
        client_id: text("client_id"),
        client_secret: text("client_secret"),
        unattended: std::env::var("MCP_CONFORMANCE_SCENARIO")
            .is_ok_and(|it| it.contains("client-credentials")),
        metadata_url: Some("https://conformance-test.local/client-metadata.json".to_owned()),
        ..Login::default()
    }
}

async fn sign_in(
    spec: &ServerSpec,
    tokens: &TokenFolder,
    challenge: Option<String>,
) -> Result<(), Box<dyn Error>> {
    let settings = Login {
        challenge,
        ..registered()
    };
    let limit = Duration::from_secs(20);
    let open = |page: &str| {
        let page = page.to_owned();
        tokio::spawn(async move {
            if let Err(error) = visit(page).await {
                eprintln!("the page of the sign-in cannot be opened: {error}");
            }
        });
    };
    login(
        spec,
        |name| std::env::var(name).ok(),
        tokens,
        settings,
        limit,
        open,
    )
    .await?;
    Ok(())
}

/// Opens a page of this machine as a browser does, and follows where it leads.
async fn visit(mut page: String) -> Result<(), Box<dyn Error + Send + Sync>> {
    for _ in 0..5 {
        let rest = page
            .strip_prefix("http://")
            .ok_or("no page of this machine")?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = if path.is_empty() { "/" } else { path };
        let mut stream = tokio::net::TcpStream::connect(host).await?;
        let asked = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let next = answer
            .lines()
            .take_while(|line| !line.is_empty())
            .find_map(|line| {
                let (key, value) = line.split_once(':')?;
                key.eq_ignore_ascii_case("location")
                    .then(|| value.trim().to_owned())
            });
        match next {
            Some(next) => page = next,
            None => return Ok(()),
        }
    }
    Ok(())
}
