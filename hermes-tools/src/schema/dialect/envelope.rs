//! What stands around the parameters of a tool.

use super::Dialect;
use crate::args::render_string;
use crate::effect::Effect;
use crate::entry::ToolEntry;
use crate::schema::write;

/// The parts of a definition.
pub(crate) struct Parts<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    /// The schema as JSON text.
    pub(crate) parameters: &'a str,
    /// Whether the tool takes no arguments at all.
    pub(crate) bare: bool,
    /// Whether the schema follows the rules of strict mode.
    pub(crate) strict: bool,
    /// MCP's annotations as JSON text, where there are any.
    pub(crate) annotations: Option<String>,
}

/// A tool with its parameters in the form of a dialect.
pub(super) fn definition(
    entry: &ToolEntry,
    dialect: Dialect,
    parameters: &str,
    strict: bool,
) -> String {
    let parts = Parts {
        name: entry.name(),
        description: &write::description(entry),
        parameters,
        bare: entry.params().is_empty(),
        strict,
        annotations: (dialect == Dialect::Mcp).then(|| annotations(entry)),
    };
    put_together(&parts, dialect)
}

/// A tool of any origin in the form of a dialect.
pub(crate) fn put_together(parts: &Parts<'_>, dialect: Dialect) -> String {
    let parameters = parts.parameters;
    let head = format!(
        "\"name\":{},\"description\":{}",
        render_string(parts.name),
        render_string(parts.description)
    );
    match dialect {
        // A function without parameters leaves them out: an object without properties was refused
        // (reference of `FunctionDeclaration`).
        Dialect::Gemini if parts.bare => format!("{{{head}}}"),
        Dialect::Common | Dialect::Gemini => format!("{{{head},\"parameters\":{parameters}}}"),
        Dialect::OpenAiChat | Dialect::OpenAiChatStrict => {
            let flag = strict_flag(dialect, parts.strict);
            format!(
                "{{\"type\":\"function\",\"function\":{{{head},\"parameters\":{parameters}{flag}}}}}"
            )
        }
        Dialect::OpenAiResponses | Dialect::OpenAiResponsesStrict => {
            let flag = strict_flag(dialect, parts.strict);
            format!("{{\"type\":\"function\",{head},\"parameters\":{parameters}{flag}}}")
        }
        Dialect::Anthropic => format!("{{{head},\"input_schema\":{parameters}}}"),
        // Not strict is the API's own default.
        Dialect::AnthropicStrict => {
            let flag = if parts.strict { ",\"strict\":true" } else { "" };
            format!("{{{head},\"input_schema\":{parameters}{flag}}}")
        }
        Dialect::Mcp => {
            let annotations = match &parts.annotations {
                Some(annotations) => format!(",\"annotations\":{annotations}"),
                None => String::new(),
            };
            format!("{{{head},\"inputSchema\":{parameters}{annotations}}}")
        }
    }
}

/// `strict` is written where it differs from the API's own default: chat completions are not strict
/// unless they are told, responses are.
fn strict_flag(dialect: Dialect, strict: bool) -> &'static str {
    match dialect {
        Dialect::OpenAiChat => "",
        _ if strict => ",\"strict\":true",
        _ => ",\"strict\":false",
    }
}

/// The hints of MCP about what a tool does (specification 2025-06-18, `ToolAnnotations`).
///
/// `destructiveHint` and `idempotentHint` mean something only for tools that change something.
fn annotations(entry: &ToolEntry) -> String {
    let effect = entry.declared_effect();
    let title = match entry.display_title() {
        Some(title) => format!("\"title\":{},", render_string(title)),
        None => String::new(),
    };
    let changes = match effect {
        Effect::Read => String::new(),
        effect => format!(
            "\"destructiveHint\":{},\"idempotentHint\":{},",
            matches!(effect, Effect::Destructive),
            entry.is_idempotent()
        ),
    };
    format!(
        "{{{title}\"readOnlyHint\":{},{changes}\"openWorldHint\":{}}}",
        matches!(effect, Effect::Read),
        entry.is_open_world()
    )
}
