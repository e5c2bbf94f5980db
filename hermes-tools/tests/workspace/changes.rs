//! Files that are replaced or renamed beside others who do so.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use hermes_tools::{Cancel, ErrorKind};

use crate::{Place, names};

#[test]
fn a_file_that_changed_since_it_was_seen_is_not_replaced() {
    let place = Place::new();
    let never = Cancel::never();
    fs::write(place.inside("file"), "old").unwrap();
    let path = place.resolve("file").unwrap();
    let seen = path.facts().unwrap();
    path.replace_unchanged(b"one", &seen, &never).unwrap();
    // The same size, and another file.
    let error = path.replace_unchanged(b"two", &seen, &never).unwrap_err();
    assert_eq!(error.code(), "conflict");
    assert_eq!(
        error.to_string(),
        "`file` was changed by someone else meanwhile; \
         read the file again, then send the change again"
    );
    // The same file, and another size.
    let seen = path.facts().unwrap();
    fs::write(place.inside("file"), "longer").unwrap();
    let error = path.replace_unchanged(b"two", &seen, &never).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(place.read("file").unwrap(), "longer");

    let path = place.resolve("new").unwrap();
    let seen = path.facts().unwrap();
    fs::write(place.inside("new"), "theirs").unwrap();
    let error = path.replace_unchanged(b"ours", &seen, &never).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(place.read("new").unwrap(), "theirs");
    assert_eq!(names(&place.inside("")), ["file", "new"]);
}

#[test]
fn nothing_is_lost_where_writers_do_not_share_a_lock() {
    let place = Place::new();
    fs::write(place.inside("file"), "1000").unwrap();
    // As other processes do: each reads, looks again before it writes, and tries anew.
    let add_one = || {
        loop {
            let path = place.resolve("file").unwrap();
            let (mut file, seen) = path.open_seen().unwrap();
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            let next = (text.parse::<u32>().unwrap() + 1).to_string();
            match path.replace_unchanged(next.as_bytes(), &seen, &Cancel::never()) {
                Ok(_) => return,
                Err(error) => assert_eq!(error.kind(), ErrorKind::Conflict),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|_| add_one()));
        }
    });
    assert_eq!(place.read("file").unwrap(), "1100");
}

#[test]
fn a_file_without_any_write_bit_is_not_replaced() {
    let place = Place::new();
    fs::write(place.inside("file"), "old").unwrap();
    fs::set_permissions(place.inside("file"), fs::Permissions::from_mode(0o444)).unwrap();
    let error = place.resolve("file").unwrap().replace(b"new").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert_eq!(
        error.to_string(),
        "`file` is read-only: nobody may write it; \
         write another file, or ask for this one to be made writable"
    );
    assert_eq!(place.read("file").unwrap(), "old");
    fs::set_permissions(place.inside("file"), fs::Permissions::from_mode(0o464)).unwrap();
    place.resolve("file").unwrap().replace(b"new").unwrap();
    assert_eq!(place.read("file").unwrap(), "new");
}

#[test]
fn a_new_file_has_the_owner_of_the_old_one_and_no_set_id_bits() {
    let place = Place::new();
    let file = place.inside("file");
    fs::write(&file, "old").unwrap();
    // Only the superuser may give a file away; for others the owner is the same anyway.
    let _ = std::os::unix::fs::chown(&file, Some(12_345), Some(23_456));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o6755)).unwrap();
    let before = fs::metadata(&file).unwrap();
    place.resolve("file").unwrap().replace(b"new").unwrap();
    let after = fs::metadata(&file).unwrap();
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_eq!(after.mode() & 0o7777, 0o755);
}

#[test]
fn a_second_name_of_a_file_keeps_the_old_contents() {
    let place = Place::new();
    fs::write(place.inside("file"), "old").unwrap();
    fs::hard_link(place.inside("file"), place.inside("second")).unwrap();
    place.resolve("file").unwrap().replace(b"new").unwrap();
    assert_eq!(place.read("file").unwrap(), "new");
    assert_eq!(place.read("second").unwrap(), "old");
}

#[test]
fn a_file_gets_another_name_and_stays_the_same_file() {
    let place = Place::new();
    fs::write(place.inside("a.txt"), "a").unwrap();
    let (source, goal) = (
        place.resolve("a.txt").unwrap(),
        place.resolve("n/m/b.txt").unwrap(),
    );
    let seen = source.facts().unwrap();
    source
        .rename_unchanged(&seen, &goal, &Cancel::never())
        .unwrap();
    assert_eq!(place.read("n/m/b.txt").unwrap(), "a");
    assert!(!place.inside("a.txt").exists());
    assert_eq!(goal.facts().unwrap().identity, seen.identity);
}

#[test]
fn a_name_that_is_taken_or_a_file_that_changed_is_left_alone() {
    let place = Place::new();
    fs::write(place.inside("a.txt"), "a").unwrap();
    fs::write(place.inside("b.txt"), "b").unwrap();
    fs::create_dir(place.inside("d")).unwrap();
    let source = place.resolve("a.txt").unwrap();
    let seen = source.facts().unwrap();
    let kind = |path: &str, seen| {
        let goal = place.resolve(path).unwrap();
        source
            .rename_unchanged(seen, &goal, &Cancel::never())
            .unwrap_err()
            .kind()
    };
    assert_eq!(kind("b.txt", &seen), ErrorKind::Exists);
    assert_eq!(kind("d", &seen), ErrorKind::IsDirectory);
    fs::write(place.inside("a.txt"), "other").unwrap();
    assert_eq!(kind("c.txt", &seen), ErrorKind::Conflict);
    let cancel = Cancel::new();
    cancel.cancel();
    let goal = place.resolve("c.txt").unwrap();
    let now = source.facts().unwrap();
    let error = source.rename_unchanged(&now, &goal, &cancel).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(place.read("a.txt").unwrap(), "other");
    assert_eq!(place.read("b.txt").unwrap(), "b");
}

#[test]
fn several_paths_are_locked_at_once() {
    let place = Place::new();
    let (targets, lock) = place
        .workspace
        .resolve_all_locked(&["a.txt", "d/b.txt", "./a.txt"])
        .unwrap();
    assert_eq!(targets.len(), 3);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| place.workspace.resolve_all_locked(&["d/b.txt"]).map(drop));
        assert!(!waiting.is_finished());
        drop(lock);
        waiting.join().unwrap().unwrap();
    });
}
