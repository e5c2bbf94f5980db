//! Tools as each provider wants to be told of them.
//!
//! The schema tree is neutral; a [`Dialect`] says how a provider spells it and what it cannot say. What
//! a dialect has no keyword for is told in the description instead, and reported as a [`Loss`].
//! Decoding checks every bound whatever the model was shown, and takes null for absent.
//!
//! | | `common` | `openai` | `openai-strict` | `anthropic` | `anthropic-strict` | `gemini` | `mcp` |
//! |---|---|---|---|---|---|---|---|
//! | optional argument | not required | not required | required, may be null | not required | not required | not required | not required |
//! | value that may be null | told in words | list of types | list of types | list of types | list of types | `nullable` | list of types |
//! | one of several forms | one object | `anyOf` | `anyOf` | `anyOf` | `anyOf` | one object | `oneOf` |
//! | the same as all arguments | one object | one object | one object | one object | one object | one object | one object |
//! | type that contains itself | three levels | `$ref` | `$ref` | `$ref` | leaves strict mode | three levels | `$ref` |
//! | map | told in words | `additionalProperties` | leaves strict mode | `additionalProperties` | leaves strict mode | told in words | `additionalProperties` |
//! | fixed list | `items` and counts | same | same | same | `items` | same | same |
//! | other keys | not told | refused | refused | refused | refused | not told | refused |
//!
//! ```
//! use hermes_tools::schema::dialect::{Dialect, definition};
//! use hermes_tools::{tool, ToolRegistry};
//!
//! /// Greet somebody.
//! #[tool(toolset = "greeting", effect = "read")]
//! fn greet(
//!     /// Who.
//!     name: String,
//!     /// How often.
//!     #[arg(default = 1)]
//!     times: u8,
//! ) -> String {
//!     format!("hello {name} ").repeat(usize::from(times))
//! }
//!
//! let registry = ToolRegistry::linked()?;
//! let greet = registry.get("greet").and_then(|tool| tool.entry()).ok_or("not linked")?;
//! let (json, losses) = definition(greet, Dialect::OpenAiChatStrict);
//! assert!(json.contains(r#""required":["name","times"],"additionalProperties":false"#));
//! assert_eq!(losses[0].to_string(), "`greet`: `times`: the default has no keyword");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod envelope;
mod keywords;
mod merge;
mod render;
mod rules;
mod strict;

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

pub(crate) use self::envelope::{Hints, Parts, put_together};
use self::render::Renderer;
pub(crate) use self::rules::{Example, Null, Rules, Union};
pub(crate) use self::strict::{Request, over_limits};
use crate::entry::ToolEntry;
use crate::param::Param;
use crate::schema::{Variant, write};

/// The way in which a provider is told of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// What every provider here takes, strict ones left out: `name`, `description` and `parameters`, no
    /// references, unions or lists of types, optional arguments with their bare type.
    Common,
    /// `OpenAI`'s chat completions, and the many that copy it.
    OpenAiChat,
    /// The same with `strict`: what the model sends fits the schema.
    OpenAiChatStrict,
    /// `OpenAI`'s responses.
    OpenAiResponses,
    /// The same with `strict`.
    OpenAiResponsesStrict,
    /// Anthropic's messages.
    Anthropic,
    /// The same with `strict`.
    AnthropicStrict,
    /// A function declaration of Gemini.
    Gemini,
    /// A tool of the Model Context Protocol.
    Mcp,
}

/// Something that a dialect could not express.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Loss {
    /// The tool; empty where parameters were rendered alone.
    pub tool: String,
    /// Where, such as `edits[].line`; empty for the tool as a whole.
    pub path: String,
    /// What, as a lowercase fragment that reads after the path.
    pub what: String,
}

/// What a model is told of tools in a dialect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Definitions {
    /// A JSON array of the tools, in the form in which the provider takes each.
    pub json: String,
    /// What the dialect could not express, tool by tool.
    pub losses: Vec<Loss>,
}

/// Tools in the form of a dialect, in the order given, byte for byte the same every time.
pub fn definitions<'e>(
    entries: impl IntoIterator<Item = &'e ToolEntry>,
    dialect: Dialect,
) -> Definitions {
    let mut all = Vec::new();
    let mut losses = Vec::new();
    let mut request = Request::default();
    for entry in entries {
        let define = |dialect| Ok::<_, Infallible>(definition(entry, dialect));
        let Ok((json, lost)) = request.settle(entry.name(), dialect, define);
        all.push(json);
        losses.extend(lost);
    }
    Definitions {
        json: format!("[{}]", all.join(",")),
        losses,
    }
}

/// A tool in the form of a dialect, byte for byte the same every time, and what that form cannot say.
///
/// A tool that a strict dialect cannot take (it has a map, or a value of any type) leaves strict mode
/// alone; that is a loss, and its neighbours stay strict.
pub fn definition(entry: &ToolEntry, dialect: Dialect) -> (String, Vec<Loss>) {
    described(entry, &write::description(entry), dialect)
}

/// The same with another text for the model.
pub(crate) fn described(
    entry: &ToolEntry,
    description: &str,
    dialect: Dialect,
) -> (String, Vec<Loss>) {
    let (parameters, mut losses, strict) = rendered(entry.params(), dialect, |renderer| {
        renderer.root(entry.params())
    });
    for loss in &mut losses {
        entry.name().clone_into(&mut loss.tool);
    }
    (
        envelope::definition(entry, description, dialect, &parameters, strict),
        losses,
    )
}

/// The parameters of a tool as the schema of a dialect.
pub fn parameters(params: &[Param], dialect: Dialect) -> (String, Vec<Loss>) {
    let (parameters, losses, _) = rendered(params, dialect, |renderer| renderer.root(params));
    (parameters, losses)
}

/// The parameters of a tool whose arguments as a whole have one of several forms.
///
/// The root of parameters is an object without combinators in every dialect, so the forms are merged:
/// the key that tells them apart lists them and says what each needs.
pub fn union_parameters(tag: &str, variants: &[Variant], dialect: Dialect) -> (String, Vec<Loss>) {
    let fields = variants.iter().flat_map(|variant| variant.fields);
    let fields: Vec<Param> = fields.copied().collect();
    let root = |renderer: &mut Renderer| renderer.merged_root(tag, variants);
    let (parameters, losses, _) = rendered(&fields, dialect, root);
    (parameters, losses)
}

/// Parameters with these fields, by the rules of a dialect or of the one beside it, and whether they
/// are strict.
fn rendered(
    fields: &[Param],
    dialect: Dialect,
    root: impl Fn(&mut Renderer) -> String,
) -> (String, Vec<Loss>, bool) {
    let render = |dialect: Dialect, losses: Vec<Loss>| {
        let mut renderer = Renderer::new(Rules::of(dialect), fields, losses);
        let parameters = root(&mut renderer);
        (parameters, renderer.losses)
    };
    let mut losses = Vec::new();
    if dialect.is_strict() {
        let (path, reason) =
            if let Some((path, reason)) = strict::obstacle(fields, &Rules::of(dialect)) {
                (path, reason.to_owned())
            } else {
                let (parameters, losses) = render(dialect, Vec::new());
                let schema: Value = serde_json::from_str(&parameters).unwrap_or_default();
                let over = over_limits(&schema);
                let Some(reason) = over else {
                    return (parameters, losses, true);
                };
                (String::new(), reason)
            };
        losses.push(Loss::leaves_strict("", path, &reason));
    }
    let (parameters, losses) = render(dialect.without_strict(), losses);
    (parameters, losses, false)
}

impl Loss {
    pub(crate) fn leaves_strict(tool: &str, path: String, reason: &str) -> Self {
        Self::new(
            tool,
            path,
            format!("{reason}, so the tool leaves strict mode"),
        )
    }

    pub(crate) fn new(
        tool: impl Into<String>,
        path: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        Self {
            tool: tool.into(),
            path: path.into(),
            what: what.into(),
        }
    }
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 9] = [
        Self::Common,
        Self::OpenAiChat,
        Self::OpenAiChatStrict,
        Self::OpenAiResponses,
        Self::OpenAiResponsesStrict,
        Self::Anthropic,
        Self::AnthropicStrict,
        Self::Gemini,
        Self::Mcp,
    ];

    /// The name for settings and command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::OpenAiChat => "openai",
            Self::OpenAiChatStrict => "openai-strict",
            Self::OpenAiResponses => "openai-responses",
            Self::OpenAiResponsesStrict => "openai-responses-strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic-strict",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }

    /// The dialect beside a strict one; itself otherwise.
    #[must_use]
    pub const fn without_strict(self) -> Self {
        match self {
            Self::OpenAiChatStrict => Self::OpenAiChat,
            Self::OpenAiResponsesStrict => Self::OpenAiResponses,
            Self::AnthropicStrict => Self::Anthropic,
            other => other,
        }
    }

    /// Whether what the model sends is forced to fit the schema.
    pub const fn is_strict(self) -> bool {
        matches!(
            self,
            Self::OpenAiChatStrict | Self::OpenAiResponsesStrict | Self::AnthropicStrict
        )
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// A name that no dialect has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        write!(
            f,
            "no such dialect: `{}`; use one of: {}",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownDialect {}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lead = "";
        for part in [&self.tool, &self.path] {
            if !part.is_empty() {
                write!(f, "{lead}`{part}`")?;
                lead = ": ";
            }
        }
        write!(f, "{lead}{}", self.what)
    }
}
