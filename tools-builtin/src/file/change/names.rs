//! What the name of a file says of what is in it.

use std::path::Path;

/// Ends of the names of files that are not meant as text, whatever is in them: pictures, sound, film,
/// archives, programs, documents of office programs, fonts, compiled code and databases.
const BINARY: &[&str] = &[
    // Pictures.
    "avif", "bmp", "gif", "heic", "heif", "icns", "ico", "jpeg", "jpg", "jxl", "png", "psd", "tif",
    "tiff", "webp", "xcf", // Sound and film.
    "aac", "aiff", "avi", "flac", "flv", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg",
    "ogg", "opus", "wav", "webm", "wma", "wmv", // Archives.
    "7z", "apk", "bz2", "cab", "deb", "dmg", "ear", "gz", "iso", "jar", "lz4", "rar", "rpm", "tar",
    "tgz", "war", "whl", "xz", "zip", "zst", // Programs and compiled code.
    "a", "bin", "class", "dll", "dylib", "exe", "lib", "msi", "o", "obj", "pyc", "pyd", "pyo",
    "rlib", "so", "wasm", // Documents, designs and fonts.
    "doc", "docx", "eot", "fig", "odp", "ods", "odt", "otf", "ppt", "pptx", "sketch", "ttc", "ttf",
    "woff", "woff2", "xls", "xlsb", "xlsx", // Data.
    "dat", "data", "db", "lockb", "mdb", "npy", "npz", "parquet", "pickle", "pkl", "sqlite",
    "sqlite3",
];

/// Whether a file is none of text by its name.
pub(super) fn is_binary(path: &str) -> bool {
    let end = Path::new(path).extension().and_then(|end| end.to_str());
    end.is_some_and(|end| BINARY.contains(&&*end.to_ascii_lowercase()))
}

/// Whether a file is one of settings that nobody shows, since they hold passwords and keys.
pub(in crate::file) fn is_private(path: &str) -> bool {
    let name = Path::new(path).file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    let stage = name.strip_prefix(".env.").map(|stage| {
        let (_, last) = stage.rsplit_once('.').unwrap_or(("", stage));
        last
    });
    matches!(&*name, ".env" | ".envrc")
        || matches!(
            stage,
            Some("local" | "development" | "production" | "staging" | "test")
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_no_text() {
        for path in ["a.dat", "d/b.PNG", "bun.lockb"] {
            assert!(is_binary(path), "{path}");
        }
        for path in ["a.txt", "dat", ".png", "a.svg", "a.dat/b", "Makefile"] {
            assert!(!is_binary(path), "{path}");
        }
    }

    #[test]
    fn settings_with_secrets_are_private() {
        for path in [".env", "d/.ENV.local", ".env.production.local", ".envrc"] {
            assert!(is_private(path), "{path}");
        }
        for path in [".env.example", "x.env", "env", ".environment"] {
            assert!(!is_private(path), "{path}");
        }
    }
}
