//! What single tools say of themselves.

use std::collections::BTreeMap;

use super::Check;
use crate::report::{Problem, place};
use crate::scan::{Description, Found, Tool};

/// Why a provider refuses a name, if it does.
type Refusal = fn(&str) -> Option<String>;

/// What each provider takes as the name of a function.
const PROVIDERS: [(&str, Refusal); 4] = [
    ("OpenAI", |name| word(name, "_-", 64)),
    ("Anthropic", |name| word(name, "_-", 64)),
    ("Gemini", |name| {
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if starts {
            word(name, "_-.:", 64)
        } else {
            Some("it starts with neither a letter nor `_`".to_owned())
        }
    }),
    ("MCP", |name| word(name, "_-.", 128)),
];

/// A tool without `effect` counts as destructive, so that it asks more often than it needs to.
pub(super) fn missing_effect(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let silent = |tool: &&Found<Tool>| {
        tool.ships_from_member() && tool.item.effect.is_none() && !tool.item.effect_of
    };
    let mut problems = Vec::new();
    for tool in scan.tools.iter().filter(silent) {
        problems.push(Problem {
            message: format!(
                "tool `{}` does not say what it does and counts as destructive",
                tool.item.name.text
            ),
            position: tool.item.name.position.clone(),
            notes: Vec::new(),
            help: "add `effect = \"read\"`, `\"write\"` or `\"destructive\"`".to_owned(),
        });
    }
    problems
}

/// A source file that could not be read or parsed: its tools are not checked.
pub(super) fn unparsed_file(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for unparsed in scan.unparsed.iter().filter(|unparsed| unparsed.unit.member) {
        problems.push(Problem {
            message: format!("cannot read this file: {}", unparsed.item.reason),
            position: unparsed.item.position.clone(),
            notes: vec!["its tools and modules are not checked".to_owned()],
            help: "`cargo check` shows the compiler's view of it".to_owned(),
        });
    }
    problems
}

/// A name that a provider rejects.
pub(super) fn name_rejected(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for tool in own(&scan.tools) {
        let name = &tool.item.name;
        let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (provider, refusal) in PROVIDERS {
            if let Some(reason) = refusal(&name.text) {
                reasons.entry(reason).or_default().push(provider);
            }
        }
        if reasons.is_empty() {
            continue;
        }
        problems.push(Problem {
            message: format!("providers reject the name `{}`", name.text),
            position: name.position.clone(),
            notes: reasons
                .iter()
                .map(|(reason, providers)| format!("{}: {reason}", providers.join(", ")))
                .collect(),
            help: "write `name = \"...\"` with a-z, 0-9 and `_`, a letter first, at most 64 characters".to_owned(),
        });
    }
    problems
}

/// A tool without a description: models guess what it is for.
pub(super) fn description_missing(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let missing = |tool: &&Found<Tool>| match &tool.item.description {
        Description::Missing => true,
        Description::Text(text) => text.is_empty(),
        Description::Elsewhere => false,
    };
    let tools = own(&scan.tools).filter(missing);
    tools
        .map(|tool| Problem {
            message: format!("tool `{}` has no description", tool.item.name.text),
            position: tool.item.name.position.clone(),
            notes: Vec::new(),
            help: "say in a `///` comment above the function what the tool does".to_owned(),
        })
        .collect()
}

/// A description that a provider cuts or rejects.
pub(super) fn description_too_long(check: &Check<'_>) -> Vec<Problem> {
    let limit = check.settings.max_description;
    let mut problems = Vec::new();
    for tool in own(&check.scan.tools) {
        let Description::Text(text) = &tool.item.description else {
            continue;
        };
        let count = text.chars().count();
        if count > limit {
            problems.push(Problem {
                message: format!(
                    "the description of tool `{}` has {count} characters, and the limit is {limit}",
                    tool.item.name.text
                ),
                position: tool.item.name.position.clone(),
                notes: Vec::new(),
                help: "shorten it, or move what is about one argument to that argument".to_owned(),
            });
        }
    }
    problems
}

/// Two tools with one description: a model cannot tell them apart.
pub(super) fn description_copied(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut first: BTreeMap<String, &Found<Tool>> = BTreeMap::new();
    let mut problems = Vec::new();
    for tool in own(&scan.tools) {
        let Description::Text(text) = &tool.item.description else {
            continue;
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let other = first.entry(words.join(" ").to_lowercase()).or_insert(tool);
        // A variant for another system, and a file of two targets, are one tool.
        if other.item.name.text == tool.item.name.text {
            continue;
        }
        problems.push(Problem {
            message: format!(
                "tools `{}` and `{}` have the same description",
                other.item.name.text, tool.item.name.text
            ),
            position: tool.item.name.position.clone(),
            notes: vec![format!(
                "the other is declared at {}",
                place(&other.item.name.position)
            )],
            help: "say what this one does and the other does not".to_owned(),
        });
    }
    problems
}

/// A parameter that a model sees without a word about it.
pub(super) fn parameter_undocumented(Check { scan, .. }: &Check<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for tool in own(&scan.tools) {
        for parameter in tool
            .item
            .parameters
            .iter()
            .filter(|parameter| !parameter.documented)
        {
            let (owner, name) = (&tool.item.name.text, &parameter.name);
            problems.push(Problem {
                message: format!(
                    "parameter `{}` of tool `{owner}` has no description",
                    name.text
                ),
                position: name.position.clone(),
                notes: Vec::new(),
                help: "write a `///` comment above it".to_owned(),
            });
        }
    }
    problems
}

fn own(tools: &[Found<Tool>]) -> impl Iterator<Item = &Found<Tool>> {
    tools.iter().filter(|tool| tool.ships_from_member())
}

/// Why a name of letters, digits and the characters `more` is not one, if it is not.
fn word(name: &str, more: &str, longest: usize) -> Option<String> {
    let fits = |letter: &char| letter.is_ascii_alphanumeric() || more.contains(*letter);
    if let Some(other) = name.chars().find(|letter| !fits(letter)) {
        return Some(format!("it contains `{}`", other.escape_debug()));
    }
    match name.chars().count() {
        0 => Some("it is empty".to_owned()),
        count if count > longest => Some(format!(
            "it has {count} characters, and the limit is {longest}"
        )),
        _ => None,
    }
}
