//! `patch`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::fixture::{Fixture, patient};

fn edit(old: &str, new: &str) -> Value {
    json!({"path": "a.txt", "old_string": old, "new_string": new})
}

/// A file that is edited once, and what it holds then.
#[track_caller]
fn check(before: &str, old: &str, new: &str, after: &str) {
    let fixture = Fixture::new(&[("a.txt", before)]);
    fixture.call("patch", &edit(old, new)).unwrap();
    fixture.holds("a.txt", after);
}

#[track_caller]
fn check_refused(before: &str, old: &str, new: &str, code: &str, text: &str) {
    let fixture = Fixture::new(&[("a.txt", before)]);
    fixture.refused("patch", edit(old, new), code, text);
    fixture.holds("a.txt", before);
}

#[test]
fn one_passage_is_replaced_and_the_diff_is_told() {
    let fixture = Fixture::new(&[("a.txt", "one\ntwo\nthree\n")]);
    let path = fixture.path("a.txt");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    fixture.check(
        "patch",
        edit("two", "2"),
        json!({
            "files_modified": ["a.txt"],
            "replacements": 1,
            "strategy": "exact",
            "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
        }),
    );
    fixture.holds("a.txt", "one\n2\nthree\n");
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(fixture.names("."), ["a.txt"]);
}

#[test]
fn the_mode_may_be_named() {
    let fixture = Fixture::new(&[("a.txt", "x\n")]);
    let mut arguments = edit("x", "y");
    arguments["mode"] = json!("replace");
    fixture.call("patch", &arguments).unwrap();
    fixture.holds("a.txt", "y\n");
    arguments["mode"] = json!("regex");
    let error = fixture.call("patch", &arguments).unwrap_err();
    assert_eq!(error.code(), "invalid_arguments");
}

#[test]
fn all_passages_are_replaced_on_request() {
    let fixture = Fixture::new(&[("a.txt", "n n\nn\n")]);
    let mut arguments = edit("n", "m");
    arguments["replace_all"] = json!(true);
    fixture.check(
        "patch",
        arguments,
        json!({
            "files_modified": ["a.txt"],
            "replacements": 3,
            "strategy": "exact",
            "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-n n\n-n\n+m m\n+m\n",
        }),
    );
}

#[test]
fn bytes_outside_the_passage_stay() {
    check("one\r\ntwo\r\n", "two", "2", "one\r\n2\r\n");
    check("a\r\nb\nc\r\n", "b", "B", "a\r\nB\nc\r\n");
    check("p\rq\nend\n\n\n", "end", "done", "p\rq\ndone\n\n\n");
    check("p\r\nq", "q", "q\nr", "p\r\nq\r\nr");
    check("a\0b\nkey\n", "key", "KEY", "a\0b\nKEY\n");
}

#[test]
fn the_byte_order_mark_is_no_part_of_the_first_line() {
    check(
        "\u{feff}k=1\r\nm=2\r\n",
        "k=1\nm=2",
        "k=3\nm=4",
        "\u{feff}k=3\r\nm=4\r\n",
    );
    check("\u{feff}k=1 \n", "k=1\n", "k=2\n", "\u{feff}k=2\n");
}

#[test]
fn line_ends_and_trailing_white_space_may_be_quoted_otherwise() {
    let fixture = Fixture::new(&[("a.txt", "one\r\ntwo\r\n")]);
    let result = fixture.call("patch", &edit("one\ntwo", "1\n2")).unwrap();
    assert_eq!(result["strategy"], "line_ends");
    fixture.holds("a.txt", "1\r\n2\r\n");

    let fixture = Fixture::new(&[("a.txt", "one  \ntwo\nthree\n")]);
    let result = fixture
        .call("patch", &edit("one\ntwo\n", "1\n2\n"))
        .unwrap();
    assert_eq!(result["strategy"], "trailing_space");
    fixture.holds("a.txt", "1\n2\nthree\n");
}

#[test]
fn what_differs_in_line_ends_alone_is_told_as_line_ends() {
    for (text, old, strategy) in [
        ("one\ntwo", "one\ntwo\n", "line_ends"),
        ("one\r\ntwo\nthree\n", "one\ntwo\nthree\n", "line_ends"),
        ("one\r\ntwo\nthree", "one\ntwo\nthree\n", "line_ends"),
        ("one\ntwo ", "one\ntwo\n", "trailing_space"),
        (
            "one\r\ntwo \nthree\n",
            "one\ntwo\nthree\n",
            "trailing_space",
        ),
    ] {
        let fixture = Fixture::new(&[("a.txt", text)]);
        let result = fixture.call("patch", &edit(old, "new\n")).unwrap();
        assert_eq!(result["strategy"], strategy, "{text:?}");
    }
}

#[test]
fn a_passage_that_is_not_there_is_refused_with_the_nearest_lines() {
    check_refused(
        "import os\nversion = \"1.4.2\"\n",
        "version = \"1.4.1\"",
        "version = \"1.5.0\"",
        "no_match",
        "`old_string` is not in `a.txt`; nearest is line 2: `version = \"1.4.2\"` \
         (`2` stands where `1` was quoted); \
         read `a.txt` again and quote it as it stands",
    );
    check_refused(
        "alpha\n",
        "nothing alike",
        "x",
        "no_match",
        "`old_string` is not in `a.txt`; read `a.txt` again and quote it as it stands",
    );
}

#[test]
fn an_edit_that_is_done_already_is_told() {
    check_refused(
        "one\nlet x = compute();\n",
        "let x = old();",
        "let x = compute();",
        "no_match",
        "`old_string` is not in `a.txt`; \
         already applied, it seems: `new_string` stands at line 2",
    );
}

#[test]
fn a_passage_that_is_there_twice_is_refused_with_its_lines() {
    check_refused(
        "x = 1\ny\nx = 1\n",
        "x = 1",
        "x = 2",
        "ambiguous",
        "`old_string` is in `a.txt` 2 times: lines 1, 3; \
         quote more lines around the one you mean, or set `replace_all`",
    );
}

#[test]
fn an_edit_that_says_nothing_is_refused() {
    check_refused(
        "x\n",
        "",
        "y",
        "empty_old",
        "`old_string` is empty; \
         quote the passage to replace, or use `write_file` for a new file",
    );
    check_refused(
        "x\n",
        "x",
        "x",
        "identical",
        "`a.txt` would not change: `new_string` is what stands there; \
         send the text that should stand there instead",
    );
}

#[test]
fn a_file_that_is_not_utf8_is_refused_and_stays() {
    let fixture = Fixture::new(&[
        ("a.txt", &b"one\ncaf\xe9\nend\n"[..]),
        ("image", b"\x89PNG\r\n\x1a\n\xff"),
        ("utf16", b"\xff\xfee\0n\0d\0"),
    ]);
    fixture.refused(
        "patch",
        edit("end", "END"),
        "encoding",
        "`a.txt` is not UTF-8: line 2 has other bytes; \
         convert it to UTF-8 first, so that no byte is lost",
    );
    fixture.holds("a.txt", b"one\ncaf\xe9\nend\n");
    for (path, code) in [("image", "binary"), ("utf16", "encoding")] {
        let arguments = json!({"path": path, "old_string": "end", "new_string": "x"});
        assert_eq!(fixture.call("patch", &arguments).unwrap_err().code(), code);
    }
}

#[test]
fn text_is_data() {
    let text = "$(echo hi) `id` $HOME \\1 ${x} & 'q' \"d\" %s {0}";
    check("x\n", "x", text, &format!("{text}\n"));
    check(&format!("{text}\n"), text, "x", "x\n");
}

#[test]
fn edits_at_the_same_time_are_all_kept() {
    let numbered = |word: &str| -> String { (10..30).map(|n| format!("{word} {n}\n")).collect() };
    let fixture = Fixture::new(&[("d/a.txt", numbered("old"))]);
    fixture.link("link", "d/a.txt");
    let second = fixture.second_session();
    let paths = ["d/a.txt", "./d/../d/a.txt", "link"];
    std::thread::scope(|scope| {
        for number in 10..30_usize {
            let (fixture, second) = (&fixture, &second);
            scope.spawn(move || {
                let arguments = json!({
                    "path": paths[number % paths.len()],
                    "old_string": format!("old {number}"),
                    "new_string": format!("new {number}"),
                });
                if number % 2 == 0 {
                    fixture.call("patch", &arguments).unwrap();
                } else {
                    let result = second.call_blocking_with(patient("patch", &arguments));
                    assert!(result.outcome.is_ok());
                }
            });
        }
    });
    fixture.holds("d/a.txt", numbered("new"));
    assert_eq!(fixture.names("d"), ["a.txt"]);
}

#[test]
fn a_cancelled_edit_writes_nothing() {
    let fixture = Fixture::new(&[("a.txt", "x\n")]);
    let error = fixture.cancelled("patch", &edit("x", "y"));
    assert_eq!(error.code(), "cancelled");
    fixture.holds("a.txt", "x\n");
}

#[test]
fn a_file_that_nobody_may_write_is_refused() {
    let fixture = Fixture::new(&[("a.txt", "x\n")]);
    fs::set_permissions(fixture.path("a.txt"), Permissions::from_mode(0o444)).unwrap();
    let text = "`a.txt` is read-only: nobody may write it; \
                write another file, or ask for this one to be made writable";
    fixture.refused("patch", edit("x", "y"), "permission_denied", text);
    let arguments = json!({"path": "a.txt", "content": "y\n"});
    fixture.refused("write_file", arguments, "permission_denied", text);
    fixture.holds("a.txt", "x\n");
}
