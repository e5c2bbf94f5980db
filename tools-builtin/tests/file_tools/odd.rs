//! Files and folders that are hardly ever there, and that nothing may stumble over.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::search::{lines, search};

fn paths(found: &Value) -> Vec<String> {
    lines(found).into_iter().map(|(path, _, _)| path).collect()
}

#[test]
fn what_is_found_can_be_sent_again_whatever_it_is_called() {
    let fixture = Fixture::new(&[
        ("new\nline.txt", "hit\n"),
        ("-v", "hit\n"),
        (" blank ", "hit\n"),
        ("d[1]/*.txt", "hit\n"),
        ("quote\"'`$(id).txt", "hit\n"),
    ]);
    fs::write(
        fixture.path("").join(OsStr::from_bytes(b"bad\xff.txt")),
        "hit\n",
    )
    .unwrap();
    let bad = fixture.path("").join(OsStr::from_bytes(b"bad\xfe"));
    fs::create_dir(&bad).unwrap();
    fs::write(bad.join("a.txt"), "hit\n").unwrap();
    let found = search(&fixture, "hit", json!({}));
    let shown = paths(&found);
    assert_eq!(
        shown,
        [
            " blank ",
            "-v",
            "d[1]/*.txt",
            "new\nline.txt",
            "quote\"'`$(id).txt"
        ]
    );
    assert_eq!(found["skipped"]["unreadable"], 2, "{found}");
    for path in &shown {
        let page = fixture.call("read_file", &json!({"path": path})).unwrap();
        assert_eq!(page["content"], "1|hit", "{path}");
        let edit = json!({"path": path, "old_string": "hit", "new_string": "hit 2"});
        fixture.call("patch", &edit).unwrap();
        fixture.holds(path, "hit 2\n");
    }
    let listed = search(&fixture, "*", json!({"target": "files"}));
    assert_eq!(listed["total_count"], 5);
    assert_eq!(listed["skipped"]["unreadable"], 2);
}

#[test]
fn a_deep_folder_is_reached() {
    let fixture = Fixture::empty();
    let deep = ["d"; 300].join("/");
    let path = format!("{deep}/f.txt");
    let written = json!({"path": path, "content": "hit\n"});
    fixture.call("write_file", &written).unwrap();
    let page = fixture.call("read_file", &json!({"path": path})).unwrap();
    assert_eq!(page["content"], "1|hit");
    assert_eq!(paths(&search(&fixture, "hit", json!({}))), [path]);
    // Longer than any path may be.
    let endless = "d/".repeat(3_000);
    let error = fixture
        .call("read_file", &json!({"path": endless}))
        .unwrap_err();
    assert!(["bad_path", "not_found"].contains(&error.code()), "{error}");
}

#[test]
fn a_file_with_a_hole_is_paged_and_its_end_is_found() {
    const HOLE: u64 = 1 << 26;
    let fixture = Fixture::empty();
    let mut file = File::create(fixture.path("log")).unwrap();
    file.write_all("line\n".repeat(2_000).as_bytes()).unwrap();
    file.seek(SeekFrom::Current(i64::try_from(HOLE).unwrap()))
        .unwrap();
    file.write_all(b"\nlast\n").unwrap();
    let page = |offset: u32| {
        let arguments = json!({"path": "log", "offset": offset, "limit": 1});
        fixture.call("read_file", &arguments).unwrap()
    };
    assert_eq!(page(2_000)["content"], "2000|line");
    assert_eq!(page(2_002)["content"], "2002|last");
    assert_eq!(page(2_002 - 1)["total_lines"], 2_002);
    let found = search(&fixture, "last", json!({}));
    // The hole is one line, longer than a search holds.
    assert_eq!(found["skipped"]["long_lines"], 1);
}

#[test]
fn thousands_of_hunks_are_one_change() {
    let text: String = (0..20_000).map(|n| format!("line {n}\n")).collect();
    let fixture = Fixture::new(&[("a.txt", &text)]);
    let hunks: String = (5..20_000)
        .step_by(5)
        .map(|n| format!("@@\n line {}\n-line {n}\n+LINE {n}\n", n - 1))
        .collect();
    let patch = format!("*** Begin Patch\n*** Update File: a.txt\n{hunks}*** End Patch\n");
    let result = fixture.call("patch", &json!({"patch": patch})).unwrap();
    assert_eq!(result["files_modified"], json!(["a.txt"]));
    let expected: String = (0..20_000)
        .map(|n| match n % 5 {
            0 if n > 0 => format!("LINE {n}\n"),
            _ => format!("line {n}\n"),
        })
        .collect();
    fixture.holds("a.txt", expected);
}

#[test]
fn damaged_documents_are_refused_or_shown_as_the_text_that_they_are() {
    let fixture = Fixture::new(&[
        ("a.docx", &b"PK\x03\x04garbage"[..]),
        ("a.xlsx", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
        ("empty.docx", b""),
        ("a.pdf", b"%PDF-1.4 broken"),
        ("a.ipynb", b"{\"cells\": [{\"cell_type\": 5}]}"),
        ("b.ipynb", b"{"),
    ]);
    for path in ["a.docx", "a.xlsx", "empty.docx", "a.pdf"] {
        let error = fixture
            .call("read_file", &json!({"path": path}))
            .unwrap_err();
        assert_eq!(error.code(), "binary", "{path}: {error}");
    }
    let page = |path: &str| fixture.call("read_file", &json!({"path": path})).unwrap();
    assert_eq!(
        page("a.ipynb")["content"],
        "1|{\"cells\": [{\"cell_type\": 5}]}"
    );
    assert_eq!(page("b.ipynb")["content"], "1|{");
}

#[test]
fn names_that_differ_in_case_are_different_files() {
    let fixture = Fixture::new(&[("a.txt", "lower\n")]);
    let error = fixture
        .call("read_file", &json!({"path": "A.txt"}))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no such file: `A.txt`; did you mean `a.txt`?"
    );
    fixture
        .call(
            "write_file",
            &json!({"path": "A.txt", "content": "upper\n"}),
        )
        .unwrap();
    fixture.holds("a.txt", "lower\n");
    fixture.holds("A.txt", "upper\n");
}
