//! What a newcomer does with the README alone: its crates are built outside the workspace, by path
//! dependency, and the application prints what the README says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

#[test]
fn the_crates_of_the_readme_build_outside_the_workspace_and_print_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("a root");
    let readme = fs::read_to_string(root.join("README.md")).expect("a README");
    let rust = blocks(&readme, "rust");
    let toml = blocks(&readme, "toml");
    let text = blocks(&readme, "text");
    let place = TempDir::new().expect("a folder");
    // The README stands beside a checkout; this one may be anywhere.
    let manifest = |name: &str, dependencies: &str| {
        let dependencies = dependencies.replace(
            "../hermes-tools/hermes-tools",
            &format!("{}/hermes-tools", root.display()),
        );
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{dependencies}"
        )
    };
    write(
        &place.path().join("dice/Cargo.toml"),
        &manifest("dice", toml[0]),
    );
    write(&place.path().join("dice/src/lib.rs"), rust[0]);
    write(
        &place.path().join("app/Cargo.toml"),
        &manifest("app", toml[1]),
    );
    write(&place.path().join("app/src/main.rs"), rust[1]);
    // The versions of the workspace, so that the test needs nothing that was not fetched already.
    fs::copy(root.join("Cargo.lock"), place.path().join("app/Cargo.lock")).expect("a lock file");

    let output = Command::new(env!("CARGO"))
        .current_dir(place.path().join("app"))
        .args(["run", "--quiet", "--target-dir"])
        .arg(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("linking"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), text[0]);
}

/// The contents of all code blocks of a language.
fn blocks<'t>(markdown: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("```{language}\n");
    markdown
        .split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
    fs::write(path, text).expect("a new file");
}
