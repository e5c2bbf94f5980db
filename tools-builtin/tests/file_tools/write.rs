//! `write_file`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::fixture::Fixture;

#[test]
fn a_new_file_is_made_with_its_folders() {
    let fixture = Fixture::empty();
    fixture.check(
        "write_file",
        json!({"path": "a/b/c.txt", "content": "héllo\n"}),
        json!({"path": "a/b/c.txt", "created": true, "bytes_written": 7}),
    );
    fixture.holds("a/b/c.txt", "héllo\n");
    assert_eq!(fixture.names("a/b"), ["c.txt"]);
}

#[test]
fn content_is_written_as_it_is() {
    let content = "echo $HOME `id` \"$(ls)\" 'x' \\n %s {}\0\u{7}\u{1b}[0m\rno end";
    let fixture = Fixture::empty();
    fixture
        .call("write_file", &json!({"path": "a.sh", "content": content}))
        .unwrap();
    fixture.holds("a.sh", content);
}

#[test]
fn an_old_file_is_replaced_and_keeps_its_mode() {
    let fixture = Fixture::new(&[("run.sh", "old\n")]);
    let path = fixture.path("run.sh");
    fs::set_permissions(&path, Permissions::from_mode(0o750)).unwrap();
    fixture.check(
        "write_file",
        json!({"path": "run.sh", "content": ""}),
        json!({
            "path": "run.sh",
            "created": false,
            "bytes_written": 0,
            "diff": "--- a/run.sh\n+++ b/run.sh\n@@ -1 +0,0 @@\n-old\n",
        }),
    );
    fixture.holds("run.sh", "");
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o750
    );
    assert_eq!(fixture.names("."), ["run.sh"]);
}

#[test]
fn a_link_stays_and_its_target_is_written() {
    let fixture = Fixture::new(&[("real/a.txt", "old\n")]);
    fixture.link("second", "real/a.txt");
    fixture.link("first", "second");
    fixture.check(
        "write_file",
        json!({"path": "first", "content": "new\n"}),
        json!({
            "path": "real/a.txt",
            "created": false,
            "bytes_written": 4,
            "diff": "--- a/real/a.txt\n+++ b/real/a.txt\n@@ -1 +1 @@\n-old\n+new\n",
        }),
    );
    fixture.holds("real/a.txt", "new\n");
    assert!(
        fs::symlink_metadata(fixture.path("first"))
            .unwrap()
            .is_symlink()
    );
    assert!(
        fs::symlink_metadata(fixture.path("second"))
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn line_ends_and_the_byte_order_mark_of_an_old_file_are_given_to_the_new_one() {
    let fixture = Fixture::new(&[("both", "\u{feff}p\r\nq\r\n"), ("mixed", "p\r\nq\n")]);
    fixture.check(
        "write_file",
        json!({"path": "both", "content": "p\nz\n"}),
        json!({
            "path": "both",
            "created": false,
            "bytes_written": 9,
            "diff": "--- a/both\n+++ b/both\n@@ -1,2 +1,2 @@\n \u{feff}p\r\n-q\r\n+z\r\n",
            "hint": "CR LF line ends and the byte order mark of the old file were kept",
        }),
    );
    fixture.holds("both", "\u{feff}p\r\nz\r\n");
    fixture.check(
        "write_file",
        json!({"path": "both", "content": "\u{feff}p\r\nz\n"}),
        json!({
            "path": "both",
            "created": false,
            "bytes_written": 9,
            "hint": "CR LF line ends of the old file were kept",
        }),
    );
    fixture.holds("both", "\u{feff}p\r\nz\r\n");
    fixture.check(
        "write_file",
        json!({"path": "both", "content": "p\rq\n"}),
        json!({
            "path": "both",
            "created": false,
            "bytes_written": 8,
            "diff": "--- a/both\n+++ b/both\n@@ -1,2 +1 @@\n-\u{feff}p\r\n-z\r\n+\u{feff}p\rq\r\n",
            "hint": "CR LF line ends and the byte order mark of the old file were kept",
        }),
    );
    fixture.check(
        "write_file",
        json!({"path": "mixed", "content": "z\n"}),
        json!({
            "path": "mixed",
            "created": false,
            "bytes_written": 2,
            "diff": "--- a/mixed\n+++ b/mixed\n@@ -1,2 +1 @@\n-p\r\n-q\n+z\n",
        }),
    );
}

#[test]
fn what_is_no_file_is_not_written() {
    let fixture = Fixture::new(&[("folder/x", "1"), ("file", "2")]);
    fixture.pipe("pipe");
    let refused = |path: &str, code: &str, text: &str| {
        let arguments = json!({"path": path, "content": "new\n"});
        fixture.refused("write_file", arguments, code, text);
    };
    refused(
        "folder",
        "is_directory",
        "`folder` is a folder; name a file in it",
    );
    refused(
        "folder/",
        "is_directory",
        "`folder` is a folder; name a file in it",
    );
    refused(".", "is_directory", "`.` is a folder; name a file in it");
    refused(
        "pipe",
        "not_regular",
        "`pipe` is a device, a pipe or a socket; name a regular file",
    );
    let error = fixture
        .call("write_file", &json!({"path": "file/x", "content": "new\n"}))
        .unwrap_err();
    assert_eq!(error.code(), "not_a_directory");
    assert_eq!(fixture.names("."), ["file", "folder", "pipe"]);
    assert_eq!(fixture.names("folder"), ["x"]);
    fixture.holds("file", "2");
}

#[test]
fn content_must_be_there() {
    let fixture = Fixture::new(&[("a.txt", "keep\n")]);
    for arguments in [
        json!({"path": "a.txt"}),
        json!({"path": "a.txt", "content": null}),
        json!({"path": "a.txt", "content": ["x"]}),
    ] {
        let error = fixture.call("write_file", &arguments).unwrap_err();
        assert_eq!(error.code(), "invalid_arguments", "{arguments}");
    }
    fixture.holds("a.txt", "keep\n");
}

#[test]
fn files_written_at_the_same_time_are_whole_and_none_is_refused() {
    let fixture = Fixture::empty();
    std::thread::scope(|scope| {
        for number in 0..16 {
            let fixture = &fixture;
            let arguments = json!({"path": "new/folder/a.txt", "content": format!("{number}\n")});
            scope.spawn(move || fixture.call("write_file", &arguments).unwrap());
        }
    });
    assert_eq!(fixture.names("new/folder"), ["a.txt"]);
    let text = fs::read_to_string(fixture.path("new/folder/a.txt")).unwrap();
    let number: u32 = text.trim_end().parse().unwrap();
    assert_eq!(text, format!("{number}\n"));
    assert!(number < 16);
}

#[test]
fn a_cancelled_call_writes_nothing() {
    let fixture = Fixture::empty();
    let error = fixture.cancelled("write_file", &json!({"path": "d/a.txt", "content": "x\n"}));
    assert_eq!(error.code(), "cancelled");
    assert_eq!(fixture.names("."), [""; 0]);
}
