//! Loops of a model, on stand-in tools with the facts of those that the lines name.

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::Effect;
use hermes_tools::loops::{
    Action, ExactCall, LoopDecision, LoopSettings, LoopWatch, ResultOf, is_failure, may_have_acted,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sequence {
    steps: Vec<Step>,
    #[serde(default)]
    config: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Step {
    Turn(NewTurn),
    Call(Call),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTurn {
    new_turn: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    result: Value,
    failed: Option<bool>,
    #[serde(default = "once")]
    times: usize,
}

const fn once() -> usize {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    tool: String,
    result: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    tool: String,
}

/// What the stand-in for a tool says of itself.
struct Facts {
    /// Should give something new each time.
    repeatable: bool,
    effect: Option<Effect>,
    result: ResultOf,
}

fn facts(tool: &str) -> Facts {
    let watched = [
        "read_file",
        "search_files",
        "web_search",
        "web_extract",
        "session_search",
        "browser_snapshot",
        "browser_console",
        "browser_get_images",
    ];
    let on_server = [
        "read_file",
        "read_text_file",
        "read_multiple_files",
        "list_directory",
        "list_directory_with_sizes",
        "directory_tree",
        "get_file_info",
        "search_files",
    ];
    let readers = [
        "skill_view",
        "skills_list",
        "vision_analyze",
        "read_terminal",
    ];
    let foreign = tool.strip_prefix("mcp__filesystem__");
    Facts {
        repeatable: watched.contains(&tool)
            || foreign.is_some_and(|tool| on_server.contains(&tool)),
        effect: (watched.contains(&tool) || readers.contains(&tool)).then_some(Effect::Read),
        result: match tool {
            "write_file" | "patch" => ResultOf::Edit,
            "terminal" => ResultOf::Command,
            _ => ResultOf::Anything,
        },
    }
}

/// The text of a result; `None` for no result and for one of several parts.
fn text_of(result: &Value) -> Option<&str> {
    result.as_str()
}

fn decision(decision: &LoopDecision) -> Value {
    let mut json = json!({"action": decision.action.as_str(), "code": decision.code.as_str()});
    if decision.action != Action::Allow {
        json["count"] = decision.count.into();
    }
    json
}

fn run(call: &Call, watch: &LoopWatch) -> Value {
    let exact = ExactCall::new(&call.tool, &call.args.to_string());
    let before = watch.before(&exact);
    if before.action != Action::Allow {
        return json!({"before": decision(&before)});
    }
    let facts = facts(&call.tool);
    let text = text_of(&call.result);
    let failed = call
        .failed
        .unwrap_or_else(|| text.is_some_and(|text| is_failure(text, facts.result)));
    let after = if failed {
        watch.after_failure(&exact)
    } else {
        let whole = call.result.to_string();
        let answer = text.unwrap_or(&whole);
        watch.after_success(&exact, facts.repeatable.then_some(answer))
    };
    json!({"before": decision(&before), "after": decision(&after)})
}

#[test]
fn loop_guardrails_vectors() {
    VectorFile::new("loop_guardrails")
        .kinds(["sequence", "failure", "side_effect"])
        .run(|line| match line.kind.as_str() {
            "sequence" => {
                let input: Sequence = line.input()?;
                let watch = LoopWatch::new(LoopSettings::from_config(&input.config));
                let mut decisions = Vec::new();
                for step in &input.steps {
                    match step {
                        Step::Turn(turn) => {
                            watch.new_turn();
                            decisions.push(json!({"new_turn": turn.new_turn}));
                        }
                        Step::Call(call) => {
                            decisions.extend((0..call.times).map(|_| run(call, &watch)));
                        }
                    }
                }
                let halt = watch.stop().map(|stop| stop.code.as_str());
                Outcome::value(&json!({"decisions": decisions, "halt": halt}))
            }
            "failure" => {
                let input: Judged = line.input()?;
                let text = text_of(&input.result);
                Outcome::value(
                    &text.is_some_and(|text| is_failure(text, facts(&input.tool).result)),
                )
            }
            _ => {
                let input: Named = line.input()?;
                Outcome::value(&may_have_acted(facts(&input.tool).effect))
            }
        });
}
