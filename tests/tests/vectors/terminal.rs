//! Vectors through the toolset `terminal`. Where commands run stands a recorder: nothing here is run.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::approval::Approval;
use hermes_tools::dispatch::guard::Policy;
use hermes_tools::testing::Folder;
use hermes_tools::workspace::Confined;
use hermes_tools::{Selection, Session, ToolRegistry, Workspace};
use serde::Deserialize;
use serde_json::json;
use tools_builtin::{End, Environment, EnvironmentFuture, Job, Running, TerminalOptions};

/// An environment that notes commands.
#[derive(Clone, Default)]
struct Recorder {
    ran: Arc<Mutex<Vec<String>>>,
}

impl Environment for Recorder {
    fn start(&self) -> EnvironmentFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn run(&self, job: Job) -> EnvironmentFuture<'_, Arc<Running>> {
        let running = Running::new(&job);
        running.finish(End {
            code: 0,
            stopped: None,
            folder_lost: false,
        });
        self.ran.lock().unwrap().push(job.command);
        Box::pin(std::future::ready(Ok(Arc::new(running))))
    }

    fn cwd(&self) -> PathBuf {
        PathBuf::from("/")
    }

    fn env(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn interrupt(&self) {}

    fn clean_up(&self) {}
}

/// A session whose commands go to a recorder; `asked` tells whether somebody was asked, who says no.
fn session(folder: &Folder, recorder: &Recorder, asked: &Arc<AtomicBool>) -> Session {
    let asked = Arc::clone(asked);
    let tools = Selection::of(["process", "terminal"]);
    Session::builder(ToolRegistry::linked().unwrap(), tools)
        .workspace(Workspace::new(Confined::open(folder.path()).unwrap()))
        .guard(Policy::new().home("/home/dev"))
        .approve_with(move |_| {
            asked.store(true, Ordering::SeqCst);
            Approval::denied()
        })
        .state(TerminalOptions::new().environment(recorder.clone()))
        .build()
        .unwrap()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    command: String,
}

#[derive(Deserialize)]
struct Verdict {
    verdict: String,
}

#[test]
fn command_safety_through_the_tool() {
    let folder = Folder::with([]).unwrap();
    VectorFile::new("command_safety")
        .kinds(["command_safety"])
        .run(|line| {
            let input: Command = line.input()?;
            let expected: Verdict = line.expected()?;
            let (recorder, asked) = (Recorder::default(), Arc::default());
            let session = session(&folder, &recorder, &asked);
            let arguments = json!({"command": input.command}).to_string();
            let result = session.call_blocking("terminal", &arguments);
            let ran = recorder.ran.lock().unwrap();
            let got = match (ran.as_slice(), asked.load(Ordering::SeqCst)) {
                ([], true) => "ask",
                // What an argument cannot be is refused before anything is judged.
                ([], false) if result.outcome.is_err() => "block",
                ([command], false) if *command == input.command => "allow",
                _ => "something else",
            };
            Ok(Outcome::Judged {
                passed: got == expected.verdict,
                got: format!("{got}: {}", input.command),
            })
        });
}
