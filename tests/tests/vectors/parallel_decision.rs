//! Which calls of a batch may run side by side.
//!
//! The names are those of the behaviour reference. Stand-ins with its facts take their places: readers
//! without paths, readers and writers of the path that they name, and all others, which run alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::dispatch::Plan;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Batch, Effect, Parallel, Role, RuntimeTool, Selection, Session, SessionFacts, Target, ToolCall,
    ToolError, ToolRegistry, Workspace,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[test]
fn parallel_decision_vectors() {
    VectorFile::new("parallel_decision")
        .kinds(["segments"])
        .run(decide);
}

/// Those whose calls touch paths. They are tools of the run time, since the real ones of these names are
/// linked into this program.
fn file_tools() -> [RuntimeTool; 4] {
    let object = |properties: Value, required: &[&str]| {
        json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        })
    };
    let (text, path) = (
        json!({"type": "string"}),
        json!({"type": "string", "minLength": 1}),
    );
    let number = json!({"type": "integer"});
    let read = object(
        json!({"path": path, "offset": number, "limit": number}),
        &["path"],
    );
    let search = object(json!({"pattern": text, "path": text}), &["pattern"]);
    let write = object(json!({"path": path, "content": text}), &["path", "content"]);
    let edit = object(
        json!({
            "mode": {"type": "string", "enum": ["replace", "patch"]}, "path": text,
            "old_string": text, "new_string": text, "patch": text,
        }),
        &[],
    );
    [
        RuntimeTool::new("read_file", "file", "Read.", read)
            .effect(Effect::Read)
            .role("path", Role::Path),
        RuntimeTool::new("search_files", "file", "Search.", search)
            .effect(Effect::Read)
            .role("path", Role::Path)
            .targets(|arguments| {
                // Without a path it is the working folder.
                let absent = arguments.text("path").is_none();
                Ok(absent.then(|| Target::read(".")).into_iter().collect())
            }),
        RuntimeTool::new("write_file", "file", "Write.", write)
            .effect(Effect::Write)
            .role("path", Role::Path),
        RuntimeTool::new("patch", "file", "Change.", edit)
            .effect(Effect::Write)
            .role("path", Role::Path)
            .targets(|arguments| match arguments.text("mode") {
                // This stand-in does not look for the paths inside a patch text.
                Some("patch") => Err(ToolError::failed("the paths stand inside the text")),
                _ => Ok(Vec::new()),
            }),
    ]
}

/// The safe ones, with what each requires.
const SAFE: [(&str, Option<&str>); 9] = [
    ("ha_get_state", None),
    ("ha_list_entities", None),
    ("ha_list_services", None),
    ("session_search", None),
    ("skill_view", None),
    ("skills_list", None),
    ("vision_analyze", None),
    ("web_extract", None),
    ("web_search", Some("query")),
];

/// Some that run alone, whatever they do.
const ALONE: [&str; 9] = [
    "terminal",
    "execute_code",
    "delegate_task",
    "clarify",
    "todo",
    "memory",
    "browser_snapshot",
    "browser_console",
    "process",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    calls: Vec<Call>,
    cwd: Option<String>,
    #[serde(default)]
    fs: Tree,
    #[serde(default)]
    mcp_tools: BTreeMap<String, String>,
    #[serde(default)]
    mcp_parallel_servers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    arguments: Value,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Tree {
    dirs: Vec<String>,
    files: Vec<String>,
    links: BTreeMap<String, String>,
}

fn decide(line: &Line) -> Result<Outcome, String> {
    let input: Input = line.input()?;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for name in ["work", "home"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    input.fs.make(&root);
    let session = session(&input, &root);
    let calls = input.calls.iter().map(|call| {
        let arguments = match &call.arguments {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        ToolCall::new(
            &*call.name,
            arguments.replace("$ROOT", root.to_str().unwrap()),
        )
    });
    // What repeats an earlier call word for word is another matter than what is in conflict with it.
    let plan = session.plan_blocking(&Batch::new(calls).run_repeats());
    Ok(Outcome::Answer(told(&plan)))
}

fn told(plan: &Plan) -> Value {
    let segments = plan.segments();
    let shown: Vec<Value> = segments
        .iter()
        .map(|segment| json!([segment.kind.as_str(), segment.calls]))
        .collect();
    let workers: Vec<usize> = segments
        .iter()
        .map(|segment| plan.workers(segment))
        .collect();
    json!({
        "segments": shown,
        "whole_batch_parallel": plan.is_all_parallel(),
        "workers": workers,
    })
}

impl Tree {
    fn make(&self, root: &Path) {
        for dir in &self.dirs {
            fs::create_dir_all(root.join(dir)).unwrap();
        }
        for file in &self.files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (link, target) in &self.links {
            let target = target.replace("$ROOT", root.to_str().unwrap());
            std::os::unix::fs::symlink(target, root.join(link)).unwrap();
        }
    }
}

fn session(input: &Input, root: &Path) -> Session {
    let registry = ToolRegistry::of(&[]).unwrap();
    for tool in file_tools() {
        registry.register(tool);
    }
    let any = || json!({"type": "object", "properties": {}});
    for (name, required) in SAFE {
        let schema = match required {
            Some(key) => {
                json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]})
            }
            None => any(),
        };
        registry.register(RuntimeTool::new(name, "safe", "Look.", schema).effect(Effect::Read));
    }
    for name in ALONE {
        registry.register(RuntimeTool::new(name, "alone", "Do.", any()).parallel(Parallel::Never));
    }
    for (name, server) in &input.mcp_tools {
        // The bridge names its tools by two underscores; what is called otherwise is none of its own, so
        // its server's consent does not hold for it.
        let consents = name.starts_with("mcp__") && input.mcp_parallel_servers.contains(server);
        let mut tool = RuntimeTool::new(name.clone(), format!("mcp-{server}"), "Do.", any());
        if consents {
            tool = tool.parallel(Parallel::Safe);
        }
        registry.register(tool);
    }
    let snapshot = registry.snapshot();
    let names: Vec<String> = snapshot
        .tools()
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect();
    let home = root.join("home").to_str().unwrap().to_owned();
    let facts =
        SessionFacts::default().environment(move |name| (name == "HOME").then(|| home.clone()));
    let cwd = root.join(input.cwd.as_deref().unwrap_or("work"));
    Session::builder(registry, Selection::of(names.iter().map(|name| &**name)))
        .workspace(Workspace::new(Confined::open(cwd).unwrap()))
        .facts(facts)
        .build()
        .unwrap()
}

/// Roles of tools of the run time order calls as those of linked tools do.
#[test]
fn tools_of_the_run_time_are_ordered_by_their_roles() {
    let folder = tempfile::tempdir().unwrap();
    let registry = ToolRegistry::of(&[]).unwrap();
    let schema = json!({"type": "object", "properties": {"at": {"type": "string"}}});
    let reads = RuntimeTool::new("look", "test", "Look.", schema.clone()).effect(Effect::Read);
    registry.register(reads.role("at", Role::Path));
    let writes = RuntimeTool::new("put", "test", "Put.", schema).effect(Effect::Write);
    registry.register(writes.role("at", Role::Path));
    let session = Session::builder(registry, Selection::of(["look", "put"]))
        .workspace(Workspace::new(Confined::open(folder.path()).unwrap()))
        .build()
        .unwrap();
    let call = |name: &str, at: &str| ToolCall::new(name, json!({"at": at}).to_string());
    let plan = session.plan_blocking(&Batch::new([
        call("look", "a"),
        call("put", "a/b"),
        call("put", "c"),
        call("look", "x/../a"),
    ]));
    let waits: Vec<&[usize]> = (0..4).map(|place| plan.waits_for(place)).collect();
    assert_eq!(waits, [&[][..], &[0], &[], &[1]]);
}
