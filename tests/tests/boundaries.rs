//! The built-in tools at the edges of their own schemas.

use hermes_tools::Effect;
use hermes_tools::testing::{Folder, boundaries};
use hermes_tools::{Tool, ToolRegistry};

hermes_tools::link!(tools_builtin);

#[test]
fn no_built_in_tool_panics_or_refuses_without_naming_its_argument() {
    let folder = Folder::with([
        ("notes.txt", "milk\nbread\n"),
        ("src/lib.rs", "fn main() {}\n"),
    ])
    .expect("a folder for temporary files");
    let workspace = folder.workspace().expect("the folder was made just now");
    let registry = ToolRegistry::linked().expect("the names of the pack differ");
    let snapshot = registry.snapshot();
    let tools: Vec<_> = snapshot.tools().iter().filter_map(Tool::entry).collect();
    let report = boundaries(&tools)
        .prepare(|call| call.workspace(workspace.clone()))
        .up_to(Effect::Destructive)
        .run();
    assert_eq!(report.faults, [] as [String; 0]);
    assert!(
        report.calls > snapshot.tools().len() * 10,
        "{}",
        report.calls
    );
}
