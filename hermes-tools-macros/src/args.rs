//! The keys of `#[tool(...)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, Lit, LitStr, Path, parse_quote};

use crate::arg::ARG_KEYS;
use crate::diagnostics::{
    CHECK_CALLED, CHECK_LIMIT, CHECK_PATH, CRATE_PATH, EMPTY_DESCRIPTION, ENVIRONMENT_NAME,
    FUNCTION_MISPLACED, LOCK_MISPLACED, MAX_RESULT, MISSING_TOOLSET, RETRY, SPILL, STRING_EXPECTED,
    TEARDOWN_ZERO, TIMEOUT, TIMEOUT_ZERO, TOOLSET_NAME, UNKNOWN_KEY,
};
use crate::errors::Errors;
use crate::keys::{Entries, Grammar, Key};
use crate::name::{corrected, tool_fault};
use crate::value::{literal, literal_string, one_or_more, path, peel, string, strings, text, word};

/// How many checks an entry of the runtime crate holds.
const MAX_CHECKS: usize = 4;

/// The keys that `#[tool(...)]` knows.
pub(crate) const TOOL_KEYS: &[Key] = &[
    Key::new("toolset", "toolset = \"file\""),
    Key::new("name", "name = \"read_file\""),
    Key::new("title", "title = \"Read a file\""),
    Key::new("description", "description = \"Read a text file.\""),
    Key::new("emoji", "emoji = \"📖\""),
    Key::new("check", "check = available"),
    Key::new("requires_env", "requires_env = \"API_KEY\""),
    Key::new("effect", "effect = \"read\""),
    Key::new("effect_of", "effect_of = effect_of_call"),
    Key::new("parallel", "parallel = \"never\""),
    Key::new("idempotent", "idempotent"),
    Key::new("open_world", "open_world"),
    Key::new("untrusted", "untrusted"),
    Key::new("timeout", "timeout = \"30s\""),
    Key::new("teardown", "teardown = \"5s\""),
    Key::new("max_result", "max_result = 50_000"),
    Key::new("spill", "spill = false"),
    Key::new("agent_loop", "agent_loop"),
    Key::new("inline", "inline"),
    Key::new("exposure", "exposure = \"deferred\""),
    Key::new("overrides", "overrides = \"package\""),
    Key::new("schema_patch", "schema_patch = change"),
    Key::new("targets", "targets = find_paths"),
    Key::new("deprecated", "deprecated = \"use `other_tool`\""),
    Key::new("crate", "crate = umbrella::hermes_tools"),
];

const GRAMMAR: Grammar = Grammar {
    keys: TOOL_KEYS,
    unknown: &UNKNOWN_KEY,
    elsewhere: ARG_KEYS,
    misplaced: &FUNCTION_MISPLACED,
    special: &[("lock", &LOCK_MISPLACED), ("retry", &RETRY)],
};

const EFFECTS: &[(&str, Effect)] = &[
    ("read", Effect::new("read", "Read")),
    ("write", Effect::new("write", "Write")),
    ("destructive", Effect::new("destructive", "Destructive")),
];

const PARALLEL: &[(&str, &str)] = &[("never", "Never"), ("safe", "Safe")];

const EXPOSURES: &[(&str, &str)] = &[
    ("direct", "Direct"),
    ("deferred", "Deferred"),
    ("hidden", "Hidden"),
];

/// What `#[tool(...)]` says.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag that the user wrote or did not"
)]
pub(crate) struct ToolArgs {
    pub(crate) toolset: LitStr,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    /// A string, or a macro call that becomes one.
    pub(crate) description: Option<Expr>,
    pub(crate) emoji: Option<LitStr>,
    pub(crate) checks: Vec<Path>,
    pub(crate) requires_env: Vec<LitStr>,
    pub(crate) effect: Option<Effect>,
    /// Function that says the effect of one call.
    pub(crate) effect_of: Option<Path>,
    /// Variant of the runtime's `Parallel`.
    pub(crate) parallel: Option<&'static str>,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
    pub(crate) untrusted: bool,
    pub(crate) timeout: Option<Timeout>,
    pub(crate) teardown: Option<Timeout>,
    pub(crate) max_result: Option<MaxResult>,
    pub(crate) no_spill: bool,
    pub(crate) agent_loop: bool,
    pub(crate) inline: Option<Ident>,
    /// Variant of the runtime's `Exposure`.
    pub(crate) exposure: Option<&'static str>,
    pub(crate) overrides: Option<LitStr>,
    pub(crate) schema_patch: Option<Path>,
    pub(crate) targets: Option<Path>,
    pub(crate) deprecated: Option<LitStr>,
    /// Path of the runtime crate.
    pub(crate) runtime: Path,
}

/// The most that a call may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) word: &'static str,
    pub(crate) variant: &'static str,
}

/// How long a call may take.
pub(crate) struct Timeout {
    /// The key, to point at.
    pub(crate) key: Ident,
    pub(crate) milliseconds: u64,
}

/// How much of a result reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaxResult {
    Characters(u64),
    Unlimited,
}

impl Effect {
    const fn new(word: &'static str, variant: &'static str) -> Self {
        Self { word, variant }
    }
}

impl ToolArgs {
    /// Reads the tokens between the parentheses. What is wrong is reported and left out.
    pub(crate) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut entries = Entries::default();
        entries.read(tokens, &GRAMMAR, errors);
        let toolset = toolset(&mut entries, errors);
        let name = entries
            .value("name")
            .and_then(|(_, value)| string(&value, errors));
        let title = entries
            .value("title")
            .and_then(|(key, value)| text(&key, &value, errors));
        let description = entries
            .value("description")
            .map(|(_, value)| description(value, errors));
        let emoji = entries
            .value("emoji")
            .and_then(|(key, value)| text(&key, &value, errors));
        let checks = entries
            .value("check")
            .map(|(key, value)| checks(&key, &value, errors));
        let requires_env = entries
            .value("requires_env")
            .map(|(key, value)| environment(&key, &value, errors));
        let effect = entries
            .value("effect")
            .and_then(|(_, value)| word(&value, EFFECTS, errors));
        let effect_of = function("effect_of", &mut entries, errors);
        let parallel = entries
            .value("parallel")
            .and_then(|(_, value)| word(&value, PARALLEL, errors));
        let exposure = entries
            .value("exposure")
            .and_then(|(_, value)| word(&value, EXPOSURES, errors));
        let overrides = entries
            .value("overrides")
            .and_then(|(key, value)| text(&key, &value, errors));
        let schema_patch = function("schema_patch", &mut entries, errors);
        let targets = function("targets", &mut entries, errors);
        let no_spill = entries
            .value("spill")
            .is_some_and(|(_, value)| is_false(&value, errors));
        let timeout = entries
            .value("timeout")
            .and_then(|(key, value)| duration(key, &value, errors));
        let teardown = entries
            .value("teardown")
            .and_then(|(key, value)| duration(key, &value, errors));
        let max_result = entries
            .value("max_result")
            .and_then(|(_, value)| limit(&value, errors));
        let deprecated = entries
            .value("deprecated")
            .and_then(|(key, value)| text(&key, &value, errors));
        let runtime = entries
            .value("crate")
            .and_then(|(_, value)| runtime(&value, errors));
        Self {
            toolset,
            name,
            title,
            description,
            emoji,
            checks: checks.unwrap_or_default(),
            requires_env: requires_env.unwrap_or_default(),
            effect,
            effect_of,
            parallel,
            idempotent: entries.flag("idempotent").is_some(),
            open_world: entries.flag("open_world").is_some(),
            untrusted: entries.flag("untrusted").is_some(),
            timeout,
            teardown,
            max_result,
            no_spill,
            agent_loop: entries.flag("agent_loop").is_some(),
            exposure,
            overrides,
            schema_patch,
            targets,
            inline: entries.flag("inline"),
            deprecated,
            runtime: runtime.unwrap_or_else(default_runtime),
        }
    }
}

/// Where the runtime crate is unless `crate = ...` says otherwise.
pub(crate) fn default_runtime() -> Path {
    let mut path: Path = parse_quote!(::hermes_tools);
    for segment in &mut path.segments {
        segment.ident.set_span(Span::mixed_site());
    }
    path
}

fn toolset(entries: &mut Entries, errors: &mut Errors) -> LitStr {
    let given = entries.value("toolset");
    if given.is_none() && !entries.may_have_meant("toolset") {
        errors.report_at(Span::call_site(), MISSING_TOOLSET.with(&[]));
    }
    let name = given.and_then(|(_, value)| string(&value, errors));
    if let Some(name) = &name
        && tool_fault(&name.value()).is_some()
    {
        errors.report(
            name,
            TOOLSET_NAME.with(&[&corrected(&name.value(), '-', "my-tools")]),
        );
    }
    name.unwrap_or_else(|| LitStr::new("", Span::call_site()))
}

/// A wrong description is kept, since its absence would be reported as a second mistake.
fn description(value: Expr, errors: &mut Errors) -> Expr {
    match literal_string(&value) {
        Some(text) if text.value().trim().is_empty() => {
            errors.report(text, EMPTY_DESCRIPTION.with(&[]));
        }
        None if !matches!(peel(&value), Expr::Macro(_)) => {
            errors.report(&value, STRING_EXPECTED.with(&[&"\"...\""]));
        }
        _ => {}
    }
    value
}

fn checks(key: &Ident, value: &Expr, errors: &mut Errors) -> Vec<Path> {
    let all = one_or_more(key, value, errors);
    if let Some(surplus) = all.get(MAX_CHECKS) {
        errors.report(surplus, CHECK_LIMIT.with(&[&MAX_CHECKS]));
    }
    all.into_iter()
        .filter_map(|check| one_function(key, check, "available", errors))
        .collect()
}

/// The function that a key names.
fn function(name: &'static str, entries: &mut Entries, errors: &mut Errors) -> Option<Path> {
    let (key, value) = entries.value(name)?;
    one_function(&key, &value, "my_function", errors)
}

/// `false`, the one value that `spill` has: the other is what holds without it.
fn is_false(value: &Expr, errors: &mut Errors) -> bool {
    let is_false = matches!(literal(value), Some(Lit::Bool(flag)) if !flag.value);
    if !is_false {
        errors.report(value, SPILL.with(&[]));
    }
    is_false
}

fn one_function(key: &Ident, check: &Expr, usual: &str, errors: &mut Errors) -> Option<Path> {
    if let Some(path) = path(check) {
        return Some(path.clone());
    }
    match peel(check) {
        Expr::Call(call) if path(&call.func).is_some() => {
            errors.report(check, CHECK_CALLED.with(&[key, &plain(&call.func)]));
        }
        Expr::Lit(_) => {
            let named = literal_string(check).and_then(|text| text.parse::<Path>().ok());
            let named = named.map_or_else(|| usual.to_owned(), |path| plain(&path));
            errors.report(check, CHECK_PATH.with(&[key, &named]));
        }
        _ => errors.report(check, CHECK_PATH.with(&[key, &usual])),
    }
    None
}

fn environment(key: &Ident, value: &Expr, errors: &mut Errors) -> Vec<LitStr> {
    let names = strings(key, value, errors);
    for name in &names {
        let text = name.value();
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            errors.report(name, ENVIRONMENT_NAME.with(&[]));
        }
    }
    names
}

fn duration(key: Ident, value: &Expr, errors: &mut Errors) -> Option<Timeout> {
    let milliseconds = literal_string(value).and_then(|text| milliseconds(&text.value()));
    match milliseconds {
        None => errors.report(value, TIMEOUT.with(&[])),
        Some(0) if key == "teardown" => errors.report(value, TEARDOWN_ZERO.with(&[])),
        Some(0) => errors.report(value, TIMEOUT_ZERO.with(&[])),
        Some(milliseconds) => return Some(Timeout { key, milliseconds }),
    }
    None
}

fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (amount, unit) = text.split_at(digits);
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    amount.parse::<u64>().ok()?.checked_mul(factor)
}

fn limit(value: &Expr, errors: &mut Errors) -> Option<MaxResult> {
    let limit = match literal(value) {
        Some(Lit::Int(number)) => match number.base10_parse::<u64>() {
            Ok(characters) if characters > 0 => Some(MaxResult::Characters(characters)),
            _ => None,
        },
        Some(Lit::Str(word)) if word.value() == "unlimited" => Some(MaxResult::Unlimited),
        _ => None,
    };
    if limit.is_none() {
        errors.report(value, MAX_RESULT.with(&[]));
    }
    limit
}

/// The path of the runtime crate that `crate = ...` names.
pub(crate) fn runtime(value: &Expr, errors: &mut Errors) -> Option<Path> {
    let found = path(value).cloned();
    if found.is_none() {
        let named = literal_string(value).and_then(|text| text.parse::<Path>().ok());
        let named = named.map_or_else(|| "umbrella::hermes_tools".to_owned(), |path| plain(&path));
        errors.report(value, CRATE_PATH.with(&[&format!("crate = {named}")]));
    }
    found
}

/// Tokens as one writes them, for short things such as paths.
fn plain(tokens: &impl quote::ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}
