//! What names of toolsets mean, and which tools a session ends up with.

use std::collections::BTreeMap;

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::entry::Facts;
use hermes_tools::{
    Availability, Selection, Session, SessionSource, ToolEntry, ToolError, ToolRegistry,
};
use hermes_toolsets::{
    ChildRequest, ChildRole, CustomToolset, Request, SelectError, Selected, ToolsetInfo, Toolsets,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

hermes_tools::link!(hermes_toolsets);

/// The tools that `registered: builtin` stands for.
const BUILTIN_TOOLS: &str = include_str!("../../fixtures/builtin_tools.tsv");

/// The source of all sessions here.
const SOURCE: SessionSource = SessionSource::Cli;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    #[serde(default)]
    table: Base,
    registered: Option<Base>,
    core: Option<Vec<String>>,
    #[serde(default)]
    custom: Vec<Custom>,
    #[serde(default)]
    registry: Vec<Registered>,
    #[serde(default)]
    unavailable: Vec<String>,
    #[serde(default)]
    aliases: Vec<Alias>,
    #[serde(default)]
    plugin_platforms: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    query: Query,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Base {
    Builtin,
    #[default]
    None,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Custom {
    name: String,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    includes: Vec<String>,
    #[serde(default)]
    posture: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registered {
    tool: String,
    toolset: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Alias {
    alias: String,
    toolset: String,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Query {
    Resolve { name: String },
    ResolveMany { names: Vec<String> },
    Validate { name: String },
    Names {},
    Info { name: String },
    BundleExtra { name: String },
    Select(Wanted),
    Definitions(Wanted),
    Child(Child),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    enabled: Option<Vec<String>>,
    #[serde(default)]
    disabled: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Child {
    parent_enabled: Option<Vec<String>>,
    #[serde(default)]
    parent_disabled: Vec<String>,
    requested: Option<Vec<String>>,
    #[serde(default)]
    role: Role,
    inherit_mcp: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    #[default]
    Leaf,
    Orchestrator,
}

#[test]
fn toolset_resolution_vectors() {
    VectorFile::new("toolset_resolution")
        .kinds([
            "resolve",
            "resolve_many",
            "validate",
            "names",
            "info",
            "bundle_extra",
            "select",
            "definitions",
            "child",
        ])
        .run(answer);
}

fn answer(line: &Line) -> Result<Outcome, String> {
    let input: Input = line.input()?;
    let toolsets = input.toolsets()?;
    let table = toolsets.with_tools(input.registered());
    let board_task = input.env.contains_key("HERMES_KANBAN_TASK");
    match &input.query {
        Query::Resolve { name } => Outcome::value(&table.resolve(name).tools().collect::<Vec<_>>()),
        Query::ResolveMany { names } => {
            let resolved = table.resolve_many(names.iter().map(String::as_str));
            Outcome::value(&resolved.tools().collect::<Vec<_>>())
        }
        Query::Validate { name } => Outcome::value(&table.is_known(name)),
        Query::Names {} => Outcome::value(&table.names()),
        Query::Info { name } => info(line, table.info(name)),
        Query::BundleExtra { name } => Outcome::value(&table.removed_by(name)),
        Query::Select(wanted) => {
            let request = request(wanted.enabled.as_deref(), &wanted.disabled, board_task);
            selected(table.select(&request))
        }
        Query::Definitions(wanted) => {
            let request = request(wanted.enabled.as_deref(), &wanted.disabled, board_task);
            match table.select(&request) {
                Ok(selected) => Outcome::value(&input.offered(selected.selection)?),
                refused => selected(refused),
            }
        }
        Query::Child(child) => {
            let parent_enabled = child.parent_enabled.as_deref();
            let parent = request(parent_enabled, &child.parent_disabled, board_task);
            selected(table.select_child(&parent, &child.request()))
        }
    }
}

impl Input {
    fn toolsets(&self) -> Result<Toolsets, String> {
        let mut toolsets = match self.table {
            Base::Builtin => Toolsets::linked().map_err(|error| error.to_string())?,
            Base::None => Toolsets::empty(),
        };
        toolsets.set_default(&SOURCE, ["all"]);
        if let Some(core) = &self.core {
            toolsets.set_core(core);
        }
        for custom in &self.custom {
            toolsets.define(
                CustomToolset::new(&custom.name)
                    .tools(&custom.tools)
                    .includes(&custom.includes)
                    .posture(custom.posture),
            );
        }
        for alias in &self.aliases {
            toolsets.alias(&alias.alias, &alias.toolset);
        }
        for platform in &self.plugin_platforms {
            toolsets.plugin_platform(platform);
        }
        Ok(toolsets)
    }

    /// Pairs of tool and toolset.
    fn registered(&self) -> impl Iterator<Item = (&str, &str)> {
        let builtin = match self.registered.unwrap_or(self.table) {
            Base::Builtin => BUILTIN_TOOLS,
            Base::None => "",
        };
        let rows = builtin.lines().filter(|row| !row.starts_with('#'));
        rows.filter_map(|row| row.split_once('\t')).chain(
            self.registry
                .iter()
                .map(|tool| (&*tool.tool, &*tool.toolset)),
        )
    }
}

impl Input {
    /// What a model is offered of a selection: tools that are registered, and whose checks pass.
    fn offered(&self, selection: Selection) -> Result<Vec<String>, String> {
        let mut tools = BTreeMap::new();
        for (name, toolset) in self.registered() {
            let available = self
                .unavailable
                .iter()
                .all(|unavailable| unavailable != name);
            tools
                .entry(name)
                .or_insert_with(|| stand_in(name, toolset, available));
        }
        let tools: Vec<&'static ToolEntry> = tools.into_values().collect();
        let registry = ToolRegistry::of(&tools).map_err(|error| error.to_string())?;
        let session = Session::builder(registry, selection)
            .build()
            .expect("these tools take no state");
        let offered = session
            .tools()
            .into_iter()
            .filter(|(_, answer)| answer.is_available());
        Ok(offered.map(|(tool, _)| tool.name().to_owned()).collect())
    }
}

impl Child {
    fn request(&self) -> ChildRequest {
        let mut request = ChildRequest::new(match self.role {
            Role::Leaf => ChildRole::Leaf,
            Role::Orchestrator => ChildRole::Orchestrator,
        });
        if let Some(names) = &self.requested {
            request = request.only(names);
        }
        request.inherit_mcp(self.inherit_mcp.unwrap_or(true))
    }
}

fn request(enabled: Option<&[String]>, disabled: &[String], board_task: bool) -> Request {
    let request = Request::new(SOURCE)
        .disable(disabled)
        .board_task(board_task);
    match enabled {
        Some(names) => request.enable(names),
        None => request,
    }
}

fn selected(selected: Result<Selected, SelectError>) -> Result<Outcome, String> {
    match selected {
        Ok(selected) => Outcome::value(&names(&selected.selection)),
        Err(SelectError::UnknownToolsets(unknown)) => {
            let names: Vec<&str> = unknown.iter().map(|unknown| &*unknown.name).collect();
            Outcome::value(&json!({"error": "unknown_toolset", "names": names}))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn names(selection: &Selection) -> Vec<&str> {
    selection.iter().map(|(name, _)| name).collect()
}

/// An answer holds the keys of the line, at least; the wording of a description is free.
fn info(line: &Line, info: Option<ToolsetInfo<'_>>) -> Result<Outcome, String> {
    let Some(info) = info else {
        return Ok(Outcome::Answer(Value::Null));
    };
    let resolved: Vec<&str> = info.resolved.tools().collect();
    let got = json!({
        "name": info.name,
        "direct_tools": info.tools,
        "includes": info.includes,
        "is_composite": !info.includes.is_empty(),
        "resolved_tools": resolved,
        "tool_count": resolved.len(),
    });
    let expected: Option<Map<String, Value>> = line.expected()?;
    let passed = expected.is_some_and(|mut keys| {
        keys.remove("description");
        keys.iter().all(|(key, value)| got.get(key) == Some(value))
    });
    Ok(Outcome::Judged {
        passed,
        got: got.to_string(),
    })
}

/// A tool with nothing but a name, a toolset and a check.
fn stand_in(name: &str, toolset: &str, available: bool) -> &'static ToolEntry {
    static OFF: Facts = Facts::NONE.check(|_| Availability::unavailable("off"));
    let lengths = [name, toolset].map(|text| u16::try_from(text.len()).unwrap());
    let texts = leaked(&format!("{name}{toolset}Stands in."));
    let tool = ToolEntry::new(texts, lengths, &[], |_, _| {
        Box::pin(async { Err(ToolError::failed("a stand-in is never called")) })
    });
    let tool = if available { tool } else { tool.facts(&OFF) };
    Box::leak(Box::new(tool))
}

/// Entries are static; those of a test may stay until it ends.
fn leaked(text: &str) -> &'static str {
    Box::leak(text.into())
}
