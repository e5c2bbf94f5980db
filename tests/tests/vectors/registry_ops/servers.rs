//! Tools of MCP servers: their names, and which of them are taken.

use hermes_tests::{Line, Outcome};
use hermes_tools::registry::{SERVER_HELPERS, ServerFilter, foreign_name, foreign_toolset};
use hermes_tools::{RuntimeTool, ToolRegistry};
use serde::Deserialize;
use serde_json::{Map, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct McpName {
    server: String,
    tool: String,
}

pub(super) fn tool_name(line: &Line) -> Result<Outcome, String> {
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

pub(super) fn register(line: &Line) -> Result<Outcome, String> {
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
        let (what, wanted) = if of_resources {
            ("resources", input.filter.resources)
        } else {
            ("prompts", input.filter.prompts)
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
