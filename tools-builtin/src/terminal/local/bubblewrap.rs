//! Commands in a sandbox of bubblewrap: they see the system read-only, what they may write, and no
//! process but their own.
//!
//! It is a program that has to be there, and it needs namespaces, which a container may not have. So it
//! is tried, with all that it will be asked for, before the first command runs in it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::isolation::Plan;

/// How a place lies in the sandbox.
#[derive(Clone, Copy)]
enum Lies {
    Hidden,
    Shown,
    Open,
}

/// Where it is looked for. Commands may change their `PATH`, so that is not asked.
const PLACES: [&str; 3] = [
    "/usr/bin/bwrap",
    "/usr/local/bin/bwrap",
    "/run/current-system/sw/bin/bwrap",
];

/// The sandbox of a session.
#[derive(Debug, Clone)]
pub(super) struct Bubblewrap {
    program: PathBuf,
    plan: Plan,
}

impl Bubblewrap {
    /// Finds it, unless it is said where it is, and tries it.
    ///
    /// # Errors
    ///
    /// Why no command can run in it.
    pub(super) fn find(program: Option<&Path>, plan: Plan) -> io::Result<Self> {
        let places = program.into_iter();
        let mut places = places.chain(PLACES.iter().map(Path::new).filter(|_| program.is_none()));
        let program = places.find(|it| it.is_file()).ok_or_else(|| {
            let text = "`bwrap` is not installed; install the package `bubblewrap`";
            io::Error::new(io::ErrorKind::NotFound, text)
        })?;
        let this = Self {
            program: program.to_owned(),
            plan,
        };
        let words = this.words(Path::new("/"));
        let (program, rest) = words.split_first().expect("the program is the first word");
        let tried = Command::new(program)
            .args(rest)
            .arg("true")
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::null())
            .output()?;
        if tried.status.success() {
            return Ok(this);
        }
        let said = String::from_utf8_lossy(&tried.stderr);
        let said = said.lines().next().unwrap_or("it says nothing");
        Err(io::Error::other(format!(
            "`bwrap` cannot make a sandbox here ({said}); it needs user namespaces"
        )))
    }

    /// What stands before the words of a shell that starts in a folder.
    pub(super) fn words(&self, folder: &Path) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        let fixed = [
            "--unshare-user-try",
            "--unshare-ipc",
            "--unshare-pid",
            "--unshare-uts",
            "--unshare-cgroup-try",
            "--cap-drop",
            "ALL",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
        ];
        words.extend(fixed.map(OsString::from));
        // What is deeper lies upon what is above it.
        let hidden = self.plan.hidden_now();
        let mut places: Vec<(PathBuf, Lies)> =
            hidden.into_iter().map(|it| (it, Lies::Hidden)).collect();
        places.extend(self.plan.open().into_iter().map(|it| (it, Lies::Open)));
        let shown = self.plan.shown.iter().filter(|it| it.is_dir());
        places.extend(shown.map(|it| (it.clone(), Lies::Shown)));
        places.sort_by_key(|(path, _)| path.components().count());
        let mut closed = Vec::new();
        for (path, lies) in places {
            match lies {
                Lies::Open => push(&mut words, "--bind-try", [&path, &path]),
                Lies::Shown => push(&mut words, "--ro-bind-try", [&path, &path]),
                Lies::Hidden if path.is_dir() => {
                    push(&mut words, "--tmpfs", [&path]);
                    closed.push(path);
                }
                Lies::Hidden => push(&mut words, "--ro-bind", [Path::new("/dev/null"), &path]),
            }
        }
        for path in &closed {
            push(&mut words, "--remount-ro", [path]);
        }
        push(&mut words, "--chdir", [folder]);
        words.push("--".into());
        words
    }
}

fn push<P: AsRef<Path>>(
    words: &mut Vec<OsString>,
    option: &str,
    paths: impl IntoIterator<Item = P>,
) {
    words.push(option.into());
    words.extend(paths.into_iter().map(|path| path.as_ref().into()));
}

/// Whether commands could be confined by bubblewrap here: the program, after it was tried.
///
/// # Errors
///
/// Why they could not be: it is not installed, or the system does not let it make a sandbox.
pub fn bubblewrap() -> io::Result<PathBuf> {
    Bubblewrap::find(None, Plan::default()).map(|it| it.program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::local::own::Own;

    #[test]
    fn what_is_deeper_lies_upon_what_is_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in ["secret/work", "work"] {
            std::fs::create_dir_all(home.join(name)).unwrap();
        }
        std::fs::write(home.join("work/key"), "k").unwrap();
        let hidden = [home.join("secret"), home.join("work/key")];
        let plan = Plan::new(
            [home.join("work"), home.join("secret/work")],
            None,
            &[],
            &hidden,
            &Own::default(),
        );
        let sandbox = Bubblewrap {
            program: "/bwrap".into(),
            plan,
        };
        let words = sandbox.words(&home);
        let named = home.display().to_string();
        let line: Vec<String> = words
            .iter()
            .map(|it| it.to_string_lossy().replace(&named, "~"))
            .collect();
        let line = line.join(" ");
        // What the system has of its own secrets differs.
        let (_, line) = line.split_once("--proc /proc ").unwrap();
        assert!(line.contains("--bind-try ~/work ~/work"), "{line}");
        assert!(line.contains("--tmpfs ~/secret "), "{line}");
        let at = |text: &str| {
            line.find(text)
                .unwrap_or_else(|| panic!("{text} in {line}"))
        };
        assert!(at("--tmpfs ~/secret ") < at("--bind-try ~/secret/work ~/secret/work"));
        assert!(at("--bind-try ~/work ") < at("--ro-bind /dev/null ~/work/key"));
        assert!(at("--bind-try ~/secret/work ") < at("--remount-ro ~/secret "));
        assert!(line.ends_with("--chdir ~ --"), "{line}");
    }
}
