//! `cargo xtask ci`: the gate that every change passes.

mod plan;

use std::ffi::OsString;
use std::io::Write;
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::check_toolsets::{self, Linked};
use crate::workspace::{Workspace, cargo};
use plan::{Invocation, Step, Work};

const HELP: &str = "\
Runs the gate in the current workspace: every step in turn, also after one that fails, and sums up.

Usage: cargo xtask ci [OPTIONS]

Options:
  --all        also the slow steps: linking in every profile, published crates with tools in them,
               programs of others as clients and servers
  --fail-fast  stop at the first step that fails
  -h, --help   show this

If the environment variable CI is set, cargo's output has no colours and no progress bar.

Exit code: 0 all steps passed, 1 a step failed, 2 could not run.
";

/// Runs the command, and answers 0 or 1.
pub fn command(arguments: impl Iterator<Item = OsString>) -> anyhow::Result<ExitCode> {
    let mut all = false;
    let mut fail_fast = false;
    for argument in arguments {
        match argument.to_string_lossy().as_ref() {
            "--all" => all = true,
            "--fail-fast" => fail_fast = true,
            "-h" | "--help" => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            other => bail!("unknown option `{other}`; `cargo xtask ci --help` lists them"),
        }
    }
    let workspace = Workspace::load(None)?;
    let steps = plan::steps(&workspace, all);
    let started = Instant::now();
    let mut out = std::io::stdout();
    let passed = run(
        &steps,
        |work| perform(work, &workspace),
        || started.elapsed(),
        fail_fast,
        &mut out,
    )?;
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// Runs the steps and sums up. After one that fails the others run all the same, unless `fail_fast`.
/// Answers whether all passed.
fn run(
    steps: &[Step],
    mut perform: impl FnMut(&Work) -> anyhow::Result<()>,
    mut clock: impl FnMut() -> Duration,
    fail_fast: bool,
    out: &mut impl Write,
) -> std::io::Result<bool> {
    let begin = clock();
    let mut results: Vec<String> = Vec::new();
    let mut failures = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if fail_fast && !failures.is_empty() {
            results.push("not run".to_owned());
            continue;
        }
        let head = format!("==> {}/{} {}", index + 1, steps.len(), step.name);
        writeln!(out, "{head}")?;
        out.flush()?;
        let started = clock();
        let result = step.works.iter().try_for_each(&mut perform);
        let time = seconds(clock().saturating_sub(started));
        match result {
            Ok(()) => {
                writeln!(out, "{head}: ok, {time}\n")?;
                results.push(format!("ok       {time:>8}"));
            }
            Err(error) => {
                writeln!(out, "{head}: failed, {time}\n")?;
                results.push(format!("FAILED   {time:>8}"));
                failures.push((step.name, error));
            }
        }
    }
    for (step, result) in steps.iter().zip(&results) {
        writeln!(out, "{:<20} {result}", step.name)?;
    }
    let total = seconds(clock().saturating_sub(begin));
    if failures.is_empty() {
        writeln!(out, "\nthe gate passed in {total}")?;
        return Ok(true);
    }
    writeln!(out, "\nthe gate failed after {total}")?;
    for (name, error) in &failures {
        writeln!(out, "  in step `{name}`: {error:#}")?;
    }
    Ok(false)
}

fn perform(work: &Work, workspace: &Workspace) -> anyhow::Result<()> {
    match work {
        Work::Cargo(invocation) => run_cargo(invocation, workspace),
        Work::WithoutFeature {
            package,
            dependency,
            feature,
        } => {
            let features = workspace.features_of_build(package)?;
            let enabled = features
                .get(*dependency)
                .is_some_and(|on| on.contains(*feature));
            if enabled {
                bail!(
                    "`{package}` turns on feature `{feature}` of `{dependency}`; see `cargo tree`"
                );
            }
            println!("`{package}` builds `{dependency}` without `{feature}`");
            Ok(())
        }
        Work::CheckToolsets => {
            let options = check_toolsets::Options {
                linked: Linked::Default,
                deny_warnings: true,
                ..check_toolsets::Options::default()
            };
            let report = check_toolsets::check(&options)?;
            print!("{}", report.to_text());
            if !report.is_clean(options.deny_warnings) {
                bail!("repeat it with `cargo xtask check-toolsets --linked --deny-warnings`");
            }
            Ok(())
        }
    }
}

fn run_cargo(invocation: &Invocation, workspace: &Workspace) -> anyhow::Result<()> {
    println!("$ {invocation}");
    let mut command = cargo();
    command
        .current_dir(&workspace.root)
        .args(&invocation.arguments)
        .stdin(Stdio::null());
    command.envs(invocation.environment.iter().copied());
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        command
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_TERM_PROGRESS_WHEN", "never");
    }
    let status = command.status().context("cannot run `cargo`")?;
    if !status.success() {
        bail!("{status}; repeat it with `{invocation}`");
    }
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<Step> {
        ["format", "tests", "docs"]
            .map(|name| {
                let invocation = Invocation {
                    arguments: vec![name.to_owned()],
                    environment: vec![],
                };
                Step {
                    name,
                    works: vec![Work::Cargo(invocation)],
                }
            })
            .into()
    }

    /// Runs the steps with a clock that advances one and a half seconds at each look.
    fn run_to_text(failing: &[&str], fail_fast: bool) -> (bool, String) {
        let mut out = Vec::new();
        let mut now = Duration::ZERO;
        let clock = || {
            now += Duration::from_millis(1500);
            now
        };
        let perform = |work: &Work| match work {
            Work::Cargo(invocation) if failing.contains(&invocation.arguments[0].as_str()) => {
                bail!("it broke")
            }
            _ => Ok(()),
        };
        let passed = run(&steps(), perform, clock, fail_fast, &mut out).unwrap();
        (passed, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_failure_lets_the_other_steps_run_and_is_named_at_the_end() {
        let (passed, text) = run_to_text(&["tests", "docs"], false);
        assert!(!passed);
        let expected = "\
==> 1/3 format
==> 1/3 format: ok, 1.5 s

==> 2/3 tests
==> 2/3 tests: failed, 1.5 s

==> 3/3 docs
==> 3/3 docs: failed, 1.5 s

format               ok          1.5 s
tests                FAILED      1.5 s
docs                 FAILED      1.5 s

the gate failed after 10.5 s
  in step `tests`: it broke
  in step `docs`: it broke
";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_first_failure_ends_the_gate_on_demand() {
        let (passed, text) = run_to_text(&["tests"], true);
        assert!(!passed);
        let expected = "\
format               ok          1.5 s
tests                FAILED      1.5 s
docs                 not run

the gate failed after 7.5 s
  in step `tests`: it broke
";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn all_steps_are_summed_up() {
        let (passed, text) = run_to_text(&[], false);
        assert!(passed);
        let summary = text.split("==> 3/3 docs: ok, 1.5 s\n\n").nth(1).unwrap();
        let expected = "\
format               ok          1.5 s
tests                ok          1.5 s
docs                 ok          1.5 s

the gate passed in 10.5 s
";
        assert_eq!(summary, expected);
    }
}
