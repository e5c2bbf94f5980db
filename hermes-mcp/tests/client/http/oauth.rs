//! Servers that want a sign-in, and clocks that are set.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use hermes_mcp::{Login, ServerSetup, ServerSpec, ServerState, Servers, TokenFolder, login};
use hermes_tools::testing::FakeClock;
use hermes_tools::{Session, ToolRegistry};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::fake::{Reply, Request, serve};
use super::{answer, usual};
use crate::server::session;

/// A server with an authorization server of its own: the token that is good now has this number.
#[derive(Default)]
struct Guarded {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    good: usize,
    /// Requests for tokens, as they were sent.
    asked: Vec<String>,
    /// Whether no tokens are given out.
    closed: bool,
    /// The stream of the older transport.
    stream: Option<UnboundedSender<String>>,
}

impl Guarded {
    fn answer(&self, request: &Request) -> Reply {
        let here = format!("http://{}", request.headers["host"]);
        let mut state = self.state.lock().unwrap();
        if let Some(place) = request
            .path
            .strip_prefix("/.well-known/oauth-protected-resource")
        {
            return Reply::json(
                &json!({"resource": format!("{here}{place}"), "authorization_servers": [here]}),
            );
        }
        match &*request.path {
            "/.well-known/oauth-authorization-server" => {
                return Reply::json(&json!({
                    "issuer": here,
                    "authorization_endpoint": format!("{here}/authorize"),
                    "token_endpoint": format!("{here}/token"),
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                    "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                }));
            }
            "/token" => {
                state.asked.push(request.text.clone());
                if state.closed {
                    return Reply::status(503);
                }
                state.good += 1;
                let mut tokens = tokens(state.good, true);
                if request.text.contains("grant_type=client_credentials") {
                    assert_eq!(request.headers["authorization"], "Basic aWQ6aHVzaA==");
                    tokens = self::tokens(state.good, false);
                }
                return Reply::json(&tokens);
            }
            path if path.starts_with("/.well-known/") => return Reply::status(404),
            _ => {}
        }
        let brought = request.headers.get("authorization");
        let good = format!("Bearer token-{}", state.good);
        if brought != Some(&good) {
            let place = format!(
                "{here}/.well-known/oauth-protected-resource{}",
                request.path
            );
            return Reply::status(401).with(
                "WWW-Authenticate",
                format!("Bearer error=\"invalid_token\", resource_metadata=\"{place}\""),
            );
        }
        match (&*request.method, &*request.path) {
            ("GET", "/sse") => {
                let (send, events) = unbounded_channel();
                send.send("event: endpoint\ndata: /messages\n\n".to_owned())
                    .unwrap();
                state.stream = Some(send);
                Reply::Events(events)
            }
            ("POST", "/messages") => {
                if let Some(answer) = answer(&request.body, &good) {
                    let event = format!("event: message\ndata: {answer}\n\n");
                    state.stream.as_ref().unwrap().send(event).unwrap();
                }
                Reply::Whole(202, vec![], String::new())
            }
            _ => usual(request, &good),
        }
    }

    fn renewals(&self) -> usize {
        self.state.lock().unwrap().asked.len()
    }
}

/// Tokens of eight hours.
fn tokens(number: usize, renews: bool) -> Value {
    let mut tokens = json!({"access_token": format!("token-{number}"), "token_type": "Bearer", "expires_in": 28_800});
    if renews {
        tokens["refresh_token"] = json!(format!("renews-{number}"));
    }
    tokens
}

/// Keeps tokens that came at an hour, as a sign-in does.
fn keep(folder: &Path, url: &str, tokens: &Value, hour: u64) {
    let digest = Sha256::digest(url.as_bytes());
    let digest: String = digest[..8].iter().map(|it| format!("{it:02x}")).collect();
    let kept = json!({"client_id": "id", "token_response": tokens, "granted_scopes": [],
        "token_received_at": hour * 3_600, "issuer": null});
    std::fs::write(folder.join(format!("far-{digest}.json")), kept.to_string()).unwrap();
}

struct Site {
    server: Arc<Guarded>,
    clock: FakeClock,
    folder: tempfile::TempDir,
    url: String,
    spec: ServerSpec,
}

impl Site {
    async fn new(older: bool) -> Self {
        let server: Arc<Guarded> = Arc::default();
        server.state.lock().unwrap().good = 1;
        let answers = Arc::clone(&server);
        let place = serve(move |request| answers.answer(&request)).await;
        let url = format!("{place}/{}", if older { "sse" } else { "mcp" });
        let spec = ServerSpec::remote("far", &*url).unwrap();
        let spec = spec.trusted().start_within(Duration::from_mins(5));
        let site = Self {
            server,
            clock: FakeClock::new(),
            folder: tempfile::tempdir().unwrap(),
            url,
            spec: if older { spec.legacy_sse() } else { spec },
        };
        site.set(1_000);
        site
    }

    /// Sets the clock on the wall to an hour.
    fn set(&self, hour: u64) {
        self.clock
            .set_wall_clock(UNIX_EPOCH + Duration::from_hours(hour));
    }

    fn tokens(&self) -> TokenFolder {
        TokenFolder::at(self.folder.path()).clock(Arc::new(self.clock.clone()))
    }

    async fn start(&self) -> (Servers, Session) {
        let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
        let setup = ServerSetup::new(|_| None).tokens(self.tokens());
        let servers = setup.start(&registry, vec![self.spec.clone()]);
        servers.settle(Duration::from_mins(5)).await;
        (servers, session(&registry, &["mcp__far__echo"]))
    }
}

async fn token_of_a_call(session: &Session) -> String {
    let echo = session.call("mcp__far__echo", "{}").await.outcome;
    echo.unwrap().text().into_owned()
}

#[tokio::test]
async fn tokens_are_renewed_when_the_clock_was_set_and_none_is_kept_for_ever() {
    for older in [false, true] {
        let site = Site::new(older).await;
        keep(site.folder.path(), &site.url, &tokens(1, true), 1_000);
        let (servers, session) = site.start().await;
        assert_eq!(servers.status()[0].state, ServerState::Ready, "{servers:?}");
        assert_eq!(token_of_a_call(&session).await, "Bearer token-1");
        assert_eq!(site.server.renewals(), 0);
        // Forward: the token seems to be old.
        site.set(1_010);
        assert_eq!(token_of_a_call(&session).await, "Bearer token-2");
        assert_eq!(token_of_a_call(&session).await, "Bearer token-2");
        assert_eq!(site.server.renewals(), 1);
        // Back: it is of the future, and would seem fresh until the clock has caught up.
        site.set(990);
        assert_eq!(token_of_a_call(&session).await, "Bearer token-3");
        assert_eq!(token_of_a_call(&session).await, "Bearer token-3");
        assert_eq!(site.server.renewals(), 2);
        // It has ended, and the clock does not know: the server's word counts.
        site.server.state.lock().unwrap().good += 1;
        assert_eq!(token_of_a_call(&session).await, "Bearer token-5");
        assert_eq!(token_of_a_call(&session).await, "Bearer token-5");
        assert_eq!(site.server.renewals(), 3);
        servers.stop().await;
    }
}

#[tokio::test]
async fn a_token_that_cannot_be_renewed_is_used_as_long_as_the_server_takes_it() {
    let site = Site::new(false).await;
    keep(site.folder.path(), &site.url, &tokens(1, false), 1_000);
    let (servers, session) = site.start().await;
    for hour in [1_000, 1_010, 9_000, 990, 0] {
        site.set(hour);
        assert_eq!(token_of_a_call(&session).await, "Bearer token-1", "{hour}");
    }
    // Then it is not kept for ever either.
    site.server.state.lock().unwrap().good += 1;
    let error = session.call("mcp__far__echo", "{}").await.outcome;
    let error = error.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server `far` took no call: it wants a sign-in; ask the user to sign in with `hermes mcp login far`"
    );
    crate::server::until(|| servers.status()[0].state == ServerState::SignIn).await;
    assert_eq!(site.server.renewals(), 0);
}

#[tokio::test]
async fn a_call_that_waits_for_tokens_that_nobody_gives_was_not_made() {
    for older in [false, true] {
        let site = Site::new(older).await;
        keep(site.folder.path(), &site.url, &tokens(1, true), 1_000);
        let (servers, session) = site.start().await;
        site.server.state.lock().unwrap().closed = true;
        site.set(1_010);
        let error = session.call("mcp__far__echo", "{}").await.outcome;
        let error = error.unwrap_err();
        assert_eq!(error.code(), "unavailable");
        let told = error.to_string();
        assert!(
            told.starts_with("the server `far` took no call: the sign-in cannot be used: "),
            "{told}"
        );
        assert!(
            told.ends_with("nothing was done; try again later, or use another way"),
            "{told}"
        );
        // Once they are given out again, all is well.
        site.server.state.lock().unwrap().closed = false;
        assert_eq!(token_of_a_call(&session).await, "Bearer token-2");
        servers.stop().await;
    }
}

#[tokio::test]
async fn a_program_signs_in_by_its_own_name_without_a_person() {
    let site = Site::new(false).await;
    let settings = Login {
        client_id: Some("id".to_owned()),
        client_secret: Some("hush".to_owned()),
        scopes: vec!["read".to_owned()],
        unattended: true,
        ..Login::default()
    };
    let limit = Duration::from_secs(30);
    let nobody = |page: &str| panic!("{page}");
    login(
        &site.spec,
        |_| None,
        &site.tokens(),
        settings,
        limit,
        nobody,
    )
    .await
    .unwrap();
    let (servers, session) = site.start().await;
    assert_eq!(token_of_a_call(&session).await, "Bearer token-2");
    servers.stop().await;
    let asked = site.server.state.lock().unwrap().asked.clone();
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0].contains("grant_type=client_credentials"),
        "{asked:?}"
    );
    assert!(asked[0].contains("scope=read"), "{asked:?}");

    let nameless = Login {
        unattended: true,
        ..Login::default()
    };
    let error = login(
        &site.spec,
        |_| None,
        &site.tokens(),
        nameless,
        limit,
        nobody,
    )
    .await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "a sign-in that nobody makes needs a name and a secret"
    );
}

/// What a person signed in for stays when more is asked for.
#[tokio::test]
async fn a_sign_in_for_more_asks_for_what_was_given_too() {
    let site = Site::new(false).await;
    keep(site.folder.path(), &site.url, &tokens(1, true), 1_000);
    let path = std::fs::read_dir(site.folder.path()).unwrap().next();
    let path = path.unwrap().unwrap().path();
    let mut kept: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    kept["granted_scopes"] = json!(["read", "list"]);
    std::fs::write(&path, kept.to_string()).unwrap();
    let settings = Login {
        client_id: Some("id".to_owned()),
        scopes: vec!["write".to_owned(), "read".to_owned()],
        ..Login::default()
    };
    let mut page = String::new();
    let show = |shown: &str| shown.clone_into(&mut page);
    // Nobody opens the page.
    let limit = Duration::ZERO;
    login(&site.spec, |_| None, &site.tokens(), settings, limit, show)
        .await
        .unwrap_err();
    let (_, scopes) = page.split_once("scope=").unwrap();
    assert_eq!(scopes.split('&').next(), Some("write+read+list"), "{page}");
}
