//! Packages on disk.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ways::Way;

/// Writes the package of one way, and returns its folder.
pub(crate) fn write(scratch: &Path, benches: &Path, way: &Way, tools: usize) -> PathBuf {
    let folder = scratch.join(way.folder);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let library = benches.join("../hermes-tools");
    let dependencies = way
        .dependencies
        .replace("HERMES", &library.display().to_string());
    let manifest = format!(
        "[workspace]\n[package]\nname = \"compiled\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\n{dependencies}\n[profile.release]\nstrip = true\n"
    );
    let put = |name: &str, text: &[u8]| fs::write(folder.join(name), text).expect("a file");
    put("Cargo.toml", manifest.as_bytes());
    let lock = fs::read(benches.join("Cargo.lock")).expect("a lock file");
    put("Cargo.lock", &lock);
    put("src/main.rs", source(way, tools).as_bytes());
    folder
}

fn source(way: &Way, tools: usize) -> String {
    let each = |template: &str| -> String {
        (0..tools)
            .map(|number| template.replace("NUMBER", &number.to_string()))
            .collect()
    };
    way.program
        .replace("EACH_TOOL;", &each(way.tool))
        .replace("EACH_ENTRY", &each(way.entry))
        .replace("COUNT", &tools.to_string())
}
