//! Values that are right each for itself and cannot both be meant.
//!
//! Whatever is done about such a pair would be less, or more, than somebody wrote; so nobody guesses.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::{At, File, Named, Result};

/// How many tools a search gives at most where nothing is said of it, as the settings have it.
const MOST_FOUND: u64 = 20;

impl File<'_> {
    /// A tool is not the only one that is taken of a server and one that is not taken, and nothing is said of
    /// what a tool does that is not taken.
    pub(super) fn takes_what_it_leaves(&self, table: &DeTable<'_>) -> Result<()> {
        let list = |key: &str| match table.get(key) {
            Some(value) => self.list(value),
            None => Ok(Vec::new()),
        };
        let (included, excluded) = (list("include")?, list("exclude")?);
        if let Some(effects) = table.get("effects") {
            for key in self.table(effects)?.keys() {
                let tool: &str = key.get_ref();
                let names = |list: &[Named]| list.iter().any(|it| &*it.name == tool);
                let expected = if names(&excluded) {
                    "a tool that `exclude` does not leave out"
                } else if !included.is_empty() && !names(&included) {
                    "a tool that `include` has, since no other is taken"
                } else {
                    continue;
                };
                return Err(self.error(key.span().start, expected, format!("`{tool}`")));
            }
        }
        for second in excluded {
            if included.iter().any(|it| it.name == second.name) {
                let expected = "a name that `include` does not have";
                return Err(self.error_at(second.at, expected, format!("`{}`", second.name)));
            }
        }
        Ok(())
    }

    /// Definitions cannot take more tokens than there are.
    pub(super) fn budget_fits(&self, table: &DeTable<'_>) -> Result<()> {
        let (Some(budget), Some(window)) =
            (table.get("definitions_budget"), table.get("context_window"))
        else {
            return Ok(());
        };
        let most = self.tokens(window)?;
        if self.tokens(budget)? > most {
            let expected = format!("at most the `context_window`, which is {most}");
            return Err(self.misfit(budget, &expected));
        }
        Ok(())
    }

    /// A search does not give more tools than the most that it gives.
    pub(super) fn limits_fit(&self, table: &DeTable<'_>) -> Result<()> {
        let Some(limit) = table.get("search_default_limit") else {
            return Ok(());
        };
        let (most, said) = match table.get("max_search_limit") {
            Some(most) => (self.whole(most, 1..=50)?, "is"),
            None => (MOST_FOUND, "is without being written"),
        };
        if self.whole(limit, 1..=50)? > most {
            let expected = format!("at most the `max_search_limit`, which {said} {most}");
            return Err(self.misfit(limit, &expected));
        }
        Ok(())
    }

    /// What a toolset lends is one of its tools.
    pub(super) fn lends_its_own(&self, lent: &[Named], tools: &[Named]) -> Result<()> {
        for lent in lent {
            if !tools.iter().any(|tool| tool.name == lent.name) {
                let expected = "a name that `tools` has, too, since only those are lent";
                return Err(self.error_at(lent.at, expected, format!("`{}`", lent.name)));
            }
        }
        Ok(())
    }

    /// No toolset of the file includes itself, by way of others of the file neither.
    pub(super) fn no_circles(&self, includes: &BTreeMap<&str, &[Named]>) -> Result<()> {
        for (name, own) in includes {
            for first in *own {
                if leads_to(&first.name, name, includes, &mut Vec::new()) {
                    let expected = format!("a toolset that does not include `{name}` itself");
                    return Err(self.error_at(first.at, &expected, format!("`{}`", first.name)));
                }
            }
        }
        Ok(())
    }

    /// What is hidden is neither read nor written, and is only hidden where commands are confined.
    pub(in crate::config) fn hides_what_it_says(&self, table: &DeTable<'_>) -> Result<()> {
        let Some(hidden) = table.get("hidden") else {
            return Ok(());
        };
        let hidden = texts(hidden);
        let off =
            |value: &&At<'_>| matches!(value.get_ref(), DeValue::String(word) if word == "off");
        if let Some(isolation) = table.get("isolation").filter(off)
            && !hidden.is_empty()
        {
            let expected = "another word than `off` beside `hidden`, since nothing is hidden without isolation";
            return Err(self.misfit(isolation, expected));
        }
        for key in ["readable", "writable"] {
            let open = table.get(key).into_iter().flat_map(items);
            for (item, path) in open {
                let plain = without_dots(path);
                let above = hidden.iter().find(|it| plain.starts_with(without_dots(it)));
                if let Some(above) = above {
                    let expected = format!("a path that is not below `{above}`, which is `hidden`");
                    return Err(self.misfit(item, &expected));
                }
            }
        }
        Ok(())
    }
}

/// An absolute path without `.` and `..`. No link is followed: what is written is compared, and the file may
/// be read on another machine.
fn without_dots(path: &str) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            // Above the root is the root.
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Whether a toolset of the file is another one or includes it.
fn leads_to<'n>(
    from: &'n str,
    to: &str,
    includes: &BTreeMap<&'n str, &'n [Named]>,
    seen: &mut Vec<&'n str>,
) -> bool {
    if from == to {
        return true;
    }
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    let own = includes.get(from).copied().unwrap_or_default();
    own.iter().any(|it| leads_to(&it.name, to, includes, seen))
}

/// The texts of a list, each with its place.
fn items<'v, 'i>(value: &'v At<'i>) -> Vec<(&'v At<'i>, &'v str)> {
    let DeValue::Array(items) = value.get_ref() else {
        return Vec::new();
    };
    let text = |item: &'v At<'i>| match item.get_ref() {
        DeValue::String(text) => Some((item, &**text)),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}

fn texts<'v>(value: &'v At<'_>) -> Vec<&'v str> {
    items(value).into_iter().map(|(_, text)| text).collect()
}
