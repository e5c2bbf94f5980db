//! The section `[terminal]`: how commands run.

use std::path::{Path, PathBuf};

use toml::de::DeValue;

use super::read::{At, File, Result};

/// What a configuration file says of the tools that run commands. This crate knows no such tools; the host
/// hands it on to those that it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TerminalConfig {
    /// How commands are confined: `auto`, `landlock`, `bubblewrap` or `off`; `None` where nothing is said.
    pub isolation: Option<Box<str>>,
    /// Names of environment variables that commands see beside those that every program needs.
    pub env_passthrough: Vec<Box<str>>,
    /// Folders outside the workspace below which commands may write; absolute paths, as the others.
    pub writable: Vec<PathBuf>,
    /// Folders that hold credentials by their name and may be read all the same.
    pub readable: Vec<PathBuf>,
    /// Files and folders that may not be read.
    pub hidden: Vec<PathBuf>,
    /// Whether commands may go on when their session has ended; `None` where nothing is said.
    pub detach: Option<bool>,
}

/// The words for isolation.
const ISOLATION: [&str; 4] = ["auto", "landlock", "bubblewrap", "off"];

pub(super) fn read(file: &File<'_>, value: &At<'_>) -> Result<TerminalConfig> {
    let known = [
        "isolation",
        "env_passthrough",
        "writable",
        "readable",
        "hidden",
        "detach",
    ];
    let mut config = TerminalConfig::default();
    let table = file.table(value)?;
    for (key, value) in file.fields(table, &known)? {
        match key {
            "isolation" => config.isolation = Some(isolation(file, value)?),
            "env_passthrough" => config.env_passthrough = variables(file, value)?,
            "writable" => config.writable = paths(file, value)?,
            "readable" => config.readable = paths(file, value)?,
            "hidden" => config.hidden = paths(file, value)?,
            _ => config.detach = Some(file.boolean(value)?),
        }
    }
    file.hides_what_it_says(table)?;
    Ok(config)
}

fn isolation(file: &File<'_>, value: &At<'_>) -> Result<Box<str>> {
    match value.get_ref() {
        DeValue::String(word) if ISOLATION.contains(&&**word) => Ok(word.as_ref().into()),
        _ => Err(file.misfit(value, "`auto`, `landlock`, `bubblewrap` or `off`")),
    }
}

fn variables(file: &File<'_>, value: &At<'_>) -> Result<Vec<Box<str>>> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    each(file, value, |name| {
        let fits = !name.is_empty()
            && name.bytes().all(plain)
            && !name.starts_with(|first: char| first.is_ascii_digit());
        fits.then(|| name.into())
            .ok_or("the name of an environment variable")
    })
}

fn paths(file: &File<'_>, value: &At<'_>) -> Result<Vec<PathBuf>> {
    each(file, value, |path| {
        let path = Path::new(path);
        let fits = path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0);
        fits.then(|| path.to_owned()).ok_or("an absolute path")
    })
}

/// A list of texts that all have to be something.
fn each<T>(
    file: &File<'_>,
    value: &At<'_>,
    read: impl Fn(&str) -> std::result::Result<T, &'static str>,
) -> Result<Vec<T>> {
    let DeValue::Array(items) = value.get_ref() else {
        return Err(file.misfit(value, "a list"));
    };
    let one = |item: &At<'_>| {
        let text = file.string(item, "a text in quotes")?;
        read(text).map_err(|expected| file.misfit(item, expected))
    };
    items.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    #[test]
    fn what_is_said_of_commands_is_read() {
        let config = Config::parse(
            "hermes.toml",
            "[terminal]\nisolation = \"landlock\"\nenv_passthrough = [\"CI\", \"_X9\"]\nwritable = [\"/srv/cache\"]\n\
             readable = [\"/home/dev/.docker\"]\nhidden = [\"/srv/key\"]\ndetach = false\n",
        );
        let expected = TerminalConfig {
            isolation: Some("landlock".into()),
            env_passthrough: vec!["CI".into(), "_X9".into()],
            writable: vec!["/srv/cache".into()],
            readable: vec!["/home/dev/.docker".into()],
            hidden: vec!["/srv/key".into()],
            detach: Some(false),
        };
        assert_eq!(*config.unwrap().terminal(), expected);
        let config = Config::parse("hermes.toml", "").unwrap();
        assert_eq!(*config.terminal(), TerminalConfig::default());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (line, error) in [
            (
                "isolation = false",
                "2:13: expected `auto`, `landlock`, `bubblewrap` or `off`, found `false`",
            ),
            (
                "isolation = \"none\"",
                "2:13: expected `auto`, `landlock`, `bubblewrap` or `off`, found `none`",
            ),
            (
                "isolaton = \"off\"",
                "2:1: expected the key `isolation`, found `isolaton`",
            ),
            (
                "env_passthrough = [\"A=B\"]",
                "2:20: expected the name of an environment variable, found `A=B`",
            ),
            (
                "env_passthrough = [\"A\", \"1A\"]",
                "2:25: expected the name of an environment variable, found `1A`",
            ),
            (
                "writable = [\"cache\"]",
                "2:13: expected an absolute path, found `cache`",
            ),
            ("hidden = \"/a\"", "2:10: expected a list, found `/a`"),
            (
                "hidden = [\"/a\"]\nisolation = \"off\"",
                "3:13: expected another word than `off` beside `hidden`, since nothing is hidden without isolation, \
                 found `off`",
            ),
            (
                "readable = [\"/b\", \"/a/b\"]\nhidden = [\"/a\"]",
                "2:19: expected a path that is not below `/a`, which is `hidden`, found `/a/b`",
            ),
            (
                "hidden = [\"/a/\"]\nwritable = [\"/a\"]",
                "3:13: expected a path that is not below `/a/`, which is `hidden`, found `/a`",
            ),
            (
                "hidden = [\"/x/./z/..\"]\nwritable = [\"/x/y\"]",
                "3:13: expected a path that is not below `/x/./z/..`, which is `hidden`, found `/x/y`",
            ),
            (
                "hidden = [\"/x\"]\nreadable = [\"/../w/../x/./y\"]",
                "3:13: expected a path that is not below `/x`, which is `hidden`, found `/../w/../x/./y`",
            ),
            (
                "detach = 1",
                "2:10: expected `true` or `false`, found the number 1",
            ),
        ] {
            let found = Config::parse("hermes.toml", &format!("[terminal]\n{line}\n"));
            assert_eq!(
                found.unwrap_err().to_string(),
                format!("hermes.toml:{error}")
            );
        }
    }
}
