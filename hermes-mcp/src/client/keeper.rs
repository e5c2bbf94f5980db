//! What ends a server whose host was killed.

use std::process::Stdio;

use rustix::process::Pid;
use tokio::process::{Child, ChildStdin, Command};

/// A shell that waits for the end of its input, which comes with the end of this process, also by
/// `SIGKILL`. Then it gives the group of the server two seconds, and kills what is left of it.
///
/// The signal that Linux sends when a parent dies hangs on the thread that has started the child, asks
/// for code between fork and exec, and reaches no grandchild.
///
/// It begins before the server, which is put into its group: whenever the host is killed, somebody knows
/// the group.
pub(super) struct Keeper {
    group: Pid,
    input: Option<ChildStdin>,
    _shell: Child,
}

const SCRIPT: &str = r#"
trap '' HUP INT TERM
read -r _ && exit
kill -s TERM -- "-$$"
sleep 2
kill -s KILL -- "-$$"
"#;

impl Keeper {
    /// One with a group for a server. Where there is no shell, the server ends with its input alone.
    pub(super) fn begin() -> Option<Self> {
        let mut shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What ends the host's group must not end this.
            .process_group(0)
            .spawn()
            .inspect_err(|error| tracing::warn!(%error, "a server has no keeper"))
            .ok()?;
        Some(Self {
            group: Pid::from_raw(i32::try_from(shell.id()?).ok()?)?,
            input: shell.stdin.take(),
            _shell: shell,
        })
    }
}

impl Keeper {
    /// The group, of which the shell is the first member: its number is given to no other while it waits.
    pub(super) const fn group(&self) -> Pid {
        self.group
    }
}

impl Drop for Keeper {
    /// Tells the shell that there is no server any more.
    fn drop(&mut self) {
        let Some(input) = self.input.take() else {
            return;
        };
        if let Ok(input) = input.into_owned_fd() {
            // One byte fits into a pipe that nobody has written to.
            let _ = rustix::io::write(&input, b"\n");
        }
    }
}
