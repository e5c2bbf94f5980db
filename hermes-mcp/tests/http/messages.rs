//! What is sent.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::site::Site;
use crate::wire::Client;

#[tokio::test]
async fn numbers_arrive_with_all_their_digits() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":
        {"name":"same","arguments":{"number":123456789012345678901234567890}}}"#;
    let answer = client.request("POST", body).await.message().await;
    let text = &answer["result"]["content"][0]["text"];
    assert_eq!(text, "123456789012345678901234567890");
}

#[tokio::test]
async fn what_is_no_message_is_answered_at_once() {
    let site = Site::with(|http| http.body_limit(10_000)).await;
    let client = Client::open(site.address).await;
    for (body, status, code, id) in [
        ("{not json", 400, -32700, Value::Null),
        ("", 400, -32700, Value::Null),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            400,
            -32600,
            Value::Null,
        ),
        (
            r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
            400,
            -32600,
            json!(7),
        ),
    ] {
        let mut answer = client.request("POST", body).await;
        assert_eq!(answer.status, status, "{body}");
        let (found, _, its) = answer.error().await;
        assert_eq!((found, its), (code, id), "{body}");
    }
    let long = format!("\"{}\"", "x".repeat(20_000));
    let mut answer = client.request("POST", &long).await;
    assert_eq!(answer.status, 413);
    assert_eq!(
        answer.refusal().await,
        (
            -32000,
            "the message is longer than 10000 bytes; send what is large as a file".to_owned()
        )
    );
    assert_eq!(client.call(2, "which").await, "1");
}

#[tokio::test]
async fn messages_that_are_not_read_are_refused_by_their_id() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let deep = format!("{}1{}", "[".repeat(150), "]".repeat(150));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{{"_meta":{{"x":{deep}}}}}}}"#
    );
    let behind = r#"{"jsonrpc":"2.0","id":7,"method":"ping"} and more"#;
    let call = deep
        .replace("\"ping\"", "\"tools/call\"")
        .replace("_meta", "arguments");
    let call = call.replace("\"params\":{", "\"params\":{\"name\":\"same\",");
    for (body, code) in [(&*deep, -32600), (&*call, -32600), (behind, -32700)] {
        let mut refused = client.request("POST", body).await;
        assert_eq!(refused.status, 400);
        let (found, _, id) = refused.error().await;
        assert_eq!((found, id), (code, json!(7)));
    }
    let marked = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}";
    let answer = client.request("POST", marked).await.message().await;
    assert_eq!(answer, json!({"jsonrpc": "2.0", "id": 8, "result": {}}));
}

#[tokio::test]
async fn params_that_do_not_fit_are_told_with_what_is_wanted() {
    let site = Site::new().await;
    let hello = json!({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {}});
    let mut refused = Client::new(site.address).post(&hello).await;
    assert_eq!(refused.status, 400);
    let (code, words, id) = refused.error().await;
    assert_eq!((code, id), (-32602, json!(3)));
    assert!(
        words.starts_with("the params of `initialize` do not fit: missing field"),
        "{words}"
    );
    let client = Client::open(site.address).await;
    for (id, method, params) in [
        (1, "logging/setLevel", json!({"level": "loud"})),
        (2, "resources/read", json!({})),
        (3, "tools/list", json!({"cursor": 5})),
    ] {
        let answer = client.ask(id, method, &params).await.message().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(id), &json!(-32602)),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn half_a_message_disturbs_nobody() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut stream = TcpStream::connect(site.address).await.unwrap();
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\":";
    stream.write_all(head.as_bytes()).await.unwrap();
    drop(stream);
    assert_eq!(client.call(1, "which").await, "1");
}

/// Case 155.
#[tokio::test]
async fn a_reply_of_twelve_megabytes_arrives_whole() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut stream = client.start(1, "picture", &json!({})).await;
    let answer = stream.message().await;
    let data = answer["result"]["content"][0]["data"].as_str().unwrap();
    assert_eq!(data.len(), 12_000_000);
}

#[tokio::test]
async fn halves_of_surrogates_do_not_lose_a_call() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let body = r#"{"jsonrpc":"2.0","id":"\ud800","method":"tools/call","params":
        {"name":"same","arguments":{"number":7}}}"#;
    let answer = client.request("POST", body).await.message().await;
    assert_eq!(answer["id"], "\u{fffd}");
    assert_eq!(answer["result"]["content"][0]["text"], "7");
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused_and_the_first_request_is_answered() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut first = client.start(5, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    let second = client.start(5, "which", &json!({})).await.message().await;
    assert_eq!(second["error"]["code"], -32600);
    assert_eq!(second["id"], 5);
    site.shared.go.add_permits(1);
    let answer = first.message().await;
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
    assert_eq!(client.call(5, "which").await, "1");
}

#[tokio::test]
async fn a_call_that_is_taken_back_stops_and_its_stream_ends_without_an_answer() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut call = client.start(3, "wait", &json!({})).await;
    site.shared.until_begun(1).await;
    let back = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 3}});
    assert_eq!(client.post(&back).await.status, 202);
    site.shared.until_stopped(1).await;
    assert_eq!(call.event().await.unwrap().data, Value::Null);
    assert_eq!(call.event().await, None);
}

#[tokio::test]
async fn a_hundred_calls_at_once_are_all_answered() {
    let site = Site::new().await;
    let client = Client::open(site.address).await;
    let mut calls = Vec::new();
    for id in 1..=100 {
        let client = client.clone();
        calls.push(tokio::spawn(async move {
            let answer = client
                .start(id, "same", &json!({"number": id}))
                .await
                .message()
                .await;
            assert_eq!(answer["id"], id);
            assert_eq!(answer["result"]["content"][0]["text"], id.to_string());
        }));
    }
    for call in calls {
        call.await.unwrap();
    }
}
