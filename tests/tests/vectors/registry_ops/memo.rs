//! What is kept of definitions.

use std::sync::Arc;

use hermes_tests::{Line, Outcome};
use hermes_tools::definitions::Definitions;
use hermes_tools::{RuntimeTool, Selection, SessionSource};
use hermes_toolsets::{Request, Toolsets};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Answer, World};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Memo {
    tools: Vec<(String, String, Option<String>)>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Step {
    Get {
        enabled: Option<Vec<String>>,
        disabled: Option<Vec<String>>,
        /// Our lists are shared and cannot be changed by a caller.
        #[serde(default, rename = "spoil")]
        _spoil: bool,
    },
    Env {
        value: Option<String>,
    },
    Register {
        name: String,
        toolset: String,
        check: Option<String>,
    },
    Deregister {
        name: String,
    },
    Alias {
        alias: String,
        toolset: String,
    },
    Check {
        check: String,
        returns: Answer,
    },
    Advance {
        seconds: f64,
    },
    ClearCheckCache {},
}

impl World {
    fn plain(&mut self, name: &str, toolset: &str, check: Option<&String>) {
        let mut tool = RuntimeTool::new(name, toolset, "", json!({}));
        if let Some(check) = check {
            tool = tool.check(self.check(check));
        }
        self.registry.register(tool);
    }

    fn select(
        &self,
        enabled: Option<&[String]>,
        disabled: Option<&[String]>,
        board_task: bool,
    ) -> Result<Selection, String> {
        let mut request = Request::new(SessionSource::Cli)
            .disable(disabled.unwrap_or_default())
            .board_task(board_task);
        // The default of the source of these lines is everything.
        let all = ["all".to_owned()];
        request = request.enable(enabled.unwrap_or(&all));
        let toolsets = Toolsets::empty();
        let snapshot = self.registry.snapshot();
        let tools = snapshot.tools().iter();
        let table = toolsets.with_tools(tools.map(|tool| (tool.name(), tool.toolset())));
        let selected = table.select(&request).map_err(|error| error.to_string())?;
        Ok(selected.selection)
    }
}

/// Whether a list came from the memo is compared only where the line says so.
pub(super) fn steps(line: &Line) -> Result<Outcome, String> {
    let input: Memo = line.input()?;
    let expected: Vec<Map<String, Value>> = line.expected()?;
    let mut world = World::new()?;
    for (name, toolset, check) in &input.tools {
        world.plain(name, toolset, check.as_ref());
    }
    let mut board_task = false;
    // Kept, so that no two are ever in one place.
    let mut seen: Vec<Arc<Definitions>> = Vec::new();
    let mut answers = Vec::new();
    for step in &input.steps {
        match step {
            Step::Env { value } => board_task = value.is_some(),
            Step::Register {
                name,
                toolset,
                check,
            } => world.plain(name, toolset, check.as_ref()),
            Step::Deregister { name } => drop(world.registry.deregister(name)),
            Step::Alias { alias, toolset } => world.registry.alias(alias, toolset),
            Step::Check { check, returns } => world.answer(check, *returns),
            Step::Advance { seconds } => world.advance(*seconds),
            Step::ClearCheckCache {} => world.cache.clear(),
            Step::Get {
                enabled, disabled, ..
            } => {
                let selection =
                    world.select(enabled.as_deref(), disabled.as_deref(), board_task)?;
                let definitions = world.session(selection).definitions();
                let names: Vec<&str> = definitions.iter().map(|(name, _)| name).collect();
                let from_memo = seen.iter().any(|it| Arc::ptr_eq(it, &definitions));
                let given = expected
                    .get(answers.len())
                    .is_some_and(|it| it.contains_key("from_memo"));
                answers.push(if given {
                    json!({"from_memo": from_memo, "names": names})
                } else {
                    json!({"names": names})
                });
                seen.push(definitions);
            }
        }
    }
    Outcome::value(&answers)
}
