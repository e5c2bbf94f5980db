//! A confined workspace: what is inside can be used, nothing leads out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod changes;

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
fn links_with_absolute_targets_inside_are_followed_below_the_root() {
    let place = Place::new();
    fs::create_dir_all(place.inside("a/b")).unwrap();
    fs::write(place.inside("a/b/file"), "text").unwrap();
    let root = place.workspace.root().to_owned();
    symlink(root.join("a/b/file"), place.inside("file")).unwrap();
    symlink(root.join("a"), place.inside("folder")).unwrap();
    symlink("folder", place.inside("twice")).unwrap();
    symlink(&root, place.inside("a/top")).unwrap();
    symlink(root.join("a/b/"), place.inside("slash")).unwrap();
    for path in [
        "file",
        "folder/b/file",
        "twice/b/file",
        "slash/file",
        "a/top/a/b/file",
        "folder/../a/b/file",
        "folder/top/twice/b/file",
    ] {
        assert_eq!(place.read(path).unwrap(), "text", "{path}");
        assert_eq!(place.resolve(path).unwrap().display(), "a/b/file", "{path}");
    }
    assert_eq!(place.resolve("a/top").unwrap().display(), ".");
    place
        .resolve("folder/new/x")
        .unwrap()
        .replace(b"new")
        .unwrap();
    assert_eq!(place.read("a/new/x").unwrap(), "new");
    symlink(root.join("../outside/secret"), place.inside("up")).unwrap();
    assert_eq!(place.refusal("up"), ErrorKind::OutsideWorkspace);
}

#[test]
fn a_link_that_leads_out_is_named() {
    let place = Place::new();
    let outside = place.base.path().join("outside");
    fs::create_dir(place.inside("d")).unwrap();
    symlink(&outside, place.inside("d/folder")).unwrap();
    symlink("../../outside/secret", place.inside("d/file")).unwrap();
    symlink("d/file", place.inside("twice")).unwrap();
    let help = format!(
        "use a path relative to `{}`",
        place.workspace.root().display()
    );
    for (path, link) in [
        ("d/folder/secret", "d/folder"),
        ("d/folder", "d/folder"),
        ("d/file", "d/file"),
        ("twice", "d/file"),
    ] {
        assert_eq!(
            place.read(path).unwrap_err().to_string(),
            format!("`{link}` is a link that leads out of the workspace; {help}"),
            "{path}"
        );
    }
    assert_eq!(
        place.read("d/../../x").unwrap_err().to_string(),
        format!("`d/../../x` is outside the workspace; {help}")
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
    assert_eq!(place.refusal(&"d/".repeat(2_100)), ErrorKind::BadPath);
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

/// What both reading and writing a path are refused with.
#[track_caller]
fn check_refused(place: &Place, path: &str, kind: ErrorKind, text: &str) {
    let written = place.resolve(path).and_then(|path| path.replace(b"x"));
    for error in [place.read(path).unwrap_err(), written.unwrap_err()] {
        assert_eq!((error.kind(), &*error.to_string()), (kind, text), "{path}");
    }
}

#[test]
fn a_path_does_not_go_up_from_a_folder_that_is_missing() {
    let place = Place::new();
    fs::create_dir(place.inside("a")).unwrap();
    for (path, missing) in [
        ("missing/../x", "missing"),
        ("a/b/c/../x", "a/b"),
        ("a/../b/../x", "b"),
    ] {
        check_refused(
            &place,
            path,
            ErrorKind::NotFound,
            &format!(
                "`{path}`: there is no folder `{missing}` to go up from; \
                 leave out the missing folder and the `..` behind it"
            ),
        );
    }
    assert_eq!(names(&place.inside("")), ["a"]);
    assert_eq!(names(&place.inside("a")), [""; 0]);
    let path = place.resolve("a/../b/x").unwrap();
    assert_eq!(path.display(), "b/x");
    path.replace(b"text").unwrap();
    assert_eq!(place.read("b/x").unwrap(), "text");
}

#[test]
fn a_link_to_nothing_is_told_and_may_be_written_through() {
    let place = Place::new();
    symlink("dangling", place.inside("dang")).unwrap();
    symlink("dang", place.inside("dangl")).unwrap();
    symlink("gone/x", place.inside("far")).unwrap();
    for (path, target) in [
        ("dang", "dangling"),
        ("dangl", "dangling"),
        ("far", "gone/x"),
    ] {
        assert_eq!(
            place.read(path).unwrap_err().to_string(),
            format!(
                "`{path}` is a link to `{target}`, which does not exist; \
                 look for it with `search_files`, target `files`"
            )
        );
    }
    assert_eq!(
        place.read("danglin").unwrap_err().to_string(),
        "no such file: `danglin`; look for it with `search_files`, target `files`"
    );
    fs::create_dir(place.inside("a")).unwrap();
    symlink(place.workspace.root().join("a"), place.inside("folder")).unwrap();
    assert_eq!(
        place.read("folder/x").unwrap_err().to_string(),
        "no such file: `a/x`; look for it with `search_files`, target `files`"
    );
    place.resolve("dangl").unwrap().replace(b"text").unwrap();
    assert_eq!(place.read("dangling").unwrap(), "text");
}

#[test]
fn a_folder_link_to_nothing_is_refused() {
    let place = Place::new();
    symlink("gone", place.inside("folder")).unwrap();
    symlink("folder", place.inside("twice")).unwrap();
    symlink(
        place.workspace.root().join("gone/deep"),
        place.inside("absolute"),
    )
    .unwrap();
    for (path, link, target) in [
        ("folder/x", "folder", "gone"),
        ("folder/a/../x", "folder", "gone"),
        ("twice/x", "folder", "gone"),
        ("absolute/x", "absolute", "gone/deep"),
    ] {
        check_refused(
            &place,
            path,
            ErrorKind::NotFound,
            &format!(
                "`{link}` is a link to the folder `{target}`, which does not exist; \
                 make the folder by writing a file into it, or name another path"
            ),
        );
    }
    assert_eq!(names(&place.inside("")), ["absolute", "folder", "twice"]);
}

#[test]
fn a_path_that_can_only_be_a_folder_is_no_file() {
    let place = Place::new();
    fs::write(place.inside("file"), "text").unwrap();
    for path in ["new/", "new/."] {
        let error = place.resolve(path).and_then(|path| path.replace(b"x"));
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IsDirectory);
        assert_eq!(
            error.to_string(),
            "`new/` ends in `/`, so it names a folder; name a file in it"
        );
    }
    for path in ["file/", "file/."] {
        assert_eq!(place.refusal(path), ErrorKind::NotADirectory, "{path}");
    }
    assert_eq!(names(&place.inside("")), ["file"]);
    assert_eq!(fs::read(place.inside("file")).unwrap(), b"text");
}

#[test]
fn a_place_is_the_same_by_every_path_and_in_every_workspace() {
    let place = Place::new();
    fs::create_dir(place.inside("a")).unwrap();
    fs::write(place.inside("a/file"), "").unwrap();
    symlink("a", place.inside("folder")).unwrap();
    symlink("a/file", place.inside("link")).unwrap();
    let second = Workspace::new(Confined::open(place.base.path()).unwrap());
    let locked = |workspace: &Workspace, path: &str| {
        let (_, lock) = workspace.resolve_locked(path).unwrap();
        lock.place().clone()
    };
    let first = locked(&place.workspace, "a/file");
    for path in ["./a//file", "folder/file", "link", "a/../folder/file"] {
        assert!(locked(&place.workspace, path).is_same(&first), "{path}");
    }
    assert!(locked(&second, "ws/a/file").is_same(&first));
    assert!(!locked(&place.workspace, "a/other").is_same(&first));
    let before = locked(&place.workspace, "a/new/deep/x");
    for folder in ["a/new", "a/new/deep"] {
        fs::create_dir(place.inside(folder)).unwrap();
        assert!(locked(&place.workspace, "a/new/deep/x").is_same(&before));
        assert!(locked(&second, "ws/folder/new/./deep/x").is_same(&before));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
