//! One tool as a provider wants to be told of it, whatever kind of tool it is.

use std::sync::Arc;

use crate::availability::CheckContext;
use crate::definition::Definition;
use crate::entry::ToolEntry;
use crate::registry::Tool;
use crate::schema::dialect::{self, Dialect, Hints, Loss};
use crate::schema::foreign::{self, ForeignTool};

/// A definition and what its form could not express.
pub(crate) type Spelled = (Arc<str>, Vec<Loss>);

/// A tool in the form of a dialect, or as it says it itself without one.
///
/// # Errors
///
/// The schema is hopeless; the loss says why.
pub(crate) fn spelled(
    tool: &Tool,
    dialect: Option<Dialect>,
    cx: &CheckContext<'_>,
) -> Result<Spelled, Loss> {
    let Some(dialect) = dialect else {
        return Ok((tool.definition_text(cx), Vec::new()));
    };
    let made = match (tool.entry(), tool.runtime()) {
        (Some(entry), _) if tool.is_dynamic() => patched(entry, &entry.definition(cx), dialect),
        (Some(entry), _) => Ok(dialect::definition(entry, dialect)),
        (None, Some(made)) => made.in_dialect(dialect),
        (None, None) => return Ok((tool.definition_text(cx), Vec::new())),
    };
    match made {
        Ok((text, losses)) => Ok((text.into(), losses)),
        Err(quarantined) => {
            let what = format!("{}, so the tool is left out", quarantined.reason);
            Err(Loss::new(tool.name(), "", what))
        }
    }
}

/// A linked tool with what its patch made of it. Parameters that the patch has changed are read as
/// any schema of the run time is.
fn patched(
    entry: &ToolEntry,
    patched: &Definition,
    dialect: Dialect,
) -> Result<(String, Vec<Loss>), foreign::Quarantined> {
    if patched.parameters == Definition::of(entry).parameters {
        return Ok(dialect::described(entry, &patched.description, dialect));
    }
    let tool = ForeignTool {
        name: entry.name(),
        description: &patched.description,
        parameters: &(&patched.parameters).into(),
    };
    foreign::annotated(tool, &patched.parameters, dialect, Some(&Hints::of(entry)))
}
