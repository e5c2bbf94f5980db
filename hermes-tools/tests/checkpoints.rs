//! What was changed can be had back, as it was before a turn.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use hermes_tools::checkpoint::Checkpoints;
use hermes_tools::workspace::Confined;
use hermes_tools::{Cancel, ErrorKind, Workspace};
use tempfile::TempDir;

/// A workspace with the files `a` and `b`, and its checkpoints.
struct Place {
    base: TempDir,
    workspace: Workspace,
    checkpoints: Checkpoints,
}

impl Place {
    fn new() -> Self {
        let base = TempDir::new().unwrap();
        fs::create_dir(base.path().join("ws")).unwrap();
        fs::write(base.path().join("ws/a"), "a1").unwrap();
        fs::write(base.path().join("ws/b"), "b1").unwrap();
        let checkpoints = Checkpoints::open(base.path().join("store"));
        let root = Confined::open(base.path().join("ws")).unwrap();
        Self {
            workspace: Workspace::new(root).with_journal(checkpoints.clone()),
            checkpoints,
            base,
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.base.path().join("ws").join(path)
    }

    fn write(&self, path: &str, text: &str) -> String {
        let target = self.workspace.resolve(path).unwrap();
        let replaced = target.replace(text.as_bytes()).unwrap();
        replaced.checkpoint.unwrap().to_string()
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }

    fn restore(&self, id: &str, paths: &[&str]) -> Vec<(String, bool)> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let restored = self
            .checkpoints
            .restore(&self.workspace, id, &paths)
            .unwrap();
        assert!(restored.failed.is_empty(), "{restored:?}");
        let restored = restored.restored;
        restored
            .into_iter()
            .map(|it| (it.path, it.exists))
            .collect()
    }
}

#[test]
fn a_turn_is_undone_as_a_whole() {
    let place = Place::new();
    place.checkpoints.begin_turn("the first");
    let id = place.write("a", "a2");
    assert_eq!(place.write("a", "a3"), id, "one checkpoint for a turn");
    assert_eq!(place.write("new/c", "c1"), id);
    let b = place.workspace.resolve("b").unwrap();
    let seen = b.facts().unwrap();
    b.remove_unchanged(&seen, &Cancel::never()).unwrap();
    let listed = place.checkpoints.list().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].label, "the first");
    let files: Vec<(&str, Option<u64>)> = listed[0]
        .files
        .iter()
        .map(|file| (&*file.path, file.before.as_ref().map(|it| it.length)))
        .collect();
    assert_eq!(files, [("a", Some(2)), ("new/c", None), ("b", Some(2))]);

    place.checkpoints.begin_turn("undo");
    let expected = [
        ("a".into(), true),
        ("new/c".into(), false),
        ("b".into(), true),
    ];
    assert_eq!(place.restore(&id, &[]), expected);
    assert_eq!(place.text("a").as_deref(), Some("a1"));
    assert_eq!(place.text("b").as_deref(), Some("b1"));
    assert_eq!(place.text("new/c"), None);
    assert_eq!(
        place.restore(&id, &[]),
        [],
        "there is nothing left to put back"
    );
}

#[test]
fn an_earlier_checkpoint_undoes_those_after_it_too() {
    let place = Place::new();
    place.checkpoints.begin_turn("1");
    let first = place.write("a", "a2");
    place.checkpoints.begin_turn("2");
    let second = place.write("a", "a3");
    place.write("b", "b2");
    place.checkpoints.begin_turn("3");
    assert_ne!(first, second);
    assert_eq!(place.restore(&second, &["a"]), [("a".into(), true)]);
    assert_eq!(
        (place.text("a"), place.text("b")),
        (Some("a2".into()), Some("b2".into()))
    );
    place.restore(&first, &[]);
    assert_eq!(
        (place.text("a"), place.text("b")),
        (Some("a1".into()), Some("b1".into()))
    );
    // Putting back is a change like any other, and can itself be undone.
    let third = place.checkpoints.list().unwrap()[0].id.clone();
    place.checkpoints.begin_turn("4");
    place.restore(&third, &[]);
    assert_eq!(
        (place.text("a"), place.text("b")),
        (Some("a3".into()), Some("b2".into()))
    );
}

#[test]
fn what_someone_else_wrote_in_between_is_kept_too() {
    let place = Place::new();
    let id = place.write("a", "mine");
    fs::write(place.path("a"), "theirs, and longer").unwrap();
    assert_eq!(place.write("a", "mine again"), id);
    let files = place.checkpoints.get(&id).unwrap().unwrap().files;
    let kept: Vec<String> = files
        .iter()
        .map(|file| {
            place
                .checkpoints
                .contents(file.before.as_ref().unwrap())
                .unwrap()
        })
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect();
    assert_eq!(kept, ["a1", "theirs, and longer"]);
}

#[test]
fn permissions_come_back_with_a_file() {
    let place = Place::new();
    fs::set_permissions(place.path("a"), fs::Permissions::from_mode(0o750)).unwrap();
    let a = place.workspace.resolve("a").unwrap();
    let seen = a.facts().unwrap();
    let id = a
        .remove_unchanged(&seen, &Cancel::never())
        .unwrap()
        .unwrap();
    place.restore(&id, &[]);
    let mode = fs::metadata(place.path("a")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
}

#[test]
fn contents_are_kept_once_and_nobody_else_may_look_at_them() {
    let place = Place::new();
    fs::write(place.path("b"), "a1").unwrap();
    place.write("a", "x");
    place.write("b", "y");
    let store = place.base.path().join("store");
    let mut objects = Vec::new();
    for folder in fs::read_dir(store.join("objects")).unwrap() {
        objects.extend(fs::read_dir(folder.unwrap().path()).unwrap());
    }
    assert_eq!(objects.len(), 1);
    let mode = fs::metadata(&store).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn what_is_only_read_makes_no_store() {
    let place = Place::new();
    place.workspace.resolve("a").unwrap().open().unwrap();
    assert_eq!(place.checkpoints.list().unwrap(), []);
    assert!(!place.base.path().join("store").exists());
}

#[test]
fn damaged_contents_are_never_put_back() {
    let place = Place::new();
    let id = place.write("a", "a2");
    let digest = place.checkpoints.get(&id).unwrap().unwrap().files[0]
        .before
        .clone()
        .unwrap()
        .digest;
    let object = place
        .base
        .path()
        .join("store/objects")
        .join(&digest[..2])
        .join(&digest[2..]);
    fs::write(object, "zz").unwrap();
    let done = place
        .checkpoints
        .restore(&place.workspace, &id, &[])
        .unwrap();
    assert_eq!(done.restored, []);
    let error = &done.failed[0].error;
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(place.text("a").as_deref(), Some("a2"));
}

#[test]
fn a_line_that_was_cut_is_passed_over() {
    let place = Place::new();
    let id = place.write("a", "a2");
    let turns = place.base.path().join("store/turns");
    let file = turns.join(format!("{id}.jsonl"));
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{whole}{{\"root\": \"/x\", \"pa")).unwrap();
    fs::write(turns.join("20200101-000000-000.jsonl"), "").unwrap();
    assert_eq!(place.checkpoints.list().unwrap().len(), 1);
    place.restore(&id, &[]);
    assert_eq!(place.text("a").as_deref(), Some("a1"));
}

#[test]
fn an_id_is_no_path() {
    let place = Place::new();
    place.write("a", "a2");
    for id in ["../turns/x", "", ".", "/etc/passwd", "20200101-000000-000"] {
        assert_eq!(place.checkpoints.get(id).unwrap(), None, "{id}");
        let error = place
            .checkpoints
            .restore(&place.workspace, id, &[])
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{id}");
    }
}

#[test]
fn the_oldest_checkpoints_go() {
    let place = Place::new();
    for number in 0..5 {
        place.checkpoints.begin_turn(number.to_string());
        place.write("a", &number.to_string());
    }
    place.checkpoints.keep_newest(2).unwrap();
    let labels: Vec<String> = place
        .checkpoints
        .list()
        .unwrap()
        .into_iter()
        .map(|checkpoint| checkpoint.label)
        .collect();
    assert_eq!(labels, ["4", "3"]);
    let id = place.checkpoints.list().unwrap()[1].id.clone();
    place.restore(&id, &[]);
    assert_eq!(place.text("a").as_deref(), Some("2"));
}

#[test]
fn a_folder_where_a_file_was_does_not_keep_the_others_from_being_put_back() {
    let place = Place::new();
    let id = place.write("a", "a2");
    place.write("b", "b2");
    place.write("c", "c2");
    fs::remove_file(place.path("a")).unwrap();
    fs::create_dir(place.path("a")).unwrap();
    let compared: Vec<_> = place
        .checkpoints
        .changes(&place.workspace, &id, &[])
        .unwrap()
        .map(|change| match change {
            Ok(change) => (change.path, Ok(change.before)),
            Err(failed) => (failed.path, Err(failed.error.kind())),
        })
        .collect();
    let expected = [
        ("a".to_owned(), Err(ErrorKind::IsDirectory)),
        ("b".to_owned(), Ok(Some(b"b1".to_vec()))),
        ("c".to_owned(), Ok(None)),
    ];
    assert_eq!(compared, expected);
    let done = place
        .checkpoints
        .restore(&place.workspace, &id, &[])
        .unwrap();
    let paths: Vec<(&str, bool)> = done
        .restored
        .iter()
        .map(|it| (&*it.path, it.exists))
        .collect();
    assert_eq!(paths, [("b", true), ("c", false)]);
    assert_eq!(done.failed.len(), 1);
    assert_eq!(done.failed[0].path, "a");
    assert_eq!(done.failed[0].error.kind(), ErrorKind::IsDirectory);
    assert_eq!(place.text("b").as_deref(), Some("b1"));
    assert_eq!(place.text("c"), None);
}

#[cfg(feature = "host")]
#[test]
fn the_turn_of_a_session_is_that_of_the_journal_and_a_child_works_within_it() {
    use hermes_tools::{Selection, Session, ToolRegistry};

    let place = Place::new();
    let registry = ToolRegistry::of(&[]).unwrap();
    let session = Session::builder(registry, Selection::new())
        .workspace(place.workspace.clone())
        .build()
        .unwrap();
    let child = session.child(Selection::new()).build().unwrap();
    assert_eq!(session.begin_turn("bread"), 2);
    let first = place.write("a", "a2");
    assert_eq!(child.begin_turn("a part of it"), 2);
    assert_eq!(place.write("b", "b2"), first);
    assert_eq!(session.begin_turn("milk"), 3);
    assert_ne!(place.write("a", "a3"), first);
    let listed = place.checkpoints.list().unwrap();
    let labels: Vec<&str> = listed.iter().map(|it| &*it.label).collect();
    assert_eq!(labels, ["milk", "bread"]);
}
