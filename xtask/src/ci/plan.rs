//! The steps of the gate.

use std::fmt;

use crate::workspace::{TargetKind, Workspace};

/// The package that holds the tests which span crates.
const TESTS: &str = "hermes-tests";

/// The built-in pack, some of whose tests take longer on demand.
const PACK: &str = "tools-builtin";

/// The example application.
const EXAMPLE: &str = "text-agent";

/// The package of these tasks, whose tests read published crates.
const XTASK: &str = "hermes-xtask";

/// The package whose tests know servers of others.
const MCP: &str = "hermes-mcp";

/// The packages and tests that run programs of others.
const COUNTERPARTS: [(&str, &str); 2] = [
    ("hermes-cli", "mcp_clients"),
    ("mcp-everything", "mcp_conformance"),
];

/// What the gate draws by chance is the same in every run, so that one state passes or fails: a fault that
/// only some orders and values show is looked for by the lasting tests, which draw anew.
const SEEDS: [(&str, &str); 2] = [("PROPTEST_RNG_SEED", "1"), ("SHUTTLE_RANDOM_SEED", "1")];

/// One step: everything in it must succeed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) works: Vec<Work>,
}

/// One part of a step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// A run of cargo in the root of the workspace.
    Cargo(Invocation),
    /// `package` alone must not turn on `feature` of `dependency`.
    WithoutFeature {
        package: &'static str,
        dependency: &'static str,
        feature: &'static str,
    },
    /// `cargo xtask check-toolsets --linked --deny-warnings`, in this process.
    CheckToolsets,
}

/// A command line of cargo.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Invocation {
    pub(super) arguments: Vec<String>,
    pub(super) environment: Vec<(&'static str, &'static str)>,
}

/// All steps for this workspace. Packages that do not exist add none.
///
/// Whatever is built is built with all features of the whole workspace, so that steps share their
/// dependencies; only the steps that are about something else choose a part.
pub(super) fn steps(workspace: &Workspace, all: bool) -> Vec<Step> {
    let mut steps = vec![
        step("format", ["fmt --all --check"]),
        step(
            "lints",
            ["clippy --workspace --all-targets --all-features -- -D warnings"],
        ),
        // A single package, or the features of the workspace would hide what a pack lacks.
        Step {
            name: "core without host",
            works: vec![
                Work::WithoutFeature {
                    package: "tools-builtin",
                    dependency: "hermes-tools",
                    feature: "host",
                },
                cargo("check --package tools-builtin --lib"),
                cargo("check --package hermes-tools --lib --no-default-features"),
                cargo("clippy --package hermes-mcp --lib --no-default-features -- -D warnings"),
            ],
        },
        Step {
            name: "toolsets",
            works: vec![Work::CheckToolsets],
        },
        Step {
            name: "tests",
            works: vec![Work::Cargo(tests())],
        },
    ];
    let harnesses = test_targets(workspace);
    if !harnesses.is_empty() {
        // Named by target rather than by package: a package would be built with other features.
        let targets = harnesses.join(" --test ");
        let line =
            format!("test --workspace --all-features --test {targets} vectors -- --nocapture");
        steps.push(step("vectors", [line.as_str()]));
    }
    steps.push(step("doc tests", ["test --workspace --all-features --doc"]));
    let mut docs = invocation("doc --workspace --all-features --no-deps");
    docs.environment.push(("RUSTDOCFLAGS", "-D warnings"));
    steps.push(Step {
        name: "docs",
        works: vec![Work::Cargo(docs)],
    });
    if workspace.member(EXAMPLE).is_some() {
        steps.push(step("examples", ["run --quiet --package text-agent"]));
    }
    if all {
        add_slow_steps(&mut steps, workspace);
    }
    steps
}

/// What takes too long for every change.
fn add_slow_steps(steps: &mut Vec<Step>, workspace: &Workspace) {
    if workspace.member(XTASK).is_some() {
        let mut crates = invocation(
            "test --workspace --all-features --test check_toolsets public_crates -- --nocapture",
        );
        crates.environment.push(("HERMES_SLOW_TESTS", "1"));
        steps.push(Step {
            name: "published crates",
            works: vec![Work::Cargo(crates)],
        });
    }
    if test_targets(workspace).iter().any(|name| name == "linking") {
        let mut linking =
            invocation("test --workspace --all-features --test linking -- --nocapture");
        linking.environment.push(("HERMES_SLOW_TESTS", "1"));
        steps.push(Step {
            name: "linking",
            works: vec![Work::Cargo(linking)],
        });
    }
    if workspace.member(PACK).is_some() {
        let lines = [
            "test --workspace --all-features --test file_tools --test terminal_tools \
             -- --nocapture race load",
            "test --workspace --all-features --test model",
        ];
        let works = lines.map(|line| {
            let mut lasting = invocation(line);
            lasting.environment.push(("HERMES_SLOW_TESTS", "1"));
            Work::Cargo(lasting)
        });
        steps.push(Step {
            name: "lasting tests",
            works: works.into(),
        });
    }
    if workspace.member(MCP).is_some() {
        // As an argument of the test it would be built as one.
        let client = cargo("build --package hermes-mcp --all-features --example client");
        let mut real =
            invocation("test --package hermes-mcp --all-features --test real -- --nocapture");
        real.environment.push(("HERMES_SLOW_TESTS", "1"));
        steps.push(Step {
            name: "servers of others",
            works: vec![client, Work::Cargo(real)],
        });
    }
    let counterparts = counterparts(workspace);
    if !counterparts.is_empty() {
        let targets = counterparts.join(" --test ");
        let line = format!("test --workspace --all-features --test {targets} -- --nocapture");
        let mut run = invocation(&line);
        run.environment.push(("HERMES_SLOW_TESTS", "1"));
        steps.push(Step {
            name: "counterparts",
            works: vec![Work::Cargo(run)],
        });
    }
}

/// All tests but those of the documentation. Not `--all-targets`, which runs benchmarks too.
fn tests() -> Invocation {
    let mut tests = invocation("test --workspace --all-features --lib --bins --tests --examples");
    tests.environment.extend(SEEDS);
    tests
}

/// Names of the integration tests that run programs of others, installed for it.
fn counterparts(workspace: &Workspace) -> Vec<&str> {
    let mut names: Vec<&str> = COUNTERPARTS
        .iter()
        .filter_map(|(package, test)| {
            let package = workspace.member(package)?;
            let target = package.targets.iter().find(|target| target.name == *test);
            target.map(|target| target.name.as_str())
        })
        .collect();
    names.sort_unstable();
    names
}

/// Names of the integration tests that span crates.
fn test_targets(workspace: &Workspace) -> Vec<String> {
    let Some(package) = workspace.member(TESTS) else {
        return Vec::new();
    };
    let tests = package
        .targets
        .iter()
        .filter(|target| target.kind == TargetKind::Test);
    tests.map(|target| target.name.clone()).collect()
}

fn step<const N: usize>(name: &'static str, lines: [&str; N]) -> Step {
    Step {
        name,
        works: lines.map(cargo).into(),
    }
}

fn cargo(line: &str) -> Work {
    Work::Cargo(invocation(line))
}

fn invocation(line: &str) -> Invocation {
    let arguments = line.split_whitespace().map(str::to_owned).collect();
    Invocation {
        arguments,
        environment: Vec::new(),
    }
}

impl fmt::Display for Invocation {
    /// As one would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}=\"{value}\" ")?;
        }
        write!(f, "cargo {}", self.arguments.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::workspace::{Package, Target};

    fn workspace(packages: &[(&str, &[&str])]) -> Workspace {
        let target = |name: &&str| Target {
            name: (*name).to_owned(),
            kind: TargetKind::Test,
            root: PathBuf::new(),
        };
        let packages = packages.iter().map(|(name, tests)| Package {
            name: (*name).to_owned(),
            member: true,
            source: None,
            folder: PathBuf::new(),
            targets: tests.iter().map(target).collect(),
            dependencies: Vec::new(),
        });
        Workspace {
            root: PathBuf::new(),
            target_folder: PathBuf::new(),
            metadata: serde_json::Value::Null,
            packages: packages.collect(),
        }
    }

    fn names(workspace: &Workspace, all: bool) -> Vec<&'static str> {
        steps(workspace, all).iter().map(|step| step.name).collect()
    }

    #[test]
    fn packages_that_do_not_exist_yet_add_no_step() {
        let expected = [
            "format",
            "lints",
            "core without host",
            "toolsets",
            "tests",
            "doc tests",
            "docs",
        ];
        assert_eq!(names(&workspace(&[]), true), expected);
    }

    #[test]
    fn vectors_run_with_the_features_of_the_workspace() {
        let workspace = workspace(&[
            ("hermes-tests", &["linking", "vectors"]),
            ("text-agent", &[]),
        ]);
        let steps = steps(&workspace, false);
        let vectors = steps.iter().find(|step| step.name == "vectors").unwrap();
        let [Work::Cargo(invocation)] = vectors.works.as_slice() else {
            unreachable!()
        };
        assert_eq!(
            invocation.to_string(),
            "cargo test --workspace --all-features --test linking --test vectors vectors \
             -- --nocapture"
        );
        assert_eq!(steps.last().unwrap().name, "examples");
    }

    #[test]
    fn what_the_gate_draws_by_chance_is_the_same_in_every_run() {
        let steps = steps(&workspace(&[]), false);
        let tests = steps.iter().find(|step| step.name == "tests").unwrap();
        let [Work::Cargo(invocation)] = tests.works.as_slice() else {
            unreachable!()
        };
        assert_eq!(
            invocation.to_string(),
            "PROPTEST_RNG_SEED=\"1\" SHUTTLE_RANDOM_SEED=\"1\" cargo test --workspace --all-features \
             --lib --bins --tests --examples"
        );
    }

    #[test]
    fn races_and_loads_last_longer_on_demand() {
        let workspace = workspace(&[("tools-builtin", &["file_tools"])]);
        assert!(!names(&workspace, false).contains(&"lasting tests"));
        let steps = steps(&workspace, true);
        let [Work::Cargo(load), Work::Cargo(model)] = steps.last().unwrap().works.as_slice() else {
            unreachable!()
        };
        assert_eq!(
            load.to_string(),
            "HERMES_SLOW_TESTS=\"1\" cargo test --workspace --all-features --test file_tools \
             --test terminal_tools -- --nocapture race load"
        );
        assert_eq!(
            model.to_string(),
            "HERMES_SLOW_TESTS=\"1\" cargo test --workspace --all-features --test model"
        );
    }

    #[test]
    fn programs_of_others_are_installed_on_demand_alone() {
        let workspace = workspace(&[
            ("hermes-cli", &["cli", "mcp_clients"]),
            ("mcp-everything", &["mcp_conformance"]),
        ]);
        assert!(!names(&workspace, false).contains(&"counterparts"));
        let steps = steps(&workspace, true);
        let [Work::Cargo(invocation)] = steps.last().unwrap().works.as_slice() else {
            unreachable!()
        };
        assert_eq!(
            invocation.to_string(),
            "HERMES_SLOW_TESTS=\"1\" cargo test --workspace --all-features --test mcp_clients \
             --test mcp_conformance -- --nocapture"
        );
    }

    #[test]
    fn slow_steps_come_last_and_only_on_demand() {
        let workspace = workspace(&[("hermes-tests", &["linking"])]);
        assert!(!names(&workspace, false).contains(&"linking"));
        let steps = steps(&workspace, true);
        let [Work::Cargo(invocation)] = steps.last().unwrap().works.as_slice() else {
            unreachable!()
        };
        assert_eq!(
            invocation.to_string(),
            "HERMES_SLOW_TESTS=\"1\" cargo test --workspace --all-features --test linking \
             -- --nocapture"
        );
    }
}
