//! What a model is told, how large it is, and what is left to the tool search.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};

use hermes_tools::args::Node;
use hermes_tools::definitions::Shrinking;
use hermes_tools::search::{Entry, SearchIndex, SearchMode, ToolSearch};
use hermes_tools::{
    CheckContext, Definition, Dialect, Effect, RuntimeTool, Selection, Session, SessionBuilder,
    SessionFacts, Tool, ToolRegistry, tool, tools,
};
use serde_json::{Value, json};

fn registry(tools: impl IntoIterator<Item = RuntimeTool>) -> Arc<ToolRegistry> {
    let registry = ToolRegistry::of(&[]).unwrap();
    for tool in tools {
        assert!(registry.register(tool).is_done());
    }
    Arc::new(registry)
}

fn session_of(registry: &Arc<ToolRegistry>) -> SessionBuilder {
    let snapshot = registry.snapshot();
    let names = snapshot.tools().iter().map(Tool::name);
    Session::builder(Arc::clone(registry), Selection::of(names))
}

fn search_on() -> ToolSearch {
    ToolSearch {
        mode: SearchMode::On,
        ..ToolSearch::default()
    }
}

#[test]
fn sessions_of_equal_selections_share_one_text() {
    let registry = registry(["b", "a"].map(|it| RuntimeTool::new(it, "s", "x", json!({}))));
    let first = session_of(&registry).build().unwrap().definitions();
    let second = session_of(&registry).build().unwrap().definitions();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(
        first.text(),
        r#"[{"name":"a","description":"x","parameters":{}},{"name":"b","description":"x","parameters":{}}]"#
    );
    let sizes: Vec<_> = first
        .sizes()
        .map(|it| (it.name, it.characters, it.tokens))
        .collect();
    assert_eq!(sizes, [("a", 46, 12), ("b", 46, 12)]);
    assert_eq!(first.tokens(), 24);
}

#[test]
fn a_small_window_defers_first_and_shortens_then_and_says_so() {
    let long = "It does what it says. ".repeat(40);
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string", "description": long}}});
    let tools = ["core", "extra"].map(|it| RuntimeTool::new(it, "s", &long, schema.clone()));
    let registry = registry(tools);
    let settings = ToolSearch::default().visible(["core"]);

    let roomy = session_of(&registry)
        .tool_search(settings.clone())
        .build()
        .unwrap();
    assert_eq!(roomy.definitions().count(), 2);
    assert_eq!(roomy.definitions().shrinking(), &Shrinking::default());

    let small = session_of(&registry)
        .tool_search(settings)
        .definitions_budget(800)
        .build()
        .unwrap();
    let definitions = small.definitions();
    let names: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["core", "tool_search", "tool_describe", "tool_call"]);
    assert!(definitions.tokens() <= 800, "{}", definitions.tokens());
    assert_eq!(definitions.shrinking().deferred, ["extra".into()]);
    assert_eq!(definitions.shrinking().shortened, []);

    let tiny = session_of(&registry)
        .definitions_budget(100)
        .build()
        .unwrap();
    let definitions = tiny.definitions();
    assert_eq!(definitions.shrinking().deferred, []);
    assert_eq!(
        definitions.shrinking().shortened,
        ["core".into(), "extra".into()]
    );
    assert!(
        definitions
            .iter()
            .all(|(_, text)| text.contains(r#""path":{"type":"string"#)
                || text.contains(r#""path":{"description""#))
    );
    let left = definitions.shrinking().beyond;
    assert_eq!(left, definitions.tokens().saturating_sub(100));
}

#[test]
fn every_form_is_kept_and_shared() {
    let registry = registry(["b", "a"].map(|it| RuntimeTool::new(it, "s", "x", json!({}))));
    let (first, second) = (
        session_of(&registry).build().unwrap(),
        session_of(&registry).build().unwrap(),
    );
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        let definitions = first.definitions_for(dialect);
        assert!(Arc::ptr_eq(&definitions, &first.definitions_for(dialect)));
        assert!(Arc::ptr_eq(&definitions, &second.definitions_for(dialect)));
        assert_eq!(definitions.dialect(), Some(dialect));
    }
    let sizes = first.definitions_for(Dialect::Gemini);
    let sizes: Vec<_> = sizes.sizes().map(|it| (it.name, it.characters)).collect();
    assert_eq!(sizes, [("a", 30), ("b", 30)]);
    let before = first.definitions_for(Dialect::Anthropic);
    registry.register(RuntimeTool::new("a", "s", "y", json!({})));
    let after = first.definitions_for(Dialect::Anthropic);
    assert!(after.contains("\"y\"") && !before.contains("\"y\""));
}

/// Eight are kept, and what is used stays: the ninth form takes the place of the one that was asked
/// for longest ago.
#[test]
fn the_least_recently_used_of_eight_goes_first() {
    let registry = registry([RuntimeTool::new("a", "s", "x", json!({}))]);
    // A session remembers its own, so that each question comes from a new one.
    let ask = |dialect: Option<Dialect>| {
        let session = session_of(&registry).build().unwrap();
        match dialect {
            Some(dialect) => session.definitions_for(dialect),
            None => session.definitions(),
        }
    };
    let all: Vec<_> = Dialect::ALL.into_iter().take(8).map(Some).collect();
    let kept: Vec<_> = all.iter().map(|it| ask(*it)).collect();
    // Used again, so that the second is now the oldest.
    assert!(Arc::ptr_eq(&kept[0], &ask(all[0])));
    let ninth = ask(None);
    assert!(Arc::ptr_eq(&ninth, &ask(None)));
    assert!(Arc::ptr_eq(&kept[0], &ask(all[0])));
    for place in 2..8 {
        assert!(Arc::ptr_eq(&kept[place], &ask(all[place])), "{place}");
    }
    assert!(!Arc::ptr_eq(&kept[1], &ask(all[1])));
}

#[test]
fn the_bridge_is_told_in_every_form_and_what_is_left_out_is_reported() {
    let long = "It does what it says. ".repeat(40);
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string", "description": long}}});
    let mut tools = ["core", "extra"]
        .map(|it| RuntimeTool::new(it, "s", &long, schema.clone()))
        .to_vec();
    tools.push(RuntimeTool::new("hopeless", "s", "", json!({"type": "string"})).always_visible());
    let registry = registry(tools);
    let session = session_of(&registry)
        .tool_search(search_on().visible(["core"]))
        .definitions_budget(700)
        .build()
        .unwrap();
    for dialect in Dialect::ALL {
        let definitions = session.definitions_for(dialect);
        let names: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["core", "tool_search", "tool_describe", "tool_call"]);
        let all: Value = serde_json::from_str(&definitions).unwrap();
        let told = |place: usize| match &all[place]["function"] {
            Value::Null => all[place]["name"].clone(),
            function => function["name"].clone(),
        };
        assert_eq!(
            (told(0), told(3)),
            (json!("core"), json!("tool_call")),
            "{dialect}"
        );
        assert!(
            definitions
                .iter()
                .all(|(_, text)| text.contains("\"path\"") || text.contains("\"name\":\"tool_"))
        );
        let shrinking = definitions.shrinking();
        assert_eq!(shrinking.deferred, ["extra".into()]);
        assert_eq!(shrinking.shortened, ["core".into()], "{dialect}");
        assert_eq!(shrinking.beyond, definitions.tokens().saturating_sub(700));
        assert_eq!(
            definitions.losses().last().unwrap().to_string(),
            "`hopeless`: the arguments are of type \"string\", not an object, so the tool is left out"
        );
    }
}

fn name_region(cx: &CheckContext<'_>, definition: &mut Definition) {
    match cx.env("REGION").as_deref() {
        Some("broken") => panic!("on purpose"),
        Some("narrow") => {
            definition.set_values("city", ["Oslo", "Bergen"]);
        }
        Some(region) => definition.description = format!("The weather of {region}."),
        None => {}
    }
}

/// The weather.
#[tool(toolset = "weather", effect = "read", schema_patch = name_region, inline)]
fn weather(
    /// A city.
    city: String,
    /// How many days.
    #[arg(default = 1, min = 1)]
    days: u8,
) -> String {
    format!("{city} {days}")
}

#[test]
fn a_patch_holds_in_every_form() {
    let registry = Arc::new(ToolRegistry::of(tools![weather]).unwrap());
    let in_region = |region: &'static str| {
        let facts = SessionFacts::default()
            .environment(move |name| (name == "REGION").then(|| region.to_owned()));
        session_of(&registry).facts(facts).build().unwrap()
    };
    for dialect in Dialect::ALL {
        let text = |region| in_region(region).definitions_for(dialect).text().to_owned();
        let plain = text("");
        assert_eq!(
            text("the north"),
            plain.replace("The weather.", "The weather of the north.")
        );
        assert_eq!(text("broken"), plain);
        let narrow: Value = serde_json::from_str(&text("narrow")).unwrap();
        let found = narrow.to_string();
        assert!(found.contains(r#""enum":["Oslo","Bergen"]"#), "{found}");
        assert!(text("narrow").find("\"city\"") < text("narrow").find("\"days\""));
        assert_eq!(
            text("narrow").contains("readOnlyHint"),
            dialect == Dialect::Mcp
        );
    }
}

/// The order of the author, also inside, behind references and beside alternatives.
#[test]
fn parameters_of_run_time_tools_keep_their_order_in_every_form() {
    let schema: Node = r##"{"type":"object",
        "properties":{
            "zone":{"type":"string"},
            "address":{"$ref":"#/$defs/Address"},
            "more":{"type":"array","items":{"type":"object","properties":{"y":{"type":"string"},"x":{"type":"string"}}}},
            "any":{"anyOf":[
                {"type":"object","properties":{"q":{"type":"string"},"p":{"type":"string"}}},
                {"type":"null"}]}},
        "required":["zone","address"],
        "$defs":{"Address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"},"block":{"type":"string"}}}}}"##
        .parse()
        .unwrap();
    let tool = RuntimeTool::new("send", "s", "Send it.", schema.clone()).effect(Effect::Write);
    let registry = registry([tool]);
    let session = session_of(&registry).build().unwrap();
    assert_eq!(
        session.definitions().text(),
        format!(
            r#"[{{"name":"send","description":"Send it.","parameters":{}}}]"#,
            schema.to_json()
        )
    );
    for dialect in Dialect::ALL {
        let definitions = session.definitions_for(dialect);
        let text = definitions.text();
        let at = |key: &str| text.find(&format!("\"{key}\":{{"));
        for order in [
            &["zone", "address", "more", "any"][..],
            &["street", "city", "block"],
            &["y", "x"],
            &["q", "p"],
        ] {
            let places: Vec<_> = order.iter().map(|key| at(key)).collect();
            assert!(places.iter().all(Option::is_some), "{dialect}: {text}");
            assert!(places.is_sorted(), "{dialect}: {order:?} {text}");
        }
    }
}

#[test]
fn a_call_through_the_bridge_is_the_call_of_the_real_tool() {
    let received: Arc<Mutex<Vec<Value>>> = Arc::default();
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}, "all": {"type": "boolean"}}});
    let seen = Arc::clone(&received);
    let x = RuntimeTool::new("x", "s", "", schema).handler(move |cx, arguments| {
        assert_eq!(cx.tool(), "x");
        seen.lock()
            .unwrap()
            .push(serde_json::from_str(&arguments.to_json()).unwrap());
        Box::pin(async { hermes_tools::ToolOutput::into_output("done") })
    });
    let registry = registry([x, RuntimeTool::new("hidden", "s", "", json!({}))]);
    let session = session_of(&registry)
        .tool_search(search_on().visible(["x"]))
        .build()
        .unwrap();
    // Case 170, with `x` visible.
    let calls = [
        (
            r#"{"name": "x", "arguments": {"path": "a"}}"#,
            json!({"path": "a"}),
        ),
        (r#"{"name": "x", "path": "a"}"#, json!({"path": "a"})),
        (
            r#"{"name": "x", "parameters": {"path": "a"}}"#,
            json!({"path": "a"}),
        ),
        (
            r#"{"name": "x", "arguments": "{\"path\":\"a\"}"}"#,
            json!({"path": "a"}),
        ),
        (r#"{"name": "x"}"#, json!({})),
        (r#"{"name": "x", "arguments": {}}"#, json!({})),
        (
            r#"{"name": "x", "arguments": {}, "path": "a"}"#,
            json!({"path": "a"}),
        ),
    ];
    for (text, arguments) in calls {
        let result = session.call_blocking("tool_call", text);
        assert_eq!(
            (&*result.tool, result.outcome.is_ok()),
            ("x", true),
            "{text}"
        );
        assert_eq!(received.lock().unwrap().pop(), Some(arguments), "{text}");
    }
    let result = session.call_blocking("tool_call", r#"{"arguments": {"path": "a"}}"#);
    let error = result.outcome.unwrap_err().to_string();
    assert_eq!(
        error,
        "`name`: missing: which tool is meant?; \
         send arguments such as {\"name\":\"...\",\"arguments\":{}}"
    );
}

#[test]
fn the_bridge_does_not_exist_where_nothing_is_deferred() {
    let registry = registry([RuntimeTool::new("x", "s", "", json!({}))]);
    let session = session_of(&registry).build().unwrap();
    for name in ["tool_search", "tool_describe", "tool_call"] {
        let error = session
            .call_blocking(name, r#"{"name":"x","query":"x"}"#)
            .outcome
            .unwrap_err();
        assert_eq!(error.message(), format!("there is no tool `{name}`"));
    }
}

#[test]
fn the_search_follows_the_tools_of_the_session() {
    let registry = registry([RuntimeTool::new("alpha_one", "s", "", json!({}))]);
    let selection = Selection::of(["alpha_one", "alpha_two"]);
    let session = Session::builder(Arc::clone(&registry), selection)
        .tools_come_later()
        .tool_search(search_on())
        .build()
        .unwrap();
    let found = || -> Vec<String> {
        let result = session.call_blocking("tool_search", r#"{"query": "alpha"}"#);
        let answer: Value = serde_json::from_str(&result.outcome.unwrap().text()).unwrap();
        let matches = answer["matches"].as_array().unwrap();
        matches
            .iter()
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(found(), ["alpha_one"]);
    registry.register(RuntimeTool::new("alpha_two", "s", "", json!({})));
    registry.register(RuntimeTool::new("alpha_three", "s", "", json!({})));
    assert_eq!(found(), ["alpha_one", "alpha_two"]);
    registry.deregister("alpha_one");
    assert_eq!(found(), ["alpha_two"]);
}

#[test]
fn a_blank_question_is_an_error_and_a_vain_one_is_not() {
    let registry = registry([RuntimeTool::new("x", "s", "", json!({}))]);
    let session = session_of(&registry)
        .tool_search(search_on())
        .build()
        .unwrap();
    let ask = |text: &str| session.call_blocking("tool_search", text).outcome;
    assert!(ask(r#"{"query": "  "}"#).is_err());
    assert!(ask("{}").is_err());
    let answer = ask(r#"{"query": "zzzz"}"#).unwrap();
    assert!(answer.text().contains("no tool matches"));
}

#[test]
fn forms_of_a_short_word_are_one_word() {
    let mut index = SearchIndex::new();
    for (name, description) in [
        ("sum", "Adds up numbers."),
        ("mapper", "Maps a key to a value."),
        ("compare", "Shows a diff of two files."),
    ] {
        index.insert(Entry {
            name,
            description,
            parameters: &[],
        });
    }
    for (question, found) in [
        ("add", "sum"),
        ("adding", "sum"),
        ("added", "sum"),
        ("map", "mapper"),
        ("mapping", "mapper"),
        ("diff", "compare"),
        ("diffing", "compare"),
        ("diffs", "compare"),
    ] {
        assert_eq!(index.search(question, 5), [found], "{question}");
    }
}

/// Case 168: one tool among two hundred with long texts.
#[test]
fn a_name_finds_its_tool_among_many() {
    let mut index = SearchIndex::new();
    let long = "Read the history of an entity of the home, scene by scene, evening and morning. ";
    for number in 0..200 {
        index.insert(Entry {
            name: &format!("mcp__home__get_entity_history_{number}"),
            description: &long.repeat(5),
            parameters: &["entity", "scene"],
        });
    }
    for name in [
        "mcp__home__evening_scene",
        "mcp__db__trace-path",
        "mcp__web__getURLs",
        "mcp__sheet__spreadsheet_open",
        "mcp__cn__天气查询",
    ] {
        index.insert(Entry {
            name,
            description: "",
            parameters: &[],
        });
    }
    for (question, first) in [
        ("evening_scene", "mcp__home__evening_scene"),
        ("evening scene", "mcp__home__evening_scene"),
        ("mcp__home__evening_scene", "mcp__home__evening_scene"),
        ("trace_path", "mcp__db__trace-path"),
        ("url", "mcp__web__getURLs"),
        ("天气", "mcp__cn__天气查询"),
    ] {
        assert_eq!(index.search(question, 5)[0], first, "{question}");
    }
    let read = index.search("read", 5);
    assert_ne!(read[0], "mcp__sheet__spreadsheet_open");
    assert!(index.search("zzzz", 5).is_empty());
    assert!(index.search("", 5).is_empty());
}
