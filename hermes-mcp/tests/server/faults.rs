//! Clients that do not keep to the protocol, and clients that are gone.

use serde_json::{Value, json};

use crate::tools::session;
use crate::wire::Wire;

#[tokio::test]
async fn what_is_no_message_is_passed_over_or_answered() {
    let mut wire = Wire::open(session().0).await;
    wire.write("hello?\n\n\u{1b}[32m{\r\n").await;
    wire.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n")
        .await;
    assert_eq!(wire.answer(1).await["result"], json!({}));
    wire.write("{\"id\":2,\"method\":[]}\n").await;
    let refused = wire.answer(2).await;
    assert_eq!(refused["error"]["code"], -32600);
    wire.write("[1,2,3]\n").await;
    let refused = wire.next().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&Value::Null, &json!(-32600))
    );
    wire.request(3, "ping", &json!({})).await;
    assert_eq!(wire.answer(3).await["result"], json!({}));
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused_by_its_id() {
    let mut wire = Wire::open(session().0).await;
    let long = "x".repeat(300_000);
    let call = json!({"name": "remove", "arguments": {"what": long}});
    let line =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{call}}}\n");
    wire.write(&line).await;
    let refused = wire.answer(5).await;
    assert_eq!(
        refused["error"],
        json!({"code": -32600,
            "message": "the message is longer than 100000 bytes; send what is large as a file"})
    );
    wire.request(6, "ping", &json!({})).await;
    assert_eq!(wire.answer(6).await["result"], json!({}));
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused_and_the_first_request_goes_on() {
    let (session, running) = session();
    let mut wire = Wire::open(session).await;
    wire.request(1, "tools/call", &json!({"name": "slow"}))
        .await;
    running.all_begun(1).await;
    wire.request(1, "ping", &json!({})).await;
    let refused = wire.next().await;
    assert_eq!(refused["id"], Value::Null);
    assert_eq!(
        refused["error"]["message"],
        "the id 1 belongs to a request that is not answered yet; take a new one for each request"
    );
    wire.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1}}),
    )
    .await;
    running.all_ended(1).await;
    wire.request(1, "ping", &json!({})).await;
    assert_eq!(wire.answer(1).await["result"], json!({}));
}

#[tokio::test]
async fn nothing_before_the_handshake_closes_the_connection() {
    let mut wire = Wire::bare(session().0);
    wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    wire.send(&json!({"jsonrpc": "2.0", "id": 9, "result": {}}))
        .await;
    wire.request(1, "ping", &json!({})).await;
    assert_eq!(wire.answer(1).await["result"], json!({}));
    wire.request(2, "tools/list", &json!({})).await;
    assert_eq!(
        wire.answer(2).await["error"],
        json!({"code": -32600, "message": "the connection is not open; send `initialize` first, and \
            `notifications/initialized` when it is answered"})
    );
    wire.request(
        3,
        "initialize",
        &json!({"protocolVersion": "1999-01-01", "capabilities": {},
        "clientInfo": {"name": "old", "version": "0"}}),
    )
    .await;
    assert_eq!(
        wire.answer(3).await["result"]["protocolVersion"],
        "2025-11-25"
    );
}

#[tokio::test]
async fn what_is_no_message_is_told_what_is_wrong_with_it() {
    let mut wire = Wire::open(session().0).await;
    for (line, id, wrong) in [
        (
            r#"{"id":4,"method":"ping"}"#,
            json!(4),
            "`jsonrpc` is missing",
        ),
        (
            r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#,
            json!("x"),
            "`jsonrpc` is another version",
        ),
        (
            r#"{"jsonrpc":"2.0","id":4,"method":5}"#,
            json!(4),
            "`method` is no text",
        ),
        (
            r#"{"jsonrpc":"2.0","id":4}"#,
            json!(4),
            "`method` is missing",
        ),
        (
            r#"{"jsonrpc":"2.0","id":{},"method":5}"#,
            Value::Null,
            "`id` is neither a text nor a whole number",
        ),
        (
            r#"[{"jsonrpc":"2.0","id":4,"method":"ping"}]"#,
            Value::Null,
            "lists of messages are not taken",
        ),
        ("42", Value::Null, "it is no object"),
    ] {
        wire.write(&format!("{line}\n")).await;
        let refused = wire.next().await;
        assert_eq!(
            (&refused["id"], &refused["error"]["code"]),
            (&id, &json!(-32600)),
            "{line}"
        );
        let words = refused["error"]["message"].as_str().unwrap();
        let begin = format!("this is no JSON-RPC 2.0 message: {wrong}; send ");
        assert!(words.starts_with(&begin), "{line}: {words}");
    }
}

#[tokio::test]
async fn no_id_of_a_message_that_is_not_read_waits_for_ever() {
    let mut wire = Wire::open(session().0).await;
    let deep = format!("{}1{}", "[".repeat(150), "]".repeat(150));
    let exact = format!("{}1{}", "[".repeat(125), "]".repeat(125));
    let exact = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{{"_meta":{{"x":{exact}}}}}}}"#
    );
    for (line, code, message) in [
        (
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{{"_meta":{{"x":{deep}}}}}}}"#
            ),
            -32600,
            "the message is nested 128 levels deep or more; send what is deep as text or as a file",
        ),
        (
            format!(
                r#"{{"params":{{"uri":{deep}}},"method":"resources/read","id":7,"jsonrpc":"2.0"}}"#
            ),
            -32600,
            "the message is nested 128 levels deep or more; send what is deep as text or as a file",
        ),
        (
            exact,
            -32600,
            "the message is nested 128 levels deep or more; send what is deep as text or as a file",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#.to_owned(),
            -32602,
            "`params` is no object; send an object, or none",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":5}}"#.to_owned(),
            -32602,
            "`_meta` in `params` is no object; send an object, or none",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"} and more"#.to_owned(),
            -32700,
            "there is text behind the message; send each message by itself",
        ),
    ] {
        wire.write(&format!("{line}\n")).await;
        assert_eq!(
            wire.answer(7).await["error"],
            json!({"code": code, "message": message})
        );
    }
    // The arguments of a call are the tool's to judge, and its words are a result.
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{{"name":"add","arguments":{{"a":{deep}}}}}}}"#
    );
    wire.write(&format!("{call}\n")).await;
    assert_eq!(wire.answer(8).await["result"]["isError"], true);
    // Text that only begins like JSON is no message.
    wire.write(
        "3 apples\n{} is empty\n\u{feff}{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n",
    )
    .await;
    assert_eq!(
        wire.next().await,
        json!({"jsonrpc": "2.0", "id": 9, "result": {}})
    );
}

#[tokio::test]
async fn params_that_do_not_fit_are_told_with_what_is_wanted() {
    let mut wire = Wire::open(session().0).await;
    let level = "`level`: one of `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert`, `emergency`";
    let uri = "`uri`, a text";
    let cursor = "`cursor` is no text; send the `nextCursor` of the page before, or no cursor for the first page";
    for (method, params, wanted) in [
        ("logging/setLevel", json!({"level": "loud"}), level),
        ("logging/setLevel", json!({}), level),
        ("resources/read", json!({}), uri),
        ("resources/subscribe", json!({"uri": 5}), uri),
        ("resources/unsubscribe", json!({}), uri),
        ("prompts/get", json!({}), "`name`, a text, and where"),
        ("completion/complete", json!({}), "`ref` with `type`"),
        ("tools/list", json!({"cursor": 5}), cursor),
        ("resources/list", json!({"cursor": {}}), cursor),
        ("prompts/list", json!({"cursor": false}), cursor),
        ("resources/templates/list", json!({"cursor": [1]}), cursor),
    ] {
        wire.request(1, method, &params).await;
        let error = wire.answer(1).await["error"].take();
        assert_eq!(error["code"], -32602, "{method} {error}");
        let words = error["message"].as_str().unwrap();
        assert!(words.contains(wanted), "{method}: {words}");
    }
    wire.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe"}))
        .await;
    assert_eq!(
        wire.answer(2).await["error"],
        json!({"code": -32602, "message":
            "the params of `resources/subscribe` do not fit: there are none; send `uri`, a text"})
    );
    wire.request(3, "tools/list", &json!({"cursor": null}))
        .await;
    assert!(wire.answer(3).await["result"]["tools"].is_array());
    wire.request(4, "nothing/here", &json!({})).await;
    assert_eq!(wire.answer(4).await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_damaged_initialize_is_told_what_is_wrong_with_it() {
    let mut wire = Wire::bare(session().0);
    let wanted = "; send `protocolVersion` such as `2025-11-25`, `capabilities` (an object) and `clientInfo` \
        with `name` and `version`";
    for (params, wrong) in [
        (json!({}), "missing field `protocolVersion`"),
        (
            json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
            "missing field `clientInfo`",
        ),
        (
            json!({"protocolVersion": 5, "capabilities": {},
                "clientInfo": {"name": "a", "version": "1"}}),
            "invalid type",
        ),
    ] {
        wire.request(1, "initialize", &params).await;
        let error = wire.answer(1).await["error"].take();
        assert_eq!(error["code"], -32602, "{error}");
        let words = error["message"].as_str().unwrap();
        let begin = format!("the params of `initialize` do not fit: {wrong}");
        assert!(
            words.starts_with(&begin) && words.ends_with(wanted),
            "{words}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_gone_takes_its_calls_along() {
    let (session, running) = session();
    let mut wire = Wire::open(session).await;
    for id in 1..=3 {
        wire.request(id, "tools/call", &json!({"name": "slow"}))
            .await;
    }
    running.all_begun(3).await;
    // Half a message is no message.
    wire.write("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\"")
        .await;
    wire.close().await;
    running.all_ended(3).await;
    wire.served.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_before_the_handshake_is_no_error() {
    let mut wire = Wire::bare(session().0);
    wire.close().await;
    wire.served.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_whose_future_is_dropped_cancels_its_calls() {
    let (session, running) = session();
    let mut wire = Wire::open(session).await;
    wire.request(1, "tools/call", &json!({"name": "slow"}))
        .await;
    running.all_begun(1).await;
    wire.served.abort();
    running.all_ended(1).await;
}

#[tokio::test(start_paused = true)]
async fn what_was_asked_before_the_end_of_the_input_is_answered() {
    let mut wire = Wire::bare(session().0);
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "pipe", "version": "1"}}});
    // The first is told as a log message too, the second tells how far it is.
    let fails = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "add", "arguments": {}}});
    let steps = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "steps", "_meta": {"progressToken": 1}}});
    wire.write(&format!("{hello}\n{fails}\n{steps}\n")).await;
    wire.close().await;
    let mut open = vec![0, 1, 2];
    while !open.is_empty() {
        let message = wire.next().await;
        open.retain(|id| message["id"] != *id);
    }
    wire.served.await.unwrap().unwrap();
}

/// The refusals are written by the transport itself, and nothing follows that would wait for them.
#[tokio::test(start_paused = true)]
async fn what_was_refused_before_the_end_of_the_input_is_answered() {
    let early = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/list"}).to_string();
    let long = format!("{{\"id\":4,\"method\":\"{}", "x".repeat(100_000));
    for open in [true, false] {
        for (line, id) in [
            ("{\"id\":4,\"method\":\"ping\"}", json!(4)),
            ("42", Value::Null),
            (
                "[{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}]",
                Value::Null,
            ),
            (&long, json!(4)),
            (&early, json!(4)),
        ] {
            if open && early == *line {
                continue;
            }
            let mut wire = if open {
                Wire::open(session().0).await
            } else {
                Wire::bare(session().0)
            };
            let begun = tokio::time::Instant::now();
            wire.write(&format!("{line}\n")).await;
            wire.close().await;
            let refused = wire.next().await;
            assert_eq!(
                (&refused["id"], &refused["error"]["code"]),
                (&id, &json!(-32600)),
                "{refused}"
            );
            wire.served.await.unwrap().unwrap();
            assert_eq!(begun.elapsed(), std::time::Duration::ZERO);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn notices_of_the_last_call_come_before_its_answer() {
    let mut wire = Wire::open(session().0).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "add", "arguments": {}}});
    wire.write(&format!("{call}\n")).await;
    wire.close().await;
    let notice = wire.next().await;
    assert_eq!(
        (&notice["method"], &notice["params"]["data"]["tool"]),
        (&json!("notifications/message"), &json!("add"))
    );
    assert_eq!(wire.next().await["id"], 1);
    wire.served.await.unwrap().unwrap();
}

/// Nobody reads what does not fit into the pipe any more.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_does_not_keep_the_server_beyond_the_limit() {
    let mut wire = Wire::open(session().0).await;
    wire.write(&"42\n".repeat(2_000)).await;
    wire.close().await;
    let begun = tokio::time::Instant::now();
    (&mut wire.served).await.unwrap().unwrap();
    assert!(begun.elapsed() <= std::time::Duration::from_secs(6));
}

/// Half of a connection is closed: whoever has sent its last request still reads.
#[tokio::test(start_paused = true)]
async fn what_runs_at_the_end_of_the_input_is_answered_within_a_limit() {
    let (session, running) = session();
    let mut wire = Wire::open(session).await;
    let call = |id: u64, tool: &str| {
        let call =
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool}});
        format!("{call}\n")
    };
    wire.write(&[call(1, "slow"), call(2, "slow"), call(3, "ping_now")].concat())
        .await;
    wire.close().await;
    let begun = tokio::time::Instant::now();
    let mut answers = std::collections::BTreeMap::new();
    while answers.len() < 3 {
        let message = wire.next().await;
        if let Some(id) = message["id"].as_u64() {
            answers.insert(id, message["result"].clone());
        }
    }
    assert_eq!(answers[&3]["content"][0]["text"], "pong");
    for id in [1, 2] {
        assert_eq!(answers[&id]["isError"], true);
        let text = answers[&id]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("\"code\":\"cancelled\""), "{text}");
    }
    running.all_ended(2).await;
    wire.served.await.unwrap().unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_millis(2_100));
}

/// The limit of a message, over a pipe: what fits goes through whole in both directions.
#[tokio::test]
async fn a_message_of_ten_mebibytes_fits_and_a_byte_more_does_not() {
    let mut wire = Wire::unlimited(session().0).await;
    let message = |id: u64, length: usize| {
        let call = |text: &str| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": "remove", "arguments": {"what": text}}})
            .to_string()
        };
        call(&"x".repeat(length - call("").len()))
    };
    let limit = hermes_mcp::MAX_MESSAGE;
    assert_eq!(limit, 10 << 20);
    let fits = message(1, limit);
    assert_eq!(fits.len(), limit);
    let sent = async { wire.exchange(&format!("{fits}\n"), 1).await };
    let answer = sent.await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("removed xxx"), "{}", &text[..100]);
    let long = message(2, limit + 1);
    let answer = wire.exchange(&format!("{long}\n"), 2).await;
    assert_eq!(
        answer["error"]["message"],
        "the message is longer than 10485760 bytes; send what is large as a file"
    );
    wire.request(3, "ping", &json!({})).await;
    assert_eq!(wire.answer(3).await["result"], json!({}));
}
