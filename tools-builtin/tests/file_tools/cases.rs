//! Faults that users of other frameworks reported, as small inputs with the right outcome.

use serde_json::{Value, json};

use crate::fixture::Fixture;

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

#[test]
fn a_block_whose_middle_differs_is_refused_with_what_stands_there() {
    let text = "fn alpha() {\n    open(1);\n    step(2);\n    close();\n}\n\nfn omega() {\n    open(7);\n    close();\n}\n";
    let fixture = Fixture::new(&[("p.rs", text)]);
    let old = "fn alpha() {\n    open(1);\n    step(99);\n    close();\n}";
    fixture.refused(
        "patch",
        edit("p.rs", old, "fn alpha() {}"),
        "no_match",
        "`old_string` is not in `p.rs`; nearest is line 3: `    step(2);` \
         (`2` stands where `99` was quoted); read `p.rs` again and quote it as it stands",
    );
    fixture.holds("p.rs", text);
}

#[test]
fn several_places_are_listed_and_replaced_on_request() {
    let fixture = Fixture::new(&[(
        "v.py",
        "a = 1\nx = x + 1\nb = 2\nx = x + 1\nc = 3\nx = x + 1\n",
    )]);
    let mut arguments = edit("v.py", "x = x + 1", "x = x + 2");
    fixture.refused(
        "patch",
        arguments.clone(),
        "ambiguous",
        "`old_string` is in `v.py` 3 times: lines 2, 4, 6; \
         quote more lines around the one you mean, or set `replace_all`",
    );
    arguments["replace_all"] = json!(true);
    let result = fixture.call("patch", &arguments).unwrap();
    assert_eq!(result["replacements"], 3);
    fixture.holds(
        "v.py",
        "a = 1\nx = x + 2\nb = 2\nx = x + 2\nc = 3\nx = x + 2\n",
    );
}

#[test]
fn an_edit_that_is_sent_again_is_made_once() {
    let fixture = Fixture::new(&[("log.md", "# Log\n- one\n")]);
    let arguments = edit("log.md", "- one", "- one\n- two");
    fixture.call("patch", &arguments).unwrap();
    for _ in 0..2 {
        fixture.refused(
            "patch",
            arguments.clone(),
            "identical",
            "already applied: `new_string` stands at line 2 of `log.md`; \
             go on; send another edit if more should change",
        );
    }
    fixture.holds("log.md", "# Log\n- one\n- two\n");
}

#[test]
fn line_ends_do_not_lead_to_another_indentation() {
    let fixture = Fixture::new(&[(
        "box.py",
        "class Box:\r\n    def fill(self):\r\n        a = 1\r\n        return a\r\n",
    )]);
    let new = "def fill(self):\n        a = 7\n        b = 8";
    fixture
        .call(
            "patch",
            &edit("box.py", "def fill(self):\n        a = 1", new),
        )
        .unwrap();
    fixture.holds(
        "box.py",
        "class Box:\r\n    def fill(self):\r\n        a = 7\r\n        b = 8\r\n        return a\r\n",
    );
}

#[test]
fn escapes_are_undone_on_both_sides_or_on_none() {
    let fixture = Fixture::new(&[("s.py", "print(\"a\")\n"), ("t.md", "| a |\n| b |\n")]);
    fixture
        .call("patch", &edit("s.py", "print(\"a\")", "print(\"a\\nb\")"))
        .unwrap();
    fixture.holds("s.py", "print(\"a\\nb\")\n");
    fixture
        .call("patch", &edit("t.md", "| a |\\n| b |", "| a |\\n| c |"))
        .unwrap();
    fixture.holds("t.md", "| a |\n| c |\n");
}

#[test]
fn an_empty_replacement_takes_the_span_and_no_more() {
    let fixture = Fixture::new(&[("i.py", "a = 1  # tmp\nb = 2\n")]);
    fixture.call("patch", &edit("i.py", "  # tmp", "")).unwrap();
    fixture.holds("i.py", "a = 1\nb = 2\n");
}

#[test]
fn a_long_file_is_edited_whole() {
    let text: String = (1..=6_000)
        .map(|n| match n {
            4_000 => format!("{}\n", "x".repeat(5_000)),
            _ => format!("line {n}\n"),
        })
        .collect();
    let fixture = Fixture::new(&[("long.txt", &text)]);
    fixture
        .call("patch", &edit("long.txt", "line 5\n", "line five\n"))
        .unwrap();
    fixture.holds("long.txt", text.replacen("line 5\n", "line five\n", 1));
}

#[test]
fn a_file_of_another_encoding_is_refused_and_stays() {
    let utf16 = b"\xff\xfeK\0E\0Y\x001\0=\0a\0\n\0";
    let latin = b"name=caf\xe9\nport=1\n";
    let fixture = Fixture::new(&[("u.ini", &utf16[..]), ("c.ini", &latin[..])]);
    for (path, old, text) in [("u.ini", "KEY1=a", "UTF-16"), ("c.ini", "port=1", "UTF-8")] {
        let error = fixture.call("patch", &edit(path, old, "x")).unwrap_err();
        assert_eq!(error.code(), "encoding");
        assert!(error.to_string().contains(text), "{error}");
    }
    fixture.holds("u.ini", utf16);
    fixture.holds("c.ini", latin);
}

#[test]
fn lines_alone_go_below_the_line_that_is_named() {
    let fixture = Fixture::new(&[("m.py", "def a():\n    pass\n\ndef b():\n    pass\n")]);
    let patch =
        |hint: &str| json!({"patch": format!("*** Update File: m.py\n@@ {hint}\n+    x = 1")});
    fixture.call("patch", &patch("def a():")).unwrap();
    let text = "def a():\n    x = 1\n    pass\n\ndef b():\n    pass\n";
    fixture.holds("m.py", text);
    fixture.refused(
        "patch",
        patch("def zz():"),
        "no_match",
        "nothing was changed: hunk 1 (`    x = 1`): no line of `m.py` is the place `@@ def zz():`; \
         put a line of the file behind `@@`, or lines around the place into the hunk",
    );
    fixture.holds("m.py", text);
}

#[test]
fn a_broken_structured_file_is_no_plain_success() {
    let fixture = Fixture::new(&[
        ("cfg.json", "{\"a\": 1}\n"),
        ("c.toml", "a = 1\n"),
        ("y.yaml", "a: [1, 2]\n"),
        ("p.py", "def f():\n    pass\n"),
    ]);
    for (path, old, new, line, column) in [
        ("cfg.json", "1}", "1,}", 1, 8),
        ("c.toml", "= 1", "= = 1", 1, 5),
        ("y.yaml", "2]", "2", 2, 1),
        ("p.py", "f()", "f(", 1, 7),
    ] {
        let result = fixture.call("patch", &edit(path, old, new)).unwrap();
        let lint = &result["lint"];
        assert_eq!(lint["parses"], false, "{path}");
        let place = (
            &lint["new_problems"][0]["line"],
            &lint["new_problems"][0]["column"],
        );
        assert_eq!(place, (&json!(line), &json!(column)), "{path}: {lint}");
    }
}

#[test]
fn old_faults_are_not_blamed_on_an_edit_and_new_ones_are() {
    let fixture = Fixture::new(&[
        ("o.py", "def broken(:\n    pass\n\nx = 1\n"),
        ("j.py", "a = [\n    1,\n    2,\n]\n\n\n\nprint(a)\n"),
    ]);
    let result = fixture
        .call("patch", &edit("o.py", "x = 1", "x = 2"))
        .unwrap();
    assert_eq!(result["lint"].get("new_problems"), None);
    assert_eq!(result["lint"]["earlier_problems"][0]["line"], 1);
    let result = fixture
        .call("patch", &edit("j.py", "    2,\n]\n", "    2,\n"))
        .unwrap();
    assert!(
        !result["lint"]["new_problems"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}
