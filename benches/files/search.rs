//! Searching in this process.

use std::path::Path;

use hermes_tools::workspace::Confined;
use hermes_tools::{Selection, Session, ToolRegistry, Workspace};
use serde_json::{Value, json};

use crate::{bare, of_processor, print};

hermes_tools::link!(tools_builtin);

/// A session on a folder.
pub(crate) fn session(root: &Path) -> Session {
    let selection = Selection::of(["read_file", "search_files"]);
    Session::builder(ToolRegistry::linked().expect("the linked tools"), selection)
        .workspace(Workspace::new(Confined::open(root).expect("the folder")))
        .build()
        .expect("a session")
}

/// Calls a tool, as if the model had seen nothing before.
pub(crate) fn call(session: &Session, tool: &str, arguments: &Value) -> Value {
    session.context_compacted();
    let result = session.call_blocking(tool, &arguments.to_string());
    let output = result.outcome.expect("an answer");
    serde_json::from_str(output.json().expect("JSON")).expect("JSON")
}

pub(crate) fn in_process(root: &Path, rounds: usize) {
    let session = session(root);
    for (title, pattern) in [
        ("few lines match (processor time)", "needle_here"),
        (
            "a million lines match, the first 50 shown (processor time)",
            "common",
        ),
        (
            "no line matches, and no literal to look for (processor time)",
            r"[a-z]+\d+@[a-z]+\.com",
        ),
    ] {
        let arguments = json!({"pattern": pattern});
        let found = call(&session, "search_files", &arguments);
        assert_eq!(
            found["total_count"],
            json!(bare::count(root, pattern)),
            "{pattern}"
        );
        let ways = vec![
            of_processor("ignore and grep-searcher, two threads", || {
                bare::count(root, pattern)
            }),
            of_processor("search_files", || {
                call(&session, "search_files", &arguments)
            }),
        ];
        print(title, ways, rounds);
    }
    let arguments = json!({"pattern": "*", "target": "files"});
    let found = call(&session, "search_files", &arguments);
    assert_eq!(found["total_count"], json!(bare::newest(root, 50).1));
    let ways = vec![
        of_processor("ignore, two threads, sorted by time", || {
            bare::newest(root, 50)
        }),
        of_processor("search_files, target files", || {
            call(&session, "search_files", &arguments)
        }),
    ];
    print("the newest 50 files (processor time)", ways, rounds);
}
