//! Which parser judges a file.

use std::path::Path;

use super::{Problem, json, toml};

/// A language with a parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Json,
    #[cfg(feature = "lint-python")]
    Python,
    #[cfg(feature = "lint-rust")]
    Rust,
    Toml,
    #[cfg(feature = "lint-yaml")]
    Yaml,
}

impl Language {
    /// The language of a file by the end of its name. A name that is nothing but an end, such as
    /// `.json`, has none.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = Path::new(path);
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*end {
            "json" if has_comments(path) => None,
            "json" => Some(Self::Json),
            #[cfg(feature = "lint-python")]
            "py" | "pyi" => Some(Self::Python),
            #[cfg(feature = "lint-rust")]
            "rs" => Some(Self::Rust),
            "toml" => Some(Self::Toml),
            #[cfg(feature = "lint-yaml")]
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }

    /// The word for it in a result.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            #[cfg(feature = "lint-python")]
            Self::Python => "python",
            #[cfg(feature = "lint-rust")]
            Self::Rust => "rust",
            Self::Toml => "toml",
            #[cfg(feature = "lint-yaml")]
            Self::Yaml => "yaml",
        }
    }

    /// Where a text does not follow the grammar; none when it cannot be judged.
    pub(super) fn problems(self, text: &str) -> Option<Vec<Problem>> {
        match self {
            Self::Json => Some(json::problems(text)),
            #[cfg(feature = "lint-python")]
            Self::Python => super::python::problems(text),
            #[cfg(feature = "lint-rust")]
            Self::Rust => super::rust::problems(text),
            Self::Toml => toml::problems(text),
            #[cfg(feature = "lint-yaml")]
            Self::Yaml => super::yaml::problems(text),
        }
    }
}

/// Whether a file that ends in `.json` is one of those whose programs take comments and trailing
/// commas in it.
fn has_comments(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    name.starts_with("tsconfig")
        || name.starts_with("jsconfig")
        || name == "devcontainer.json"
        || folder == ".vscode"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_tells_the_language() {
        assert_eq!(Language::of("a/b.JSON"), Some(Language::Json));
        assert_eq!(Language::of("Cargo.toml"), Some(Language::Toml));
        for path in [
            ".json", "json", "a.jsonl", "a.json5", "a.txt", "d.json/a", "",
        ] {
            assert_eq!(Language::of(path), None, "{path}");
        }
    }

    #[test]
    fn json_with_comments_is_not_judged() {
        for path in [
            "tsconfig.json",
            "web/tsconfig.app.json",
            "jsconfig.json",
            ".devcontainer/devcontainer.json",
            ".vscode/settings.json",
            "a.jsonc",
        ] {
            assert_eq!(Language::of(path), None, "{path}");
        }
        assert_eq!(Language::of("my-tsconfig.json"), Some(Language::Json));
    }
}
