//! The life of a session.

use std::sync::atomic::Ordering;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use crate::site::Site;
use crate::wire::{Client, hello};

#[tokio::test]
async fn every_client_has_a_session_of_its_own() {
    let site = Site::new().await;
    let first = Client::open(site.address).await;
    let second = Client::open(site.address).await;
    assert_eq!(first.call(1, "which").await, "1");
    assert_eq!(second.call(1, "which").await, "2");
    assert_eq!(first.call(2, "which").await, "1");
}

#[tokio::test]
async fn without_a_session_nothing_but_the_handshake_is_answered() {
    let site = Site::new().await;
    let bare = Client::new(site.address);
    let mut early = bare.ask(1, "tools/list", &json!({})).await;
    assert_eq!(early.status, 400);
    assert_eq!(
        early.refusal().await,
        (
            -32600,
            "a session begins with `initialize`; send what it gives back as the header `Mcp-Session-Id`"
                .to_owned()
        )
    );
    let stranger = bare
        .clone()
        .with("Mcp-Session-Id", "00000000-0000-0000-0000-000000000000");
    for method in ["POST", "GET", "DELETE"] {
        let mut unknown = stranger.request(method, "{}").await;
        assert_eq!(unknown.status, 404, "{method}");
        assert_eq!(
            unknown.refusal().await,
            (
                -32001,
                "there is no such session, or it has ended; send `initialize` for a new one"
                    .to_owned()
            )
        );
    }
    // Without a session there is no stream to be read and nothing to be ended.
    for method in ["GET", "DELETE"] {
        let mut nothing = bare.request(method, "").await;
        assert_eq!(nothing.status, 400, "{method}");
        assert_eq!(nothing.refusal().await.0, -32000, "{method}");
    }
    let newer = bare.with("MCP-Protocol-Version", "2026-07-28");
    let mut newer = newer.post(&hello()).await;
    assert_eq!(newer.status, 400);
    let (code, words) = newer.refusal().await;
    assert_eq!(code, -32000);
    assert!(
        words.ends_with("there are: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25"),
        "{words}"
    );
    assert_eq!(site.shared.made.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_session_that_is_deleted_ends_with_its_calls() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut call = client.start(1, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    assert_eq!(client.request("DELETE", "").await.status, 204);
    site.shared.until_stopped(1).await;
    site.shared.until_ended(1).await;
    while call.event().await.is_some() {}
    assert_eq!(client.ask(2, "ping", &json!({})).await.status, 404);
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    assert_eq!(client.call(1, "which").await, "1");
    site.shared.until_expired(1).await;
    assert_eq!(client.ask(2, "ping", &json!({})).await.status, 404);
}

#[tokio::test]
async fn a_session_stays_when_the_clock_on_the_wall_is_set() {
    let site = Site::with(|http| http.idle(Duration::from_hours(1))).await;
    let client = Client::open(site.address).await;
    let hour = |hour: u64| UNIX_EPOCH + Duration::from_hours(hour);
    let set = |to: u64| {
        site.shared.clock.set_wall_clock(hour(to));
        site.shared.idle.set_wall_clock(hour(to));
    };
    set(1_000);
    let mut call = client.start(1, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    for (id, to) in [(2, 1_010), (3, 990)] {
        set(to);
        assert_eq!(client.call(id, "which").await, "1");
    }
    site.shared.go.add_permits(1);
    let answer = call.message().await;
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
}

#[tokio::test]
async fn a_session_with_an_open_stream_is_used() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut call = client.start(1, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    // A session that is not used ends meanwhile.
    let other = Client::open(site.address).await;
    site.shared.until_expired(1).await;
    assert_eq!(other.ask(2, "ping", &json!({})).await.status, 404);
    site.shared.go.add_permits(1);
    let answer = call.message().await;
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
}

#[tokio::test]
async fn a_client_that_is_gone_in_a_call_leaves_nothing_behind() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let call = client.start(1, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    drop(call);
    site.shared.go.add_permits(1);
    site.shared.until_stopped(1).await;
    site.shared.until_expired(1).await;
}

#[tokio::test]
async fn at_the_end_calls_are_cancelled_and_answered() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut listening = client.request("GET", "").await;
    let mut call = client.start(1, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    site.stop.cancel();
    let answer = call.message().await;
    assert_eq!(answer["result"]["isError"], true);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("\"code\":\"cancelled\""), "{text}");
    while listening.event().await.is_some() {}
    site.served.await.unwrap().unwrap();
    site.shared.until_ended(1).await;
}
