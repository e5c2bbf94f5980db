//! `patch` with patches of several files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use serde_json::{Value, json};

use crate::fixture::Fixture;

fn patch(lines: &str) -> Value {
    json!({"mode": "patch", "patch": format!("*** Begin Patch\n{lines}\n*** End Patch")})
}

#[test]
fn all_operations_are_made_and_told() {
    let fixture = Fixture::new(&[("a.py", "x = 1\n"), ("b.txt", "b\n"), ("c.txt", "c\n")]);
    fixture.check(
        "patch",
        patch(
            "*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** Add File: d/n.txt\n+n\n\
             *** Delete File: b.txt\n*** Move File: c.txt -> e.txt",
        ),
        json!({
            "files_modified": ["a.py"],
            "files_created": ["d/n.txt"],
            "files_deleted": ["b.txt"],
            "files_moved": [{"from": "c.txt", "to": "e.txt"}],
            "strategies": {"a.py": ["exact"]},
            "diff": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n\
                     --- a/d/n.txt\n+++ b/d/n.txt\n@@ -0,0 +1 @@\n+n\n\
                     --- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n\
                     rename from c.txt\nrename to e.txt\n",
            "lints": {"a.py": {"language": "python", "parses": true}},
        }),
    );
    fixture.holds("a.py", "x = 2\n");
    fixture.holds("d/n.txt", "n\n");
    fixture.holds("e.txt", "c\n");
    assert_eq!(fixture.names("."), ["a.py", "d", "e.txt"]);
}

#[test]
fn a_patch_needs_no_mode() {
    let fixture = Fixture::new(&[("a.txt", "a\n")]);
    let arguments = json!({"patch": "*** Update File: a.txt\n@@\n-a\n+b"});
    fixture.call("patch", &arguments).unwrap();
    fixture.holds("a.txt", "b\n");
    let text = "`patch` is missing: mode `patch` needs it; send the text of the patch as `patch`";
    fixture.refused("patch", json!({"mode": "patch"}), "invalid_arguments", text);
    let text = "`path` is missing: mode `replace` needs it; \
                send `path`, `old_string` and `new_string`";
    fixture.refused("patch", json!({}), "invalid_arguments", text);
}

#[test]
fn a_moved_file_is_the_same_file_and_may_be_changed() {
    let fixture = Fixture::new(&[("run.sh", "#!/bin/sh\necho a\n"), ("big.png", "\u{0}x")]);
    fs::set_permissions(fixture.path("run.sh"), Permissions::from_mode(0o750)).unwrap();
    let inode = fs::metadata(fixture.path("big.png")).unwrap().ino();
    let result = fixture
        .call(
            "patch",
            &patch(
                "*** Update File: run.sh\n*** Move to: bin/go.sh\n@@\n-echo a\n+echo b\n\
                 *** Move File: big.png -> img/big.png",
            ),
        )
        .unwrap();
    let moved = json!([
        {"from": "run.sh", "to": "bin/go.sh"},
        {"from": "big.png", "to": "img/big.png"},
    ]);
    assert_eq!(result["files_moved"], moved);
    fixture.holds("bin/go.sh", "#!/bin/sh\necho b\n");
    let mode = fs::metadata(fixture.path("bin/go.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(
        fs::metadata(fixture.path("img/big.png")).unwrap().ino(),
        inode
    );
    assert_eq!(fixture.names("."), ["bin", "img"]);
}

#[test]
fn operations_build_on_each_other() {
    let fixture = Fixture::new(&[
        ("a.txt", "one\ntwo\n"),
        ("b.txt", "old\n"),
        ("c.txt", "c\n"),
    ]);
    fs::set_permissions(fixture.path("b.txt"), Permissions::from_mode(0o600)).unwrap();
    fixture
        .call(
            "patch",
            &patch(
                "*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: ./a.txt\n@@\n 1\n-two\n+2\n\
                 *** Delete File: b.txt\n*** Add File: b.txt\n+new\n\
                 *** Move File: c.txt -> d.txt\n*** Move File: a.txt -> c.txt",
            ),
        )
        .unwrap();
    fixture.holds("c.txt", "1\n2\n");
    fixture.holds("b.txt", "new\n");
    fixture.holds("d.txt", "c\n");
    let mode = fs::metadata(fixture.path("b.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "it was replaced");
    assert_eq!(fixture.names("."), ["b.txt", "c.txt", "d.txt"]);
}

#[test]
fn a_file_that_is_taken_away_and_made_anew_is_shown_from_the_old_text_to_the_new() {
    let fixture = Fixture::new(&[
        ("a.txt", "a\nold\n"),
        ("b.txt", "\u{feff}b\n"),
        ("c.png", "c\n"),
    ]);
    fixture.check(
        "patch",
        patch(
            "*** Delete File: a.txt\n*** Delete File: b.txt\n*** Delete File: c.png\n\
             *** Add File: a.txt\n+a\n+new\n*** Add File: b.txt\n+\u{feff}B\n\
             *** Add File: c.png\n+C",
        ),
        json!({
            "files_modified": ["a.txt", "b.txt", "c.png"],
            "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-old\n+new\n\
                     --- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+B\n\
                     [the diff of `c.png` is not shown: what stood there cannot be shown as text]\n",
        }),
    );
    fixture.holds("a.txt", "a\nnew\n");
    fixture.holds("b.txt", "\u{feff}B\n");
    fixture.holds("c.png", "C\n");
}

#[test]
fn of_several_problems_of_a_patch_each_has_a_number() {
    let fixture = Fixture::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    fixture.refused(
        "patch",
        patch("*** Move File: a.txt -> b.txt\n*** Move File: b.txt -> a.txt"),
        "exists",
        "nothing was changed: 1. `b.txt` is there already; 2. `a.txt` is there already \
         (name another path, or change the file that is there); \
         name another path, or change the file that is there",
    );
    fixture.holds("a.txt", "a\n");
    fixture.holds("b.txt", "b\n");
}

#[test]
fn operations_that_contradict_each_other_are_refused() {
    let fixture = Fixture::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    for (lines, code, text) in [
        (
            "*** Delete File: a.txt\n*** Update File: a.txt\n@@\n-a\n+b",
            "conflict",
            "`a.txt` is taken away or moved before in one patch",
        ),
        (
            "*** Move File: a.txt -> c.txt\n*** Move File: b.txt -> c.txt",
            "conflict",
            "`c.txt` is the goal of two operations in one patch",
        ),
        (
            "*** Move File: a.txt -> ./a.txt",
            "conflict",
            "`a.txt` is moved to itself in one patch",
        ),
        (
            "*** Move File: a.txt -> b.txt",
            "exists",
            "`b.txt` is there already",
        ),
        (
            "*** Add File: b.txt\n+x",
            "exists",
            "`b.txt` is there already",
        ),
        (
            "*** Update File: a.txt\n@@\n a",
            "bad_patch",
            "the patch changes nothing: it has context alone",
        ),
    ] {
        let error = fixture.call("patch", &patch(lines)).unwrap_err();
        assert_eq!(error.code(), code, "{lines}");
        assert!(error.to_string().contains(text), "{error}");
        fixture.holds("a.txt", "a\n");
        fixture.holds("b.txt", "b\n");
        assert_eq!(fixture.names("."), ["a.txt", "b.txt"]);
    }
}

#[test]
fn every_misfit_is_told_with_its_file_and_hunk_and_nothing_is_changed() {
    let fixture = Fixture::new(&[("a.txt", "one\ntwo\n"), ("b.txt", "red\nblue sky\n")]);
    fixture.refused(
        "patch",
        patch(
            "*** Update File: a.txt\n@@\n-two\n+TWO\n\
             *** Update File: b.txt\n@@\n-red\n+RED\n@@\n-green sky\n+GREEN\n\
             *** Delete File: z.txt",
        ),
        "no_match",
        "nothing was changed: 1. hunk 2 (`green sky`) is not in `b.txt`; \
         2. no such file: `z.txt` (did you mean `a.txt` or `b.txt`?); \
         nearest is line 2: `blue sky` (`blue` stands where `green` was quoted); \
         read `b.txt` again and quote it as it stands",
    );
    fixture.holds("a.txt", "one\ntwo\n");
    fixture.holds("b.txt", "red\nblue sky\n");
}

/// A name that is too long is no error until the file is made, and then all other steps are done.
#[test]
fn a_failure_on_the_way_takes_back_what_was_made() {
    let fixture = Fixture::new(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n")]);
    fs::set_permissions(fixture.path("b.txt"), Permissions::from_mode(0o640)).unwrap();
    let long = "x".repeat(255);
    let lines = format!(
        "*** Update File: a.txt\n@@\n-a\n+A\n*** Delete File: b.txt\n\
         *** Move File: c.txt -> d.txt\n*** Add File: n.txt\n+n\n\
         *** Add File: {long}/{long}x\n+x"
    );
    let error = fixture.call("patch", &patch(&lines)).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("the path is too long; nothing was changed"),
        "{text}"
    );
    fixture.holds("a.txt", "a\n");
    fixture.holds("b.txt", "b\n");
    fixture.holds("c.txt", "c\n");
    let mode = fs::metadata(fixture.path("b.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    let names = fixture.names(".");
    assert!(
        !names.iter().any(|name| name == "n.txt" || name == "d.txt"),
        "{names:?}"
    );
}

#[test]
fn a_link_is_not_taken_away_by_what_it_leads_to() {
    let fixture = Fixture::new(&[("a.txt", "a\n")]);
    fixture.link("l.txt", "a.txt");
    fixture.refused(
        "patch",
        patch("*** Delete File: l.txt"),
        "not_regular",
        "nothing was changed: `l.txt` is a link to `a.txt`; \
         name the file itself; the link would stay and lead nowhere",
    );
    fixture
        .call("patch", &patch("*** Update File: l.txt\n@@\n-a\n+b"))
        .unwrap();
    fixture.holds("a.txt", "b\n");
}

#[test]
fn nothing_is_moved_onto_a_link_that_leads_nowhere() {
    let fixture = Fixture::new(&[("a.txt", "a\n")]);
    fixture.link("l.txt", "none.txt");
    fixture.refused(
        "patch",
        patch("*** Move File: a.txt -> l.txt"),
        "exists",
        "nothing was changed: `l.txt` is there already, a link to `none.txt`; name another path",
    );
    assert_eq!(fixture.names("."), ["a.txt", "l.txt"]);
}

#[test]
fn nothing_leaves_the_workspace() {
    let fixture = Fixture::new(&[("a.txt", "a\n")]);
    fs::write(fixture.outside("s.txt"), "s\n").unwrap();
    for lines in [
        "*** Delete File: a.txt\n*** Add File: ../outside/n.txt\n+n",
        "*** Update File: a.txt\n*** Move to: ../outside/m.txt\n@@\n-a\n+b",
        "*** Move File: ../outside/s.txt -> s.txt",
    ] {
        let error = fixture.call("patch", &patch(lines)).unwrap_err();
        assert_eq!(error.code(), "outside_workspace", "{lines}");
    }
    fixture.holds("a.txt", "a\n");
    assert_eq!(fixture.names("."), ["a.txt"]);
    assert_eq!(fs::read_dir(fixture.outside("")).unwrap().count(), 1);
}

#[test]
fn two_patches_of_the_same_files_are_made_one_after_the_other() {
    let numbered = |word: &str| -> String { (10..20).map(|n| format!("{word} {n}\n")).collect() };
    let fixture = Fixture::new(&[("a.txt", numbered("old")), ("b.txt", numbered("old"))]);
    std::thread::scope(|scope| {
        for number in 10..20_usize {
            let fixture = &fixture;
            scope.spawn(move || {
                let part =
                    |file| format!("*** Update File: {file}\n@@\n-old {number}\n+new {number}");
                let (first, second) = match number % 2 {
                    0 => ("a.txt", "b.txt"),
                    _ => ("b.txt", "a.txt"),
                };
                let lines = format!("{}\n{}", part(first), part(second));
                fixture.call("patch", &patch(&lines)).unwrap();
            });
        }
    });
    fixture.holds("a.txt", numbered("new"));
    fixture.holds("b.txt", numbered("new"));
}

#[test]
fn the_text_of_private_settings_is_not_shown() {
    let fixture = Fixture::new(&[("a/.env", "TOKEN=hush\nB=2\n")]);
    let edit =
        |old: &str, new: &str| json!({"path": "a/.env", "old_string": old, "new_string": new});
    let error = fixture.call("patch", &edit("TOKEN=zzz", "x")).unwrap_err();
    assert!(!error.to_string().contains("hush"), "{error}");
    if let Ok(result) = fixture.call("patch", &edit("TOKEN=", "TOKEN2=")) {
        assert!(!result.to_string().contains("hush"), "{result}");
        fixture.holds("a/.env", "TOKEN2=hush\nB=2\n");
    }
}
