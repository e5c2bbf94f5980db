//! What stands around the parameters of a tool.

use super::Dialect;
use crate::args::render_string;
use crate::effect::Effect;
use crate::entry::ToolEntry;
use crate::schema::write;

/// A tool with its parameters in the form of a dialect.
pub(super) fn definition(
    entry: &ToolEntry,
    dialect: Dialect,
    parameters: &str,
    strict: bool,
) -> String {
    let description = write::description(entry);
    foreign_or_own(
        entry.name(),
        &description,
        dialect,
        parameters,
        strict,
        || annotations(entry),
    )
}

/// A tool of any origin in the form of a dialect.
pub(crate) fn foreign_or_own(
    name: &str,
    description: &str,
    dialect: Dialect,
    parameters: &str,
    strict: bool,
    annotations: impl FnOnce() -> String,
) -> String {
    let head = format!(
        "\"name\":{},\"description\":{}",
        render_string(name),
        render_string(description)
    );
    match dialect {
        Dialect::Common => format!("{{{head},\"parameters\":{parameters}}}"),
        // A function without parameters leaves them out; an object without properties was refused
        // (reference of `FunctionDeclaration`).
        Dialect::Gemini if parameters == "{\"type\":\"object\",\"properties\":{}}" => {
            format!("{{{head}}}")
        }
        Dialect::Gemini => format!("{{{head},\"parameters\":{parameters}}}"),
        Dialect::OpenAiChat | Dialect::OpenAiChatStrict => {
            let flag = strict_flag(dialect, strict);
            format!(
                "{{\"type\":\"function\",\"function\":{{{head},\"parameters\":{parameters}{flag}}}}}"
            )
        }
        Dialect::OpenAiResponses | Dialect::OpenAiResponsesStrict => {
            let flag = strict_flag(dialect, strict);
            format!("{{\"type\":\"function\",{head},\"parameters\":{parameters}{flag}}}")
        }
        Dialect::Anthropic => format!("{{{head},\"input_schema\":{parameters}}}"),
        Dialect::Mcp => format!("{{{head},\"inputSchema\":{parameters}{}}}", annotations()),
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
        ",\"annotations\":{{{title}\"readOnlyHint\":{},{changes}\"openWorldHint\":{}}}",
        matches!(effect, Effect::Read),
        entry.is_open_world()
    )
}
