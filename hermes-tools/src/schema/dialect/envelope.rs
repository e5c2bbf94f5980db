//! What stands around the parameters of a tool.

use super::Dialect;
use crate::args::render_string;
use crate::effect::Effect;
use crate::entry::ToolEntry;

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
    /// What MCP is told of what the tool does, where that is known.
    pub(crate) hints: Option<&'a Hints<'a>>,
}

/// What a tool does, for those who ask before they call it.
pub(crate) struct Hints<'a> {
    pub(crate) title: Option<&'a str>,
    pub(crate) effect: Effect,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
}

/// A tool with its parameters in the form of a dialect.
pub(super) fn definition(
    entry: &ToolEntry,
    description: &str,
    dialect: Dialect,
    parameters: &str,
    strict: bool,
) -> String {
    let parts = Parts {
        name: entry.name(),
        description,
        parameters,
        bare: entry.params().is_empty(),
        strict,
        hints: Some(&Hints::of(entry)),
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
            let annotations = match parts.hints {
                Some(hints) => format!(",\"annotations\":{}", hints.annotations()),
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

impl Hints<'_> {
    pub(crate) fn of(entry: &ToolEntry) -> Hints<'static> {
        Hints {
            title: entry.display_title(),
            effect: entry.declared_effect(),
            idempotent: entry.is_idempotent(),
            open_world: entry.is_open_world(),
        }
    }

    /// The hints of MCP about what a tool does (specification 2025-06-18, `ToolAnnotations`).
    ///
    /// `destructiveHint` and `idempotentHint` mean something only for tools that change something.
    fn annotations(&self) -> String {
        let title = match self.title {
            Some(title) => format!("\"title\":{},", render_string(title)),
            None => String::new(),
        };
        let changes = match self.effect {
            Effect::Read => String::new(),
            effect => format!(
                "\"destructiveHint\":{},\"idempotentHint\":{},",
                matches!(effect, Effect::Destructive),
                self.idempotent
            ),
        };
        format!(
            "{{{title}\"readOnlyHint\":{},{changes}\"openWorldHint\":{}}}",
            matches!(self.effect, Effect::Read),
            self.open_world
        )
    }
}
