//! Makes the functions of published crates into tools, in copies of their sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::{Item, Visibility};

/// A tool that was made: its name, the file relative to the copies, the line.
pub(crate) type Made = (String, String, usize);

/// Copies of crates, and the tools that were made in them.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub(crate) tools: BTreeSet<Made>,
    /// Files of Rust in the copies.
    pub(crate) files: usize,
    /// Names that were given, by crate, file, module and function.
    names: BTreeMap<String, String>,
}

/// The ways in which the attribute is written in turn. `NAME` stands for the name. The fourth has another
/// name for it, which some file has to bring.
const SPELLINGS: [&str; 5] = [
    "#[tool(toolset = \"many\", name = \"NAME\", effect = \"read\")] ",
    "#[hermes_tools::tool(name = \"NAME\", toolset = \"many\", effect = \"read\")] ",
    "#[::hermes_tools::tool(effect = \"read\", toolset = r\"many\", name = \"NAME\",)] ",
    "#[made_tool(toolset = \"many\", name = \"NAME\", effect = \"read\")] ",
    "#[cfg_attr(not(any()), cfg_attr(all(), tool(toolset = \"many\", name = \"NAME\", effect = \"read\")))] ",
];

impl Copies {
    /// Copies the Rust sources of a crate below `to`, with each function of a module made into a tool.
    pub(crate) fn add(&mut self, from: &Path, to: &Path, root: &Path) {
        for path in sources(from) {
            let target = to.join(path.strip_prefix(from).unwrap());
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            let Ok(text) = std::fs::read_to_string(&path) else {
                std::fs::copy(&path, &target).unwrap();
                continue;
            };
            let shown = target.strip_prefix(root).unwrap().to_string_lossy();
            std::fs::write(&target, self.with_tools(&text, &shown)).unwrap();
            self.files += 1;
        }
    }

    fn with_tools(&mut self, text: &str, file: &str) -> String {
        // The parser takes these off and counts from behind them.
        if text.starts_with('\u{feff}') || text.starts_with("#!") && !text.starts_with("#![") {
            return text.to_owned();
        }
        let Ok(tree) = syn::parse_file(text) else {
            return text.to_owned();
        };
        let mut functions = Vec::new();
        functions_of(&tree.items, "", &mut functions);
        proc_macro2::extra::invalidate_current_thread_spans();
        let mut changed = String::new();
        let mut end = 0;
        for (at, path) in functions {
            let count = self.names.len();
            // Functions of one name in one module are for different systems, and so are the tools.
            let name = self.names.entry(format!("{file} {path}"));
            let name = name.or_insert_with(|| format!("made_{count}"));
            changed.push_str(&text[end..at]);
            let spelling = SPELLINGS[self.tools.len() % SPELLINGS.len()];
            changed.push_str(&spelling.replace("NAME", name));
            let line = text[..at].matches('\n').count() + 1;
            self.tools.insert((name.clone(), file.to_owned(), line));
            end = at;
        }
        changed + &text[end..]
    }
}

/// Where the functions begin, behind their attributes, and their paths in the file.
fn functions_of(items: &[Item], module: &str, found: &mut Vec<(usize, String)>) {
    for item in items {
        match item {
            Item::Fn(function) => {
                let span = match &function.vis {
                    Visibility::Inherited => function.sig.span(),
                    visibility => visibility.span(),
                };
                let path = format!("{module}::{}", function.sig.ident);
                found.push((span.byte_range().start, path));
            }
            Item::Mod(inner) => {
                let items = inner.content.as_ref().map(|(_, items)| items.as_slice());
                let module = format!("{module}::{}", inner.ident);
                functions_of(items.unwrap_or_default(), &module, found);
            }
            _ => {}
        }
    }
}

/// The files of a crate that are Rust, or that Rust may include.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file()
                && path
                    .extension()
                    .is_some_and(|end| end == "rs" || end == "in")
            {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}
