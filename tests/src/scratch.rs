//! Programs of others, installed from their registries by name into a folder below the target folder.
//!
//! They are for the slow tests. Where the network or the installer is missing, the test says so and is
//! skipped, so that a gate without network is not red; its output shows that.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether slow tests were asked for. Says so, where they were not.
pub fn slow_tests(name: &str) -> bool {
    let asked = std::env::var_os("HERMES_SLOW_TESTS").is_some_and(|value| !value.is_empty());
    if !asked {
        println!("{name}: not run; HERMES_SLOW_TESTS=1 runs it");
    }
    asked
}

/// A folder with packages of the npm registry, and Node 22 to run them.
#[derive(Debug)]
pub struct Node(PathBuf);

/// A virtual environment with packages of the Python Package Index.
#[derive(Debug)]
pub struct Python(PathBuf);

impl Node {
    /// Installs packages below `target`, the `CARGO_TARGET_TMPDIR` of the test. `None` where that cannot be
    /// done, which is said under `name`.
    ///
    /// # Panics
    ///
    /// The target folder cannot be written.
    pub fn with(target: &str, name: &str, packages: &[&str]) -> Option<Self> {
        let folder = Path::new(target).join(name);
        fs::create_dir_all(&folder).expect("the target folder can be written");
        fs::write(folder.join("package.json"), r#"{"private": true}"#)
            .expect("the target folder can be written");
        let mut npm = Command::new("npm");
        npm.current_dir(&folder)
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                "node@22",
            ])
            .args(packages);
        installed(name, &mut npm).then_some(Self(folder))
    }

    /// The folder of the packages.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Runs a script of the folder.
    pub fn run(&self, script: impl AsRef<Path>) -> Command {
        let programs = self.0.join("node_modules/.bin");
        let mut command = Command::new(programs.join("node"));
        command.current_dir(&self.0).arg(self.0.join(script));
        let others = std::env::var_os("PATH").unwrap_or_default();
        // Scripts start further ones by the name `node`.
        let all = [programs].into_iter().chain(std::env::split_paths(&others));
        if let Ok(path) = std::env::join_paths(all) {
            command.env("PATH", path);
        }
        command
    }
}

impl Python {
    /// Installs packages below `target`, the `CARGO_TARGET_TMPDIR` of the test. `None` where that cannot be
    /// done, which is said under `name`.
    pub fn with(target: &str, name: &str, packages: &[&str]) -> Option<Self> {
        let folder = Path::new(target).join(name);
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(&folder);
        if !installed(name, &mut venv) {
            return None;
        }
        let mut pip = Command::new(folder.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"])
            .args(packages);
        installed(name, &mut pip).then_some(Self(folder))
    }

    /// Runs a script.
    pub fn run(&self, script: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.0.join("bin/python"));
        command.arg(script.as_ref());
        command
    }
}

fn installed(name: &str, command: &mut Command) -> bool {
    let ended = command.stdin(Stdio::null()).output();
    let why = match ended {
        Ok(output) if output.status.success() => return true,
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    let program = command.get_program().to_string_lossy().into_owned();
    println!("{name}: SKIPPED: `{program}` could not install what it needs: {why}");
    false
}
