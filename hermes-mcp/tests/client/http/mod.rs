//! Servers at an address.

mod fake;
mod oauth;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_mcp::{ServerSetup, ServerSpec, ServerState, TokenFolder};
use hermes_tools::ToolRegistry;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use self::fake::{Reply, Request, serve};
use crate::server::{session, start, until};

fn remote(url: &str) -> ServerSpec {
    let spec = ServerSpec::remote("far", url).unwrap();
    spec.trusted().start_within(Duration::from_mins(5))
}

/// What a server answers to a message, with a text for calls.
fn answer(body: &Value, text: &str) -> Option<Value> {
    let result = match body["method"].as_str()? {
        "initialize" => {
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "fake", "version": "1"}})
        }
        "tools/list" => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
        "tools/call" => json!({"content": [{"type": "text", "text": text}]}),
        _ => return None,
    };
    Some(json!({"jsonrpc": "2.0", "id": body["id"], "result": result}))
}

fn usual(request: &Request, text: &str) -> Reply {
    match (&*request.method, answer(&request.body, text)) {
        ("POST", Some(answer)) => Reply::json(&answer),
        ("POST", None) => Reply::status(202),
        _ => Reply::status(405),
    }
}

#[tokio::test]
async fn a_call_goes_over_streamable_http_with_the_headers_of_the_entry() {
    let url = serve(|request| {
        let key = request.headers.get("x-key").cloned().unwrap_or_default();
        usual(&request, &key)
    })
    .await;
    let spec = remote(&format!("{url}/mcp")).header("X-Key", "k-${SECRET_OF_THE_HOST}");
    let (servers, registry) = start(vec![spec]).await;
    assert_eq!(
        servers.status()[0].state,
        ServerState::Ready,
        "{:?}",
        servers.status()
    );
    let session = session(&registry, &["mcp__far__echo"]);
    let echo = session.call("mcp__far__echo", "{}").await.outcome.unwrap();
    assert_eq!(echo.text(), "k-1234");
    servers.stop().await;
}

#[tokio::test]
async fn a_header_that_names_a_missing_variable_is_told() {
    let spec = remote("http://127.0.0.1:9/").header("X-Key", "${NO_SUCH_VARIABLE_ANYWHERE}");
    let (servers, _registry) = start(vec![spec]).await;
    let told =
        "the header `X-Key` names `NO_SUCH_VARIABLE_ANYWHERE`, which is not set in the environment";
    assert_eq!(
        servers.status()[0].state,
        ServerState::Waiting(told.to_owned())
    );
}

/// A server whose first session expires with the first call. `again`: every later one too.
async fn forgetful(again: bool) -> (String, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&opened);
    let url = serve(move |request| {
        let body = &request.body;
        let known = request.headers.get("mcp-session-id").map(String::as_str);
        match body["method"].as_str() {
            Some("initialize") => {
                let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                usual(&request, "").with("Mcp-Session-Id", format!("s{number}"))
            }
            Some("tools/call") if again || known == Some("s1") => Reply::status(404),
            _ => usual(&request, "done"),
        }
    })
    .await;
    (url, opened)
}

/// Case 158.
#[tokio::test]
async fn an_expired_session_is_begun_anew_once_for_all_calls() {
    let (url, opened) = forgetful(false).await;
    let (_servers, registry) = start(vec![remote(&url)]).await;
    let session = Arc::new(session(&registry, &["mcp__far__echo"]));
    let calls: Vec<_> = (0..5)
        .map(|_| {
            let session = Arc::clone(&session);
            tokio::spawn(async move { session.call("mcp__far__echo", "{}").await })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().outcome.unwrap().text(), "done");
    }
    // The first one, and one more.
    assert_eq!(opened.load(Ordering::SeqCst), 2);
}

/// Case 158, the variant.
#[tokio::test]
async fn a_session_that_expires_again_is_an_error_that_says_so() {
    let (url, _) = forgetful(true).await;
    let (_servers, registry) = start(vec![remote(&url)]).await;
    let session = session(&registry, &["mcp__far__echo"]);
    // It is no time-out: the call ends with the second refusal.
    let error = session
        .call("mcp__far__echo", "{}")
        .await
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server `far` took no call: it ended the session, and the new one too; nothing was done; try again \
         later, or use another way"
    );
}

#[tokio::test]
async fn a_redirect_to_another_place_is_not_followed_and_takes_no_header_there() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let other = serve(move |request| {
        kept.lock().unwrap().push(request.path.clone());
        usual(&request, "stolen")
    })
    .await;
    let url = serve(move |request| match &*request.path {
        "/mcp" => Reply::status(307).with("Location", "/here"),
        "/here" => usual(&request, "here"),
        _ => Reply::status(307).with("Location", format!("{other}/mcp")),
    })
    .await;
    let (servers, registry) = start(vec![remote(&format!("{url}/mcp"))]).await;
    let session = session(&registry, &["mcp__far__echo"]);
    let echo = session.call("mcp__far__echo", "{}").await.outcome.unwrap();
    assert_eq!(echo.text(), "here");
    drop(servers);
    let spec = remote(&format!("{url}/away"))
        .header("Authorization", "Bearer secret")
        .streamable();
    let (servers, _registry) = start(vec![spec]).await;
    let ServerState::Waiting(why) = &servers.status()[0].state else {
        panic!("{:?}", servers.status());
    };
    assert!(why.starts_with("it sends us to another place"), "{why}");
    assert!(why.ends_with("is not where this server is"), "{why}");
    assert_eq!(*seen.lock().unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_server_that_is_not_there_took_no_call() {
    let url = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let (servers, _registry) = start(vec![remote(&url)]).await;
    let ServerState::Waiting(why) = &servers.status()[0].state else {
        panic!("{:?}", servers.status());
    };
    assert!(why.starts_with("no connection to it comes about"), "{why}");
}

#[tokio::test]
async fn a_service_that_gives_out_credentials_is_never_asked() {
    let (servers, _registry) = start(vec![remote("http://169.254.169.254/latest")]).await;
    let ServerState::Waiting(why) = &servers.status()[0].state else {
        panic!("{:?}", servers.status());
    };
    assert!(why.contains("is not connected to"), "{why}");
}

#[tokio::test]
async fn a_server_that_wants_a_sign_in_says_so_and_is_not_asked_again() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let url = serve(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Reply::status(401).with("WWW-Authenticate", "Bearer error=\"invalid_token\"")
    })
    .await;
    let (servers, _registry) = start(vec![remote(&url)]).await;
    assert_eq!(servers.status()[0].state, ServerState::SignIn);
    servers.stop().await;
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_server_is_asked_again_when_somebody_has_signed_in() {
    let open = Arc::new(AtomicBool::new(false));
    let opened = Arc::clone(&open);
    let url = serve(move |request| {
        if opened.load(Ordering::SeqCst) {
            return usual(&request, "");
        }
        Reply::status(401).with("WWW-Authenticate", "Bearer realm=\"far\"")
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let setup = ServerSetup::new(|_| None).tokens(TokenFolder::at(folder.path()));
    let url = format!("{url}/");
    let servers = setup.start(&registry, vec![remote(&url)]);
    servers.settle(Duration::from_mins(5)).await;
    let status = &servers.status()[0];
    assert_eq!(status.state, ServerState::SignIn);
    assert_eq!(status.challenge.as_deref(), Some("Bearer realm=\"far\""));
    open.store(true, Ordering::SeqCst);
    // No tokens, so that none are sent; that the file is there is what counts.
    let digest: String = Sha256::digest(url.as_bytes())[..8]
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect();
    std::fs::write(folder.path().join(format!("far-{digest}.json")), "null").unwrap();
    until(|| servers.status()[0].state == ServerState::Ready).await;
}

/// The transport of 2024: answers come over one stream.
#[tokio::test]
async fn the_older_transport_is_found_where_the_server_speaks_no_other() {
    let stream: Arc<Mutex<Option<UnboundedSender<String>>>> = Arc::default();
    let url = serve(move |request| match (&*request.method, &*request.path) {
        ("GET", "/sse") => {
            let (send, events) = unbounded_channel();
            send.send(": hello\n\nevent: endpoint\ndata: /messages?id=1\n\n".to_owned())
                .unwrap();
            *stream.lock().unwrap() = Some(send);
            Reply::Events(events)
        }
        ("POST", "/messages?id=1") => {
            if let Some(answer) = answer(&request.body, "older") {
                let event = format!("event: message\ndata: {answer}\n\n");
                stream
                    .lock()
                    .unwrap()
                    .as_ref()
                    .unwrap()
                    .send(event)
                    .unwrap();
            }
            Reply::Whole(202, vec![], "Accepted".to_owned())
        }
        _ => Reply::status(404),
    })
    .await;
    let (servers, registry) = start(vec![remote(&format!("{url}/sse"))]).await;
    assert_eq!(
        servers.status()[0].state,
        ServerState::Ready,
        "{:?}",
        servers.status()
    );
    let session = session(&registry, &["mcp__far__echo"]);
    let echo = session.call("mcp__far__echo", "{}").await.outcome.unwrap();
    assert_eq!(echo.text(), "older");
    servers.stop().await;
}

#[tokio::test]
async fn messages_of_the_older_transport_go_to_no_other_place() {
    let url = serve(move |request| match &*request.method {
        "GET" => {
            let (send, events) = unbounded_channel();
            send.send("event: endpoint\ndata: http://127.0.0.1:9/steal\n\n".to_owned())
                .unwrap();
            Reply::Events(events)
        }
        _ => Reply::status(404),
    })
    .await;
    let spec = remote(&url).legacy_sse();
    let (servers, _registry) = start(vec![spec]).await;
    assert!(
        matches!(servers.status()[0].state, ServerState::Waiting(_)),
        "{:?}",
        servers.status()
    );
}
