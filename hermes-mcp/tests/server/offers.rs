//! Prompts, and what can be read.

use hermes_mcp::{Resource, Server};
use hermes_tools::output::store::ResultStore;
use hermes_tools::{
    Content, PromptArgument, PromptArguments, PromptMessage, Selection, Session, ToolError,
    ToolRegistry, prompt, tool, tools,
};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::tools::session;
use crate::wire::Wire;

prompt! {
    name: "greet",
    toolset: "test",
    description: "Have somebody greeted.",
    arguments: [
        PromptArgument::required("whom", "Who is greeted."),
        PromptArgument::optional("tone", "How.").values(&["warm", "Wary", "cold"]),
    ],
    messages: greet,
}

prompt! {
    name: "elsewhere",
    toolset: "not-in-this-session",
    description: "Never offered.",
    messages: greet,
}

prompt! {
    name: "breaks",
    toolset: "test",
    description: "Breaks.",
    messages: breaks,
}

fn greet(filled: PromptArguments<'_>) -> Result<Vec<PromptMessage>, ToolError> {
    if filled.get("whom") == "nobody" {
        return Err(ToolError::failed("nobody is there").with_help("name somebody"));
    }
    let text = format!("Greet {} ({}).", filled.get("whom"), filled.get("tone"));
    Ok(vec![
        PromptMessage::user(text),
        PromptMessage::model("With pleasure."),
    ])
}

fn breaks(_: PromptArguments<'_>) -> PromptMessage {
    panic!("broken")
}

#[tokio::test]
async fn prompts_of_the_toolsets_of_the_session_are_offered_and_filled_in() {
    let mut wire = Wire::open(session().0).await;
    wire.request(1, "prompts/list", &json!({})).await;
    let listed = wire.answer(1).await;
    assert_eq!(
        listed["result"],
        json!({"prompts": [
            {"name": "breaks", "description": "Breaks."},
            {"name": "greet", "description": "Have somebody greeted.", "arguments": [
                {"name": "whom", "description": "Who is greeted.", "required": true},
                {"name": "tone", "description": "How.", "required": false},
            ]},
        ]})
    );
    let get = json!({"name": "greet", "arguments": {"whom": "Ada"}});
    wire.request(2, "prompts/get", &get).await;
    assert_eq!(
        wire.answer(2).await["result"],
        json!({"description": "Have somebody greeted.", "messages": [
            {"role": "user", "content": {"type": "text", "text": "Greet Ada ()."}},
            {"role": "assistant", "content": {"type": "text", "text": "With pleasure."}},
        ]})
    );
    for (id, get, code, says) in [
        (
            3,
            json!({"name": "greet"}),
            -32602,
            "the argument `whom` is missing: Who is greeted.",
        ),
        (
            4,
            json!({"name": "greet", "arguments": {"whom": "nobody"}}),
            -32602,
            "nobody is there; name somebody",
        ),
        (
            5,
            json!({"name": "elsewhere"}),
            -32602,
            "there is no prompt `elsewhere`; there are: breaks, greet",
        ),
        (
            6,
            json!({"name": "breaks"}),
            -32603,
            "the prompt `breaks` broke; please report it",
        ),
    ] {
        wire.request(id, "prompts/get", &get).await;
        let error = &wire.answer(id).await["error"];
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!(code), &json!(says))
        );
    }
}

#[tokio::test]
async fn what_an_argument_of_a_prompt_may_be_is_completed() {
    let mut wire = Wire::open(session().0).await;
    for (id, argument, typed, values) in [
        (1, "tone", "w", json!(["warm", "Wary"])),
        (2, "tone", "", json!(["warm", "Wary", "cold"])),
        (3, "whom", "A", json!([])),
    ] {
        let params = json!({"ref": {"type": "ref/prompt", "name": "greet"},
            "argument": {"name": argument, "value": typed}});
        wire.request(id, "completion/complete", &params).await;
        assert_eq!(
            wire.answer(id).await["result"]["completion"]["values"],
            values
        );
    }
    let params = json!({"ref": {"type": "ref/prompt", "name": "greet"},
        "argument": {"name": "other", "value": ""}});
    wire.request(4, "completion/complete", &params).await;
    assert_eq!(
        wire.answer(4).await["error"]["message"],
        "`greet` has no argument `other`"
    );
}

/// Count far.
#[tool(toolset = "test", effect = "read", max_result = 2_000, inline)]
fn count_far(
    /// How far.
    to: u32,
) -> String {
    (0..to).map(|number| format!("zähle {number}\n")).collect()
}

fn counting(store: &ResultStore) -> Session {
    let registry = ToolRegistry::of(tools![count_far]).unwrap();
    Session::builder(registry, Selection::of(["count_far"]))
        .result_store(store.clone())
        .build()
        .unwrap()
}

async fn read(wire: &mut Wire, id: u64, uri: &str) -> Value {
    wire.request(id, "resources/read", &json!({"uri": uri}))
        .await;
    wire.answer(id).await
}

#[tokio::test]
async fn a_long_result_is_a_resource_of_its_session_and_is_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let store = ResultStore::open(folder.path().join("results")).unwrap();
    let mut wire = Wire::open(counting(&store)).await;
    let call = json!({"name": "count_far", "arguments": {"to": 40_000}});
    wire.request(1, "tools/call", &call).await;
    assert_eq!(
        wire.next().await["method"],
        "notifications/resources/list_changed"
    );
    let result = wire.answer(1).await;
    let blocks = result["result"]["content"].as_array().unwrap();
    let link = blocks.last().unwrap();
    assert_eq!(link["type"], "resource_link");
    let uri = link["uri"].as_str().unwrap();
    assert_eq!(uri, "hermes-result:///turn-1/1.txt");

    let whole: String = (0..40_000)
        .map(|number| format!("zähle {number}\n"))
        .collect();
    wire.request(2, "resources/list", &json!({})).await;
    let listed = wire.answer(2).await;
    assert_eq!(listed["result"]["resources"][0]["uri"], uri);
    assert_eq!(listed["result"]["resources"][0]["size"], whole.len());

    let (mut text, mut next, mut id) = (String::new(), uri.to_owned(), 3);
    loop {
        let part = read(&mut wire, id, &next).await;
        let contents = part["result"]["contents"].as_array().unwrap();
        text.push_str(contents[0]["text"].as_str().unwrap());
        let Some(more) = contents.get(1) else { break };
        next = more["uri"].as_str().unwrap().to_owned();
        id += 1;
    }
    assert_eq!(id, 4, "256 KiB at a time");
    assert!(text == whole);

    let mut stranger = Wire::open(counting(&store)).await;
    for other in [
        uri,
        "hermes-result:///turn-1/..%2F..%2Fsecret.txt",
        "hermes-result:///turn-1/../turn-1/1.txt",
        "hermes-result:///turn-x/1.txt",
        "file:///etc/passwd",
    ] {
        let error = &read(&mut stranger, 9, other).await["error"];
        assert_eq!(error["code"], -32002, "{other}");
    }
    for other in [
        "hermes-result:///turn-1/..%2F1.txt",
        "hermes-result:///turn-1/.txt",
    ] {
        assert_eq!(
            read(&mut wire, 20, other).await["error"]["code"],
            -32002,
            "{other}"
        );
    }
    let behind = read(&mut wire, 21, &format!("{uri}?from=99999999")).await;
    assert_eq!(behind["error"]["code"], -32602);
}

#[tokio::test]
async fn a_host_adds_resources_and_tells_when_they_change() {
    let (sender, receiver) = watch::channel(Content::text("before"));
    let server = Server::new(session().0)
        .resource(Resource::watched("t://changing", "changing", receiver))
        .resource(Resource::fixed(
            "t://fixed",
            "fixed",
            Content::image("image/png", [1]),
        ))
        .resource(Resource::template("t://{id}/name", "named", |variables| {
            let id = variables.get("id").filter(|id| *id != "none")?;
            Some(Content::text(format!("name of {id}")))
        }));
    let mut wire = Wire::serving(server).await;
    wire.request(1, "resources/list", &json!({})).await;
    assert_eq!(
        wire.answer(1).await["result"]["resources"],
        json!([
            {"uri": "t://changing", "name": "changing"},
            {"uri": "t://fixed", "name": "fixed", "mimeType": "image/png"},
        ])
    );
    wire.request(2, "resources/templates/list", &json!({}))
        .await;
    let templates = wire.answer(2).await;
    assert_eq!(
        templates["result"]["resourceTemplates"][0],
        json!({"uriTemplate": "t://{id}/name", "name": "named"})
    );
    let named = read(&mut wire, 3, "t://a%20b/name").await;
    assert_eq!(
        named["result"]["contents"],
        json!([{"uri": "t://a%20b/name", "mimeType": "text/plain", "text": "name of a b"}])
    );
    assert_eq!(
        read(&mut wire, 4, "t://none/name").await["error"]["code"],
        -32002
    );
    assert_eq!(
        read(&mut wire, 5, "t://fixed").await["result"]["contents"][0]["blob"],
        "AQ=="
    );

    wire.request(6, "resources/subscribe", &json!({"uri": "t://changing"}))
        .await;
    assert_eq!(wire.answer(6).await["result"], json!({}));
    sender.send(Content::text("after")).unwrap();
    let update = wire.next().await;
    assert_eq!(update["method"], "notifications/resources/updated");
    assert_eq!(update["params"]["uri"], "t://changing");
    assert_eq!(
        read(&mut wire, 7, "t://changing").await["result"]["contents"][0]["text"],
        "after"
    );
    wire.request(8, "resources/unsubscribe", &json!({"uri": "t://changing"}))
        .await;
    assert_eq!(wire.answer(8).await["result"], json!({}));
    sender.send(Content::text("later")).unwrap();
    wire.request(9, "resources/subscribe", &json!({"uri": "t://unknown"}))
        .await;
    assert_eq!(wire.answer(9).await["error"]["code"], -32002);
}
