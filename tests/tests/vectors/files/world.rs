//! The folders, sessions and steps of one line.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use hermes_tests::FileCase;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Access, Selection, Session, SessionFacts, SessionSource, ToolCall, ToolRegistry, Workspace,
};
use serde_json::{Map, Value};
use tempfile::TempDir;

use super::answer::Answer;
use super::tree;

hermes_tools::link!(tools_builtin);

/// How long a call may take: longer than any machine needs, so that only what waits for ever ends by it.
pub(super) const PATIENCE: Duration = Duration::from_mins(10);

/// A scratch folder with the workspace, what is beside it, and the sessions that work there.
pub(super) struct World {
    base: PathBuf,
    case: FileCase,
    workspace: Workspace,
    sessions: RefCell<BTreeMap<String, Session>>,
    /// What was outside the workspace before the call.
    outside: BTreeSet<PathBuf>,
    _scratch: TempDir,
}

const TOOLS: [&str; 4] = ["patch", "read_file", "search_files", "write_file"];

impl World {
    pub(super) fn new(case: &FileCase) -> Result<Self, String> {
        let io = |error: std::io::Error| error.to_string();
        let scratch = tempfile::tempdir().map_err(io)?;
        let base = scratch.path().canonicalize().map_err(io)?;
        for name in ["ws", "outside", "home/.hermes"] {
            fs::create_dir_all(base.join(name)).map_err(io)?;
        }
        let config = fill(&case.config, &base);
        let root = match (config["confine"].as_bool(), config["root"].as_str()) {
            (Some(false), _) => base.clone(),
            (_, Some(root)) => PathBuf::from(root),
            (_, None) => base.join("ws"),
        };
        let mut workspace = Workspace::new(Confined::open(&root).map_err(io)?);
        if root != base.join("ws") {
            workspace = workspace.in_folder(base.join("ws"));
        }
        assert!(workspace.roots().all(|(_, access)| access == Access::Write));
        let mut world = Self {
            case: case.clone(),
            workspace,
            sessions: RefCell::default(),
            outside: BTreeSet::new(),
            base,
            _scratch: scratch,
        };
        if let Value::Object(files) = world.filled(&case.files_before) {
            tree::make(&files, &world.root())?;
        }
        world.outside = world.paths_outside();
        Ok(world)
    }

    fn root(&self) -> PathBuf {
        self.base.join("ws")
    }

    /// A value with all placeholders filled, also in keys.
    pub(super) fn filled(&self, value: &Value) -> Value {
        fill(value, &self.base)
    }

    /// Does the steps before the call.
    pub(super) fn prelude(&self) -> Result<(), String> {
        let Value::Array(steps) = self.filled(&self.case.prelude) else {
            return Ok(());
        };
        for step in &steps {
            if step.get("tool").is_some() {
                self.call(step)?;
            } else if step["event"] == "other_tool_call" {
                // A tool that no session has is a call all the same, but not one of this session: a
                // patch that finds nothing is.
                let call = ToolCall::new(
                    "patch",
                    r#"{"path": ".", "old_string": "a", "new_string": "b"}"#,
                );
                let _ = self.session(step).call_blocking_with(call);
            } else {
                self.behind_the_back(step)?;
            }
        }
        Ok(())
    }

    /// Changes a file without any tool.
    fn behind_the_back(&self, step: &Value) -> Result<(), String> {
        let io = |error: std::io::Error| error.to_string();
        let path = self.root().join(step["path"].as_str().unwrap_or_default());
        match step["fs"].as_str().unwrap_or_default() {
            "write" => fs::write(path, tree::bytes(&step["content"])?).map_err(io),
            "write_keep_mtime" => {
                let time = modified(&path)?;
                fs::write(&path, tree::bytes(&step["content"])?).map_err(io)?;
                set_modified(&path, time)
            }
            "touch" => {
                let time = modified(&path)? + Duration::from_secs(5);
                set_modified(&path, time)
            }
            "delete" if path.is_dir() && !path.is_symlink() => fs::remove_dir_all(path).map_err(io),
            "delete" => fs::remove_file(path).map_err(io),
            "symlink" => {
                let target = step["target"].as_str().ok_or("no target")?;
                std::os::unix::fs::symlink(target, path).map_err(io)
            }
            // Nothing here goes by the time.
            "sleep" => Ok(()),
            other => Err(format!("unknown step `{other}`: {step}")),
        }
    }

    /// Makes the call that is judged.
    pub(super) fn judged(&self) -> Result<Answer, String> {
        self.call(&self.filled(&self.case.call))
    }

    fn call(&self, step: &Value) -> Result<Answer, String> {
        let Value::Object(arguments) = &step["args"] else {
            return Err(format!("no arguments: {step}"));
        };
        let mut sent = Map::new();
        for (name, value) in arguments {
            let value = match value.get("parts") {
                Some(_) => Value::String(tree::text(value)?),
                None => value.clone(),
            };
            sent.insert(name.clone(), value);
        }
        let tool = step["tool"].as_str().ok_or("no tool")?;
        let call = ToolCall::new(tool, Value::Object(sent).to_string()).timeout(PATIENCE);
        let begin = Instant::now();
        let result = self.session(step).call_blocking_with(call);
        Ok(Answer::new(&result, begin.elapsed(), &self.root()))
    }

    fn session(&self, step: &Value) -> Session {
        let name = step["session"].as_str().unwrap_or_default().to_owned();
        let mut sessions = self.sessions.borrow_mut();
        sessions.entry(name).or_insert_with(|| self.open()).clone()
    }

    fn open(&self) -> Session {
        let home = self.base.join("home").to_string_lossy().into_owned();
        let agent = self
            .base
            .join("home/.hermes")
            .to_string_lossy()
            .into_owned();
        let facts =
            SessionFacts::new(SessionSource::from_name("cli")).environment(
                move |name| match name {
                    "HOME" => Some(home.clone()),
                    "HERMES_HOME" => Some(agent.clone()),
                    _ => None,
                },
            );
        Session::builder(ToolRegistry::linked().unwrap(), Selection::of(TOOLS))
            .facts(facts)
            .workspace(self.workspace.clone())
            .build()
            .unwrap()
    }

    /// What is not as it should be afterwards. In the workspace nothing else may be.
    pub(super) fn differences(
        &self,
        after: &Value,
        expected: &Value,
    ) -> Result<Vec<String>, String> {
        let Value::Object(files) = after else {
            return Err(format!("no files: {after}"));
        };
        let fold = |mut bytes: Vec<u8>| {
            if expected["ignore_eol"] == true {
                bytes = String::from_utf8_lossy(&bytes)
                    .replace("\r\n", "\n")
                    .into_bytes();
            }
            while expected["ignore_final_newline"] == true && bytes.last() == Some(&b'\n') {
                bytes.pop();
            }
            bytes
        };
        let root = self.root();
        let mut wrong = Vec::new();
        for (path, value) in files {
            if let Some(what) = tree::difference(&root.join(path), value, &root, fold)? {
                wrong.push(format!("`{path}` {what}"));
            }
        }
        let listed = |path: &Path| {
            files
                .keys()
                .any(|listed| root.join(listed).starts_with(path))
        };
        for path in paths(&root).iter().filter(|path| !listed(path)) {
            wrong.push(format!("`{}` should not be there", path.display()));
        }
        for path in self.paths_outside().difference(&self.outside) {
            wrong.push(format!("`{}` is new outside", path.display()));
        }
        Ok(wrong)
    }

    fn paths_outside(&self) -> BTreeSet<PathBuf> {
        let all = paths(&self.base).into_iter();
        all.filter(|path| {
            !path.starts_with(self.root()) && !path.starts_with(self.base.join("home/.hermes"))
        })
        .collect()
    }
}

/// All that is below a folder, links not followed.
fn paths(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(paths(&entry.path()));
        }
        found.insert(entry.path());
    }
    found
}

fn modified(path: &Path) -> Result<SystemTime, String> {
    let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
    metadata.modified().map_err(|error| error.to_string())
}

fn set_modified(path: &Path, time: SystemTime) -> Result<(), String> {
    let file = fs::File::options().append(true).open(path);
    file.and_then(|file| file.set_modified(time))
        .map_err(|error| error.to_string())
}

fn fill(value: &Value, base: &Path) -> Value {
    let fill_text = |text: &str| {
        let place = |name: &str| base.join(name).to_string_lossy().into_owned();
        text.replace("{{BASE}}", &base.to_string_lossy())
            .replace("{{WS}}", &place("ws"))
            .replace("{{OUT}}", &place("outside"))
            .replace("{{AGENT_HOME}}", &place("home/.hermes"))
            .replace("{{HOME}}", &place("home"))
    };
    match value {
        Value::String(text) => Value::String(fill_text(text)),
        Value::Array(values) => values.iter().map(|value| fill(value, base)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (fill_text(key), fill(value, base)))
            .collect(),
        other => other.clone(),
    }
}
