//! Finding tools, and calling those that are not told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::search::{Entry, SearchIndex, SearchMode, ToolSearch};
use hermes_tools::{RuntimeTool, Selection, Session, ToolRegistry};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[test]
fn tool_search_vectors() {
    VectorFile::new("tool_search")
        .kinds(["search", "activation", "config", "assemble", "bridge"])
        .run(|line| match &*line.kind {
            "search" => search(line),
            "activation" => activation(line),
            "config" => config(line),
            "assemble" => assemble(line),
            _ => bridge(line),
        });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    catalog: Vec<Listed>,
    args: Map<String, Value>,
    #[serde(default)]
    config: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    params: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conditions {
    first: Option<Vec<String>>,
    within: Option<Within>,
    absent: Option<Vec<String>>,
    count: Option<usize>,
    max_count: Option<usize>,
    #[serde(default)]
    empty: bool,
    order: Option<Vec<String>>,
    #[serde(default)]
    error: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Within {
    k: usize,
    names: Vec<String>,
}

impl Conditions {
    fn hold(&self, hits: Option<&[String]>) -> bool {
        let Some(hits) = hits else {
            return self.error;
        };
        let place = |name: &String| hits.iter().position(|hit| hit == name);
        !self.error
            && self
                .first
                .as_ref()
                .is_none_or(|first| hits.first().is_some_and(|hit| first.contains(hit)))
            && self.within.as_ref().is_none_or(|within| {
                let near = |name| place(name).is_some_and(|place| place < within.k);
                within.names.iter().all(near)
            })
            && self
                .absent
                .iter()
                .flatten()
                .all(|name| place(name).is_none())
            && self.count.is_none_or(|count| hits.len() == count)
            && self.max_count.is_none_or(|most| hits.len() <= most)
            && (!self.empty || hits.is_empty())
            && self.order.as_ref().is_none_or(|order| {
                let places: Option<Vec<usize>> = order.iter().map(place).collect();
                places.is_some_and(|places| places.is_sorted())
            })
    }
}

/// Names of a catalogue may hold letters that no tool of a registry has, so the index is asked itself.
fn search(line: &Line) -> Result<Outcome, String> {
    let input: Search = line.input()?;
    let expected: Conditions = line.expected()?;
    let settings = ToolSearch::of_value(&input.config);
    let mut index = SearchIndex::new();
    for tool in &input.catalog {
        let parameters: Vec<&str> = tool.params.iter().map(String::as_str).collect();
        index.insert(Entry {
            name: &tool.name,
            description: &tool.description,
            parameters: &parameters,
        });
    }
    let question = input.args.get("query").and_then(Value::as_str);
    let question = question.unwrap_or_default().trim();
    let limit = settings.limit(input.args.get("limit"));
    // That a blank question is an error is tested on the bridge.
    let hits: Option<Vec<String>> = (!question.is_empty()).then(|| {
        let hits = index.search(question, limit).into_iter();
        hits.map(str::to_owned).collect()
    });
    Ok(Outcome::Judged {
        passed: expected.hold(hits.as_deref()),
        got: format!("{hits:?}"),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Activation {
    #[serde(default)]
    config: Value,
    deferrable_tokens: usize,
    context_length: Option<usize>,
}

fn activation(line: &Line) -> Result<Outcome, String> {
    let input: Activation = line.input()?;
    let settings = ToolSearch::of_value(&input.config);
    Outcome::value(&settings.is_active(input.deferrable_tokens, input.context_length))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    raw: Value,
}

fn config(line: &Line) -> Result<Outcome, String> {
    let input: Config = line.input()?;
    let settings = ToolSearch::of_value(&input.raw);
    let mode = match settings.mode {
        SearchMode::Auto => "auto",
        SearchMode::On => "on",
        SearchMode::Off => "off",
    };
    Outcome::value(&json!({
        "enabled": mode,
        "threshold_pct": settings.threshold_pct,
        "search_default_limit": settings.default_limit,
        "max_search_limit": settings.max_limit,
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assemble {
    core: Vec<String>,
    registered: Vec<(String, String)>,
    defs: Vec<String>,
    #[serde(default)]
    config: Value,
    #[serde(default = "short")]
    pad: usize,
    context_length: Option<usize>,
}

fn short() -> usize {
    10
}

/// What this session was called with, by tool.
type Calls = Arc<Mutex<Vec<(String, Value)>>>;

fn tool(name: &str, toolset: &str, pad: usize, calls: &Calls) -> RuntimeTool {
    let calls = Arc::clone(calls);
    let own = name.to_owned();
    RuntimeTool::new(name, toolset, &"d".repeat(pad), json!({"type": "object"})).answering(
        move |arguments| {
            let value: Value = serde_json::from_str(&arguments.to_json()).unwrap();
            calls.lock().unwrap().push((own.clone(), value));
            "done"
        },
    )
}

fn assemble(line: &Line) -> Result<Outcome, String> {
    let input: Assemble = line.input()?;
    let calls = Calls::default();
    let registry = ToolRegistry::of(&[]).map_err(|error| error.to_string())?;
    let registered: BTreeMap<&str, &str> = input
        .registered
        .iter()
        .map(|(name, toolset)| (&**name, &**toolset))
        .collect();
    for name in &input.defs {
        // Tools of a memory provider and the like are no tools of the original's registry. Here they
        // are, and say that they are never hidden.
        registry.register(match registered.get(&**name) {
            Some(toolset) => tool(name, toolset, input.pad, &calls),
            None => tool(name, "memory-provider", input.pad, &calls).always_visible(),
        });
    }
    let settings = ToolSearch::of_value(&input.config).visible(input.core.iter().map(|it| &**it));
    let mut builder = Session::builder(registry, Selection::of(input.defs.iter().map(|it| &**it)))
        .tool_search(settings);
    if let Some(window) = input.context_length {
        builder = builder.context_window(window);
    }
    let session = builder.build().unwrap();
    let definitions = session.definitions();
    let visible: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
    let activated = !session.deferred().is_empty();
    Outcome::value(&json!({"activated": activated, "visible": visible}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bridge {
    core: Vec<String>,
    registered: Vec<(String, String)>,
    session: Vec<String>,
    tool: String,
    args: Value,
}

fn bridge(line: &Line) -> Result<Outcome, String> {
    let input: Bridge = line.input()?;
    let calls = Calls::default();
    let registry = ToolRegistry::of(&[]).map_err(|error| error.to_string())?;
    for (name, toolset) in &input.registered {
        registry.register(tool(name, toolset, 10, &calls));
    }
    let settings = ToolSearch {
        mode: SearchMode::On,
        ..ToolSearch::default()
    };
    let selection = Selection::of(input.session.iter().map(|it| &**it));
    let session = Session::builder(registry, selection)
        .tools_come_later()
        .tool_search(settings.visible(input.core.iter().map(|it| &**it)))
        .build()
        .unwrap();
    let result = session.call_blocking(&input.tool, &input.args.to_string());
    let called = calls.lock().unwrap().pop();
    let got = match (&result.outcome, called) {
        (Err(_), _) => json!({"error": true}),
        (Ok(_), Some((name, arguments))) => {
            assert_eq!(result.tool, name, "the result names the real tool");
            json!({"call": name, "args": arguments})
        }
        (Ok(output), None) => {
            let answer: Map<String, Value> =
                serde_json::from_str(&output.text()).map_err(|error| error.to_string())?;
            if let Some(matches) = answer.get("matches").and_then(Value::as_array) {
                let names: Vec<&Value> = matches.iter().map(|it| &it["name"]).collect();
                json!({"names": names})
            } else {
                let mut keys: Vec<&String> = answer.keys().collect();
                keys.sort_unstable();
                json!({"described": answer["name"], "keys": keys})
            }
        }
    };
    Outcome::value(&got)
}
