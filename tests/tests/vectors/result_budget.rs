//! How much of results a model sees. Results are those of calls of a session.

use std::collections::BTreeMap;
use std::fs;

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::output::store::{ResultStore, file_name};
use hermes_tools::output::truncate::beginning;
use hermes_tools::output::{Budget, Fit, Output, OutputLimits};
use hermes_tools::{
    Batch, CallResult, Content, RuntimeTool, Selection, Session, ToolCall, ToolRegistry,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Characters that may stand around a preview.
const NOTE: usize = 450;

#[test]
fn result_budget_vectors() {
    VectorFile::new("result_budget")
        .kinds([
            "threshold",
            "scale",
            "preview",
            "result",
            "file_name",
            "turn",
            "turn_multimodal",
            "output_limits",
        ])
        .run(|line| match &*line.kind {
            "threshold" => threshold(line),
            "scale" => scale(line),
            "preview" => preview(line),
            "result" => result(line),
            "file_name" => name(line),
            "turn" => turn(line),
            "turn_multimodal" => turn_with_image(line),
            _ => limits(line),
        });
}

/// A number of characters, or no bound.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Cap {
    Number(f64),
    Infinite(Infinite),
}

#[derive(Clone, Copy, Deserialize)]
enum Infinite {
    #[serde(rename = "inf")]
    Infinite,
}

impl Cap {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the lines hold small whole numbers"
    )]
    fn characters(self) -> usize {
        match self {
            Self::Number(number) => number as usize,
            Self::Infinite(Infinite::Infinite) => usize::MAX,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    default_result_size: Option<Cap>,
    turn_budget: Option<Cap>,
    preview_size: Option<usize>,
    #[serde(default)]
    tool_overrides: BTreeMap<String, Cap>,
}

/// What several kinds share.
#[derive(Default, Deserialize)]
struct Setting {
    #[serde(default)]
    config: Config,
    context_length: Option<i64>,
    #[serde(default)]
    tool_caps: BTreeMap<String, Cap>,
    storage: Option<String>,
}

impl Setting {
    fn budget(&self) -> Budget {
        let window = self
            .context_length
            .and_then(|length| usize::try_from(length).ok());
        let mut budget = Budget::for_window(window.unwrap_or(0));
        if let Some(size) = self.config.default_result_size {
            budget = budget.with_per_result(size.characters());
        }
        if let Some(size) = self.config.turn_budget {
            budget = budget.with_per_turn(size.characters());
        }
        if let Some(size) = self.config.preview_size {
            budget = budget.with_preview(size);
        }
        let overrides = self.config.tool_overrides.iter();
        overrides.fold(budget, |budget, (tool, cap)| {
            budget.with_tool(tool, cap.characters())
        })
    }
}

/// Whether a stand-in pages by itself, as the tool of this name does.
fn is_pinned(tool: &str) -> bool {
    tool == "read_file"
}

#[derive(Deserialize)]
struct OfTool {
    tool: String,
    #[serde(flatten)]
    setting: Setting,
}

fn threshold(line: &Line) -> Result<Outcome, String> {
    let OfTool { tool, setting } = line.input()?;
    let cap = setting.tool_caps.get(&tool).map(|cap| cap.characters());
    let threshold = setting.budget().threshold(&tool, cap, is_pinned(&tool));
    Ok(Outcome::Answer(match threshold {
        usize::MAX => json!("inf"),
        characters => json!(characters),
    }))
}

fn scale(line: &Line) -> Result<Outcome, String> {
    let setting: Setting = line.input()?;
    let budget = setting.budget();
    Ok(Outcome::Answer(json!({
        "per_result": budget.per_result(),
        "per_turn": budget.per_turn(),
        "preview": budget.preview(),
    })))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Repeated { repeat: String, times: usize },
    Joined(Vec<Text>),
}

impl Text {
    fn text(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Repeated { repeat, times } => repeat.repeat(*times),
            Self::Joined(texts) => texts.iter().map(Text::text).collect(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preview {
    content: Text,
    max_chars: usize,
}

fn preview(line: &Line) -> Result<Outcome, String> {
    let Preview { content, max_chars } = line.input()?;
    let content = content.text();
    let head = beginning(&content, max_chars);
    let expected: Value = line.expected()?;
    let ends_with = expected["ends_with"].as_str().unwrap_or_default();
    let mut answer = json!({
        "length": head.chars().count(),
        "more": head.len() < content.len(),
    });
    if !expected["ends_with"].is_null() {
        let count = ends_with.chars().count();
        let skip = head.chars().count().saturating_sub(count);
        answer["ends_with"] = head.chars().skip(skip).collect::<String>().into();
    }
    Ok(Outcome::Answer(answer))
}

/// A session with stand-ins that give these texts back, each called by its number.
struct Stage {
    session: Session,
    folder: TempDir,
}

impl Stage {
    fn new(setting: &Setting, results: Vec<(String, Output)>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let registry = ToolRegistry::of(&[]).unwrap();
        let mut outputs: BTreeMap<String, BTreeMap<usize, Output>> = BTreeMap::new();
        for (number, (tool, output)) in results.into_iter().enumerate() {
            outputs.entry(tool).or_default().insert(number, output);
        }
        let names: Vec<String> = outputs.keys().cloned().collect();
        for (name, outputs) in outputs {
            let schema = json!({"type": "object", "properties": {"number": {"type": "integer"}}});
            let mut tool = RuntimeTool::new(name.clone(), "test", "Give back.", schema).answering(
                move |arguments| {
                    let number = arguments.get("number").unwrap().to_json();
                    outputs[&number.parse::<usize>().unwrap()].clone()
                },
            );
            if let Some(cap) = setting.tool_caps.get(&name) {
                tool = tool.max_result(cap.characters());
            }
            if is_pinned(&name) {
                tool = tool.no_spill().max_result(usize::MAX);
            }
            registry.register(tool);
        }
        let mut builder = Session::builder(registry, Selection::of(names.iter().map(|n| &**n)))
            .result_budget(setting.budget());
        let path = folder.path().join("results");
        builder = match setting.storage.as_deref() {
            Some("none") => builder,
            // There is no room.
            Some("fail") => builder.result_store(ResultStore::open(&path).unwrap().quota(0)),
            _ => builder.result_store(ResultStore::open(&path).unwrap()),
        };
        let session = builder.build().unwrap();
        if setting.storage.as_deref() == Some("raise") {
            // The store goes away under the session.
            fs::remove_dir_all(&path).unwrap();
        }
        Self { session, folder }
    }

    fn files(&self) -> usize {
        fn count(path: &std::path::Path) -> usize {
            let Ok(entries) = fs::read_dir(path) else {
                return 0;
            };
            let paths = entries.map(|entry| entry.unwrap().path());
            paths
                .map(|path| if path.is_dir() { count(&path) } else { 1 })
                .sum()
        }
        count(self.folder.path())
    }
}

fn outcome_of(result: &CallResult) -> &'static str {
    match result.fit {
        Fit::Whole => "unchanged",
        Fit::Cut => "cut",
        Fit::Stored(_) => "stored",
    }
}

#[derive(Deserialize)]
struct OneResult {
    tool: String,
    content: Text,
    call_id: Option<String>,
    #[serde(flatten)]
    setting: Setting,
}

fn result(line: &Line) -> Result<Outcome, String> {
    let OneResult {
        tool,
        content,
        call_id,
        setting,
    } = line.input()?;
    let content = content.text();
    let output = Output::from(Content::text(content.clone()));
    let stage = Stage::new(&setting, vec![(tool.clone(), output)]);
    let id = call_id.unwrap_or_else(|| "call_1".to_owned());
    let call = ToolCall::new(tool, r#"{"number": 0}"#).id(id);
    let result = stage.session.call_blocking_with(call);
    let shown = result.outcome.as_ref().unwrap().text().into_owned();
    let mut answer = json!({"outcome": outcome_of(&result)});
    if result.fit == Fit::Whole {
        assert_eq!(shown, content);
        return Ok(Outcome::Answer(answer));
    }
    let before = match &result.fit {
        Fit::Stored(_) => shown.match_indices('\n').nth(1).map_or(0, |(at, _)| at + 1),
        _ => 0,
    };
    let head = &shown[before..shown.rfind("\n[... ").unwrap()];
    if !content.starts_with(head) {
        return Err(format!("the preview is no beginning: {head:?}"));
    }
    let length = head.chars().count();
    if shown.chars().count() - length > NOTE {
        return Err(format!("the note is too long: {shown}"));
    }
    answer["preview_chars"] = length.into();
    if let Fit::Stored(path) = &result.fit {
        let stored = fs::read_to_string(path).unwrap();
        assert!(shown.contains(path.to_str().unwrap()));
        assert_eq!(stored, content);
        answer["stored_chars"] = stored.chars().count().into();
        answer["file_name"] = path.file_name().unwrap().to_str().unwrap().into();
    }
    Ok(Outcome::Answer(answer))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfId {
    call_id: String,
}

fn name(line: &Line) -> Result<Outcome, String> {
    Outcome::value(&file_name(&line.input::<OfId>()?.call_id))
}

#[derive(Deserialize)]
struct Turn {
    results: Vec<TurnResult>,
    #[serde(flatten)]
    setting: Setting,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnResult {
    tool: String,
    content: Text,
}

fn answer(setting: &Setting, results: Vec<(String, Output)>) -> (Vec<CallResult>, Stage) {
    let calls: Vec<ToolCall> = results
        .iter()
        .enumerate()
        .map(|(number, (tool, _))| {
            let arguments = json!({"number": number}).to_string();
            ToolCall::new(tool.clone(), arguments).id(format!("call_{number}"))
        })
        .collect();
    let stage = Stage::new(setting, results);
    (stage.session.call_batch_blocking(Batch::new(calls)), stage)
}

fn turn(line: &Line) -> Result<Outcome, String> {
    let Turn { results, setting } = line.input()?;
    let outputs = results
        .iter()
        .map(|result| {
            let text = result.content.text();
            (result.tool.clone(), Output::from(Content::text(text)))
        })
        .collect();
    let (answers, stage) = answer(&setting, outputs);
    let shown = answers
        .iter()
        .map(|answer| answer.outcome.as_ref().unwrap().text().chars().count());
    let sum: usize = shown.sum();
    let outcomes: Vec<&str> = answers.iter().map(outcome_of).collect();
    let stored = outcomes
        .iter()
        .filter(|outcome| **outcome == "stored")
        .count();
    assert_eq!(stage.files(), stored);
    Ok(Outcome::Answer(json!({
        "outcomes": outcomes,
        "within_budget": sum <= setting.budget().per_turn(),
    })))
}

#[derive(Deserialize)]
struct WithImage {
    texts: Vec<Text>,
    #[serde(flatten)]
    setting: Setting,
}

fn turn_with_image(line: &Line) -> Result<Outcome, String> {
    let WithImage { texts, setting } = line.input()?;
    let image = Content::image("image/png", vec![7; 20_000]);
    let first = Output::from(Content::text("a plot")).with(image.clone());
    let texts = texts
        .iter()
        .map(|text| ("x".to_owned(), Output::from(Content::text(text.text()))));
    let outputs = std::iter::once(("x".to_owned(), first))
        .chain(texts)
        .collect();
    let (answers, _stage) = answer(&setting, outputs);
    let kept = answers[0]
        .outcome
        .as_ref()
        .unwrap()
        .parts()
        .any(|part| *part == image);
    Ok(Outcome::Answer(json!({"image_kept": kept})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfConfig {
    tool_output: Value,
}

fn limits(line: &Line) -> Result<Outcome, String> {
    let limits = OutputLimits::from_config(&line.input::<OfConfig>()?.tool_output);
    Ok(Outcome::Answer(json!({
        "max_bytes": limits.max_bytes,
        "max_lines": limits.max_lines,
        "max_line_length": limits.max_line_length,
    })))
}
