//! The registry, its checks, the names of foreign tools, and what is kept of definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::availability::CheckHandle;
use hermes_tools::context::{Executor, JobFuture};
use hermes_tools::definitions::Definitions;
use hermes_tools::entry::DEFAULT_MAX_RESULT;
use hermes_tools::output::Output;
use hermes_tools::registry::{
    DEFAULT_EMOJI, SERVER_HELPERS, ServerFilter, foreign_name, foreign_toolset,
};
use hermes_tools::{
    Availability, CheckCache, Content, ErrorKind, Refusal, Registration, Removal, RuntimeTool,
    Selection, Session, SessionSource, Tool, ToolError, ToolRegistry,
};
use hermes_toolsets::{Request, Toolsets};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[test]
fn registry_ops_vectors() {
    VectorFile::new("registry_ops")
        .kinds([
            "ops",
            "check_cache",
            "dispatch",
            "mcp_tool_name",
            "mcp_register",
            "definitions_memo",
        ])
        .run(|line| match &*line.kind {
            "dispatch" => dispatch(line),
            "mcp_tool_name" => mcp_tool_name(line),
            "mcp_register" => mcp_register(line),
            "definitions_memo" => definitions_memo(line),
            _ => ops(line),
        });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ops {
    ops: Vec<Op>,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Op {
    Register(Box<Register>),
    Deregister {
        name: String,
        plugin: Option<String>,
    },
    Alias {
        alias: String,
        toolset: String,
    },
    AllowOverride {
        plugin: String,
        allowed: bool,
    },
    Check {
        check: String,
        returns: Answer,
    },
    Advance {
        seconds: f64,
    },
    ClearCheckCache {},
    Definitions {
        names: Vec<String>,
        fields: Option<Vec<String>>,
    },
    ToolsetOf {
        name: String,
    },
    ToolsIn {
        toolset: String,
    },
    AllNames {},
    ToolsetNames {},
    MaxResult {
        name: String,
        default: Option<Cap>,
    },
    AliasTarget {
        alias: String,
    },
    Emoji {
        name: String,
        default: Option<String>,
    },
    Description {
        name: String,
    },
    Available {
        toolset: String,
    },
    Availability {},
    Requirements {},
    Probes {
        check: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    toolset: String,
    check: Option<String>,
    plugin: Option<String>,
    #[serde(default)]
    r#override: bool,
    schema: Option<Map<String, Value>>,
    description: Option<String>,
    emoji: Option<String>,
    #[serde(default)]
    requires_env: Vec<String>,
    max_result: Option<Cap>,
    dynamic: Option<Value>,
}

/// A number of characters, or no bound.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Cap {
    Number(usize),
    Infinite(Infinite),
}

#[derive(Clone, Copy, Deserialize)]
enum Infinite {
    #[serde(rename = "inf")]
    Infinite,
}

impl Cap {
    fn characters(self) -> usize {
        match self {
            Self::Number(number) => number,
            Self::Infinite(Infinite::Infinite) => usize::MAX,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    True,
    False,
    Raise,
}

/// A registry, checks that say what they are told to, and a clock that is moved by hand.
struct World {
    registry: Arc<ToolRegistry>,
    cache: Arc<CheckCache>,
    clock: Clock,
    checks: BTreeMap<String, (CheckHandle, Arc<Mutex<Probe>>)>,
    /// Tools that were registered with a cap of their own. An entry always has one.
    capped: BTreeSet<String>,
}

struct Probe {
    answer: Answer,
    asked: u64,
}

#[derive(Clone)]
struct Clock(Arc<Mutex<Instant>>);

impl Executor for Clock {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        job();
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> Instant {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, _time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(pending())
    }
}

fn ops(line: &Line) -> Result<Outcome, String> {
    let input: Ops = line.input()?;
    let mut world = World::new()?;
    let results: Vec<Value> = input.ops.iter().map(|op| world.run(op)).collect();
    let snapshot = world.registry.snapshot();
    let tools: BTreeMap<&str, &str> = snapshot
        .tools()
        .iter()
        .map(|tool| (tool.name(), tool.toolset()))
        .collect();
    let aliases: BTreeMap<&str, &str> = snapshot.aliases().collect();
    let generation = snapshot.generation();
    Outcome::value(&json!({
        "results": results,
        "state": {"tools": tools, "aliases": aliases, "generation": generation},
    }))
}

impl World {
    fn new() -> Result<Self, String> {
        Ok(Self {
            registry: Arc::new(ToolRegistry::of(&[]).map_err(|error| error.to_string())?),
            cache: Arc::default(),
            clock: Clock(Arc::new(Mutex::new(Instant::now()))),
            checks: BTreeMap::new(),
            capped: BTreeSet::new(),
        })
    }

    fn register(&mut self, register: &Register) -> Value {
        let tool = self.tool(register);
        let result = self.registry.register(tool);
        if !matches!(result, Registration::Refused { .. }) {
            self.capped.remove(&register.name);
            if register.max_result.is_some() {
                self.capped.insert(register.name.clone());
            }
        }
        registered(&result)
    }

    fn answer(&mut self, check: &str, answer: Answer) {
        self.check(check);
        self.checks[check].1.lock().unwrap().answer = answer;
    }

    fn advance(&self, seconds: f64) {
        *self.clock.0.lock().unwrap() += Duration::from_secs_f64(seconds);
    }

    fn is_available(&self, toolset: &str) -> bool {
        let snapshot = self.registry.snapshot();
        let tools = self
            .session(Selection::of(snapshot.tools_in(toolset)))
            .tools();
        tools.iter().any(|(_, answer)| answer.is_available())
    }

    fn run(&mut self, op: &Op) -> Value {
        let registry = Arc::clone(&self.registry);
        let snapshot = registry.snapshot();
        match op {
            Op::Register(register) => self.register(register),
            Op::Deregister { name, plugin } => match plugin {
                Some(plugin) => removed(&registry.deregister_as(name, plugin)),
                None => removed(&registry.deregister(name)),
            },
            Op::Alias { alias, toolset } => {
                registry.alias(alias, toolset);
                "ok".into()
            }
            Op::AllowOverride { plugin, allowed } => {
                registry.allow_override(plugin, *allowed);
                "ok".into()
            }
            Op::Check { check, returns } => {
                self.answer(check, *returns);
                "ok".into()
            }
            Op::Advance { seconds } => {
                self.advance(*seconds);
                "ok".into()
            }
            Op::ClearCheckCache {} => {
                self.cache.clear();
                "ok".into()
            }
            Op::Definitions { names, fields } => self.definitions(names, fields.as_deref()),
            Op::ToolsetOf { name } => json!(snapshot.get(name).map(Tool::toolset)),
            Op::AllNames {} => snapshot.tools().iter().map(Tool::name).collect(),
            Op::ToolsetNames {} => json!(snapshot.toolsets()),
            Op::MaxResult { name, default } => {
                let own = snapshot
                    .get(name)
                    .map_or(DEFAULT_MAX_RESULT, Tool::result_limit);
                let default = default.filter(|_| !self.capped.contains(name));
                match default.map_or(own, Cap::characters) {
                    usize::MAX => "inf".into(),
                    characters => characters.into(),
                }
            }
            Op::ToolsIn { toolset } => json!(snapshot.tools_in(toolset)),
            Op::AliasTarget { alias } => json!(snapshot.alias_target(alias)),
            Op::Emoji { name, default } => {
                let default = default.as_deref().unwrap_or(DEFAULT_EMOJI);
                let own = snapshot.get(name).and_then(Tool::display_emoji);
                own.unwrap_or(default).into()
            }
            Op::Description { name } => json!(snapshot.get(name).map(Tool::description)),
            Op::Available { toolset } => self.is_available(toolset).into(),
            Op::Availability {} => {
                let toolsets = snapshot.toolsets().into_iter();
                let available = |toolset: &str| json!(self.is_available(toolset));
                toolsets
                    .map(|toolset| (toolset.to_owned(), available(toolset)))
                    .collect()
            }
            Op::Requirements {} => snapshot
                .requirements()
                .iter()
                .map(|it| {
                    (
                        it.toolset.to_string(),
                        json!({"env": it.env, "tools": it.tools}),
                    )
                })
                .collect(),
            Op::Probes { check } => self.checks[check].1.lock().unwrap().asked.into(),
        }
    }

    fn tool(&mut self, register: &Register) -> RuntimeTool {
        let schema = register.schema.clone().unwrap_or_else(|| {
            let mut schema = Map::new();
            schema.insert("name".to_owned(), register.name.as_str().into());
            schema
        });
        let mut tool = RuntimeTool::of_schema(&*register.name, &*register.toolset, schema)
            .requires_env(register.requires_env.iter().map(String::as_str));
        if let Some(check) = &register.check {
            tool = tool.check(self.check(check));
        }
        if let Some(plugin) = &register.plugin {
            tool = tool.owned_by(plugin);
        }
        if register.r#override {
            tool = tool.overrides();
        }
        if let Some(description) = &register.description {
            tool = tool.description_in_lists(&**description);
        }
        if let Some(cap) = register.max_result {
            tool = tool.max_result(cap.characters());
        }
        if let Some(emoji) = &register.emoji {
            tool = tool.emoji(&**emoji);
        }
        if let Some(dynamic) = register.dynamic.clone() {
            tool = tool.dynamic(move || {
                assert!(dynamic != "raise", "on purpose");
                Some(dynamic.clone())
            });
        }
        tool
    }

    fn check(&mut self, name: &str) -> CheckHandle {
        let entry = self.checks.entry(name.to_owned()).or_insert_with(|| {
            let probe = Arc::new(Mutex::new(Probe {
                answer: Answer::True,
                asked: 0,
            }));
            let asked = Arc::clone(&probe);
            let check = CheckHandle::new(move |_| {
                let answer = {
                    let mut probe = asked.lock().unwrap();
                    probe.asked += 1;
                    probe.answer
                };
                match answer {
                    Answer::True => Availability::Available,
                    Answer::False => Availability::unavailable("off"),
                    Answer::Raise => panic!("on purpose"),
                }
            });
            (check, probe)
        });
        entry.0.clone()
    }

    fn session(&self, selection: Selection) -> Session {
        Session::builder(Arc::clone(&self.registry), selection)
            .tools_come_later()
            .facts(hermes_tools::SessionFacts::default().environment(|_| Some("set".to_owned())))
            .executor(self.clock.clone())
            .checks(Arc::clone(&self.cache))
            .build()
            .unwrap()
    }

    fn definitions(&self, names: &[String], fields: Option<&[String]>) -> Value {
        let selection = Selection::of(names.iter().map(String::as_str));
        let definitions = self.session(selection).definitions();
        let all: Vec<Map<String, Value>> = serde_json::from_str(&definitions).unwrap();
        let shown = all.into_iter().map(|mut definition| match fields {
            None => definition["name"].clone(),
            Some(fields) => {
                let field = |field: &String| {
                    let value = definition.remove(field).unwrap_or(Value::Null);
                    (field.clone(), value)
                };
                fields.iter().map(field).collect()
            }
        });
        shown.collect()
    }
}

fn registered(result: &Registration) -> Value {
    match result {
        Registration::Registered => "registered",
        Registration::Replaced { .. } => "replaced",
        Registration::Refused { why, .. } => refused(*why),
    }
    .into()
}

fn removed(result: &Removal) -> Value {
    match result {
        Removal::Removed { .. } => "removed",
        Removal::Nothing => "nothing",
        // Removal has one reason to refuse, and the lines call it an error of permission.
        Removal::Refused { .. } => "denied",
    }
    .into()
}

fn refused(why: Refusal) -> &'static str {
    match why {
        Refusal::OverrideNotAllowed => "denied",
        _ => "rejected",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispatch {
    call: Option<String>,
    handler: Option<Handler>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Handler {
    #[serde(default, deserialize_with = "given")]
    returns: Option<Value>,
    raises: Option<Raises>,
    #[serde(default)]
    r#async: bool,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raises {
    r#type: String,
    message: String,
}

/// A `null` that is there is a value.
fn given<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

/// The lines give the wording of hermes-agent. Ours is another; what is compared is the kind of an
/// answer, put into that wording.
fn dispatch(line: &Line) -> Result<Outcome, String> {
    let input: Dispatch = line.input()?;
    let registry = ToolRegistry::of(&[]).map_err(|error| error.to_string())?;
    if let Some(handler) = input.handler {
        registry.register(tool_of(handler));
    }
    let session = Session::builder(registry, Selection::of(["t"]))
        .tools_come_later()
        .build()
        .unwrap();
    let called = input.call.unwrap_or_else(|| "t".to_owned());
    let result = session.call_blocking(&called, "{}");
    let expected: Value = line.expected()?;
    let got = match &result.outcome {
        Ok(output) if expected.get("value").is_some() => json!({"value": message(output)}),
        Ok(output) if expected.get("text").is_some() => json!({"text": output.text()}),
        Ok(output) => match serde_json::from_str::<Value>(&output.text()) {
            Ok(json) => json!({"json": json}),
            Err(_) => json!({"text": output.text()}),
        },
        Err(error) => json!({"json": in_words_of_hermes_agent(&called, error)}),
    };
    Ok(Outcome::Judged {
        passed: matches(&without_summary(expected), &got),
        got: got.to_string(),
    })
}

/// A result of several parts in the form that the handlers of the lines give it.
fn message(output: &Output) -> Value {
    let parts = output.parts().map(|part| match part {
        Content::Text(text) => json!({"type": "text", "text": text}),
        Content::Image(media) => {
            let address = format!("data:{};base64,{}", media.media_type(), media.base64());
            json!({"type": "image_url", "image_url": {"url": address}})
        }
        part => serde_json::from_str(part.as_text()).unwrap(),
    });
    json!({"_multimodal": true, "content": parts.collect::<Value>()})
}

/// What stands beside the parts is for programs; a model sees the parts alone.
fn without_summary(mut expected: Value) -> Value {
    if let Some(fields) = expected.get_mut("value").and_then(Value::as_object_mut) {
        fields.retain(|key, _| matches!(key.as_str(), "_multimodal" | "content"));
    }
    expected
}

fn in_words_of_hermes_agent(called: &str, error: &ToolError) -> Value {
    match error.kind() {
        ErrorKind::UnknownTool => json!({"error": format!("Unknown tool: {called}")}),
        ErrorKind::ResultContract => json!({
            "error": error.message(),
            "error_type": "tool_result_contract",
            "tool": called,
            "result_type": error.message(),
        }),
        _ => {
            let json: Value = serde_json::from_str(&error.to_json()).unwrap();
            let message = json["error"].as_str().unwrap_or_default();
            json!({"error": format!("[TOOL_ERROR] Tool execution failed: {message}")})
        }
    }
}

fn matches(expected: &Value, got: &Value) -> bool {
    match (expected, got) {
        (Value::String(any), Value::String(_)) if any == "*" => true,
        (Value::String(a), Value::String(b)) => {
            a.split_whitespace().collect::<Vec<_>>() == b.split_whitespace().collect::<Vec<_>>()
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| b.get(key).is_some_and(|it| matches(value, it)))
        }
        (a, b) => a == b,
    }
}

fn tool_of(handler: Handler) -> RuntimeTool {
    let tool = RuntimeTool::new("t", "s", "Answers.", json!({"type": "object"}));
    let answer = move || match (&handler.raises, &handler.returns) {
        (Some(raises), _) => Err(ToolError::failed(format!(
            "{}: {}",
            raises.r#type, raises.message
        ))),
        (None, Some(value)) => RuntimeTool::output_of(value.clone()),
        (None, None) => Err(ToolError::failed("the line says nothing of an answer")),
    };
    if handler.r#async {
        tool.handler(move |_, _| {
            let answer = answer();
            Box::pin(async move { answer })
        })
    } else {
        tool.answering(move |_| answer())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpName {
    server: String,
    tool: String,
}

fn mcp_tool_name(line: &Line) -> Result<Outcome, String> {
    let McpName { server, tool } = line.input()?;
    Outcome::value(&json!({
        "name": foreign_name(&server, &tool),
        "toolset": foreign_toolset(&server),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpServer {
    tools: Vec<String>,
    #[serde(default)]
    filter: Filter,
    capabilities: Option<Vec<String>>,
    #[serde(default)]
    existing: Vec<(String, String)>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    #[serde(default, deserialize_with = "one_or_more")]
    include: Vec<Box<str>>,
    #[serde(default, deserialize_with = "one_or_more")]
    exclude: Vec<Box<str>>,
    resources: Option<bool>,
    prompts: Option<bool>,
}

/// A single text is a list of one.
fn one_or_more<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Vec<Box<str>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(Box<str>),
        More(Vec<Box<str>>),
    }
    Ok(match Option::<Names>::deserialize(value)? {
        None => Vec::new(),
        Some(Names::One(name)) => vec![name],
        Some(Names::More(names)) => names,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpRegistered {
    registered: Vec<String>,
    alias: Option<String>,
}

fn mcp_register(line: &Line) -> Result<Outcome, String> {
    let input: McpServer = line.input()?;
    let expected: McpRegistered = line.expected()?;
    let registry = ToolRegistry::of(&[]).map_err(|error| error.to_string())?;
    for (name, toolset) in &input.existing {
        registry.register(RuntimeTool::new(&**name, &**toolset, "", json!({})));
    }
    let filter = ServerFilter {
        include: input.filter.include.clone(),
        exclude: input.filter.exclude.clone(),
    };
    let taken = input.tools.iter().filter(|tool| filter.takes(tool));
    let mut tools: Vec<RuntimeTool> = taken
        .map(|tool| RuntimeTool::of_server("srv", tool, Map::new()))
        .collect();
    let has = |what: &str| input.capabilities.iter().flatten().any(|it| it == what);
    for (of_resources, raw, shown) in SERVER_HELPERS {
        let (what, wanted) = match of_resources {
            true => ("resources", input.filter.resources),
            false => ("prompts", input.filter.prompts),
        };
        if has(what) && wanted != Some(false) {
            tools.push(RuntimeTool::of_server_as("srv", raw, shown, Map::new()));
        }
    }
    let report = registry.change(|change| change.sync_server("srv", tools));
    let snapshot = registry.snapshot();
    let fits = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start) && name.len() <= 64,
        None => name == pattern,
    };
    let mut left = expected.registered;
    let passed = report.registered.iter().all(|name| {
        let place = left.iter().position(|pattern| fits(pattern, name));
        place.map(|place| left.swap_remove(place)).is_some()
    });
    let passed = passed
        && left.is_empty()
        && snapshot.alias_target("srv") == expected.alias.as_deref()
        && snapshot.tools_in("mcp-srv").len() == report.registered.len();
    Ok(Outcome::Judged {
        passed,
        got: format!("{report:?}"),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Memo {
    tools: Vec<(String, String, Option<String>)>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Step {
    Get {
        enabled: Option<Vec<String>>,
        disabled: Option<Vec<String>>,
        /// Our lists are shared and cannot be changed by a caller.
        #[serde(default, rename = "spoil")]
        _spoil: bool,
    },
    Env {
        value: Option<String>,
    },
    Register {
        name: String,
        toolset: String,
        check: Option<String>,
    },
    Deregister {
        name: String,
    },
    Alias {
        alias: String,
        toolset: String,
    },
    Check {
        check: String,
        returns: Answer,
    },
    Advance {
        seconds: f64,
    },
    ClearCheckCache {},
}

impl World {
    fn plain(&mut self, name: &str, toolset: &str, check: Option<&String>) {
        let mut tool = RuntimeTool::new(name, toolset, "", json!({}));
        if let Some(check) = check {
            tool = tool.check(self.check(check));
        }
        self.registry.register(tool);
    }

    fn select(
        &self,
        enabled: Option<&[String]>,
        disabled: Option<&[String]>,
        board_task: bool,
    ) -> Result<Selection, String> {
        let mut request = Request::new(SessionSource::Cli)
            .disable(disabled.unwrap_or_default())
            .board_task(board_task);
        // The default of the source of these lines is everything.
        let all = ["all".to_owned()];
        request = request.enable(enabled.unwrap_or(&all));
        let toolsets = Toolsets::empty();
        let snapshot = self.registry.snapshot();
        let tools = snapshot.tools().iter();
        let table = toolsets.with_tools(tools.map(|tool| (tool.name(), tool.toolset())));
        let selected = table.select(&request).map_err(|error| error.to_string())?;
        Ok(selected.selection)
    }
}

/// Whether a list came from the memo is compared only where the line says so.
fn definitions_memo(line: &Line) -> Result<Outcome, String> {
    let input: Memo = line.input()?;
    let expected: Vec<Map<String, Value>> = line.expected()?;
    let mut world = World::new()?;
    for (name, toolset, check) in &input.tools {
        world.plain(name, toolset, check.as_ref());
    }
    let mut board_task = false;
    // Kept, so that no two are ever in one place.
    let mut seen: Vec<Arc<Definitions>> = Vec::new();
    let mut answers = Vec::new();
    for step in &input.steps {
        match step {
            Step::Env { value } => board_task = value.is_some(),
            Step::Register {
                name,
                toolset,
                check,
            } => world.plain(name, toolset, check.as_ref()),
            Step::Deregister { name } => drop(world.registry.deregister(name)),
            Step::Alias { alias, toolset } => world.registry.alias(alias, toolset),
            Step::Check { check, returns } => world.answer(check, *returns),
            Step::Advance { seconds } => world.advance(*seconds),
            Step::ClearCheckCache {} => world.cache.clear(),
            Step::Get {
                enabled, disabled, ..
            } => {
                let selection =
                    world.select(enabled.as_deref(), disabled.as_deref(), board_task)?;
                let definitions = world.session(selection).definitions();
                let names: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
                let from_memo = seen.iter().any(|it| Arc::ptr_eq(it, &definitions));
                let given = expected
                    .get(answers.len())
                    .is_some_and(|it| it.contains_key("from_memo"));
                answers.push(match given {
                    true => json!({"from_memo": from_memo, "names": names}),
                    false => json!({"names": names}),
                });
                seen.push(definitions);
            }
        }
    }
    Outcome::value(&answers)
}
