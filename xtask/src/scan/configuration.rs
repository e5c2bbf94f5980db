//! Names of tools and toolsets in `hermes.toml` and the like.
//!
//! Whether the file is valid is the library's matter; here only names are taken out of it.

use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Configured, Found, Name, Position, Scan, Unit, Unparsed};
use crate::allow::{Language, comments};
use crate::workspace::{TargetKind, Workspace};

type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the files of these names in the workspace and in its members' folders.
pub(super) fn read(workspace: &Workspace, names: &[String], scan: &mut Scan) {
    let members = workspace.packages.iter().filter(|package| package.member);
    let mut folders: Vec<&Path> = members.map(|package| package.folder.as_path()).collect();
    folders.push(&workspace.root);
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        for name in names {
            let path = folder.join(name);
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            let file = workspace.display(&path);
            let mut reader = Reader {
                file: &file,
                text: &text,
                scan: &mut *scan,
            };
            match DeTable::parse(&text) {
                Ok(table) => reader.file(table.get_ref()),
                Err(error) => {
                    let at = error.span().map_or(0, |span| span.start);
                    let reason = error.message().trim().to_owned();
                    reader.broken(at, reason);
                }
            }
            let unit = unit(&file);
            for allow in comments(&text, &file, Language::Toml) {
                scan.allows.push(found(allow, &unit));
            }
        }
    }
}

struct Reader<'r> {
    file: &'r str,
    text: &'r str,
    scan: &'r mut Scan,
}

impl Reader<'_> {
    fn file(&mut self, file: &DeTable<'_>) {
        for (key, value) in file {
            match key.get_ref().as_ref() {
                "enabled" | "disabled" => self.list(value, true),
                "toolsets" => self.each(value, |reader, name, toolset| {
                    reader.scan.configured_toolsets.insert(name.to_owned());
                    for (key, value) in table(toolset) {
                        match key.get_ref().as_ref() {
                            "tools" | "lent" => reader.list(value, false),
                            "includes" => reader.list(value, true),
                            _ => {}
                        }
                    }
                }),
                "sources" => self.each(value, |reader, _, source| {
                    for (key, value) in table(source) {
                        if matches!(key.get_ref().as_ref(), "enabled" | "disabled") {
                            reader.list(value, true);
                        }
                    }
                }),
                "plugins" => {
                    for (_, entries) in table(value).filter(|(key, _)| key.get_ref() == "entries") {
                        self.each(entries, Self::plugin);
                    }
                }
                _ => {}
            }
        }
    }

    /// A plugin brings the toolset of its name, those that it lists, and those of its platforms.
    fn plugin(&mut self, name: &str, plugin: &Value<'_>) {
        let known = &mut self.scan.configured_toolsets;
        known.insert(name.to_owned());
        for (key, value) in table(plugin) {
            let prefix = match key.get_ref().as_ref() {
                "toolsets" => "",
                "platforms" => "hermes-",
                _ => continue,
            };
            known.extend(strings(value).map(|(name, _)| format!("{prefix}{name}")));
        }
    }

    fn each(&mut self, value: &Value<'_>, mut visit: impl FnMut(&mut Self, &str, &Value<'_>)) {
        for (key, value) in table(value) {
            visit(self, key.get_ref(), value);
        }
    }

    fn list(&mut self, value: &Value<'_>, toolset: bool) {
        for (text, at) in strings(value) {
            let name = Name {
                text: text.to_owned(),
                position: self.position(at),
            };
            self.scan.configured.push(Configured { name, toolset });
        }
    }

    fn broken(&mut self, at: usize, reason: String) {
        let unparsed = Unparsed {
            position: self.position(at),
            reason,
        };
        self.scan.unparsed.push(found(unparsed, &unit(self.file)));
    }

    fn position(&self, at: usize) -> Position {
        let before = self.text.get(..at).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

fn table<'v, 'i>(
    value: &'v Value<'i>,
) -> impl Iterator<Item = (&'v Spanned<toml::de::DeString<'i>>, &'v Value<'i>)> {
    let table = match value.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    };
    table.into_iter().flatten()
}

fn strings<'v>(value: &'v Value<'_>) -> impl Iterator<Item = (&'v str, usize)> {
    let items = match value.get_ref() {
        DeValue::Array(items) => Some(items),
        _ => None,
    };
    items
        .into_iter()
        .flat_map(|items| items.iter())
        .filter_map(|item| match item.get_ref() {
            DeValue::String(text) => Some((text.as_ref(), item.span().start)),
            _ => None,
        })
}

/// Something in a configuration file is found in no target: as if the file were a binary.
fn unit(file: &str) -> Arc<Unit> {
    Arc::new(Unit {
        package: String::new(),
        target: file.to_owned(),
        kind: TargetKind::Bin,
        member: true,
    })
}

fn found<T>(item: T, unit: &Arc<Unit>) -> Found<T> {
    Found {
        item,
        module: String::new(),
        cfg: Vec::new(),
        unit: Arc::clone(unit),
        only_in_tests: false,
    }
}
