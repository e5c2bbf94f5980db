//! Every key of `#[tool]` and `#[arg]` that a session goes by does what its documentation says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use hermes_tools::args::Arguments;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Access, CheckContext, Definition, Effect, ErrorKind, Exposure, Parallel, Selection, Session,
    SessionBuilder, SessionFacts, SessionSource, Target, ToolCall, ToolEntry, ToolError,
    ToolRegistry, Workspace, tool, tools,
};

fn builder(tools: &[&'static ToolEntry]) -> SessionBuilder {
    let registry = ToolRegistry::of(tools).unwrap();
    let selection = Selection::of(tools.iter().map(|tool| tool.name()));
    Session::builder(registry, selection)
}

fn refusal(session: &Session, tool: &str, arguments: &str) -> (ErrorKind, String) {
    let error = session.call_blocking(tool, arguments).outcome.unwrap_err();
    (error.kind(), error.message().to_owned())
}

fn text(session: &Session, tool: &str, arguments: &str) -> String {
    session
        .call_blocking(tool, arguments)
        .outcome
        .unwrap()
        .text()
        .into_owned()
}

fn effect_of_notes(arguments: &Arguments<'_>) -> Effect {
    match arguments.text("action") {
        Some("list") => Effect::Read,
        Some("add") => Effect::Write,
        _ => Effect::Destructive,
    }
}

/// Keep notes.
#[tool(
    toolset = "test",
    effect = "destructive",
    effect_of = effect_of_notes,
    inline
)]
fn notes(
    /// What to do.
    #[arg(values = ["list", "add", "remove"], default = "list")]
    action: String,
) -> String {
    action
}

/// Remove all.
#[tool(toolset = "test", effect = "destructive", inline)]
fn remove_all() -> &'static str {
    "gone"
}

/// Look.
#[tool(toolset = "test", effect = "read", inline)]
fn look() -> &'static str {
    "seen"
}

#[test]
fn a_bound_on_effect_judges_each_call_of_a_tool_with_many_actions() {
    let tools = tools![notes, remove_all, look];
    let session = builder(tools).max_effect(Effect::Write).build().unwrap();
    let shown = session.tools();
    let names: Vec<&str> = shown.iter().map(|(tool, _)| tool.name()).collect();
    assert_eq!(names, ["look", "notes"]);
    assert_eq!(text(&session, "notes", r#"{"action":"add"}"#), "add");
    assert_eq!(text(&session, "notes", "{}"), "list");
    assert_eq!(
        refusal(&session, "notes", r#"{"action":"remove"}"#),
        (
            ErrorKind::EffectNotAllowed,
            "this call of `notes` has the effect destructive, and the session allows write at most"
                .to_owned()
        )
    );
    assert_eq!(
        refusal(&session, "remove_all", "{}").0,
        ErrorKind::UnknownTool
    );
    let unbound = builder(tools).build().unwrap();
    assert_eq!(text(&unbound, "notes", r#"{"action":"remove"}"#), "remove");
}

#[test]
fn an_argument_that_was_left_out_is_judged_by_its_default() {
    let session = builder(tools![notes])
        .max_effect(Effect::Read)
        .build()
        .unwrap();
    assert_eq!(text(&session, "notes", "{}"), "list");
    assert_eq!(
        refusal(&session, "notes", r#"{"action":"add"}"#).0,
        ErrorKind::EffectNotAllowed
    );
}

/// Read other people's messages.
#[tool(
    toolset = "test",
    effect = "read",
    parallel = "never",
    untrusted,
    spill = false
)]
async fn messages() -> &'static str {
    "hello"
}

#[test]
fn flags_are_kept_for_those_who_go_by_them() {
    let entry = tools![messages][0];
    assert_eq!(entry.declared_parallel(), Some(Parallel::Never));
    assert!(entry.is_untrusted());
    assert!(!entry.may_spill());
    let plain = tools![look][0];
    assert_eq!(plain.declared_parallel(), None);
    assert!(!plain.is_untrusted());
    assert!(plain.may_spill());
    assert_eq!(plain.declared_exposure(), Exposure::Direct);
}

fn files_of(arguments: &Arguments<'_>) -> Result<Vec<Target>, ToolError> {
    let text = arguments.text("patch").unwrap_or_default();
    let mut targets = Vec::new();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("+", path)) => targets.push(Target::write(path)),
            Some(("?", path)) => targets.push(Target::read(path)),
            _ => {
                return Err(ToolError::new(
                    ErrorKind::InvalidArguments,
                    format!("no path in the line `{line}`"),
                ));
            }
        }
    }
    Ok(targets)
}

/// Patch files.
#[tool(toolset = "test", effect = "write", targets = files_of, inline)]
fn patch_files(
    /// The patch.
    patch: String,
) -> String {
    patch
}

#[test]
fn a_call_whose_paths_cannot_be_found_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::new(Confined::open(folder.path()).unwrap());
    let session = builder(tools![patch_files])
        .workspace(workspace)
        .build()
        .unwrap();
    assert_eq!(
        text(&session, "patch_files", r#"{"patch":"+ a\n? b"}"#),
        "+ a\n? b"
    );
    assert_eq!(
        refusal(&session, "patch_files", r#"{"patch":"+ a\n? ../b"}"#),
        (
            ErrorKind::OutsideWorkspace,
            "`../b` is outside the workspace".to_owned()
        )
    );
    assert_eq!(
        refusal(&session, "patch_files", r#"{"patch":"+ a\nb"}"#),
        (
            ErrorKind::InvalidArguments,
            "no path in the line `b`".to_owned()
        )
    );
    assert_eq!(Target::write("a").access, Access::Write);
}

/// For the host.
#[tool(toolset = "test", exposure = "hidden", effect = "read", inline)]
fn tick() -> &'static str {
    "tick"
}

/// Found by search.
#[tool(toolset = "test", exposure = "deferred", effect = "read", inline)]
fn rare() -> &'static str {
    "rare"
}

#[test]
fn a_hidden_tool_is_not_shown_and_answers_the_host_alone() {
    let session = builder(tools![tick, rare, look]).build().unwrap();
    let definitions = session.definitions();
    assert!(!definitions.contains("tick"), "{definitions}");
    assert!(definitions.contains("rare"), "{definitions}");
    let error = session.call_blocking("tick", "{}").outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTool);
    assert_eq!(error.help(), Some("call one of: look, rare"));
    let by_host = session.call_blocking_with(ToolCall::new("tick", "{}").by_host());
    assert_eq!(by_host.outcome.unwrap().text(), "tick");
    let listed = session.tools();
    let hidden = listed.iter().find(|(tool, _)| tool.name() == "tick");
    assert_eq!(hidden.unwrap().0.declared_exposure(), Exposure::Hidden);
}

fn name_region(cx: &CheckContext<'_>, definition: &mut Definition) {
    if let Some(region) = cx.env("REGION") {
        definition.description += " Only in Tyrol.";
        definition.describe_parameter("city", &format!("A city in {region}."));
        definition.set_values("kind", ["sun"]);
        definition.name = "other";
    }
}

/// Look up the weather.
#[tool(toolset = "test", effect = "read", schema_patch = name_region, inline)]
fn weather(
    /// A city.
    city: String,
    /// Of what.
    #[arg(values = ["sun", "rain"])]
    kind: String,
) -> String {
    city + &kind
}

#[test]
fn a_patch_changes_what_is_shown_by_the_session() {
    let facts = SessionFacts::new(SessionSource::Cli)
        .environment(|name| (name == "REGION").then(|| "Tyrol".to_owned()));
    let session = builder(tools![weather]).facts(facts).build().unwrap();
    assert_eq!(
        session.definitions().text(),
        "[{\"name\":\"weather\",\"description\":\"Look up the weather. Only in Tyrol.\",\
         \"parameters\":{\"type\":\"object\",\"properties\":{\
         \"city\":{\"type\":\"string\",\"description\":\"A city in Tyrol.\"},\
         \"kind\":{\"type\":\"string\",\"enum\":[\"sun\"],\"description\":\"Of what.\"}},\
         \"required\":[\"city\",\"kind\"],\"additionalProperties\":false}}]"
    );
    let elsewhere = builder(tools![weather]).build().unwrap();
    assert!(elsewhere.definitions().contains("\"A city.\""));
}

struct Store(u32);

/// Ask the store.
#[tool(toolset = "test", effect = "read", inline)]
fn ask(#[ctx] store: &Store) -> String {
    store.0.to_string()
}

/// Ask the store twice.
#[tool(toolset = "test", effect = "read")]
fn ask_twice(#[ctx] store: Arc<Store>, #[ctx] other: Option<Arc<String>>) -> String {
    format!("{}{}", store.0, other.is_none())
}

#[test]
fn missing_state_is_found_when_the_session_is_built() {
    let error = builder(tools![ask, ask_twice, look]).build().unwrap_err();
    assert_eq!(
        error.missing,
        [
            ("ask", "attributes::Store"),
            ("ask_twice", "attributes::Store")
        ]
    );
    assert_eq!(
        error.to_string(),
        "`ask` takes `attributes::Store`, which the session does not have; \
         `ask_twice` takes `attributes::Store`, which the session does not have; \
         put it in with `SessionBuilder::state`, or leave the tool out"
    );
    let session = builder(tools![ask, ask_twice])
        .state(Store(3))
        .build()
        .unwrap();
    assert_eq!(text(&session, "ask", "{}"), "3");
    assert_eq!(text(&session, "ask_twice", "{}"), "3true");
}

/// List files.
#[tool(toolset = "test", effect = "read", inline)]
fn list(#[ctx] workspace: &Workspace) -> String {
    workspace.root().display().to_string()
}

#[test]
fn a_tool_that_takes_the_workspace_is_unavailable_without_one() {
    let session = builder(tools![list]).build().unwrap();
    assert_eq!(
        refusal(&session, "list", "{}"),
        (
            ErrorKind::Unavailable,
            "`list` is unavailable: this session has no workspace".to_owned()
        )
    );
    assert_eq!(session.definitions().text(), "[]");
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::new(Confined::open(folder.path()).unwrap());
    let session = builder(tools![list]).workspace(workspace).build().unwrap();
    assert!(session.definitions().contains("\"list\""));
}

mod ours {
    use hermes_tools::tool;

    /// Look, better.
    #[tool(toolset = "test", name = "look", overrides = "hermes-tools", inline)]
    pub(crate) fn better() -> &'static str {
        "seen better"
    }
}

#[test]
fn a_tool_replaces_the_one_of_the_package_that_it_names() {
    // Both stand in one package here; only the second says that it replaces something.
    let tools = [tools![look][0], tools![ours::better][0]];
    let registry = ToolRegistry::of(&tools).unwrap();
    let snapshot = registry.snapshot();
    assert_eq!(snapshot.get("look").unwrap().description(), "Look, better.");
    let overridden: Vec<&str> = snapshot
        .overridden()
        .iter()
        .map(|tool| tool.description())
        .collect();
    assert_eq!(overridden, ["Look."]);
    let again = registry.add(&[tools![tick][0]]).unwrap();
    assert_eq!(again, 1);
    assert_eq!(registry.snapshot().overridden().len(), 1);
    let twice = [tools[1], tools[1]];
    assert!(ToolRegistry::of(&twice).is_err());
}

/// Match.
#[tool(toolset = "test", effect = "read", inline)]
fn matching(
    /// A word.
    #[arg(pattern = "^[a-z]{2,}$", format = "hostname")]
    word: String,
    /// Digits.
    #[arg(items(pattern = "^\\d$", len = 1), len = ..=2)]
    digits: Vec<String>,
    /// Anything.
    #[arg(any)]
    value: Option<serde_json::Value>,
) -> String {
    format!("{word}{digits:?}{value:?}")
}

#[test]
fn patterns_are_shown_and_checked_and_formats_are_shown() {
    let entry = tools![matching][0];
    let schema: serde_json::Value =
        serde_json::from_str(&hermes_tools::schema::write::parameters(entry.params())).unwrap();
    assert_eq!(
        schema["properties"],
        serde_json::json!({
            "word": {
                "type": "string", "pattern": "^[a-z]{2,}$", "format": "hostname",
                "description": "A word.",
            },
            "digits": {
                "type": "array",
                "items": {"type": "string", "pattern": "^\\d$", "minLength": 1, "maxLength": 1},
                "maxItems": 2,
                "description": "Digits.",
            },
            "value": {"description": "Anything."},
        })
    );
    let session = builder(tools![matching]).build().unwrap();
    assert_eq!(
        text(
            &session,
            "matching",
            r#"{"word":"ab","digits":["1"],"value":[1]}"#
        ),
        "ab[\"1\"]Some(Array [Number(1)])"
    );
    assert_eq!(
        refusal(&session, "matching", r#"{"word":"A","digits":["1","x"]}"#).1,
        "invalid arguments for `matching`: \
         `word`: expected text that matches `^[a-z]{2,}$`, got \"A\"; \
         `digits[1]`: expected text of exactly 1 character that matches `^\\d$`, got \"x\""
    );
}
