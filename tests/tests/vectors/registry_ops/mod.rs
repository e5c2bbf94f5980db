//! The registry, its checks, the names of foreign tools, and what is kept of definitions.

mod dispatch;
mod memo;
mod servers;

use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::availability::CheckHandle;
use hermes_tools::context::{Executor, JobFuture};
use hermes_tools::entry::DEFAULT_MAX_RESULT;
use hermes_tools::registry::DEFAULT_EMOJI;
use hermes_tools::{
    Availability, CheckCache, Refusal, Registration, Removal, RuntimeTool, Selection, Session,
    Tool, ToolRegistry,
};
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
            "dispatch" => dispatch::answer(line),
            "mcp_tool_name" => servers::tool_name(line),
            "mcp_register" => servers::register(line),
            "definitions_memo" => memo::steps(line),
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
