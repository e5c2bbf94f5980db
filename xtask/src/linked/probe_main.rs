//! Written by `cargo xtask check-toolsets --linked` for packs that no binary links: prints what is
//! linked, as `hermes` does.

use hermes_tools::schema::dialect::definition;
use hermes_tools::{Dialect, Tool, ToolEntry, ToolRegistry};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let registry = ToolRegistry::linked()?;
    let snapshot = registry.snapshot();
    let tools: Vec<&'static ToolEntry> = snapshot.tools().iter().filter_map(Tool::entry).collect();
    if words.first().is_some_and(|word| word == "tools") {
        let tools: Vec<Value> = tools.iter().map(|tool| listed(tool)).collect();
        println!("{}", json!({ "tools": tools }));
        return Ok(());
    }
    let dialect = match words.iter().position(|word| word == "--dialect") {
        Some(at) => words.get(at + 1).ok_or("`--dialect` needs a name")?.parse::<Dialect>()?,
        None => Dialect::Common,
    };
    let told: Vec<_> = tools.iter().map(|tool| (tool.name(), definition(tool, dialect))).collect();
    if words.iter().any(|word| word == "--sizes") {
        let losses: Vec<String> = told.iter().flat_map(|(_, (_, losses))| losses).map(ToString::to_string).collect();
        let sizes = told.iter().map(|(name, (text, _))| {
            let characters = text.chars().count();
            json!({ "name": name, "characters": characters, "tokens": characters.div_ceil(4) })
        });
        println!("{}", json!({ "tools": sizes.collect::<Vec<Value>>(), "losses": losses }));
    } else {
        let lines: Vec<&str> = told.iter().map(|(_, (text, _))| text.as_str()).collect();
        println!("[\n{}\n]", lines.join(",\n"));
    }
    Ok(())
}

fn listed(tool: &ToolEntry) -> Value {
    let origin = tool.declared_at();
    let origin = json!({
        "package": origin.package, "module": origin.module, "file": origin.file, "line": origin.line,
    });
    let state: Vec<&str> = tool.state_needs().map(|need| need.short_name()).collect();
    json!({ "name": tool.name(), "toolset": tool.toolset(), "origin": origin, "state": state })
}
