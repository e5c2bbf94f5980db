//! `cargo xtask check-toolsets`.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::linked;
use crate::report::Report;
use crate::rules;
use crate::scan::Scan;
use crate::workspace::Workspace;

const HELP: &str = "\
Finds every tool and toolset in the sources of a workspace and checks them.

Usage: cargo xtask check-toolsets [OPTIONS]

Options:
  --linked [BIN]          compare with what a binary links; BIN is a binary target or the path of a
                          built one, `hermes` by default; it must print its tools as JSON when it
                          is called with `tools --all --json`
  --manifest-path <PATH>  check the workspace of this Cargo.toml instead of the current one
  --format <FORMAT>       `text` (default) or `json`
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
    /// `hermes`.
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
}

/// Checks a workspace.
///
/// Fails when cargo does not know the workspace, or the binary cannot be built and run.
pub fn check(options: &Options) -> anyhow::Result<Report> {
    let workspace = Workspace::load(options.manifest.as_deref())?;
    let scan = Scan::of(&workspace);
    let mut findings = rules::check(&workspace, &scan);
    match &options.linked {
        Linked::No => {}
        Linked::Default => findings.extend(linked::compare(&workspace, &scan, None)?),
        Linked::Binary(binary) => {
            findings.extend(linked::compare(&workspace, &scan, Some(binary))?);
        }
    }
    Ok(Report::new(scan, findings))
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
    };
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write the report")?;
    Ok(if report.is_clean(options.deny_warnings) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
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
        let is_flag = matches!(name, "--deny-warnings" | "-h" | "--help");
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
                options.format = match value("`text` or `json`")?.to_str() {
                    Some("text") => Format::Text,
                    Some("json") => Format::Json,
                    other => bail!(
                        "unknown format `{}`; known are `text` and `json`",
                        other.unwrap_or_default()
                    ),
                };
            }
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
            parse_words("--manifest-path a/Cargo.toml --format=json --deny-warnings").unwrap();
        let expected = Options {
            linked: Linked::No,
            manifest: Some(PathBuf::from("a/Cargo.toml")),
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
            "unknown format `xml`; known are `text` and `json`"
        );
        assert_eq!(
            error("--format"),
            "option `--format` needs `text` or `json`"
        );
        assert_eq!(
            error("--deny-warnings=no"),
            "option `--deny-warnings` takes no value"
        );
        assert_eq!(
            error("--fix"),
            "unknown option `--fix`; `cargo xtask check-toolsets --help` lists them"
        );
    }
}
