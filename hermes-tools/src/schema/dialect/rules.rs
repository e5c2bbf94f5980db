//! What each dialect can say.

use super::Dialect;

/// What a dialect has keywords for.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent fact of a provider"
)]
pub(crate) struct Rules {
    /// What the model sends is forced to fit: nothing without a type, no free keys.
    pub(crate) strict: bool,
    /// Every property is required and an optional one takes null.
    pub(crate) complete: bool,
    /// `$ref` and `$defs`.
    pub(crate) references: bool,
    /// A `$ref` to a schema that it stands in.
    pub(crate) recursion: bool,
    /// How a value that may be null is spelt.
    pub(crate) null: Null,
    /// How one of several forms is spelt.
    pub(crate) union: Union,
    /// `anyOf` where it is not the root.
    pub(crate) any_of: bool,
    /// `additionalProperties` with a schema.
    pub(crate) maps: bool,
    /// `additionalProperties: false`.
    pub(crate) closed: bool,
    /// `minimum`, `maximum` and `multipleOf`.
    pub(crate) number_bounds: bool,
    /// `minItems` and `maxItems`; without them `minItems` may still be 0 or 1.
    pub(crate) item_counts: bool,
    /// `pattern`.
    pub(crate) patterns: bool,
    /// `minLength` and `maxLength`.
    pub(crate) text_lengths: bool,
    /// `minProperties` and `maxProperties`.
    pub(crate) key_counts: bool,
    /// `uniqueItems`.
    pub(crate) unique: bool,
    /// `default`.
    pub(crate) defaults: bool,
    /// How an example is spelt.
    pub(crate) example: Example,
    /// A schema without a type.
    pub(crate) untyped: bool,
}

/// How a value that may be null is spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// A list of types.
    Types,
    /// `nullable: true`.
    Keyword,
    /// Not at all.
    Untold,
}

/// How an object of one of several forms is spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Union {
    /// `oneOf`.
    OneOf,
    /// `anyOf`.
    AnyOf,
    /// One object with the keys of all forms.
    Merged,
}

/// How an example is spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Example {
    /// `examples`, a list.
    List,
    /// `example`.
    One,
    /// In the description.
    Told,
}

impl Rules {
    /// Whether it is one of the dialects that take a closed list of keywords.
    pub(crate) const fn is_subset(&self) -> bool {
        !self.references
    }

    /// The rules of a dialect.
    pub(crate) const fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Common => COMMON,
            Dialect::OpenAiChat | Dialect::OpenAiResponses => OPENAI,
            Dialect::OpenAiChatStrict | Dialect::OpenAiResponsesStrict => OPENAI_STRICT,
            Dialect::Anthropic => ANTHROPIC,
            Dialect::AnthropicStrict => ANTHROPIC_STRICT,
            Dialect::Gemini => GEMINI,
            Dialect::Mcp => MCP,
        }
    }
}

/// MCP: `inputSchema` is a JSON Schema whose root has the type `object` (specification 2025-06-18,
/// "Tools", data types), draft 2020-12 where it does not say (SEP-1613).
///
/// <https://modelcontextprotocol.io/specification/2025-06-18/server/tools>
const MCP: Rules = Rules {
    strict: false,
    complete: false,
    references: true,
    recursion: true,
    null: Null::Types,
    union: Union::OneOf,
    any_of: true,
    maps: true,
    closed: true,
    number_bounds: true,
    item_counts: true,
    patterns: true,
    text_lengths: true,
    key_counts: true,
    unique: true,
    defaults: true,
    example: Example::List,
    untyped: true,
};

/// Anthropic: `input_schema` is a JSON Schema object, draft 2020-12 ("Define tools"); the API answers
/// "`input_schema` does not support oneOf, allOf, or anyOf at the top level". Inside, `anyOf` is the
/// union of its documents ("JSON Schema limitations"), so `oneOf` is not used.
///
/// <https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools>
const ANTHROPIC: Rules = Rules {
    union: Union::AnyOf,
    ..MCP
};

/// Anthropic with `strict` on a tool, from "Structured outputs", JSON Schema limitations:
///
/// - every object has `additionalProperties: false`, so there are no maps;
/// - what is optional stays so: `required` need not name every field;
/// - `anyOf`, local `$ref` and `default` are supported, a schema that contains itself is not;
/// - neither bounds of numbers nor lengths of texts, and of the counts of items only `minItems` of 0 and 1;
/// - `enum` holds no lists and no objects; of the formats ten are supported;
/// - patterns are supported without look-around, back references and `\b`. Which others the grammar
///   takes is not said exactly, so they are told in words.
///
/// <https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations>
const ANTHROPIC_STRICT: Rules = Rules {
    strict: true,
    recursion: false,
    maps: false,
    number_bounds: false,
    item_counts: false,
    patterns: false,
    text_lengths: false,
    key_counts: false,
    unique: false,
    example: Example::Told,
    untyped: false,
    ..ANTHROPIC
};

/// `OpenAI` without `strict`: `parameters` is a JSON Schema object of best effort ("Function calling");
/// the root has the type `object` and none of `oneOf`, `anyOf`, `allOf`, `enum`, `not` (error text of
/// the API).
///
/// <https://platform.openai.com/docs/guides/function-calling>
const OPENAI: Rules = Rules {
    union: Union::AnyOf,
    ..MCP
};

/// `OpenAI` with `strict`, from "Structured outputs", supported schemas:
///
/// - every field is in `required`, an optional one is a union with null;
/// - every object has `additionalProperties: false`, so there are no maps;
/// - `anyOf`, `$defs` and recursive `$ref` are supported; `allOf`, `oneOf`, `not`, `if` are not;
/// - of the bounds, those of numbers and `minItems`, `maxItems`; neither lengths of texts nor
///   `minProperties`, `maxProperties`, `uniqueItems`;
/// - `default` is refused (error text "'default' is not permitted").
///
/// <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>
const OPENAI_STRICT: Rules = Rules {
    strict: true,
    complete: true,
    maps: false,
    text_lengths: false,
    key_counts: false,
    unique: false,
    defaults: false,
    example: Example::Told,
    untyped: false,
    ..OPENAI
};

/// Gemini: the fields of `Schema` (API reference, "Caching", `Schema`) and no others. `nullable` is one,
/// `$ref`, `additionalProperties`, `oneOf`, `prefixItems` and `uniqueItems` are none; `type` is
/// required. Vertex refuses keywords beside `anyOf`, so forms are merged.
///
/// <https://ai.google.dev/api/caching#Schema>
const GEMINI: Rules = Rules {
    strict: false,
    complete: false,
    references: false,
    recursion: false,
    null: Null::Keyword,
    union: Union::Merged,
    any_of: true,
    maps: false,
    closed: false,
    number_bounds: true,
    item_counts: true,
    patterns: true,
    text_lengths: true,
    key_counts: true,
    unique: false,
    defaults: true,
    example: Example::One,
    untyped: false,
};

/// What all of the above take, strict ones left out.
const COMMON: Rules = Rules {
    null: Null::Untold,
    any_of: false,
    patterns: false,
    key_counts: false,
    example: Example::Told,
    untyped: true,
    ..GEMINI
};
