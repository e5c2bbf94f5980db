//! Who is let in.

use hermes_mcp::HttpError;
use tokio::net::TcpListener;

use crate::site::{Site, http};
use crate::wire::{Client, hello};

const TOKEN: &str = "0123456789abcdef";

#[tokio::test]
async fn a_name_that_is_not_this_machine_is_refused() {
    let site = Site::new().await;
    for (header, value) in [
        ("Host", "evil.example.com"),
        ("Origin", "http://evil.example.com"),
        ("Origin", "null"),
    ] {
        let client = Client::new(site.address).with(header, value);
        let mut answer = client.post(&hello()).await;
        assert_eq!(answer.status, 403, "{header}: {value}");
        let (code, words) = answer.refusal().await;
        assert_eq!(code, -32000);
        let option = format!("`--allow-{}` of `hermes mcp`", header.to_lowercase());
        assert!(
            words.contains(header) && words.ends_with(&option),
            "{words}"
        );
    }
    let port = site.address.port();
    for origin in [
        format!("http://localhost:{port}"),
        "http://127.0.0.1:3000".to_owned(),
    ] {
        let client = Client::new(site.address).with("Origin", origin);
        assert_eq!(client.post(&hello()).await.status, 200);
    }
    assert_eq!(
        site.shared.made.load(std::sync::atomic::Ordering::SeqCst),
        2
    );
}

#[tokio::test]
async fn what_a_request_is_judged_by_is_said_once() {
    let site = Site::new().await;
    for header in ["Host", "Origin", "Authorization", "Mcp-Session-Id"] {
        let mut client = Client::new(site.address);
        for value in ["localhost", "evil.example.com"] {
            client.headers.push((header, value.to_owned()));
        }
        let mut answer = client.post(&hello()).await;
        assert_eq!(answer.status, 400, "{header}");
        let name = header.to_lowercase();
        assert_eq!(
            answer.refusal().await,
            (
                -32000,
                format!("the header `{name}` was sent more than once; send it once")
            )
        );
    }
    let client = Client::new(site.address);
    let mut answer = client
        .request_at("POST", "http://evil.example.com/mcp", &hello().to_string())
        .await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.refusal().await.1,
        "the address of the request and its header `Host` name two hosts; name one"
    );
}

#[tokio::test]
async fn names_that_are_none_are_not_served() {
    for host in ["*", "https://a.example.org", "a b", "me@a.example.org", ""] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let error = http().0.allow_host(host).serve(listener).await.unwrap_err();
        assert!(matches!(error, HttpError::BadHost(_)), "{host}: {error}");
    }
    for origin in [
        "*",
        "evil",
        "app.example.org",
        "://a",
        "https://*",
        "https://a/b",
        "",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let error = http()
            .0
            .allow_origin(origin)
            .serve(listener)
            .await
            .unwrap_err();
        assert!(
            matches!(error, HttpError::BadOrigin(_)),
            "{origin}: {error}"
        );
    }
}

#[tokio::test]
async fn names_that_the_operator_adds_are_let_in() {
    let site = Site::with(|http| {
        http.allow_host("tools.example.org")
            .allow_origin("https://app.example.org:*")
    })
    .await;
    let client = Client::new(site.address)
        .with("Host", "tools.example.org")
        .with("Origin", "https://app.example.org");
    let answer = client.post(&hello()).await;
    assert_eq!(answer.status, 200);
    let page = Some("https://app.example.org");
    assert_eq!(answer.header("access-control-allow-origin"), page);
    let ask = client.with("Access-Control-Request-Method", "POST");
    let before = ask.request("OPTIONS", "").await;
    assert_eq!(before.status, 204);
    assert_eq!(before.header("access-control-allow-origin"), page);
    assert_eq!(
        before.header("access-control-allow-methods"),
        Some("GET, POST, DELETE")
    );
    let own = Client::new(site.address).with("Origin", "http://localhost:3000");
    let answer = own.post(&hello()).await;
    assert_eq!(
        (answer.status, answer.header("access-control-allow-origin")),
        (200, None)
    );
}

#[tokio::test]
async fn a_token_is_asked_of_every_request() {
    let site = Site::with(|http| http.token(TOKEN)).await;
    let bare = Client::new(site.address);
    let wrong = [
        "Bearer 0123456789abcdeg",
        "Bearer 0123456789abcde",
        "Basic 0123456789abcdef",
        "Bearer ",
    ];
    let mut refused = bare.post(&hello()).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    assert_eq!(
        refused.refusal().await,
        (
            -32000,
            "the token is missing or wrong; send it as `Authorization: Bearer TOKEN`".to_owned()
        )
    );
    for token in wrong {
        let client = bare.clone().with("Authorization", token);
        assert_eq!(client.post(&hello()).await.status, 401, "{token}");
    }
    let known = bare
        .with("Authorization", format!("bearer {TOKEN}"))
        .opened()
        .await;
    assert_eq!(known.call(1, "which").await, "1");
    let mut stranger = known.clone();
    stranger
        .headers
        .retain(|(name, _)| *name != "Authorization");
    assert_eq!(stranger.request("DELETE", "").await.status, 401);
    assert_eq!(stranger.request("GET", "").await.status, 401);
    assert_eq!(known.call(2, "which").await, "1");
}

#[tokio::test]
async fn an_address_for_others_is_served_with_a_good_token_alone() {
    let everywhere = || TcpListener::bind("0.0.0.0:0");
    let error = http()
        .0
        .serve(everywhere().await.unwrap())
        .await
        .unwrap_err();
    assert!(matches!(error, HttpError::NoToken(_)), "{error}");
    for token in ["short", "with a space in it", "twenty\u{e9}characters"] {
        let listener = everywhere().await.unwrap();
        let error = http().0.token(token).serve(listener).await.unwrap_err();
        assert!(matches!(error, HttpError::BadToken), "{error}");
    }
}

#[tokio::test]
async fn there_is_one_place_and_three_ways_to_ask() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut lost = client.request_at("POST", "/", "{}").await;
    assert_eq!(lost.status, 404);
    assert_eq!(
        lost.refusal().await,
        (
            -32000,
            "there is nothing here; the server is at `/mcp`".to_owned()
        )
    );
    let mut put = client.request("PUT", "{}").await;
    assert_eq!(put.status, 405);
    assert_eq!(put.header("allow"), Some("GET, POST, DELETE"));
    assert_eq!(
        put.refusal().await,
        (
            -32000,
            "this method is not served; use POST for a message, GET for the stream of a session and \
             DELETE to end it"
                .to_owned()
        )
    );
    let accept = "the answer may come as JSON or as events; send `Accept: application/json, \
                  text/event-stream`";
    let kind = "the message is not said to be JSON; send `Content-Type: application/json`";
    for (header, value, status, words) in [
        ("Accept", "text/html", 406, accept),
        ("Content-Type", "text/plain", 415, kind),
    ] {
        let mut answer = client
            .clone()
            .with(header, value)
            .request("POST", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
            .await;
        assert_eq!(answer.status, status, "{header}");
        assert_eq!(
            answer.refusal().await,
            (-32000, words.to_owned()),
            "{header}"
        );
    }
    for method in ["GET", "DELETE"] {
        let mut answer = Client::new(site.address).request(method, "").await;
        assert_eq!(answer.status, 400, "{method}");
        assert_eq!(
            answer.refusal().await,
            (
                -32000,
                "the header `Mcp-Session-Id` is missing; send `initialize` with POST, and what its answer has \
                 in this header with every later request"
                    .to_owned()
            )
        );
    }
}

#[tokio::test]
async fn there_are_no_more_sessions_than_allowed() {
    let site = Site::with(|http| http.sessions(1)).await;
    let client = Client::open(site.address).await;
    let mut full = Client::new(site.address).post(&hello()).await;
    assert_eq!(full.status, 503);
    assert_eq!(
        full.refusal().await,
        (
            -32000,
            "there are as many sessions as the server allows; try again later".to_owned()
        )
    );
    assert_eq!(client.request("DELETE", "").await.status, 204);
    site.shared.until_ended(1).await;
    assert_eq!(Client::open(site.address).await.call(1, "which").await, "2");
}
