//! `cargo xtask check-toolsets`.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::report::Report;
use crate::rules::{self, Check};
use crate::scan::Scan;
use crate::settings::Settings;
use crate::workspace::Workspace;
use crate::{fix, linked};

const HELP: &str = "\
Finds every tool and toolset in the sources of a workspace and checks them.

Usage: cargo xtask check-toolsets [OPTIONS]

Options:
  --linked [BIN]          compare with what a binary links; BIN is a binary target or the path of a
                          built one; it must print its tools as JSON when it is called with
                          `tools --all --json`. Without BIN it is `hermes`, or one that is written
                          below the target folder to link every pack
  --manifest-path <PATH>  check the workspace of this Cargo.toml instead of the current one
  --package <NAME>        show what is in this package alone (repeatable)
  --rule <ID>             apply this rule alone (repeatable); docs/checks.md lists them
  --fix                   put right what needs no thought: missing `link!`, reservations of tools that
                          exist, the order of lists, and the golden definitions if Cargo.toml names
                          a file for them, for which the binary is built; then check again
  --format <FORMAT>       `text` (default), `json`, `sarif` or `github` (annotations)
  --no-cache              read every file, whatever the last run knew
  --deny-warnings         warnings count as errors
  -h, --help              show this

Exit code: 0 clean, 1 something was found, 2 could not run.
";

/// What to check and how to show it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to compare with a binary.
    pub linked: Linked,
    /// The manifest of the workspace; that of the current folder if absent.
    pub manifest: Option<PathBuf>,
    /// Members whose files are reported on; empty is all.
    pub packages: Vec<String>,
    /// Rules to apply; empty is all.
    pub rules: Vec<String>,
    /// Whether to change files where that needs no thought.
    pub fix: bool,
    /// Whether to read every file anew, and leave nothing below the target folder.
    pub no_cache: bool,
    /// How to print the report.
    pub format: Format,
    /// Whether warnings fail the check.
    pub deny_warnings: bool,
}

/// Which binary the sources are compared with.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Linked {
    /// None.
    #[default]
    No,
    /// `hermes`, or a probe that links every pack where there is none.
    Default,
    /// The binary target of this name, or the built binary at this path.
    Binary(String),
}

/// How a report is printed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One object for programs.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    GitHub,
}

/// Checks a workspace.
///
/// Fails when cargo does not know the workspace, when its settings are wrong, or when the binary
/// cannot be built and run.
pub fn check(options: &Options) -> anyhow::Result<Report> {
    let workspace = Workspace::load(options.manifest.as_deref())?;
    let mut report = check_once(options, &workspace)?;
    if options.fix && fix::apply(&workspace, &report)? > 0 {
        report = check_once(options, &workspace)?;
    }
    Ok(report)
}

fn check_once(options: &Options, workspace: &Workspace) -> anyhow::Result<Report> {
    let mut settings = Settings::from_metadata(&workspace.metadata)?;
    settings.only(&options.rules)?;
    let scan = Scan::of(workspace, &settings.configurations, !options.no_cache);
    let check = Check {
        workspace,
        scan: &scan,
        settings: &settings,
    };
    let mut findings = rules::check(&check);
    match &options.linked {
        // Only a binary has the definitions that are to be written.
        Linked::No if options.fix && settings.golden.is_some() => {
            findings.extend(linked::compare(&check, None, true)?);
        }
        Linked::No => {}
        Linked::Default => findings.extend(linked::compare(&check, None, options.fix)?),
        Linked::Binary(binary) => {
            findings.extend(linked::compare(&check, Some(binary), options.fix)?);
        }
    }
    let (findings, allowed) = rules::settle(&check, findings);
    let mut wanted = Vec::new();
    for package in &options.packages {
        match workspace.member(package) {
            Some(package) => wanted.push(workspace.display(&package.folder)),
            None => bail!("the workspace has no member `{package}`"),
        }
    }
    let mut report = Report::new(workspace.root.clone(), scan, findings, allowed);
    if !wanted.is_empty() {
        let inside = |file: &str| {
            let of = |folder: &String| folder.is_empty() || file.starts_with(&format!("{folder}/"));
            wanted.iter().any(of)
        };
        report.keep(inside);
    }
    Ok(report)
}

/// Runs the command: prints the report, and answers 0 or 1.
pub fn command(arguments: impl Iterator<Item = OsString>) -> anyhow::Result<ExitCode> {
    let Some(options) = parse(arguments)? else {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    let report = check(&options)?;
    let text = match options.format {
        Format::Text => report.to_text(),
        Format::Json => format!("{:#}\n", report.to_json()),
        Format::Sarif => format!("{:#}\n", report.to_sarif()),
        Format::GitHub => report.to_github(),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        // Whoever reads it has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written.context("cannot write the report")?,
    }
    Ok(if report.is_clean(options.deny_warnings) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The whole program of a downstream `xtask`: `check-toolsets` with the arguments of the process.
///
/// Exit code: 0 clean, 1 something was found, 2 could not run. A first argument `check-toolsets` may
/// be there or not.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    arguments.next_if(|word| word == "check-toolsets");
    command(arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// The options, or nothing when help is asked for.
fn parse(arguments: impl Iterator<Item = OsString>) -> anyhow::Result<Option<Options>> {
    let mut options = Options::default();
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        let argument = argument
            .to_str()
            .context("an option is not UTF-8")?
            .to_owned();
        let (name, inline) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (argument.as_str(), None),
        };
        let is_flag = matches!(
            name,
            "--deny-warnings" | "--fix" | "--no-cache" | "-h" | "--help"
        );
        if is_flag && inline.is_some() {
            bail!("option `{name}` takes no value");
        }
        let mut value = |what: &str| {
            let value = inline.clone().or_else(|| arguments.next());
            value.with_context(|| format!("option `{name}` needs {what}"))
        };
        match name {
            "--linked" => {
                let looks_like_value = |next: &OsString| !next.to_string_lossy().starts_with('-');
                let binary = inline.or_else(|| arguments.next_if(looks_like_value));
                options.linked = match binary {
                    Some(binary) => Linked::Binary(binary.to_string_lossy().into_owned()),
                    None => Linked::Default,
                };
            }
            "--manifest-path" => options.manifest = Some(value("a path")?.into()),
            "--format" => {
                options.format = match value("`text`, `json`, `sarif` or `github`")?.to_str() {
                    Some("text") => Format::Text,
                    Some("json") => Format::Json,
                    Some("sarif") => Format::Sarif,
                    Some("github") => Format::GitHub,
                    other => bail!(
                        "unknown format `{}`; known are `text`, `json`, `sarif` and `github`",
                        other.unwrap_or_default()
                    ),
                };
            }
            "--package" => options
                .packages
                .push(value("a name")?.to_string_lossy().into_owned()),
            "--rule" => options
                .rules
                .push(value("an id")?.to_string_lossy().into_owned()),
            "--fix" => options.fix = true,
            "--no-cache" => options.no_cache = true,
            "--deny-warnings" => options.deny_warnings = true,
            "-h" | "--help" => return Ok(None),
            _ => bail!("unknown option `{name}`; `cargo xtask check-toolsets --help` lists them"),
        }
    }
    Ok(Some(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(words: &str) -> Result<Option<Options>, String> {
        parse(words.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
    }

    #[test]
    fn linked_takes_a_binary_or_nothing() {
        let linked = |words| parse_words(words).unwrap().unwrap().linked;
        assert_eq!(linked(""), Linked::No);
        assert_eq!(linked("--linked"), Linked::Default);
        assert_eq!(linked("--linked --format json"), Linked::Default);
        assert_eq!(linked("--linked agent"), Linked::Binary("agent".to_owned()));
        assert_eq!(linked("--linked=agent"), Linked::Binary("agent".to_owned()));
    }

    #[test]
    fn all_options_together() {
        let options =
            parse_words("--manifest-path a/Cargo.toml --package p --rule r --fix --no-cache --format=json --deny-warnings").unwrap();
        let expected = Options {
            linked: Linked::No,
            manifest: Some(PathBuf::from("a/Cargo.toml")),
            packages: vec!["p".to_owned()],
            rules: vec!["r".to_owned()],
            fix: true,
            no_cache: true,
            format: Format::Json,
            deny_warnings: true,
        };
        assert_eq!(options, Some(expected));
        assert_eq!(parse_words("--format json --help"), Ok(None));
    }

    #[test]
    fn bad_options_say_what_is_known() {
        let error = |words| parse_words(words).unwrap_err();
        assert_eq!(
            error("--format xml"),
            "unknown format `xml`; known are `text`, `json`, `sarif` and `github`"
        );
        assert_eq!(
            error("--format"),
            "option `--format` needs `text`, `json`, `sarif` or `github`"
        );
        assert_eq!(
            error("--deny-warnings=no"),
            "option `--deny-warnings` takes no value"
        );
        assert_eq!(
            error("--fast"),
            "unknown option `--fast`; `cargo xtask check-toolsets --help` lists them"
        );
    }
}
