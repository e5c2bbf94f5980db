//! What the name of a file says of its contents.

/// What a file is by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// Text, as far as the name tells.
    Text,
    /// A picture of this media type, which a model may look at.
    Picture(&'static str),
    /// A notebook.
    Notebook,
    /// A sheet of cells.
    Sheet,
    /// A document of a word processor.
    Document,
    /// No text, whatever stands in it.
    Binary,
}

/// Pictures that models take.
const PICTURES: &[(&str, &str)] = &[
    ("gif", "image/gif"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("png", "image/png"),
    ("webp", "image/webp"),
];

/// Endings of files that are never text, sorted. PDF is not here: what has that ending and is text is
/// shown, and what is a PDF is told by its first bytes. SVG is text.
const BINARY: &[&str] = &[
    "3gp", "7z", "a", "aac", "ai", "aiff", "apk", "avi", "avif", "bin", "blend", "bmp", "bz2",
    "cab", "class", "cr2", "cur", "dat", "data", "db", "db3", "deb", "dex", "dll", "dmg", "doc",
    "docm", "dylib", "ear", "eot", "epub", "exe", "fbx", "flac", "flv", "gz", "heic", "heif",
    "icns", "ico", "img", "iso", "jar", "jxl", "ko", "lib", "lockb", "lz", "lz4", "lzma", "m4a",
    "m4v", "mdb", "mid", "midi", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "nef", "node",
    "o", "odg", "odp", "ods", "odt", "ogg", "ogv", "opus", "otf", "parquet", "pdb", "pkg", "ppt",
    "pptm", "pptx", "psd", "pyc", "pyd", "pyo", "rar", "rlib", "rpm", "sketch", "so", "sqlite",
    "sqlite3", "swf", "tar", "tgz", "tif", "tiff", "ttc", "ttf", "war", "wasm", "wav", "wma",
    "wmv", "woff", "woff2", "xd", "xls", "xlsb", "xlsm", "xz", "z", "zip", "zst",
];

/// What a file is by the ending of its name, in any case. A name like `.gz` has no ending.
pub(super) fn by_name(path: &str) -> Named {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending.to_ascii_lowercase(),
        _ => return Named::Text,
    };
    if let Some((_, media_type)) = PICTURES.iter().find(|(known, _)| *known == ending) {
        return Named::Picture(media_type);
    }
    match &*ending {
        "ipynb" => Named::Notebook,
        "xlsx" => Named::Sheet,
        "docx" => Named::Document,
        ending if BINARY.binary_search(&ending).is_ok() => Named::Binary,
        _ => Named::Text,
    }
}

/// Whether the first bytes of a file are those of a picture of this type.
pub(super) fn is_picture(media_type: &str, head: &[u8]) -> bool {
    match media_type {
        "image/png" => head.starts_with(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" => head.starts_with(b"\xff\xd8\xff"),
        "image/gif" => head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a"),
        "image/webp" => head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(BINARY.is_sorted());
    }

    #[test]
    fn endings_say_what_a_file_is() {
        assert_eq!(by_name("src/main.rs"), Named::Text);
        assert_eq!(by_name("d/F.JPG"), Named::Picture("image/jpeg"));
        assert_eq!(by_name("a.tar.gz"), Named::Binary);
        assert_eq!(by_name("pack.zip/readme"), Named::Text);
        assert_eq!(by_name(".gz"), Named::Text);
        assert_eq!(by_name("a.pdf"), Named::Text);
        assert_eq!(by_name("a.svg"), Named::Text);
        assert_eq!(by_name("n.ipynb"), Named::Notebook);
    }

    #[test]
    fn a_picture_is_one_by_its_first_bytes() {
        assert!(is_picture("image/png", b"\x89PNG\r\n\x1a\n..."));
        assert!(is_picture("image/webp", b"RIFF\0\0\0\0WEBPVP8 "));
        assert!(!is_picture("image/png", b"text really\n"));
    }
}
