//! A folder to work in, and runs of the program in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use pty_process::blocking::Pty;
use serde_json::Value;
use tempfile::TempDir;

/// A workspace in a folder that is not one: what leads out of the workspace can be seen.
pub(crate) struct Folder {
    outside: TempDir,
    /// Where checkpoints are kept: no part of what a run may change.
    store: TempDir,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    /// A workspace with a text file, a binary file and a folder, beside a file outside.
    pub(crate) fn new() -> Self {
        Self::inside(tempfile::tempdir().unwrap())
    }

    /// One in memory, where there is such a place: for runs that write much and wait for the disk.
    pub(crate) fn in_memory() -> Self {
        let place = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self::inside(place.unwrap())
    }

    fn inside(outside: TempDir) -> Self {
        let this = Self {
            outside,
            store: tempfile::tempdir().unwrap(),
        };
        let workspace = this.workspace();
        fs::create_dir_all(workspace.join("src")).unwrap();
        fs::write(workspace.join("notes.txt"), "first\nsecond\nthird\n").unwrap();
        fs::write(workspace.join("src/main.rs"), "fn main() {}\n").unwrap();
        fs::write(workspace.join("data.bin"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
        fs::write(this.outside.path().join("secret.txt"), "secret\n").unwrap();
        this
    }

    /// The workspace; runs start in it.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.outside.path().join("work")
    }

    /// A run that is about to start, without what the environment of the tests may bring.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hermes"));
        command
            .args(words)
            .current_dir(self.workspace())
            // What is too long is kept here and not in the state of whoever runs the tests.
            .env("XDG_STATE_HOME", self.outside.path().join("state"))
            .env("XDG_CONFIG_HOME", self.outside.path().join("config"))
            .stdin(Stdio::null());
        for name in ["HERMES_CONFIG", "HERMES_KANBAN_TASK", "NO_COLOR", "TERM"] {
            command.env_remove(name);
        }
        command.env("HERMES_CHECKPOINTS", self.store.path());
        command
    }

    /// A run at a terminal of its own, which is its standard input and its error output. Answers come through
    /// a pipe.
    pub(crate) fn at_terminal(&self, words: &[&str]) -> (Child, Pty) {
        self.at_terminal_behind(words, "")
    }

    /// The same, and this line was typed before the run began. The kernel takes it from the keyboard in its own
    /// time, so the run begins when it shows what it took.
    pub(crate) fn at_terminal_behind(&self, words: &[&str], typed: &str) -> (Child, Pty) {
        let (mut pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(pty_process::Size::new(24, 200)).unwrap();
        pty.write_all(typed.as_bytes()).unwrap();
        let mut shown = vec![0; typed.replace('\n', "\r\n").len()];
        pty.read_exact(&mut shown).unwrap();
        let child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_hermes"))
            .args(words)
            .current_dir(self.workspace())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("XDG_STATE_HOME", self.outside.path().join("state"))
            .env("HERMES_CHECKPOINTS", self.store.path())
            .stdout(Stdio::piped())
            .spawn(pts)
            .unwrap();
        (child, pty)
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.command(words).output().unwrap().into()
    }

    /// A run with this text on its standard input.
    pub(crate) fn run_with(&self, words: &[&str], input: impl AsRef<[u8]>) -> Ran {
        let mut command = self.command(words);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        match pipe.write_all(input.as_ref()) {
            // A run that is refused may end before it has read anything.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            written => written.unwrap(),
        }
        drop(pipe);
        child.wait_with_output().unwrap().into()
    }

    /// Every file in and around the workspace with its bytes.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.outside.path(), &mut files);
        files
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

impl Ran {
    /// A run that went well and wrote this.
    pub(crate) fn wrote(stdout: &str) -> Self {
        Self {
            code: 0,
            stdout: stdout.to_owned(),
            stderr: String::new(),
        }
    }

    /// The standard output as JSON, which stands on one line.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
