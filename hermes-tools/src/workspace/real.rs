//! Where a path leads, for comparing paths alone. Nothing is opened by what is told here.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// How many links one path may lead through.
const MAX_LINKS: usize = 40;

/// An absolute path without `.`, `..` and links. Links are followed before a `..` behind them is
/// taken away; what does not exist stays as it is named. `link` tells what a path is a link to.
pub(crate) fn follow(path: &Path, link: impl Fn(&Path) -> Option<PathBuf>) -> PathBuf {
    let mut real = PathBuf::new();
    let mut parts: Vec<OsString> = reversed(path);
    let mut links = 0;
    while let Some(part) = parts.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                real.pop();
            }
            Some(Component::Normal(_)) => {
                real.push(&part);
                if links < MAX_LINKS
                    && let Some(target) = link(&real)
                {
                    links += 1;
                    real.pop();
                    parts.extend(reversed(&target));
                }
            }
            // The root and a drive replace what was before them.
            Some(Component::RootDir | Component::Prefix(_)) => real.push(&part),
            Some(Component::CurDir) | None => {}
        }
    }
    real
}

fn reversed(path: &Path) -> Vec<OsString> {
    path.components()
        .rev()
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_before_dots_are_taken_away() {
        let link = |path: &Path| match path.to_str()? {
            "/w/ln" => Some("far/deep".into()),
            "/w/abs" => Some("/w/far".into()),
            "/w/circle" => Some("circle".into()),
            _ => None,
        };
        for (path, real) in [
            ("/w/ln/../a", "/w/far/a"),
            ("/w/./abs/x/../a", "/w/far/a"),
            ("/w/new/b", "/w/new/b"),
            ("/../w/a", "/w/a"),
            ("/w/circle/a", "/w/circle/a"),
        ] {
            assert_eq!(follow(Path::new(path), link), Path::new(real), "{path}");
        }
    }
}
