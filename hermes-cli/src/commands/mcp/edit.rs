//! Writing servers into the configuration, and taking them out, its comments kept.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use hermes_mcp::ServerSpec;
use hermes_toolsets::Config;
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::look;
use crate::cli::Ended;
use crate::error::CliError;
use crate::exit::Exit;
use crate::servers;
use crate::terminal;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Add {
    /// Name of the server
    name: String,

    /// Address of a server that runs already
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,

    /// Header of every request to the address, such as `Authorization=Bearer ${TOKEN}` (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair, requires = "url")]
    header: Vec<(String, String)>,

    /// Variable of the environment of the command (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair, conflicts_with = "url")]
    env: Vec<(String, String)>,

    /// Take only this tool (repeatable)
    #[arg(long, value_name = "TOOL")]
    include: Vec<String>,

    /// Take all tools but this one (repeatable)
    #[arg(long, value_name = "TOOL")]
    exclude: Vec<String>,

    /// Write it down without starting it
    #[arg(long)]
    untested: bool,

    /// Configuration file [default: `$HERMES_CONFIG`, or `hermes/hermes.toml` in the user's folder for configuration]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,

    /// Command that starts the server, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Name of the server
    name: String,

    /// Configuration file [default: `$HERMES_CONFIG`, or `hermes/hermes.toml` in the user's folder for configuration]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  hermes mcp add notes -- notes-server --folder ~/notes
  hermes mcp add issues --url https://mcp.example.org/mcp --header 'Authorization=Bearer ${ISSUES_TOKEN}'";

impl Add {
    pub(super) fn run(self, json: bool) -> Ended {
        if self.url.is_none() && self.command.is_empty() {
            return Err(CliError::Argument {
                problem: format!(
                    "the server `{}` has neither a command nor an address",
                    self.name
                ),
                help: "write `hermes mcp add NAME -- COMMAND`, or `hermes mcp add NAME --url URL`",
            });
        }
        let (path, mut document) = open(self.config.as_deref())?;
        // What can be read of the name and the address is read before anything is written.
        match (&self.url, self.command.first()) {
            (Some(url), _) => ServerSpec::remote(&self.name, url)?,
            (None, command) => ServerSpec::new(&self.name, command.cloned().unwrap_or_default())?,
        };
        let servers = servers_of(&mut document, &path)?;
        if servers.contains_key(&self.name) {
            return Err(CliError::Argument {
                problem: format!(
                    "there is a server `{}` in `{}` already",
                    self.name,
                    path.display()
                ),
                help: "take another name, or remove it with `hermes mcp remove` first",
            });
        }
        servers.insert(&self.name, Item::Table(self.entry()));
        let text = document.to_string();
        let config = Config::parse(&path.display().to_string(), &text)?;
        let written = servers::written(&config, &[], None)?;
        let one = written.into_iter().find(|it| it.spec.name() == self.name);
        write(&path, &text)?;
        if !json {
            terminal::report_note(&format!(
                "`{}` stands in `{}` now",
                self.name,
                path.display()
            ));
        }
        match one {
            Some(one) if !self.untested => {
                let help = self.taken_out();
                look::show(&[one], None, true, json, Some(&help))
            }
            _ => {
                if json {
                    terminal::print("{\"ok\":true,\"servers\":[]}")?;
                }
                Ok(Exit::Success)
            }
        }
    }

    /// How what was written is taken out again.
    fn taken_out(&self) -> String {
        let name = &self.name;
        let config = match &self.config {
            Some(path) => format!(" --config {}", path.display()),
            None => String::new(),
        };
        format!("the entry stays all the same; `hermes mcp remove {name}{config}` takes it out")
    }

    fn entry(&self) -> Table {
        let mut table = Table::new();
        if let Some(url) = &self.url {
            table["url"] = value(url);
        } else {
            let mut words = self.command.iter();
            table["command"] = value(words.next().cloned().unwrap_or_default());
            if self.command.len() > 1 {
                table["args"] = value(words.collect::<Array>());
            }
        }
        for (key, pairs) in [("headers", &self.header), ("env", &self.env)] {
            if !pairs.is_empty() {
                let pairs: BTreeMap<&String, &String> = pairs.iter().map(|(k, v)| (k, v)).collect();
                let mut inline = toml_edit::InlineTable::new();
                for (name, text) in pairs {
                    inline.insert(name, Value::from(text.as_str()));
                }
                table[key] = value(inline);
            }
        }
        for (key, names) in [("include", &self.include), ("exclude", &self.exclude)] {
            if !names.is_empty() {
                table[key] = value(names.iter().collect::<Array>());
            }
        }
        table
    }
}

impl Remove {
    pub(super) fn run(self, json: bool) -> Ended {
        let (path, mut document) = open(self.config.as_deref())?;
        let origin = origin_of(&self.name, &path, &document);
        let servers = servers_of(&mut document, &path)?;
        let known = servers.iter().map(|(name, _)| name.to_owned()).collect();
        if servers.remove(&self.name).is_none() {
            return Err(CliError::UnknownServer {
                name: self.name,
                known,
            });
        }
        write(&path, &document.to_string())?;
        if let (Some(pins), Some(origin)) = (servers::pins(), origin) {
            // What was approved of it counts for nothing any more, and may be left where it cannot be changed.
            // Another server of the name, in a workspace, keeps what was approved of it.
            let _ = pins.forget(&self.name, &origin);
        }
        if json {
            terminal::print("{\"ok\":true}")?;
        } else {
            terminal::report_note(&format!(
                "`{}` stands in `{}` no more",
                self.name,
                path.display()
            ));
        }
        Ok(Exit::Success)
    }
}

/// The configuration as a text that can be changed; an empty one where there is no file yet.
fn open(named: Option<&Path>) -> Result<(PathBuf, DocumentMut), CliError> {
    let path = named.map(Path::to_owned).or_else(servers::config_place);
    let Some(path) = path else {
        return Err(CliError::Argument {
            problem: "no configuration file is known".to_owned(),
            help: "name one with `--config FILE`",
        });
    };
    // A named pipe would wait for someone to write.
    if fs::metadata(&path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        return Err(unwritable(&path, io::Error::other("it is no regular file")));
    }
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(source) => return Err(unwritable(&path, source)),
    };
    // The reader of the configuration says better what is wrong with it.
    Config::parse(&path.display().to_string(), &text)?;
    let document = text.parse::<DocumentMut>();
    let document = document.map_err(|error| unwritable(&path, io::Error::other(error)))?;
    Ok((path, document))
}

/// Where a server comes from that is written down here, as far as that can be read.
fn origin_of(name: &str, path: &Path, document: &DocumentMut) -> Option<String> {
    let config = Config::parse(&path.display().to_string(), &document.to_string()).ok()?;
    let written = servers::written(&config, &[], None).ok()?;
    let mut named = written.iter().filter(|it| it.spec.name() == name);
    named.next().map(|it| it.spec.origin())
}

/// The table of servers, made where there is none.
fn servers_of<'d>(
    document: &'d mut DocumentMut,
    path: &Path,
) -> Result<&'d mut dyn toml_edit::TableLike, CliError> {
    let wrong = || {
        unwritable(
            path,
            io::Error::other("`mcp.servers` is written in a form that cannot be added to"),
        )
    };
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let mcp = document
        .entry("mcp")
        .or_insert(Item::Table(implicit.clone()));
    let mcp = mcp.as_table_like_mut().ok_or_else(wrong)?;
    let servers = mcp.entry("servers").or_insert(Item::Table(implicit));
    servers.as_table_like_mut().ok_or_else(wrong)
}

/// Writes the file whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let written = || -> io::Result<()> {
        // Where the file is a link, what it leads to is replaced, and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = path.with_file_name(name);
        fs::write(&new, text)?;
        if let Ok(old) = fs::metadata(&path) {
            fs::set_permissions(&new, old.permissions())?;
        }
        fs::rename(&new, &path)
    };
    written().map_err(|source| unwritable(path, source))
}

fn unwritable(path: &Path, source: io::Error) -> CliError {
    CliError::Input {
        name: format!("or change `{}`", path.display()),
        source,
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected `NAME=VALUE`".to_owned()),
    }
}
