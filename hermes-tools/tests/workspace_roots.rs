//! Several roots: what belongs to which, what may be changed where, and how it is shown.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use hermes_tools::workspace::{
    Confined, FileIdentity, Journal, PathFacts, PathKind, Resolved, WorkspaceBackend, WorkspacePath,
};
use hermes_tools::{Access, Cancel, ErrorKind, ToolError, Workspace};
use tempfile::TempDir;

/// The folders `main`, `more`, `manuals` and `secret`, of which the last is no root.
struct Place {
    base: TempDir,
    workspace: Workspace,
}

impl Place {
    fn new() -> Self {
        let base = TempDir::new().unwrap();
        for name in ["main", "more", "manuals", "secret"] {
            fs::create_dir(base.path().join(name)).unwrap();
            fs::write(base.path().join(name).join("f"), name).unwrap();
        }
        let root = |name: &str| Confined::open(base.path().join(name)).unwrap();
        let workspace = Workspace::new(root("main"))
            .with_root(root("more"), Access::Write)
            .with_root(root("manuals"), Access::Read);
        Self { base, workspace }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.base.path().canonicalize().unwrap().join(path)
    }

    fn text(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    #[track_caller]
    fn reads(&self, path: &str, text: &str, shown: &str) {
        let found = self.workspace.resolve(path).unwrap();
        assert_eq!(read(&found), text, "{path}");
        assert_eq!(found.display(), shown, "{path}");
        let again = self.workspace.resolve(&found.display()).unwrap();
        assert_eq!(again.display(), shown, "what is shown can be sent again");
    }

    #[track_caller]
    fn refuses(&self, path: &str, kind: ErrorKind) {
        assert_eq!(
            write(&self.workspace, path).unwrap_err().kind(),
            kind,
            "{path}"
        );
    }
}

fn read(path: &WorkspacePath) -> String {
    let mut text = String::new();
    path.open().unwrap().read_to_string(&mut text).unwrap();
    text
}

fn write(workspace: &Workspace, path: &str) -> Result<(), ToolError> {
    workspace.resolve(path)?.replace(b"new").map(drop)
}

#[test]
fn a_path_belongs_to_the_root_that_it_is_below() {
    let place = Place::new();
    place.reads("f", "main", "f");
    place.reads(&place.text("main/f"), "main", "f");
    place.reads(&place.text("more/f"), "more", &place.text("more/f"));
    place.reads("../more/f", "more", &place.text("more/f"));
    place.reads(&place.text("main/../more/f"), "more", &place.text("more/f"));
    place.reads("../main/f", "main", "f");
    for path in [
        "../secret/f",
        "../main/../secret/f",
        "..",
        "../more/../../x",
    ] {
        place.refuses(path, ErrorKind::OutsideWorkspace);
    }
    place.refuses(&place.text("secret/f"), ErrorKind::OutsideWorkspace);
    place.refuses(&place.text("moreover"), ErrorKind::OutsideWorkspace);
    place.refuses(&place.text("more/../secret/f"), ErrorKind::OutsideWorkspace);
}

#[test]
fn nothing_below_a_read_only_root_is_changed() {
    let place = Place::new();
    let manual = place.text("manuals/f");
    place.reads(&manual, "manuals", &manual);
    place.refuses(&manual, ErrorKind::PermissionDenied);
    place.refuses(&place.text("manuals/new/g"), ErrorKind::PermissionDenied);
    let path = place.workspace.resolve(&manual).unwrap();
    let facts = path.facts().unwrap();
    let removed = path.remove_unchanged(&facts, &Cancel::never());
    assert_eq!(removed.unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(
        fs::read_to_string(place.path("manuals/f")).unwrap(),
        "manuals"
    );
    assert_eq!(fs::read_dir(place.path("manuals")).unwrap().count(), 1);
    assert_eq!(
        path.replace(b"x").unwrap_err().to_string(),
        format!(
            "`{manual}` may only be read: nothing below `{}` may be changed; write to another folder",
            place.text("manuals")
        )
    );
}

#[test]
fn a_read_only_root_inside_another_one_holds_by_every_path() {
    let base = TempDir::new().unwrap();
    fs::create_dir_all(base.path().join("main/vendor")).unwrap();
    fs::write(base.path().join("main/vendor/f"), "kept").unwrap();
    symlink("vendor", base.path().join("main/alias")).unwrap();
    let workspace = Workspace::new(Confined::open(base.path().join("main")).unwrap()).with_root(
        Confined::open(base.path().join("main/vendor")).unwrap(),
        Access::Read,
    );
    for path in ["vendor/f", "./vendor/../vendor/f", "alias/f", "vendor/new"] {
        let error = write(&workspace, path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{path}");
    }
    write(&workspace, "g").unwrap();
    // Neither does a root that may be written inside one that may not lend its right upwards.
    let workspace = Workspace::read_only(Confined::open(base.path().join("main")).unwrap())
        .with_root(
            Confined::open(base.path().join("main/vendor")).unwrap(),
            Access::Write,
        );
    let inside = base.path().canonicalize().unwrap().join("main/vendor/f");
    write(&workspace, inside.to_str().unwrap()).unwrap();
    let error = write(&workspace, "g").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
}

#[test]
fn links_lead_from_one_root_to_another_and_nowhere_else() {
    let place = Place::new();
    symlink(place.path("more/f"), place.path("main/file")).unwrap();
    symlink(place.path("more"), place.path("main/folder")).unwrap();
    symlink(place.path("main/folder/f"), place.path("more/back")).unwrap();
    symlink(place.path("manuals"), place.path("main/manuals")).unwrap();
    symlink(place.path("secret"), place.path("more/out")).unwrap();
    symlink(place.path("more/a"), place.path("main/b")).unwrap();
    symlink(place.path("main/b"), place.path("more/a")).unwrap();
    let more = place.text("more/f");
    place.reads("file", "more", &more);
    place.reads("folder/f", "more", &more);
    place.reads(&place.text("more/back"), "more", &more);
    place.reads("folder/back", "more", &more);
    place.reads("manuals/f", "manuals", &place.text("manuals/f"));
    place.refuses("manuals/f", ErrorKind::PermissionDenied);
    place.refuses("folder/out/f", ErrorKind::OutsideWorkspace);
    place.refuses("b", ErrorKind::BadPath);
    write(&place.workspace, "folder/new").unwrap();
    assert_eq!(fs::read_to_string(place.path("more/new")).unwrap(), "new");
}

#[test]
fn links_outside_may_lead_in() {
    let place = Place::new();
    fs::create_dir(place.path("main/d")).unwrap();
    fs::write(place.path("main/d/f"), "deep").unwrap();
    symlink(place.path("main"), place.path("alias")).unwrap();
    symlink(place.path("main/d"), place.path("secret/deep")).unwrap();
    place.reads(&place.text("alias/f"), "main", "f");
    place.reads(&place.text("secret/deep/f"), "deep", "d/f");
    write(&place.workspace, &place.text("alias/new/g")).unwrap();
    assert!(place.path("main/new/g").exists());
    place.refuses(
        &place.text("alias/../secret/f"),
        ErrorKind::OutsideWorkspace,
    );
    place.refuses(
        &place.text("secret/deep/../../secret/f"),
        ErrorKind::OutsideWorkspace,
    );
}

#[test]
fn relative_paths_may_start_elsewhere() {
    let place = Place::new();
    fs::create_dir(place.path("main/sub")).unwrap();
    fs::write(place.path("main/sub/f"), "sub").unwrap();
    let inside = place.workspace.clone().in_folder(place.path("main/sub"));
    let found = inside.resolve("f").unwrap();
    assert_eq!((read(&found), found.display()), ("sub".into(), "f".into()));
    let above = inside.resolve("../f").unwrap();
    assert_eq!(read(&above), "main");
    assert_eq!(above.display(), place.text("main/f"));
    let outside = place.workspace.clone().in_folder(place.path("secret"));
    let error = outside.resolve("f").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutsideWorkspace);
    assert_eq!(
        read(&outside.resolve(&place.text("main/f")).unwrap()),
        "main"
    );
}

/// Notes what it is asked to keep.
#[derive(Clone, Default)]
struct Notes {
    kept: Arc<Mutex<Vec<String>>>,
    broken: bool,
}

impl Journal for Notes {
    fn keep(&self, path: &WorkspacePath, now: &PathFacts) -> io::Result<Arc<str>> {
        if self.broken {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let text = match now.kind {
            PathKind::Missing => "nothing".to_owned(),
            _ => read(path),
        };
        self.kept
            .lock()
            .unwrap()
            .push(format!("{}: {text}", path.display()));
        Ok("c1".into())
    }

    fn changed(&self, path: &WorkspacePath, facts: &PathFacts) {
        let end = format!("{} is now {} bytes", path.display(), facts.len);
        self.kept.lock().unwrap().push(end);
    }
}

#[test]
fn what_is_changed_is_kept_before() {
    let place = Place::new();
    let notes = Notes::default();
    let workspace = place.workspace.clone().with_journal(notes.clone());
    let replaced = workspace.resolve("f").unwrap().replace(b"12").unwrap();
    assert!(!replaced.created);
    assert_eq!(replaced.checkpoint.as_deref(), Some("c1"));
    write(&workspace, "g").unwrap();
    let g = workspace.resolve("g").unwrap();
    let seen = g.facts().unwrap();
    let checkpoint = g.remove_unchanged(&seen, &Cancel::never()).unwrap();
    assert_eq!(checkpoint.as_deref(), Some("c1"));
    assert_eq!(g.facts().unwrap(), PathFacts::MISSING);
    assert_eq!(
        *notes.kept.lock().unwrap(),
        [
            "f: main",
            "f is now 2 bytes",
            "g: nothing",
            "g is now 3 bytes",
            "g: new",
            "g is now 0 bytes"
        ]
    );
}

#[test]
fn what_cannot_be_kept_is_not_changed() {
    let place = Place::new();
    let broken = Notes {
        broken: true,
        ..Notes::default()
    };
    let workspace = place.workspace.clone().with_journal(broken);
    let error = write(&workspace, "f").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(fs::read_to_string(place.path("main/f")).unwrap(), "main");
}

#[test]
fn a_file_that_changed_is_not_removed() {
    let place = Place::new();
    let path = place.workspace.resolve("f").unwrap();
    let seen = path.facts().unwrap();
    fs::write(place.path("main/f"), "more text").unwrap();
    let error = path.remove_unchanged(&seen, &Cancel::never()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(place.path("main/f").exists());
}

#[test]
fn what_a_killed_writer_left_is_gone_after_the_next_start() {
    let place = Place::new();
    fs::create_dir(place.path("main/.hermes-tmp")).unwrap();
    fs::write(place.path("main/.hermes-tmp/1-0"), "half").unwrap();
    let workspace = Workspace::new(Confined::open(place.path("main")).unwrap());
    assert!(!place.path("main/.hermes-tmp").exists());
    write(&workspace, "f").unwrap();
    assert_eq!(fs::read_dir(place.path("main")).unwrap().count(), 1);
}

#[test]
fn a_file_of_a_folder_is_opened_by_its_name_alone() {
    let place = Place::new();
    symlink("f", place.path("main/link")).unwrap();
    let folder = place.workspace.resolve(".").unwrap();
    let (mut file, facts) = folder.open_in("f".as_ref()).unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!((&*text, facts.len), ("main", 4));
    for name in ["link", "../secret/f", "..", "", "missing"] {
        assert!(folder.open_in(name.as_ref()).is_err(), "{name}");
    }
}

/// Reads nothing, and fails.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

#[test]
fn what_cannot_be_read_to_its_end_is_not_written() {
    let place = Place::new();
    for path in ["f", "new/deep/g"] {
        let target = place.workspace.resolve(path).unwrap();
        let seen = target.facts().unwrap();
        let mut reader = io::BufReader::new("half".as_bytes().chain(Broken));
        let written = target.replace_unchanged_from(&mut reader, &seen, &Cancel::never());
        assert_eq!(written.unwrap_err().message(), format!("`{path}`: broken"));
    }
    assert_eq!(fs::read_to_string(place.path("main/f")).unwrap(), "main");
    assert!(!place.path("main/new").exists());
}

#[test]
fn what_a_file_of_a_folder_is_can_be_asked_by_its_name_alone() {
    let place = Place::new();
    symlink("f", place.path("main/link")).unwrap();
    let folder = place.workspace.resolve(".").unwrap();
    let kind = |name: &str| folder.facts_in(name.as_ref()).map(|facts| facts.kind);
    assert_eq!(kind("f").unwrap(), PathKind::File);
    assert_eq!(kind("link").unwrap(), PathKind::Other);
    assert_eq!(kind("missing").unwrap(), PathKind::Missing);
    for name in ["../secret/f", "..", ".", "", "sub/"] {
        assert_eq!(kind(name).unwrap_err().kind(), ErrorKind::BadPath, "{name}");
    }
    let file = place.workspace.resolve("f").unwrap();
    let error = file.facts_in("x".as_ref()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotADirectory);
}

/// A read-only root that is not there until its folder is.
struct Later(PathBuf);

impl WorkspaceBackend for Later {
    fn root(&self) -> &Path {
        &self.0
    }

    fn identity(&self) -> Option<FileIdentity> {
        Confined::open(&self.0).ok()?.identity()
    }

    fn resolve(&self, relative: &Path) -> Result<Resolved, ToolError> {
        match Confined::open(&self.0) {
            Ok(root) => root.resolve(relative),
            Err(_) => Err(ToolError::new(ErrorKind::NotFound, "nothing is here")),
        }
    }
}

#[test]
fn a_read_only_root_that_is_not_there_yet_withholds_what_is_below_it_alone() {
    let base = TempDir::new().unwrap();
    let base = base.path().canonicalize().unwrap();
    fs::create_dir_all(base.join("home/state")).unwrap();
    symlink("state", base.join("home/alias")).unwrap();
    let workspace = Workspace::new(Confined::open(base.join("home")).unwrap())
        .with_root(Later(base.join("home/state/results")), Access::Read);
    for path in ["a", "new/b", "state/c", "state/results-2", "alias/d"] {
        write(&workspace, path).unwrap();
    }
    let refused = |path: &str, kind: ErrorKind| {
        assert_eq!(write(&workspace, path).unwrap_err().kind(), kind, "{path}");
    };
    // By its own path it is in the inner root, where nothing is.
    let below = base.join("home/state/results/f");
    refused(below.to_str().unwrap(), ErrorKind::NotFound);
    for path in ["state/results", "state/results/f", "alias/results/f"] {
        refused(path, ErrorKind::PermissionDenied);
    }
    assert!(!base.join("home/state/results").exists());
    fs::create_dir(base.join("home/state/results")).unwrap();
    for path in ["state/results/f", "alias/results/f", "alias/results/new/f"] {
        refused(path, ErrorKind::PermissionDenied);
    }
    refused(below.to_str().unwrap(), ErrorKind::PermissionDenied);
    write(&workspace, "a").unwrap();
    write(&workspace, "state/e").unwrap();
}
