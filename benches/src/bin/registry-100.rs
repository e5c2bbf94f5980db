//! A program that builds the registry of a hundred linked tools, to be timed as a process.

use std::process::ExitCode;

hermes_tools::link!(hermes_benches);

fn main() -> ExitCode {
    match hermes_tools::ToolRegistry::linked() {
        Ok(registry) if registry.snapshot().tools().len() == hermes_benches::hundred::COUNT => {
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}
