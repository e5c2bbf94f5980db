//! The schemas of a pack, held against a file byte for byte.

use std::fmt;
use std::fs;
use std::path::Path;

use crate::args::render_string;
use crate::entry::ToolEntry;
use crate::schema::write;

/// How the schemas differ from the file.
#[derive(Debug)]
pub struct Golden {
    difference: String,
}

/// Holds what a model is told of these tools against a file: one line for each tool, sorted by name.
/// Providers key their prompt caches by it, so a change is to be seen.
///
/// With `HERMES_UPDATE_GOLDEN` in the environment the file is written anew.
///
/// # Errors
///
/// The first line that differs, or why the file cannot be read or written.
pub fn golden(file: impl AsRef<Path>, tools: &[&'static ToolEntry]) -> Result<(), Golden> {
    let file = file.as_ref();
    let fail = |difference: String| Golden { difference };
    let mut sorted = tools.to_vec();
    sorted.sort_unstable_by_key(|tool| tool.name());
    let lines: Vec<String> = sorted.into_iter().map(line).collect();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if std::env::var_os("HERMES_UPDATE_GOLDEN").is_some() {
        return fs::write(file, text)
            .map_err(|error| fail(format!("cannot write {}: {error}", file.display())));
    }
    let known = fs::read_to_string(file)
        .map_err(|error| fail(format!("cannot read {}: {error}", file.display())))?;
    if known == text {
        return Ok(());
    }
    let mut known = known.lines();
    for line in &lines {
        let before = known.next().unwrap_or("nothing");
        if before != line {
            return Err(fail(format!("before: {before}\nnow:    {line}")));
        }
    }
    let rest = known.next().unwrap_or("another end of the file");
    Err(fail(format!("before: {rest}\nnow:    nothing")))
}

fn line(tool: &'static ToolEntry) -> String {
    let mut line = write::definition(tool);
    if let Some(output) = write::output(tool) {
        line.pop();
        line.push_str(",\"output\":");
        line.push_str(&output);
        line.push('}');
    }
    // The facts that sessions go by are seen too.
    line.pop();
    line.push_str(",\"effect\":");
    line.push_str(&render_string(tool.declared_effect().as_str()));
    line.push('}');
    line
}

impl fmt::Display for Golden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the schemas are not those of the file; HERMES_UPDATE_GOLDEN=1 writes it anew\n{}",
            self.difference
        )
    }
}

impl std::error::Error for Golden {}
