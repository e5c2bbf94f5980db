//! A confined workspace: what is inside can be used, nothing leads out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use hermes_tools::workspace::{Confined, PathKind, WorkspacePath};
use hermes_tools::{ErrorKind, ToolError, Workspace};
use tempfile::TempDir;

/// A folder `ws` with a neighbour `outside` that holds a secret.
struct Place {
    base: TempDir,
    workspace: Workspace,
}

impl Place {
    fn new() -> Self {
        let base = TempDir::new().unwrap();
        fs::create_dir(base.path().join("ws")).unwrap();
        fs::create_dir(base.path().join("outside")).unwrap();
        fs::write(base.path().join("outside/secret"), "secret").unwrap();
        let workspace = Workspace::new(Confined::open(base.path().join("ws")).unwrap());
        Self { base, workspace }
    }

    fn inside(&self, path: &str) -> std::path::PathBuf {
        self.base.path().join("ws").join(path)
    }

    fn resolve(&self, path: &str) -> Result<WorkspacePath, ToolError> {
        self.workspace.resolve(path)
    }

    fn read(&self, path: &str) -> Result<String, ToolError> {
        let mut text = String::new();
        self.resolve(path)?
            .open()?
            .read_to_string(&mut text)
            .map_err(|error| ToolError::failed(error.to_string()))?;
        Ok(text)
    }

    /// The kind of the error that both reading and writing end in.
    fn refusal(&self, path: &str) -> ErrorKind {
        let read = self.read(path).unwrap_err().kind();
        let written = self
            .resolve(path)
            .and_then(|path| path.replace(b"x"))
            .unwrap_err()
            .kind();
        assert_eq!(read, written, "{path}");
        read
    }
}

#[test]
fn files_are_found_by_relative_and_absolute_paths_and_through_links_that_stay_inside() {
    let place = Place::new();
    fs::create_dir_all(place.inside("a/b")).unwrap();
    fs::write(place.inside("a/b/file"), "text").unwrap();
    symlink("a/b", place.inside("folder")).unwrap();
    symlink("../a/b/file", place.inside("a/link")).unwrap();
    let absolute = place.workspace.root().join("a/b/file");
    for path in [
        "a/b/file",
        "./a//b/file",
        "a/b/../b/file",
        "folder/file",
        "folder/../b/file",
        "a/link",
        absolute.to_str().unwrap(),
    ] {
        assert_eq!(place.read(path).unwrap(), "text", "{path}");
    }
    assert_eq!(place.resolve("a/link").unwrap().display(), "a/b/file");
    assert_eq!(place.resolve("").unwrap().display(), ".");
    assert_eq!(
        place.resolve(".").unwrap().facts().unwrap().kind,
        PathKind::Directory
    );
}

#[test]
fn absolute_paths_may_name_the_root_as_the_user_did() {
    let place = Place::new();
    fs::write(place.inside("file"), "text").unwrap();
    let alias = place.base.path().join("alias");
    symlink("ws", &alias).unwrap();
    let workspace = Workspace::new(Confined::open(&alias).unwrap());
    for path in [
        alias.join("file"),
        place.inside("file").canonicalize().unwrap(),
    ] {
        assert_eq!(
            workspace.resolve(path.to_str().unwrap()).unwrap().display(),
            "file"
        );
    }
}

#[test]
fn nothing_leads_out() {
    let place = Place::new();
    let outside = place.base.path().join("outside");
    symlink("../outside", place.inside("folder")).unwrap();
    symlink("../outside/secret", place.inside("link")).unwrap();
    symlink("../outside/new", place.inside("dangling")).unwrap();
    symlink(outside.join("secret"), place.inside("absolute")).unwrap();
    symlink("folder", place.inside("twice")).unwrap();
    fs::create_dir(place.inside("a")).unwrap();
    let secret = outside.join("secret");
    for path in [
        "../outside/secret",
        "a/../../outside/secret",
        "folder/secret",
        "folder/new",
        "link",
        "dangling",
        "absolute",
        "twice/secret",
        "missing/../../outside/x",
        "/etc/passwd",
        "~",
        "~/x",
        "~/../outside/x",
        "..",
        secret.to_str().unwrap(),
    ] {
        assert_eq!(place.refusal(path), ErrorKind::OutsideWorkspace, "{path}");
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[test]
fn what_is_no_file_is_refused_by_its_kind() {
    let place = Place::new();
    fs::create_dir(place.inside("folder")).unwrap();
    fs::write(place.inside("file"), "").unwrap();
    symlink("b", place.inside("a")).unwrap();
    symlink("a", place.inside("b")).unwrap();
    let pipe = place.inside("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(place.refusal("folder"), ErrorKind::IsDirectory);
    assert_eq!(place.refusal("folder/"), ErrorKind::IsDirectory);
    let new_folder = place.resolve("new/").and_then(|path| path.replace(b"x"));
    assert_eq!(new_folder.unwrap_err().kind(), ErrorKind::IsDirectory);
    assert_eq!(place.refusal("pipe"), ErrorKind::NotRegular);
    assert_eq!(place.refusal("file/x"), ErrorKind::NotADirectory);
    assert_eq!(place.refusal("a"), ErrorKind::BadPath);
    assert_eq!(place.refusal("x\0y"), ErrorKind::BadPath);
    assert_eq!(place.refusal(&"x".repeat(5_000)), ErrorKind::BadPath);
}

#[test]
fn a_missing_file_names_similar_ones() {
    let place = Place::new();
    fs::create_dir(place.inside("src")).unwrap();
    fs::write(place.inside("src/main.rs"), "").unwrap();
    let error = place.read("src/mian.rs").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no such file: `src/mian.rs`; did you mean `src/main.rs`?"
    );
    let error = place.read("nowhere/x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no such file: `nowhere/x`; look for it with `search_files`, target `files`"
    );
}

#[test]
fn a_file_is_replaced_at_one_stroke_with_its_mode_and_its_links() {
    let place = Place::new();
    fs::write(place.inside("script"), "old").unwrap();
    fs::set_permissions(place.inside("script"), fs::Permissions::from_mode(0o751)).unwrap();
    symlink("script", place.inside("link")).unwrap();
    let before = fs::metadata(place.inside("script")).unwrap().ino();
    let replaced = place.resolve("link").unwrap().replace(b"new").unwrap();
    assert!(!replaced.created);
    let after = fs::metadata(place.inside("script")).unwrap();
    assert_eq!(fs::read(place.inside("script")).unwrap(), b"new");
    assert_eq!(after.permissions().mode() & 0o777, 0o751);
    assert_ne!(after.ino(), before);
    assert!(
        fs::symlink_metadata(place.inside("link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(names(&place.inside("")), ["link", "script"]);
}

#[test]
fn missing_folders_are_made() {
    let place = Place::new();
    let replaced = place
        .resolve("a/b/c.txt")
        .unwrap()
        .replace(b"text")
        .unwrap();
    assert!(replaced.created);
    assert_eq!(place.read("a/b/c.txt").unwrap(), "text");
    let mode = fs::metadata(place.inside("a/b/c.txt"))
        .unwrap()
        .permissions()
        .mode()
        & 0o777;
    // As any program would make it: readable and writable, less what the umask takes.
    fs::write(place.inside("plain"), "").unwrap();
    let plain = fs::metadata(place.inside("plain"))
        .unwrap()
        .permissions()
        .mode()
        & 0o777;
    assert_eq!(mode, plain);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
