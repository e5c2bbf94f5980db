//! Tools that turn to the client while they run: they log, have its model write, and ask its user.

use hermes_mcp::{Client, Server};
use hermes_tools::counterpart::{Answer, Question, Questions, SampleRequest, Sampling};
use hermes_tools::{
    Log, Selection, Session, ToolError, ToolRegistry, context::LogLevel, tool, tools,
};
use serde_json::{Value, json};

use crate::wire::Wire;

/// Say something of each kind.
#[tool(toolset = "test", effect = "read")]
fn chatter(#[ctx] log: Log) -> &'static str {
    log.say(LogLevel::Debug, "d");
    log.info("i");
    log.warning("w");
    log.say(LogLevel::Emergency, "e");
    "said"
}

/// Sum up.
#[tool(toolset = "test", effect = "read")]
async fn sum_up(
    #[ctx] model: Sampling,
    /// The text.
    text: String,
) -> Result<String, ToolError> {
    let request = SampleRequest::new(text, 20).system("Be brief.");
    let sample = model.sample(&request).await?;
    Ok(format!(
        "{}: {} ({:?})",
        sample.model, sample.text, sample.stop_reason
    ))
}

/// Ask for a colour.
#[tool(toolset = "test", effect = "read")]
async fn colour(#[ctx] user: Questions) -> Result<String, ToolError> {
    let form = json!({"type": "object", "properties": {
        "colour": {"type": "string", "enum": ["red", "blue"]}}, "required": ["colour"]});
    Ok(match user.ask(&Question::new("Which?", form)).await? {
        Answer::Given(filled) => format!("given {}", Value::Object(filled)),
        other => format!("{other:?}"),
    })
}

/// Write, with the help of a model where there is one.
#[tool(toolset = "test", effect = "read")]
async fn perhaps(#[ctx] model: Option<Sampling>) -> &'static str {
    if model.is_some() { "with" } else { "without" }
}

async fn wire(counterpart: bool, capabilities: Value) -> Wire {
    let registry = ToolRegistry::of(tools![chatter, colour, perhaps, sum_up]).unwrap();
    let selection = Selection::of(["chatter", "colour", "perhaps", "sum_up"]);
    let builder = Session::builder(registry, selection);
    let builder = if counterpart {
        builder.counterpart(Client)
    } else {
        builder
    };
    Wire::serving_with(Server::new(builder.build().unwrap()), capabilities).await
}

async fn text(wire: &mut Wire, id: u64) -> String {
    let answer = wire.answer(id).await;
    let text = &answer["result"]["content"][0]["text"];
    text.as_str()
        .unwrap_or_else(|| panic!("{answer}"))
        .to_owned()
}

#[tokio::test]
async fn what_a_tool_logs_goes_before_its_answer_from_the_level_that_the_client_wants() {
    let mut wire = wire(true, json!({})).await;
    for (id, level, heard) in [
        (10, None, vec![("warning", "w"), ("emergency", "e")]),
        (20, Some("emergency"), vec![("emergency", "e")]),
        (
            30,
            Some("debug"),
            vec![
                ("debug", "d"),
                ("info", "i"),
                ("warning", "w"),
                ("emergency", "e"),
            ],
        ),
    ] {
        if let Some(level) = level {
            wire.request(id, "logging/setLevel", &json!({"level": level}))
                .await;
            assert_eq!(wire.next().await["result"], json!({}));
        }
        wire.request(id + 1, "tools/call", &json!({"name": "chatter"}))
            .await;
        for (level, data) in heard {
            assert_eq!(
                wire.next().await,
                json!({"jsonrpc": "2.0", "method": "notifications/message",
                    "params": {"level": level, "logger": "tools", "data": data}})
            );
        }
        assert_eq!(wire.next().await["id"], id + 1);
    }
}

#[tokio::test]
async fn a_tool_has_the_model_of_the_client_write() {
    let mut wire = wire(true, json!({"sampling": {}})).await;
    let call = json!({"name": "sum_up", "arguments": {"text": "It rains."}});
    wire.request(1, "tools/call", &call).await;
    let asked = wire.next().await;
    assert_eq!(asked["method"], "sampling/createMessage");
    let params = &asked["params"];
    assert_eq!(
        params["messages"],
        json!([{"role": "user", "content": {"type": "text", "text": "It rains."}}])
    );
    assert_eq!(params["systemPrompt"], "Be brief.");
    assert_eq!(params["maxTokens"], 20);
    wire.send(
        &json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"role": "assistant",
        "content": {"type": "text", "text": "Rain."}, "model": "m", "stopReason": "endTurn"}}),
    )
    .await;
    assert_eq!(text(&mut wire, 1).await, "m: Rain. (Some(\"endTurn\"))");
}

#[tokio::test]
async fn a_tool_asks_the_user_of_the_client() {
    let mut wire = wire(true, json!({"elicitation": {}})).await;
    for (id, answer, told) in [
        (
            1,
            json!({"action": "accept", "content": {"colour": "red"}}),
            "given {\"colour\":\"red\"}",
        ),
        (2, json!({"action": "decline"}), "Declined"),
        (3, json!({"action": "cancel"}), "Dismissed"),
    ] {
        wire.request(id, "tools/call", &json!({"name": "colour"}))
            .await;
        let asked = wire.next().await;
        assert_eq!(asked["method"], "elicitation/create");
        assert_eq!(asked["params"]["message"], "Which?");
        assert_eq!(
            asked["params"]["requestedSchema"]["properties"]["colour"]["enum"],
            json!(["red", "blue"])
        );
        wire.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}))
            .await;
        assert_eq!(text(&mut wire, id).await, told);
    }
}

#[tokio::test]
async fn a_client_that_cannot_is_not_asked_and_the_tool_is_refused() {
    let mut wire = wire(true, json!({})).await;
    for (id, call, why) in [
        (
            1,
            json!({"name": "sum_up", "arguments": {"text": "x"}}),
            "the client did not say that it lends a model",
        ),
        (
            2,
            json!({"name": "colour"}),
            "the client did not say that it can ask a person",
        ),
    ] {
        wire.request(id, "tools/call", &call).await;
        let error: Value = serde_json::from_str(&text(&mut wire, id).await).unwrap();
        assert_eq!(
            (&error["code"], &error["error"]),
            (&json!("unavailable"), &json!(why))
        );
    }
}

#[tokio::test]
async fn without_a_counterpart_a_tool_says_what_the_session_lacks() {
    let mut wire = wire(false, json!({"sampling": {}})).await;
    let call = json!({"name": "sum_up", "arguments": {"text": "x"}});
    wire.request(1, "tools/call", &call).await;
    let error: Value = serde_json::from_str(&text(&mut wire, 1).await).unwrap();
    assert_eq!(error["code"], "agent_loop");
    wire.request(2, "tools/call", &json!({"name": "perhaps"}))
        .await;
    assert_eq!(text(&mut wire, 2).await, "without");
}
