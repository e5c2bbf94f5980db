//! Calls: results, errors that teach, progress, cancelling.

use serde_json::{Value, json};

use crate::tools::session;
use crate::wire::Wire;

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn json_goes_out_as_text_and_as_structured_content() {
    let mut wire = Wire::open(session().0).await;
    let answer = wire
        .call(1, &json!({"name": "add", "arguments": {"a": 2, "b": "40"}}))
        .await;
    assert_eq!(
        answer["result"],
        json!({
            "content": [
                {"type": "text", "text": "{\"total\":42}"},
                {"type": "text", "text": "[arguments changed: `b`: text to integer (\"40\" to 40)]"},
            ],
            "structuredContent": {"total": 42},
            "isError": false,
        })
    );
}

#[tokio::test]
async fn structured_content_that_was_cut_is_an_error_that_says_so() {
    let mut wire = Wire::open(session().0).await;
    let answer = wire
        .call(1, &json!({"name": "many", "arguments": {"count": 500}}))
        .await;
    let result = &answer["result"];
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"], Value::Null);
    assert!(text(&answer).starts_with("{\"numbers\":[0,1,"), "{answer}");
    assert_eq!(
        result["content"][1]["text"],
        "[the result is larger than the tool may answer with, so it was cut; ask for a smaller part]"
    );
}

#[tokio::test]
async fn pictures_sounds_links_and_files_have_blocks_of_their_own() {
    let mut wire = Wire::open(session().0).await;
    let answer = wire.call(1, &json!({"name": "picture"})).await;
    assert_eq!(
        answer["result"]["content"],
        json!([
            {"type": "text", "text": "look:"},
            {"type": "image", "data": "AQID", "mimeType": "image/png"},
            {"type": "audio", "data": "BAUG", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "https://example.org/report", "name": "report"},
            {"type": "resource", "resource":
                {"uri": "file:///a.csv", "mimeType": "text/csv", "text": "1,2"}},
        ])
    );
}

/// Case 155, as a server over a pipe.
#[tokio::test]
async fn a_reply_of_twelve_megabytes_arrives_whole() {
    let mut wire = Wire::open(session().0).await;
    let answer = wire.call(1, &json!({"name": "photograph"})).await;
    let data = answer["result"]["content"][0]["data"].as_str().unwrap();
    assert_eq!(data.len(), 12_000_000);
    assert!(data.as_bytes().chunks(4).all(|part| part == b"BwcH"));
    assert_eq!(
        text(&wire.call(2, &json!({"name": "ping_now"})).await),
        "pong"
    );
}

/// Case 166.
#[tokio::test]
async fn calls_as_clients_really_send_them_are_all_answered() {
    let mut wire = Wire::open(session().0).await;
    for (id, arguments) in [(1, None), (2, Some(json!(null))), (3, Some(json!("{}")))] {
        let mut params = json!({"name": "ping_now"});
        if let Some(arguments) = arguments {
            params["arguments"] = arguments;
        }
        let answer = wire.call(id, &params).await;
        assert_eq!(text(&answer), "pong", "{id}");
    }
    for (id, arguments) in [(4, json!([])), (5, json!({"a": "five", "b": 1}))] {
        let answer = wire
            .call(id, &json!({"name": "add", "arguments": arguments}))
            .await;
        assert_eq!(answer["result"]["isError"], true, "{id}");
        assert_eq!(answer["result"]["resultType"], Value::Null);
    }
    let answer = wire
        .call(
            6,
            &json!({"name": "add", "arguments": {"a": "five", "b": 1}}),
        )
        .await;
    let error: Value = serde_json::from_str(text(&answer)).unwrap();
    assert_eq!(error["code"], "invalid_arguments");
    assert_eq!(error["issues"][0]["path"], "a");
    let answer = wire.call(7, &json!({"name": "boom"})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("\"code\":\"panicked\""), "{answer}");
    assert_eq!(
        text(&wire.call(8, &json!({"name": "ping_now"})).await),
        "pong"
    );
}

#[tokio::test]
async fn an_unknown_tool_is_refused_with_the_nearest_name() {
    let mut wire = Wire::open(session().0).await;
    let answer = wire
        .call(1, &json!({"name": "pong_now", "arguments": {}}))
        .await;
    assert_eq!(
        answer["error"],
        json!({
            "code": -32602,
            "message": "unknown tool: there is no tool `pong_now`; did you mean `ping_now`?",
        })
    );
    let answer = wire.call(2, &json!({"arguments": {}})).await;
    assert_eq!(answer["error"]["code"], -32602);
    wire.request(3, "tools/nothing", &json!({})).await;
    assert_eq!(wire.answer(3).await["error"]["code"], -32601);
}

#[tokio::test]
async fn progress_is_told_to_whoever_asks_and_never_after_the_answer() {
    let mut wire = Wire::open(session().0).await;
    wire.request(
        1,
        "tools/call",
        &json!({"name": "steps", "_meta": {"progressToken": "p1"}}),
    )
    .await;
    let mut done = 0.0;
    let answer = loop {
        let message = wire.next().await;
        if message["id"] == 1 {
            break message;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p1");
        done = message["params"]["progress"].as_f64().unwrap();
    };
    assert_eq!(text(&answer), "all steps");
    assert!((done - 9.0).abs() < f64::EPSILON, "{done}");
    let silent = wire.call(2, &json!({"name": "steps"})).await;
    assert_eq!(text(&silent), "all steps");
}

/// Case 167.
#[tokio::test]
async fn a_slow_call_holds_nobody_up_and_ends_when_it_is_cancelled() {
    let (session, running) = session();
    let mut wire = Wire::open(session).await;
    wire.request(
        1,
        "tools/call",
        &json!({"name": "slow", "_meta": {"progressToken": 7}}),
    )
    .await;
    let report = wire.next().await;
    assert_eq!(report["method"], "notifications/progress");
    assert_eq!(report["params"]["total"], 3.0);
    running.all_begun(1).await;
    wire.request(2, "ping", &json!({})).await;
    assert_eq!(wire.answer(2).await["result"], json!({}));
    assert_eq!(
        text(&wire.call(3, &json!({"name": "ping_now"})).await),
        "pong"
    );
    wire.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1, "reason": "enough"}}),
    )
    .await;
    running.all_ended(1).await;
    // There is no answer to what was cancelled: the next message is this one's.
    assert_eq!(
        text(&wire.call(4, &json!({"name": "ping_now"})).await),
        "pong"
    );
}

#[tokio::test]
async fn a_hundred_calls_run_side_by_side() {
    let (session, running) = session();
    let mut wire = Wire::open(session).await;
    for id in 1..=100 {
        wire.request(id, "tools/call", &json!({"name": "slow"}))
            .await;
    }
    running.all_begun(100).await;
    for id in 1..=100 {
        wire.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id}}),
        )
        .await;
    }
    running.all_ended(100).await;
    let mut open: Vec<u64> = (101..=200).collect();
    for id in &open {
        let params = json!({"name": "add", "arguments": {"a": id, "b": 1}});
        wire.request(*id, "tools/call", &params).await;
    }
    while !open.is_empty() {
        let answer = wire.next().await;
        let id = answer["id"].as_u64().unwrap();
        assert_eq!(answer["result"]["structuredContent"]["total"], id + 1);
        open.retain(|it| *it != id);
    }
}

#[tokio::test]
async fn a_client_hears_of_what_went_wrong_from_the_level_that_it_chose() {
    let mut wire = Wire::open(session().0).await;
    wire.request(1, "tools/call", &json!({"name": "add", "arguments": {}}))
        .await;
    let message = wire.next().await;
    assert_eq!(message["method"], "notifications/message");
    assert_eq!(message["params"]["level"], "warning");
    assert_eq!(message["params"]["data"]["code"], "invalid_arguments");
    assert_eq!(wire.next().await["id"], 1);
    wire.request(2, "logging/setLevel", &json!({"level": "error"}))
        .await;
    assert_eq!(wire.next().await["result"], json!({}));
    wire.request(3, "tools/call", &json!({"name": "add", "arguments": {}}))
        .await;
    assert_eq!(wire.next().await["id"], 3);
}

#[tokio::test]
async fn arguments_reach_the_tool_as_they_were_sent() {
    let mut wire = Wire::open(session().0).await;
    let call = |id: u64, tool: &str, arguments: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":\
             {{\"name\":\"{tool}\",\"arguments\":{arguments}}}}}\n"
        )
    };
    let number = "170141183460469231731687303715884105727";
    wire.write(&call(1, "same", &format!("{{\"number\":{number}}}")))
        .await;
    assert_eq!(text(&wire.answer(1).await), number);
    // Half a surrogate, which is no text in any encoding.
    wire.write(&call(2, "remove", r#"{"what":"a\ud800b"}"#))
        .await;
    assert_eq!(text(&wire.answer(2).await), "removed a\u{fffd}b");
    wire.write(&call(3, "remove", r#"{"what":"first","what":"last"}"#))
        .await;
    assert_eq!(text(&wire.answer(3).await), "removed last");
}
