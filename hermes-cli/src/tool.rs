//! What is known of a tool, as programs read it.

use hermes_tools::context::StateNeed;
use hermes_tools::{Availability, Origin, Parallel, Tool, ToolEntry};
use serde::Serialize;

/// One tool of a listing. The order of the fields is that of the output and stays as it is.
#[derive(Debug, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own for whoever reads the JSON"
)]
pub(crate) struct ToolFacts<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<&'a str>,
    toolset: &'a str,
    effect: &'static str,
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
    description: &'a str,
    idempotent: bool,
    open_world: bool,
    /// Absent: the default of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_seconds: Option<serde_json::Number>,
    /// Characters. Absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_result: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<&'a str>,
    /// Absent: it was not linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<OriginFacts<'a>>,
    /// Who is told of it: `direct`, `deferred` or `hidden`.
    exposure: &'static str,
    /// Whether results hold what strangers wrote.
    untrusted: bool,
    /// Whether the agent loop may have to answer.
    agent_loop: bool,
    /// `never` or `safe`. Absent: from the effect and the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel: Option<&'static str>,
    /// Types of the values that it takes from its session, without their paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<&'static str>,
    /// The MCP server that has it. Absent: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<ServerFacts<'a>>,
}

#[derive(Debug, Serialize)]
struct ServerFacts<'a> {
    name: &'a str,
    /// The server's own name of the tool.
    tool: &'a str,
}

#[derive(Debug, Serialize)]
struct OriginFacts<'a> {
    package: &'a str,
    module: &'a str,
    file: &'a str,
    line: u32,
}

impl<'a> OriginFacts<'a> {
    fn of(tool: &'a ToolEntry) -> Self {
        let Origin {
            package,
            module,
            file,
            line,
        } = tool.declared_at();
        Self {
            package,
            module,
            file,
            line,
        }
    }
}

impl<'a> ToolFacts<'a> {
    pub(crate) fn of(tool: &'a Tool, availability: &'a Availability) -> Self {
        let entry = tool.entry();
        let names = tool.runtime().and_then(|it| it.raw_names());
        Self {
            name: tool.name(),
            title: tool.display_title(),
            emoji: tool.display_emoji(),
            toolset: tool.toolset(),
            effect: tool.declared_effect().as_str(),
            available: availability.is_available(),
            reason: availability.reason(),
            remedy: availability.remedy(),
            description: tool.description(),
            idempotent: tool.is_idempotent(),
            open_world: tool.is_open_world(),
            timeout_seconds: seconds(tool.time_limit()),
            max_result: result_limit(tool.result_limit()),
            deprecated: tool.deprecation(),
            origin: entry.map(OriginFacts::of),
            exposure: tool.declared_exposure().as_str(),
            untrusted: tool.is_untrusted(),
            agent_loop: tool.is_agent_loop(),
            parallel: tool.declared_parallel().map(Parallel::as_str),
            state: entry.map_or_else(Vec::new, |entry| {
                entry.state_needs().map(StateNeed::short_name).collect()
            }),
            server: names.map(|(name, tool)| ServerFacts { name, tool }),
        }
    }
}

/// How long a call of the tool may take: whole seconds as a whole number.
pub(crate) fn seconds(limit: Option<std::time::Duration>) -> Option<serde_json::Number> {
    let limit = limit?;
    match limit.subsec_nanos() {
        0 => Some(limit.as_secs().into()),
        _ => serde_json::Number::from_f64(limit.as_secs_f64()),
    }
}

/// Most characters of a result, if there is a limit.
pub(crate) fn result_limit(limit: usize) -> Option<usize> {
    Some(limit).filter(|limit| *limit != usize::MAX)
}

/// Where a tool was declared, for people.
pub(crate) fn place(origin: Origin) -> String {
    format!("{}, {}:{}", origin.package, origin.file, origin.line)
}
