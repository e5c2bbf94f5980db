//! Names that are nearly right.

/// The candidate nearest to a name, when it is near enough to be meant.
///
/// Case and separators do not count; beyond them a third of the letters may differ. Of equally near
/// candidates the first in alphabetical order is taken.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    alike(name, candidates)
        .min()
        .map(|(_, candidate)| candidate)
}

/// At most three candidates that are near a name, the nearest first.
pub fn near<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    let mut ranked: Vec<(usize, &str)> = alike(name, candidates).collect();
    ranked.sort_unstable();
    ranked.truncate(3);
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Names in their order, each with its place among them; equal ones in the order of their places.
///
/// Everything that sorts by names does so here: a sort of a type of its own is some kilobytes of code.
pub(crate) fn sorted<'n>(names: impl Iterator<Item = &'n str>) -> Vec<(&'n str, usize)> {
    let mut sorted: Vec<(&str, usize)> = names.zip(0..).collect();
    sorted.sort_unstable();
    sorted
}

/// A name without case and separators: `readFile`, `read-file` and `READ_FILE` fold to one.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        let mut folded = name.to_owned();
        folded.retain(|character| !matches!(character, '_' | '-' | ' ' | '.'));
        folded.make_ascii_lowercase();
        return folded;
    }
    name.chars()
        .filter(|character| !matches!(character, '_' | '-' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The tool that a model means by a name that is none: the only one that is left when case,
/// separators, a `_tool` suffix, the prefix of a name space (`functions.`), special tokens of a chat
/// template behind the name, and the doubling of the whole name are taken off.
pub fn meant<'c>(name: &str, tools: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // No provider takes names of more than 64 characters; twice that, and what is around it.
    if name.len() > 256 {
        return None;
    }
    let wanted = bare(name.split("<|").next().unwrap_or(name));
    let tail = name
        .split("<|")
        .next()
        .and_then(|name| name.trim().rsplit_once(['.', ':', '/']));
    let tail = tail.map(|(_, tail)| bare(tail));
    let half = wanted
        .get(..wanted.len() / 2)
        .filter(|half| wanted[half.len()..] == **half);
    let mut whole = None;
    let mut part = None;
    let (mut wholes, mut parts) = (0, 0);
    for tool in tools {
        let folded = bare(tool);
        if folded == wanted {
            whole = Some(tool);
            wholes += 1;
        } else if Some(&*folded) == half || Some(&folded) == tail.as_ref() {
            part = Some(tool);
            parts += 1;
        }
    }
    match (wholes, parts) {
        (1, _) => whole,
        (0, 1) => part,
        _ => None,
    }
}

/// A name without case, separators and `tool` at its end.
fn bare(name: &str) -> String {
    let mut folded = fold(name);
    while let Some(rest) = folded.strip_suffix("tool").filter(|rest| !rest.is_empty()) {
        folded.truncate(rest.len());
    }
    folded
}

/// The candidates that are near a name, each with its distance.
fn alike<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> impl Iterator<Item = (usize, &'c str)> {
    // A name of hundreds of characters is no slip of the pen, and the distance is quadratic.
    let folded = (name.len() <= 128).then(|| fold(name));
    let candidates = candidates.into_iter();
    candidates.filter_map(move |candidate| {
        let distance = distance_within(folded.as_deref()?, candidate)?;
        Some((distance, candidate))
    })
}

/// The distance of a candidate from a folded name, if that is near.
fn distance_within(folded: &str, candidate: &str) -> Option<usize> {
    let allowed = (folded.chars().count() / 3).max(1);
    let distance = distance(folded, &fold(candidate));
    (distance <= allowed).then_some(distance)
}

fn distance(a: &str, b: &str) -> usize {
    // One name that begins with the other (`search` for `search_files`) is near, whatever follows.
    if a.len() >= 4 && b.len() >= 4 && (a.starts_with(b) || b.starts_with(a)) {
        return 1;
    }
    strsim::osa_distance(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_something_around_it_means_the_only_tool_it_can() {
        let tools = ["read_file", "write_file", "web_search", "todo"];
        for name in [
            "read_fileread_file",
            "ReadFile_tool",
            "Read_File",
            "read-file",
            "functions.read_file",
            "read_file<|channel|>commentary",
            " read_file ",
        ] {
            assert_eq!(meant(name, tools), Some("read_file"), "{name}");
        }
        assert_eq!(meant("TodoTool_tool", tools), Some("todo"));
        for name in [
            "",
            "   ",
            "file",
            "read_filewrite_file",
            "<|x|>",
            "tool",
            ".",
        ] {
            assert_eq!(meant(name, tools), None, "{name}");
        }
        assert_eq!(meant("readfile", ["read_file", "read-file"]), None);
        assert_eq!(meant("a.read_file", ["read_file", "readFile"]), None);
    }

    #[test]
    fn slips_are_near_and_other_names_are_not() {
        let tools = ["read_file", "write_file", "search_files", "patch"];
        assert_eq!(nearest("raed_file", tools), Some("read_file"));
        assert_eq!(nearest("ReadFile", tools), Some("read_file"));
        assert_eq!(nearest("search", tools), Some("search_files"));
        assert_eq!(nearest("browser", tools), None);
        assert_eq!(nearest("", tools), None);
        assert_eq!(near("rite_file", tools), ["write_file"]);
    }
}
