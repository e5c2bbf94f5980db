//! Workspaces in a temporary folder, written as one text.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hermes_xtask::check_toolsets::{Options, check};
use hermes_xtask::report::Report;
use serde_json::Value;
use tempfile::TempDir;

const MANIFEST: &str = "\
[package]
name = \"demo\"
version = \"0.1.0\"
edition = \"2024\"

[workspace]
";

/// What most tests are about: rules that sketches of tools, without documentation and declared
/// toolsets, do not offend.
pub(crate) const SKETCH: [&str; 11] = [
    "duplicate-tool",
    "duplicate-toolset",
    "include-cycle",
    "missing-effect",
    "not-in-source",
    "not-linked",
    "pack-not-linked",
    "reserved-tool-exists",
    "unknown-include",
    "unknown-tool-in-toolset",
    "unparsed-file",
];

/// A workspace on disk, removed when dropped.
pub(crate) struct Fixture {
    folder: TempDir,
}

impl Fixture {
    /// Writes the files of `text`, each introduced by a line `//- path`. Without a `Cargo.toml` they
    /// become one package named `demo`.
    pub(crate) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Cargo.toml", MANIFEST);
        for file in text.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap();
            write(path, text);
        }
        Self { folder }
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.path().join("Cargo.toml")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// By the rules of [`SKETCH`].
    pub(crate) fn report(&self) -> Report {
        self.report_by(&SKETCH)
    }

    /// By these rules; none means all.
    pub(crate) fn report_by(&self, rules: &[&str]) -> Report {
        let options = Options {
            manifest: Some(self.manifest()),
            rules: rules.iter().copied().map(str::to_owned).collect(),
            no_cache: true,
            ..Options::default()
        };
        check(&options).unwrap()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap()
    }

    /// The tools that were found: `name module [cfg] file:line:column`.
    pub(crate) fn tools(&self) -> Vec<String> {
        let report = self.report().to_json();
        let tools = report["tools"].as_array().unwrap().iter().map(|tool| {
            let text = |key: &str| tool[key].as_str().unwrap().to_owned();
            let cfg: Vec<&str> = tool["cfg"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let at = &tool["at"];
            let place = format!(
                "{}:{}:{}",
                at["file"].as_str().unwrap(),
                at["line"],
                at["column"]
            );
            format!(
                "{} {} [{}] {place}",
                text("name"),
                text("module"),
                cfg.join("; ")
            )
        });
        tools.collect()
    }

    /// Runs `check-toolsets` by the rules of [`SKETCH`].
    pub(crate) fn check(&self, arguments: &[&str]) -> Output {
        let rules = SKETCH.iter().flat_map(|rule| ["--rule", rule]);
        let words: Vec<&str> = ["check-toolsets"].into_iter().chain(rules).collect();
        self.run(&[&words, arguments].concat())
    }

    /// Runs the program in the root of the workspace, with a target folder of its own.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_hermes-xtask"))
            .args(arguments)
            .current_dir(self.path())
            .env("CARGO_TARGET_DIR", self.path().join("target"))
            .env("CARGO_NET_OFFLINE", "true")
            .output()
            .unwrap()
    }
}

/// The whole report on a workspace, as text.
pub(crate) fn report(text: &str) -> String {
    Fixture::new(text).report().to_text()
}
