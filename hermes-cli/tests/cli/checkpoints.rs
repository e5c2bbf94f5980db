//! `hermes checkpoints`: what was changed can be had back.

use crate::folder::{Folder, Ran};

fn only_id(folder: &Folder) -> String {
    let listed = folder.run(&["checkpoints", "list", "--json"]).json();
    let all = listed["checkpoints"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{listed}");
    all[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_call_that_writes_is_listed_compared_and_undone() {
    let folder = Folder::new();
    let before = folder.files();
    assert_eq!(folder.run(&["checkpoints", "list"]), Ran::wrote(""));
    folder.run(&["call", "write_file", "path=notes.txt", "content=mine\n"]);
    let id = only_id(&folder);
    let listed = folder.run(&["checkpoints", "list", "--json"]).json();
    assert_eq!(listed["checkpoints"][0]["label"], "call write_file");
    assert_eq!(listed["checkpoints"][0]["files"][0], "notes.txt");
    assert_eq!(
        folder.run(&["checkpoints", "diff", &id]),
        Ran::wrote(
            "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1 @@\n-first\n-second\n-third\n+mine\n"
        )
    );
    assert_eq!(
        folder.run(&["checkpoints", "restore", &id]),
        Ran::wrote("restored notes.txt\n")
    );
    assert_eq!(folder.files(), before);
    assert_eq!(
        folder.run(&["checkpoints", "restore", &id]),
        Ran::wrote("nothing has changed since\n")
    );
}

#[test]
fn a_new_file_is_taken_away_again() {
    let folder = Folder::new();
    folder.run(&["call", "write_file", "path=new.txt", "content=x\n"]);
    let id = only_id(&folder);
    let changes = folder.run(&["checkpoints", "diff", &id, "--json"]).json();
    assert_eq!(changes["changes"][0]["since"], "created");
    assert_eq!(
        folder.run(&["checkpoints", "restore", &id, "new.txt"]),
        Ran::wrote("removed new.txt\n")
    );
    assert!(!folder.workspace().join("new.txt").exists());
}

#[test]
fn an_id_that_does_not_exist_is_told() {
    let folder = Folder::new();
    let ran = folder.run(&["checkpoints", "restore", "20200101-000000-000"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: no such checkpoint: `20200101-000000-000`; list the checkpoints for their ids\n"
    );
}

#[test]
fn a_name_that_a_checkpoint_does_not_have_is_told() {
    let folder = Folder::new();
    folder.run(&["call", "write_file", "path=notes.txt", "content=mine\n"]);
    let id = only_id(&folder);
    for (name, help) in [
        ("note.txt", "did you mean `notes.txt`?"),
        ("src/main.rs", "name one that it has: `notes.txt`"),
    ] {
        for action in ["diff", "restore"] {
            let ran = folder.run(&["checkpoints", action, &id, "notes.txt", name]);
            assert_eq!((ran.code, &*ran.stdout), (2, ""));
            let told = format!(
                "error: the checkpoint `{id}` and those after it have no file `{name}`; {help}\n"
            );
            assert_eq!(ran.stderr, told);
        }
    }
    let ran = folder.run(&["checkpoints", "diff", &id, "./notes.txt"]);
    assert!(ran.stdout.contains("+mine"), "{ran:?}");
}

#[test]
fn nothing_is_kept_when_it_is_off() {
    let folder = Folder::new();
    folder.run(&[
        "call",
        "write_file",
        "path=a",
        "content=x",
        "--checkpoints",
        "off",
    ]);
    assert_eq!(folder.run(&["checkpoints", "list"]), Ran::wrote(""));
    let ran = folder.run(&["checkpoints", "list", "--checkpoints", "off"]);
    assert_eq!(
        ran.stderr,
        "error: no checkpoints are kept; name a folder with `--checkpoints`\n"
    );
}

#[test]
fn a_checkpoint_is_called_by_the_tool_wherever_it_is_named() {
    let folder = Folder::new();
    folder.run(&[
        "call",
        "--workspace",
        ".",
        "write_file",
        "path=a",
        "content=secret",
    ]);
    let listed = folder.run(&["checkpoints", "list", "--json"]).json();
    assert_eq!(listed["checkpoints"][0]["label"], "call write_file");
    let id = only_id(&folder);
    folder.run(&["checkpoints", "--json", "restore", &id]);
    let listed = folder.run(&["checkpoints", "list", "--json"]).json();
    assert_eq!(listed["checkpoints"][0]["label"], "checkpoints restore");
}

#[test]
fn what_cannot_be_put_back_is_told_and_the_rest_is_put_back() {
    let folder = Folder::new();
    folder.run(&["call", "write_file", "path=notes.txt", "content=mine\n"]);
    let first = only_id(&folder);
    folder.run(&["call", "write_file", "path=src/main.rs", "content=mine\n"]);
    let notes = folder.workspace().join("notes.txt");
    std::fs::remove_file(&notes).unwrap();
    std::fs::create_dir(&notes).unwrap();
    let ran = folder.run(&["checkpoints", "diff", &first]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stdout.contains("+++ b/src/main.rs"), "{ran:?}");
    assert!(ran.stderr.contains("`notes.txt`"), "{ran:?}");
    let ran = folder.run(&["checkpoints", "restore", &first]);
    assert_eq!((ran.code, &*ran.stdout), (1, "restored src/main.rs\n"));
    assert!(ran.stderr.starts_with("error: `notes.txt` is a"), "{ran:?}");
    let ran = folder.run(&["checkpoints", "restore", &first, "--json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["failed"][0]["path"], "notes.txt");
}
