//! From the text of `hermes.toml` to what it says, every value with its place.

mod contradictions;
mod reference;
mod servers;

use std::collections::BTreeMap;

use hermes_tools::search::ToolSearch;
use hermes_tools::{Effect, names};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Place};
use super::{Config, FileSettings, Named, Plugin, Reaction, SourceConfig, terminal};
use crate::custom::CustomToolset;
use crate::table::is_everything;

pub(super) type Result<T> = std::result::Result<T, ConfigError>;
pub(super) type At<'i> = Spanned<DeValue<'i>>;

/// No context window holds more tokens.
const MOST_TOKENS: u64 = 1_000_000_000;

/// The file that is read.
pub(super) struct File<'f> {
    name: &'f str,
    text: &'f str,
}

pub(super) fn read(name: &str, text: &str) -> Result<Config> {
    // Editors of some systems begin a file with a mark that is no part of it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = File { name, text };
    let parsed = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let message = error.message().trim();
        let (found, expected) = message
            .split_once(", expected ")
            .unwrap_or((message, "valid TOML"));
        file.error(at, expected, found.to_owned())
    })?;
    let mut config = Config {
        file: name.to_owned(),
        ..Config::default()
    };
    let known = [
        "enabled",
        "disabled",
        "tool_search",
        "context_window",
        "definitions_budget",
        "files",
        "toolsets",
        "sources",
        "plugins",
        "mcp",
        "terminal",
    ];
    for (key, value) in file.fields(parsed.get_ref(), &known)? {
        match key {
            "enabled" => config.enabled = Some(file.list(value)?),
            "disabled" => config.disabled = file.list(value)?,
            "tool_search" => config.tool_search = file.tool_search(value)?,
            "context_window" => config.context_window = Some(file.tokens(value)?),
            "terminal" => config.terminal = terminal::read(&file, value)?,
            "definitions_budget" => config.definitions_budget = Some(file.tokens(value)?),
            "files" => config.files = file.files(value)?,
            "mcp" => (config.servers, config.servers_off) = file.servers(value)?,
            "toolsets" => {
                for (key, value) in file.table(value)? {
                    let name: &str = key.get_ref();
                    file.some_name(key.span().start, name)?;
                    if is_everything(name) {
                        let expected =
                            "a name of its own for the toolset, since this one means all tools";
                        return Err(file.error(key.span().start, expected, format!("`{name}`")));
                    }
                    let toolset = file.toolset(name, value)?;
                    config.custom.push(toolset);
                }
            }
            "sources" => {
                for (key, value) in file.table(value)? {
                    file.some_name(key.span().start, key.get_ref())?;
                    let source = file.source(key.span().start, value)?;
                    config.sources.insert(key.get_ref().as_ref().into(), source);
                }
            }
            _ => {
                for (_, value) in file.fields(file.table(value)?, &["entries"])? {
                    for (key, value) in file.table(value)? {
                        file.some_name(key.span().start, key.get_ref())?;
                        let plugin = file.plugin(value)?;
                        config.plugins.insert(key.get_ref().as_ref().into(), plugin);
                    }
                }
            }
        }
    }
    file.budget_fits(parsed.get_ref())?;
    let custom = config.custom.iter();
    let includes: BTreeMap<&str, &[Named]> = custom
        .map(|(toolset, includes)| (toolset.name(), &**includes))
        .collect();
    file.no_circles(&includes)?;
    Ok(config)
}

impl File<'_> {
    fn toolset(&self, name: &str, value: &At<'_>) -> Result<(CustomToolset, Vec<Named>)> {
        // No wider than it is written, whatever is registered under its name.
        let mut toolset = CustomToolset::new(name).closed(true);
        let (mut tools, mut lent, mut includes) = (Vec::new(), Vec::new(), Vec::new());
        let known = [
            "description",
            "tools",
            "includes",
            "lent",
            "core",
            "posture",
            "max_effect",
        ];
        for (key, value) in self.fields(self.table(value)?, &known)? {
            toolset = match key {
                "description" => toolset.description(self.string(value, "a text in quotes")?),
                "tools" => {
                    tools = self.list(value)?;
                    toolset.tools(tools.iter().map(|named| &named.name))
                }
                "lent" => {
                    lent = self.list(value)?;
                    toolset.lent(lent.iter().map(|named| &named.name))
                }
                "core" => toolset.core(self.boolean(value)?),
                "posture" => toolset.posture(self.boolean(value)?),
                "max_effect" => toolset.max_effect(self.effect(value)?),
                _ => {
                    includes = self.list(value)?;
                    toolset.includes(includes.iter().map(|named| &named.name))
                }
            };
        }
        self.lends_its_own(&lent, &tools)?;
        Ok((toolset, includes))
    }

    fn files(&self, value: &At<'_>) -> Result<FileSettings> {
        let mut files = FileSettings::default();
        for (key, value) in self.fields(self.table(value)?, &["stale", "lint"])? {
            let reaction = Some(self.reaction(value)?);
            match key {
                "stale" => files.stale = reaction,
                _ => files.lint = reaction,
            }
        }
        Ok(files)
    }

    fn reaction(&self, value: &At<'_>) -> Result<Reaction> {
        match value.get_ref() {
            DeValue::String(word) if word == "warn" => Ok(Reaction::Warn),
            DeValue::String(word) if word == "refuse" => Ok(Reaction::Refuse),
            _ => Err(self.misfit(value, "`warn` or `refuse`")),
        }
    }

    fn source(&self, at: usize, value: &At<'_>) -> Result<SourceConfig> {
        let mut source = SourceConfig {
            at: Place::of(self.text, at),
            enabled: None,
            disabled: Vec::new(),
        };
        for (key, value) in self.fields(self.table(value)?, &["enabled", "disabled"])? {
            match key {
                "enabled" => source.enabled = Some(self.list(value)?),
                _ => source.disabled = self.list(value)?,
            }
        }
        Ok(source)
    }

    fn plugin(&self, value: &At<'_>) -> Result<Plugin> {
        let mut plugin = Plugin::default();
        let known = ["allow_tool_override", "toolsets", "platforms"];
        for (key, value) in self.fields(self.table(value)?, &known)? {
            match key {
                "allow_tool_override" => plugin.allow_tool_override = self.boolean(value)?,
                "toolsets" => plugin.toolsets = self.list(value)?,
                _ => plugin.platforms = self.list(value)?,
            }
        }
        Ok(plugin)
    }

    /// `true`, `false`, `"auto"`, `"on"`, `"off"`, or a table. Unlike the values of another program,
    /// what an operator writes here has to be right.
    fn tool_search(&self, value: &At<'_>) -> Result<ToolSearch> {
        let mut settings = serde_json::Map::new();
        match value.get_ref() {
            DeValue::Boolean(true) => {}
            DeValue::Boolean(false) => return Ok(ToolSearch::off()),
            DeValue::String(_) => {
                settings.insert("enabled".to_owned(), self.search_mode(value)?);
            }
            DeValue::Table(table) => {
                let limits = ["search_default_limit", "max_search_limit"];
                let known = ["enabled", "threshold_pct", limits[0], limits[1]];
                for (key, value) in self.fields(table, &known)? {
                    let value = match key {
                        "enabled" => self.search_mode(value)?,
                        "threshold_pct" => self.number(value, 0.0..=100.0)?,
                        _ => self.whole(value, 1..=50)?.into(),
                    };
                    settings.insert(key.to_owned(), value);
                }
                self.limits_fit(table)?;
            }
            _ => return Err(self.misfit(value, "`auto`, `on`, `off` or a table")),
        }
        Ok(ToolSearch::of_value(&Value::Object(settings)))
    }

    fn search_mode(&self, value: &At<'_>) -> Result<Value> {
        match value.get_ref() {
            DeValue::String(word) if matches!(&**word, "auto" | "on" | "off") => {
                Ok(Value::String(word.to_string()))
            }
            DeValue::Boolean(on) => Ok(Value::Bool(*on)),
            _ => Err(self.misfit(value, "`auto`, `on` or `off`")),
        }
    }

    fn number(&self, value: &At<'_>, range: std::ops::RangeInclusive<f64>) -> Result<Value> {
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            _ => "",
        };
        let number = text.replace('_', "").parse().ok();
        if let Some(number) = number.filter(|number: &f64| range.contains(number)) {
            return Ok(number.into());
        }
        let expected = format!("a number from {} to {}", range.start(), range.end());
        Err(self.misfit(value, &expected))
    }

    fn tokens(&self, value: &At<'_>) -> Result<usize> {
        let tokens = self.whole(value, 1..=MOST_TOKENS)?;
        Ok(usize::try_from(tokens).unwrap_or(usize::MAX))
    }

    fn whole(&self, value: &At<'_>, range: std::ops::RangeInclusive<u64>) -> Result<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => {
                number.as_str().replace('_', "").parse().ok()
            }
            _ => None,
        };
        number.filter(|it| range.contains(it)).ok_or_else(|| {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            self.misfit(value, &expected)
        })
    }

    fn effect(&self, value: &At<'_>) -> Result<Effect> {
        let all = [Effect::Read, Effect::Write, Effect::Destructive];
        let word = match value.get_ref() {
            DeValue::String(word) => &**word,
            _ => "",
        };
        let effect = all.into_iter().find(|effect| effect.as_str() == word);
        effect.ok_or_else(|| self.misfit(value, "`read`, `write` or `destructive`"))
    }

    pub(super) fn boolean(&self, value: &At<'_>) -> Result<bool> {
        match value.get_ref() {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(self.misfit(value, "`true` or `false`")),
        }
    }

    pub(super) fn string<'v>(&self, value: &'v At<'_>, expected: &str) -> Result<&'v str> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text),
            _ => Err(self.misfit(value, expected)),
        }
    }

    fn list(&self, value: &At<'_>) -> Result<Vec<Named>> {
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.misfit(value, "a list of names"));
        };
        let named = |item: &At<'_>| {
            let name = self.string(item, "a name in quotes")?;
            self.some_name(item.span().start, name)?;
            Ok(Named {
                name: name.into(),
                at: Place::of(self.text, item.span().start),
            })
        };
        items.iter().map(named).collect()
    }

    /// Refuses a name that says nothing.
    fn some_name(&self, byte: usize, name: &str) -> Result<()> {
        if name.trim().is_empty() {
            let found = "a text without any".to_owned();
            return Err(self.error(byte, "a name with letters in it", found));
        }
        Ok(())
    }

    pub(super) fn table<'v, 'i>(&self, value: &'v At<'i>) -> Result<&'v DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.misfit(value, "a table")),
        }
    }

    /// The fields of a table, none of which may be unknown.
    pub(super) fn fields<'v, 'i>(
        &self,
        table: &'v DeTable<'i>,
        known: &[&'static str],
    ) -> Result<Vec<(&'static str, &'v At<'i>)>> {
        let mut fields = Vec::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            let Some(known) = known.iter().find(|known| **known == name) else {
                let expected = match names::nearest(name, known.iter().copied()) {
                    Some(nearest) => format!("the key `{nearest}`"),
                    None => format!("one of the keys `{}`", known.join("`, `")),
                };
                return Err(self.error(key.span().start, &expected, format!("`{name}`")));
            };
            fields.push((*known, value));
        }
        Ok(fields)
    }

    pub(super) fn misfit(&self, value: &At<'_>, expected: &str) -> ConfigError {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("`{}`", short(text)),
            DeValue::Integer(number) => format!("the number {}", short(number.as_str())),
            DeValue::Float(number) => format!("the number {}", short(number.as_str())),
            DeValue::Boolean(value) => format!("`{value}`"),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.error(value.span().start, expected, found)
    }

    fn error(&self, byte: usize, expected: &str, found: String) -> ConfigError {
        self.error_at(Place::of(self.text, byte), expected, found)
    }

    fn error_at(&self, at: Place, expected: &str, found: String) -> ConfigError {
        ConfigError::new(self.name, at, expected, found)
    }
}

/// As much of a text as an error shows.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
