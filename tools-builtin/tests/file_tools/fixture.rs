//! A session on a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hermes_tools::workspace::Confined;
use hermes_tools::{Cancel, Selection, Session, ToolCall, ToolError, ToolRegistry, Workspace};
use serde_json::Value;
use tempfile::TempDir;

/// The tools of the set.
pub(crate) const TOOLS: [&str; 4] = ["patch", "read_file", "search_files", "write_file"];

/// A folder with the workspace `ws` and, beside it, the folder `outside`.
pub(crate) struct Fixture {
    base: TempDir,
    session: Session,
}

impl Fixture {
    /// A workspace that holds these files.
    pub(crate) fn new<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Self {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().join("ws");
        fs::create_dir(&root).unwrap();
        fs::create_dir(base.path().join("outside")).unwrap();
        let session = session().workspace(Workspace::new(Confined::open(&root).unwrap()));
        let this = Self {
            base,
            session: session.build().unwrap(),
        };
        // Equally old: what is listed newest first has one order, however long writing took.
        let written = SystemTime::now();
        for (name, content) in files {
            this.write(name, content);
            let file = fs::File::options().write(true).open(this.path(name));
            file.unwrap().set_modified(written).unwrap();
        }
        this
    }

    /// A workspace without files.
    pub(crate) fn empty() -> Self {
        Self::new::<&str>(&[])
    }

    /// The place of a file in the workspace.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.base.path().join("ws").join(name)
    }

    /// The place of a file beside the workspace.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.base.path().join("outside").join(name)
    }

    /// Writes a file without any tool.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Makes a link.
    pub(crate) fn link(&self, name: &str, target: impl AsRef<Path>) {
        std::os::unix::fs::symlink(target, self.path(name)).unwrap();
    }

    /// Makes a named pipe.
    pub(crate) fn pipe(&self, name: &str) {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(
            CWD,
            self.path(name),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
    }

    /// What a file holds.
    #[track_caller]
    pub(crate) fn holds(&self, name: &str, content: impl AsRef<[u8]>) {
        let found = fs::read(self.path(name)).unwrap();
        let shown = String::from_utf8_lossy(&found).into_owned();
        assert!(found == content.as_ref(), "`{name}` holds {shown:?}");
    }

    /// Names in a folder of the workspace, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// The session.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Calls a tool. A call that waits for something that never comes is an error.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Result<Value, ToolError> {
        let call = ToolCall::new(tool, arguments.to_string()).timeout(Duration::from_secs(20));
        let output = self.session.call_blocking_with(call).outcome?;
        Ok(serde_json::from_str(output.json().expect("a file tool answers in JSON")).unwrap())
    }

    /// Calls a tool with a sign that the call was cancelled before it began.
    pub(crate) fn cancelled(&self, tool: &str, arguments: &Value) -> ToolError {
        let cancel = Cancel::new();
        cancel.cancel();
        let call = ToolCall::new(tool, arguments.to_string()).cancel(cancel);
        self.session.call_blocking_with(call).outcome.unwrap_err()
    }

    /// Another session on the same folder, opened by itself.
    pub(crate) fn second_session(&self) -> Session {
        let workspace = Workspace::new(Confined::open(self.path("")).unwrap());
        session().workspace(workspace).build().unwrap()
    }

    /// Calls a tool that must give back this result.
    #[track_caller]
    pub(crate) fn check(&self, tool: &str, arguments: Value, result: Value) {
        match self.call(tool, &arguments) {
            Ok(found) => assert_eq!(found, result),
            Err(error) => panic!("{}: {error}", error.code()),
        }
    }

    /// Calls a tool that must refuse with this code and this text.
    #[track_caller]
    pub(crate) fn refused(&self, tool: &str, arguments: Value, code: &str, text: &str) {
        match self.call(tool, &arguments) {
            Ok(found) => panic!("not refused: {found}"),
            Err(error) => assert_eq!((error.code(), &*error.to_string()), (code, text)),
        }
    }
}

/// A session with the tools of the set and without a workspace.
pub(crate) fn session() -> hermes_tools::SessionBuilder {
    Session::builder(ToolRegistry::linked().unwrap(), Selection::of(TOOLS))
}
