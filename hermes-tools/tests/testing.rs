//! What the tests of a pack are made with.

use std::time::Duration;

use hermes_tools::testing::{Call, FakeClock, Folder, boundaries, golden};
use hermes_tools::{
    Deadline, Effect, SessionFacts, SessionSource, ToolParam, Workspace, tool, tools,
};

/// Say a text again.
#[tool(toolset = "test", effect = "read")]
fn echo(
    /// The text.
    #[arg(len = 1..=5)]
    text: String,
    /// How often.
    #[arg(default = 1, min = 1, max = 3)]
    times: usize,
    /// Marks.
    marks: Option<Vec<u8>>,
) -> String {
    text.repeat(times) + &"!".repeat(marks.unwrap_or_default().len())
}

/// Panic at the end of the alphabet.
#[tool(toolset = "test", effect = "read", inline)]
fn fragile(
    /// A number.
    #[arg(max = 9)]
    number: u8,
) -> String {
    assert!(number != 9, "nine is too much");
    number.to_string()
}

/// Has a pattern that does not compile.
#[tool(toolset = "test", effect = "read", inline)]
fn broken(
    /// A text.
    #[arg(pattern = "(")]
    text: String,
) -> String {
    text
}

/// Read a file.
#[tool(toolset = "test", effect = "write", inline)]
fn length(
    #[ctx] workspace: &Workspace,
    #[ctx] facts: &SessionFacts,
    /// Which.
    #[arg(role = "path")]
    path: String,
) -> String {
    let found = workspace.resolve(&path).and_then(|path| path.facts());
    let source = facts.source();
    match found {
        Ok(facts) => format!("{source:?} {}", facts.len),
        Err(error) => error.code().to_owned(),
    }
}

/// Say when it must have ended.
#[tool(toolset = "test", effect = "read", inline)]
fn remaining(#[ctx] deadline: Deadline) -> String {
    format!("{:?}", deadline.instant())
}

/// How to go.
#[derive(Debug, ToolParam)]
#[param(tag = "mode", rename_all = "lowercase")]
enum Way {
    /// On foot.
    Walk {
        /// How far.
        #[param(max = 9)]
        distance: u8,
    },
    /// Over something.
    Jump {
        /// How high; another type than of walking.
        distance: Option<String>,
        /// Over what.
        over: String,
    },
}

/// Go.
#[tool(toolset = "test", effect = "read", inline)]
fn travel(#[arg(flatten)] way: Way) -> String {
    match way {
        Way::Walk { distance } => format!("walked {distance}"),
        Way::Jump { distance, over } => format!("jumped {distance:?} over {over}"),
    }
}

#[test]
fn a_tool_is_called_by_json_with_a_context_of_the_test() {
    assert_eq!(
        Call::of(tools![echo][0], r#"{"text":"a","times":2}"#).text(),
        "aa"
    );
    let called = Call::of(tools![echo][0], r#"{"text":1}"#).run();
    assert_eq!(called.repairs.len(), 1);
    let folder = Folder::with([("a/b.txt", "four")]).unwrap();
    let call = || {
        Call::of(tools![length][0], r#"{"path":"a/b.txt"}"#)
            .workspace(folder.workspace().unwrap())
            .facts(SessionFacts::new(SessionSource::Webhook))
    };
    assert_eq!(call().text(), "Webhook 4");
    let refused = call().max_effect(Effect::Read).text();
    assert!(refused.contains("effect_not_allowed"), "{refused}");
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
    let clock = FakeClock::new();
    clock.advance(Duration::from_secs(1));
    assert_eq!(
        Call::of(tools![remaining][0], "{}").executor(clock).text(),
        "None"
    );
}

#[test]
fn boundary_values_find_panics_and_broken_patterns() {
    let report = boundaries(tools![echo, length]).run();
    assert_eq!(report.faults, [] as [String; 0]);
    assert!(report.calls > 40, "{}", report.calls);
    let report = boundaries(tools![travel]).run();
    assert_eq!(report.faults, [] as [String; 0]);
    assert!(report.calls > 30, "{}", report.calls);
    let faults = boundaries(tools![fragile, broken]).run().faults;
    assert_eq!(faults[0], "`fragile` panicked: {\"number\":9}");
    assert!(
        faults
            .iter()
            .any(|fault| fault.starts_with("the pattern of `text` of `broken` does not compile")),
        "{faults:#?}"
    );
}

#[test]
fn a_refusal_shows_a_call_of_the_form_that_was_meant() {
    let help = |arguments: &str| {
        let outcome = Call::of(tools![travel][0], arguments).run().outcome;
        outcome.unwrap_err().help().unwrap_or_default().to_owned()
    };
    let jump = r#"send arguments such as {"mode":"jump","over":"..."}"#;
    assert_eq!(help(r#"{"mode":"jump"}"#), jump);
    assert_eq!(help(r#"{"mode":"jump","over":[]}"#), jump);
    let walk = r#"send arguments such as {"mode":"walk","distance":1}"#;
    assert_eq!(help(r#"{"mode":"walk","distance":10}"#), walk);
    assert_eq!(help("{}"), walk);
}

#[test]
fn schemas_are_held_against_a_file() {
    let folder = Folder::with([(
        "golden.jsonl",
        "{\"name\":\"fragile\",\"description\":\"Panic at the end of the alphabet.\",\
         \"parameters\":{\"type\":\"object\",\"properties\":{\"number\":{\"type\":\"integer\",\
         \"minimum\":0,\"maximum\":9,\"description\":\"A number.\"}},\"required\":[\"number\"],\
         \"additionalProperties\":false},\"effect\":\"read\"}\n",
    )])
    .unwrap();
    let file = folder.path().join("golden.jsonl");
    golden(&file, tools![fragile]).unwrap();
    let error = golden(&file, tools![fragile, remaining])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("before: nothing\nnow:    {\"name\":\"remaining\""),
        "{error}"
    );
    let error = golden(&file, &[]).unwrap_err().to_string();
    assert!(error.ends_with("now:    nothing"), "{error}");
}
