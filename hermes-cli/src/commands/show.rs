//! `hermes show`: everything about one tool.

mod foreign;

use std::fmt::Write as _;

use clap::Args;
use hermes_tools::args::example;
use hermes_tools::param::Param;
use hermes_tools::schema::dialect::{Dialect, definition};
use hermes_tools::schema::write;
use hermes_tools::{Availability, Exposure, Role, Selection, Tool, ToolEntry, ToolRegistry};
use serde::Serialize;
use serde_json::value::RawValue;

use super::tools::{available, effect};
use crate::cli::{CliCommand, Ended};
use crate::exit::Exit;
use crate::json;
use crate::schema::{type_name, words};
use crate::servers::Need;
use crate::session::SessionArgs;
use crate::terminal::{self, Cell, Look, Table, styles};
use crate::tool::{ToolFacts, place, result_limit, seconds};

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Name of the tool
    tool: String,

    /// Print its definition in the form of a provider instead, such as openai-strict or anthropic
    ///
    /// The names are those of `hermes definitions --dialect`.
    #[arg(long, value_name = "NAME")]
    dialect: Option<Dialect>,

    #[command(flatten)]
    session: SessionArgs,
}

#[derive(Debug, Serialize)]
struct Everything<'a> {
    #[serde(flatten)]
    tool: ToolFacts<'a>,
    requires_env: &'a [&'a str],
    parameters: Vec<Parameter<'a>>,
    /// The parameters as a model is told of them.
    schema: Box<RawValue>,
    /// What the tool returns, when its type says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Box<RawValue>>,
    /// Arguments that fit.
    example: Box<RawValue>,
}

#[derive(Debug, Serialize)]
struct Parameter<'a> {
    name: &'a str,
    r#type: &'static str,
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'a [&'a str],
    description: &'a str,
}

impl CliCommand for Show {
    const NAME: &'static str = "show";
    const ABOUT: &'static str =
        "Show everything about a tool: parameters, effect, limits, origin, an example call";

    fn run(mut self, json_wanted: bool) -> Ended {
        let registry = ToolRegistry::linked()?;
        let Some(tool) = registry.get(&self.tool).as_ref().and_then(Tool::entry) else {
            self.session.need = Need::Tool(self.tool.clone());
            return foreign::show(&self.session, self.tool, self.dialect, json_wanted);
        };
        if let Some(dialect) = self.dialect {
            let (json, losses) = definition(tool, dialect);
            terminal::print(&if json_wanted {
                json
            } else {
                json::readable(&json)
            })?;
            for loss in losses {
                terminal::report_note(&loss.to_string());
            }
            return Ok(Exit::Success);
        }
        let session = self
            .session
            .place
            .session(registry, Selection::of([tool.name()]))?;
        let tools = session.tools();
        let availability = tools
            .first()
            .map_or(&Availability::Available, |(_, answer)| answer);
        let text = if json_wanted {
            json::text(&Everything::new(tool, &Tool::from(tool), availability))
        } else {
            readable(tool, availability, Look::of_stdout())
        };
        terminal::print(&text)?;
        Ok(Exit::Success)
    }
}

impl<'a> Everything<'a> {
    fn new(tool: &'a ToolEntry, whole: &'a Tool, availability: &'a Availability) -> Self {
        Self {
            tool: ToolFacts::of(whole, availability),
            requires_env: tool.required_env(),
            parameters: tool.params().iter().map(Parameter::new).collect(),
            schema: raw(write::parameters(tool.params())),
            output_schema: write::output(tool).map(raw),
            example: raw(example(tool.params())),
        }
    }
}

impl<'a> Parameter<'a> {
    fn new(param: &'a Param) -> Self {
        Self {
            name: param.name(),
            r#type: type_name(param.schema()),
            required: param.is_required(),
            default: param.default_value().map(raw),
            example: param.example().map(|example| raw(example.to_owned())),
            role: param.declared_role().map(Role::as_str),
            aliases: param.aliases(),
            description: param.description(),
        }
    }
}

/// Text that a tool declares as JSON.
fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("the schema of a tool is JSON")
}

fn readable(tool: &ToolEntry, availability: &Availability, look: Look) -> String {
    let mut text = String::new();
    if let Some(emoji) = tool.display_emoji() {
        text = format!("{emoji}  ");
    }
    text += &look.paint(styles::HEADING, tool.name());
    if let Some(title) = tool.display_title() {
        let _ = write!(text, " ({title})");
    }
    let _ = writeln!(text, "\n\n{}\n", tool.description().trim_end());
    if !tool.params().is_empty() {
        let heading = look.paint(styles::HEADING, "Parameters");
        let _ = writeln!(
            text,
            "{heading}\n{}",
            parameters(tool.params()).render(look)
        );
    }
    let _ = writeln!(
        text,
        "{}\n{}",
        look.paint(styles::HEADING, "Facts"),
        facts(tool, availability).render(look)
    );
    let heading = look.paint(styles::HEADING, "Example");
    let arguments = example(tool.params()).replace('\'', r"'\''");
    let _ = writeln!(text, "{heading}\nhermes call {} '{arguments}'", tool.name());
    text
}

fn parameters(params: &[Param]) -> Table {
    let mut table = Table::new(["NAME", "TYPE", "DEFAULT", "DESCRIPTION"]);
    for param in params {
        let default = match (param.is_required(), param.default_value()) {
            (true, _) => Cell::new("required", styles::CAREFUL),
            (false, Some(value)) => Cell::plain(value),
            (false, None) => Cell::plain("none"),
        };
        table.row([
            Cell::new(param.name(), styles::NAME),
            Cell::plain(words(param.schema())),
            default,
            Cell::plain(param.description()),
        ]);
    }
    table
}

fn exposed(tool: &ToolEntry) -> &'static str {
    match tool.declared_exposure() {
        Exposure::Direct => "the model",
        Exposure::Deferred => "the model, when it searches",
        Exposure::Hidden => "nobody: the host calls it",
    }
}

fn facts(tool: &ToolEntry, availability: &Availability) -> Table {
    let yes_or_no = |yes| Cell::plain(if yes { "yes" } else { "no" });
    let mut table = Table::new(["", ""]);
    let mut fact = |name, value| table.row([Cell::new(name, styles::ASIDE), value]);
    fact("toolset", Cell::plain(tool.toolset()));
    fact("effect", effect(tool.declared_effect()));
    fact("available", available(availability));
    if tool.declared_exposure() != Exposure::Direct {
        fact("shown to", Cell::plain(exposed(tool)));
    }
    fact("idempotent", yes_or_no(tool.is_idempotent()));
    fact("open world", yes_or_no(tool.is_open_world()));
    fact(
        "time limit",
        match seconds(tool.time_limit()) {
            Some(seconds) => Cell::plain(format!("{seconds} s")),
            None => Cell::plain("that of the session"),
        },
    );
    fact(
        "result limit",
        match result_limit(tool.result_limit()) {
            Some(characters) => Cell::plain(format!("{characters} characters")),
            None => Cell::plain("none"),
        },
    );
    if !tool.required_env().is_empty() {
        fact("environment", Cell::plain(tool.required_env().join(", ")));
    }
    if let Some(advice) = tool.deprecation() {
        fact("deprecated", Cell::new(advice, styles::CAREFUL));
    }
    fact("origin", Cell::plain(place(tool.declared_at())));
    table
}
