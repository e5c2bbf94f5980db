//! `read_file`.

use serde_json::json;

use crate::fixture::Fixture;

#[test]
fn lines_are_numbered_and_counted() {
    let fixture = Fixture::new(&[("a.txt", "one\n\n  three\ttab")]);
    fixture.check(
        "read_file",
        json!({"path": "a.txt"}),
        json!({
            "content": "1|one\n2|\n3|  three\ttab",
            "total_lines": 3,
            "file_size": 16,
            "truncated": false,
        }),
    );
}

#[test]
fn pages_follow_each_other() {
    let text: String = (1..=10).map(|line| format!("line {line}\n")).collect();
    let fixture = Fixture::new(&[("a.txt", &text)]);
    fixture.check(
        "read_file",
        json!({"path": "a.txt", "limit": 3}),
        json!({
            "content": "1|line 1\n2|line 2\n3|line 3",
            "total_lines": 10,
            "file_size": 71,
            "truncated": true,
            "next_offset": 4,
            "hint": "lines 1 to 3 of 10; go on with offset 4",
        }),
    );
    fixture.check(
        "read_file",
        json!({"path": "a.txt", "offset": 9, "limit": 2}),
        json!({
            "content": "9|line 9\n10|line 10",
            "total_lines": 10,
            "file_size": 71,
            "truncated": false,
        }),
    );
}

#[test]
fn an_offset_past_the_end_names_the_last_line() {
    let fixture = Fixture::new(&[("a.txt", "one\n"), ("empty", "")]);
    fixture.refused(
        "read_file",
        json!({"path": "a.txt", "offset": 2}),
        "out_of_range",
        "offset 2 is past the end of `a.txt`, which has 1 line; use an offset from 1 to 1",
    );
    fixture.refused(
        "read_file",
        json!({"path": "empty", "offset": 2}),
        "out_of_range",
        "offset 2 is past the end of `empty`, which is empty; there is nothing to read",
    );
}

#[test]
fn an_empty_file_says_so() {
    Fixture::new(&[("a.txt", "")]).check(
        "read_file",
        json!({"path": "a.txt"}),
        json!({
            "content": "",
            "total_lines": 0,
            "file_size": 0,
            "truncated": false,
            "hint": "the file is empty",
        }),
    );
}

#[test]
fn a_long_line_is_cut_and_says_so() {
    let text = format!("{}\nend\n", "x".repeat(2_500));
    Fixture::new(&[("a.txt", text)]).check(
        "read_file",
        json!({"path": "a.txt"}),
        json!({
            "content": format!("1|{} [... 500 more characters]\n2|end", "x".repeat(2_000)),
            "total_lines": 2,
            "file_size": 2_505,
            "truncated": false,
            "hint": "1 line cut at 2000 characters; `search_files` finds what is behind",
        }),
    );
}

#[test]
fn a_full_page_says_where_to_go_on() {
    let text = format!("{}\n", "\"".repeat(1_000)).repeat(100);
    let fixture = Fixture::new(&[("a.txt", text)]);
    let page = fixture
        .call("read_file", &json!({"path": "a.txt"}))
        .unwrap();
    assert_eq!(page["total_lines"], 100);
    assert_eq!(page["next_offset"], 50);
    assert_eq!(
        page["hint"],
        "lines 1 to 49 of 100, a page of 100000 characters; go on with offset 50"
    );
    // Each of the quotes is escaped, and the whole is still within the tool's own limit.
    assert!(page.to_string().len() < 120_000);
}

#[test]
fn line_ends_and_the_byte_order_mark_are_not_shown() {
    let fixture = Fixture::new(&[("crlf", "\u{feff}a\r\nb\r\n"), ("mixed", "a\r\nb\rc\n")]);
    fixture.check(
        "read_file",
        json!({"path": "crlf"}),
        json!({
            "content": "1|a\n2|b",
            "total_lines": 2,
            "file_size": 9,
            "truncated": false,
            "line_endings": "crlf",
        }),
    );
    fixture.check(
        "read_file",
        json!({"path": "mixed"}),
        json!({
            "content": "1|a\n2|b\rc",
            "total_lines": 2,
            "file_size": 7,
            "truncated": false,
            "line_endings": "mixed",
        }),
    );
}

#[test]
fn what_is_no_text_is_refused_with_its_kind() {
    let fixture = Fixture::new(&[
        ("image", &b"\x89PNG\r\n\x1a\n...."[..]),
        ("blob", b"a\0b"),
        ("utf32", b"\xff\xfe\0\0h\0\0\0"),
    ]);
    let refused = |path: &str, code: &str, text: &str| {
        fixture.refused("read_file", json!({"path": path}), code, text);
    };
    refused(
        "image",
        "binary",
        "`image` is binary: PNG image, 12 bytes; use a tool for this format, or read another file",
    );
    refused(
        "blob",
        "binary",
        "`blob` is binary: data, 3 bytes; use a tool for this format, or read another file",
    );
    refused(
        "utf32",
        "encoding",
        "`utf32` is UTF-32, not UTF-8; convert it to UTF-8 first",
    );
}

#[test]
fn text_in_another_encoding_is_shown_with_its_gaps() {
    Fixture::new(&[("a.txt", b"caf\xe9\nok\n")]).check(
        "read_file",
        json!({"path": "a.txt"}),
        json!({
            "content": "1|caf\u{fffd}\n2|ok",
            "total_lines": 2,
            "file_size": 8,
            "truncated": false,
            "lossy": true,
            "hint": "not UTF-8: other bytes are shown as U+FFFD, and `patch` refuses the file",
        }),
    );
}

#[test]
fn arguments_that_make_no_page_are_refused() {
    let fixture = Fixture::new(&[("a.txt", "one\n")]);
    for arguments in [
        json!({}),
        json!({"path": ""}),
        json!({"path": "a.txt", "offset": 0}),
        json!({"path": "a.txt", "limit": 0}),
        json!({"path": "a.txt", "limit": 2_001}),
        json!({"path": "a.txt", "offset": "first"}),
    ] {
        let error = fixture.call("read_file", &arguments).unwrap_err();
        assert_eq!(error.code(), "invalid_arguments", "{arguments}");
    }
}
