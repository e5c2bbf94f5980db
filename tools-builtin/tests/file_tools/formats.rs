//! Files that are more than plain text: pictures, notebooks, other encodings.

use hermes_tools::Content;
use serde_json::json;

use crate::fixture::{Fixture, patient};

#[test]
fn a_picture_is_shown_as_one() {
    let bytes = b"\x89PNG\r\n\x1a\nrest";
    let fixture = Fixture::new(&[("p.png", &bytes[..]), ("fake.png", b"text really\n")]);
    let result = fixture
        .session()
        .call_blocking_with(patient("read_file", &json!({"path": "p.png"})));
    let output = result.outcome.unwrap();
    let parts: Vec<&Content> = output.parts().collect();
    assert_eq!(parts, [&Content::image("image/png", bytes)]);
    fixture.refused(
        "read_file",
        json!({"path": "fake.png"}),
        "binary",
        "`fake.png` is binary: a `.png` file, 12 bytes; use a tool for this format, or read another \
         file",
    );
}

#[test]
fn a_notebook_is_shown_as_the_text_of_its_cells() {
    let notebook = json!({"cells": [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "SECRET"}]},
    ]});
    let fixture = Fixture::new(&[("n.ipynb", notebook.to_string()), ("t.ipynb", "{no".into())]);
    let page = fixture
        .call("read_file", &json!({"path": "n.ipynb"}))
        .unwrap();
    assert_eq!(
        page["content"],
        "1|[cell 1: markdown]\n2|# Title\n3|text\n4|\n5|[cell 2: code]\n6|x = 1"
    );
    assert_eq!(page["extracted"], "a notebook");
    let page = fixture
        .call("read_file", &json!({"path": "t.ipynb"}))
        .unwrap();
    assert_eq!(page["content"], "1|{no");
}

#[test]
fn utf_16_is_shown_and_said_to_be_so() {
    let fixture = Fixture::new(&[("u", &b"\xff\xfeh\0\xe9\0\n\0"[..])]);
    let page = fixture.call("read_file", &json!({"path": "u"})).unwrap();
    assert_eq!(page["content"], "1|h\u{e9}");
    assert_eq!(
        page["hint"],
        "taken from UTF-16: `patch` cannot edit it as it is shown"
    );
}

#[test]
fn a_missing_file_is_answered_with_names_that_are_like_it() {
    let fixture = Fixture::new(&[("src/handlers.py", "x"), ("conf/app.toml", "x")]);
    fixture.refused(
        "read_file",
        json!({"path": "src/handler"}),
        "not_found",
        "no such file: `src/handler`; did you mean `src/handlers.py`?",
    );
    fixture.refused(
        "read_file",
        json!({"path": "conf/app.yaml"}),
        "not_found",
        "no such file: `conf/app.yaml`; did you mean `conf/app.toml`?",
    );
}
