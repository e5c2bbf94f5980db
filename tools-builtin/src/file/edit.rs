//! The functions behind `patch`, on texts alone: for fuzzing and measuring them.

use std::ops::Range;

use hermes_tools::Cancel;

use super::diff::unified;
use super::replace;
use super::v4a::{self, Operation};

/// A text after a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The new text.
    pub text: String,
    /// How many passages were replaced.
    pub count: usize,
    /// How they were found.
    pub strategy: &'static str,
    /// The part of the old text that holds them all.
    pub changed: Range<usize>,
}

/// Replaces a passage, or all of them, as mode `replace` does.
///
/// # Errors
///
/// The refusal, in no form that is kept.
pub fn replace(text: &str, old: &str, new: &str, all: bool) -> Result<Replaced, String> {
    match replace::replace(text, old, new, all, &Cancel::never()) {
        Ok(replaced) => Ok(Replaced {
            text: replaced.text,
            count: replaced.count,
            strategy: replaced.strategy.as_str(),
            changed: replaced.changed,
        }),
        Err(refusal) => Err(format!("{refusal:?}")),
    }
}

/// Applies the operations of a patch to texts by their paths, each to what the ones before leave.
///
/// # Errors
///
/// The first refusal, in no form that is kept.
pub fn apply_patch(patch: &str, files: &mut Vec<(String, String)>) -> Result<(), String> {
    let patch = v4a::Patch::parse(patch).map_err(|error| error.to_string())?;
    for operation in &patch.operations {
        let at = |files: &[(String, String)], path: &str| {
            let place = files.iter().position(|(name, _)| name == path);
            place.ok_or_else(|| format!("no file {path}"))
        };
        match operation {
            Operation::Add { path, text } => files.push(((*path).to_owned(), text.clone())),
            Operation::Delete { path } => {
                let place = at(files, path)?;
                files.remove(place);
            }
            Operation::Move { path, to } => {
                let place = at(files, path)?;
                (*to).clone_into(&mut files[place].0);
            }
            Operation::Update {
                path,
                moved_to,
                hunks,
            } => {
                let place = at(files, path)?;
                let (text, _) = v4a::apply(&files[place].1, hunks, &Cancel::never())
                    .map_err(|misfit| format!("{misfit:?}"))?;
                files[place].1 = text;
                if let Some(to) = moved_to {
                    (*to).clone_into(&mut files[place].0);
                }
            }
        }
    }
    Ok(())
}

/// The unified diff that leads from one text to another.
pub fn diff(path: &str, old: &str, new: &str) -> String {
    unified(path, old, new)
}
