//! `search_files`.

use std::fs;

use serde_json::{Value, json};

use crate::fixture::Fixture;

/// Three files with fruit.
pub(crate) fn fruit() -> Fixture {
    Fixture::new(&[
        ("a.txt", "red apple\ngreen pear\nred plum\n"),
        ("sub/b.py", "# red tape\nx = 1\n"),
        ("sub/c.md", "nothing\n"),
    ])
}

/// Searches for `pattern`, with further arguments.
#[track_caller]
pub(crate) fn search(fixture: &Fixture, pattern: &str, more: Value) -> Value {
    let mut arguments = more;
    arguments["pattern"] = json!(pattern);
    match fixture.call("search_files", &arguments) {
        Ok(found) => found,
        Err(error) => panic!("{}: {error}", error.code()),
    }
}

/// The lines found, as path, number and text.
pub(crate) fn lines(found: &Value) -> Vec<(String, u64, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let matches = found["matches"].as_array().unwrap();
    matches
        .iter()
        .flat_map(|file| {
            file["lines"].as_array().unwrap().iter().map(|line| {
                (
                    text(&file["path"]),
                    line["line"].as_u64().unwrap(),
                    text(&line["text"]),
                )
            })
        })
        .collect()
}

#[track_caller]
fn check_lines(fixture: &Fixture, pattern: &str, more: Value, expected: &[(&str, u64, &str)]) {
    let found = lines(&search(fixture, pattern, more));
    let found: Vec<(&str, u64, &str)> = found
        .iter()
        .map(|(path, line, text)| (&**path, *line, &**text))
        .collect();
    assert_eq!(found, expected);
}

fn strings(value: &Value) -> Vec<&str> {
    let values = value.as_array().into_iter().flatten();
    values.filter_map(Value::as_str).collect()
}

#[track_caller]
pub(crate) fn check_files(fixture: &Fixture, pattern: &str, more: Value, expected: &[&str]) {
    let mut more = more;
    more["target"] = json!("files");
    assert_eq!(search(fixture, pattern, more)["files"], json!(expected));
}

#[test]
fn lines_are_found_in_the_order_of_their_paths() {
    assert_eq!(
        search(&fruit(), "red", json!({})),
        json!({
            "matches": [
                {
                    "path": "a.txt",
                    "lines": [{"line": 1, "text": "red apple"}, {"line": 3, "text": "red plum"}],
                },
                {"path": "sub/b.py", "lines": [{"line": 1, "text": "# red tape"}]},
            ],
            "total_count": 3,
            "total_files": 2,
            "truncated": false,
        })
    );
}

#[test]
fn files_and_counts_are_told_instead_of_lines() {
    assert_eq!(
        search(&fruit(), "red", json!({"output_mode": "files_only"})),
        json!({"files": ["a.txt", "sub/b.py"], "total_count": 2, "truncated": false})
    );
    assert_eq!(
        search(&fruit(), "red", json!({"output_mode": "count", "limit": 1})),
        json!({
            "counts": [{"path": "a.txt", "count": 2}],
            "total_count": 3,
            "total_files": 2,
            "truncated": true,
            "next_offset": 1,
        })
    );
    assert_eq!(
        search(
            &fruit(),
            "red",
            json!({"output_mode": "count", "limit": 1, "offset": 1})
        ),
        json!({
            "counts": [{"path": "sub/b.py", "count": 1}],
            "total_count": 3,
            "total_files": 2,
            "truncated": false,
        })
    );
}

#[test]
fn pages_cut_through_files() {
    let fixture = Fixture::new(&[("a", "hit 1\nhit 2\nhit 3\n"), ("b", "hit 4\nhit 5\n")]);
    let page = search(&fixture, "hit", json!({"limit": 2, "offset": 2}));
    assert_eq!(
        page,
        json!({
            "matches": [
                {"path": "a", "lines": [{"line": 3, "text": "hit 3"}]},
                {"path": "b", "lines": [{"line": 1, "text": "hit 4"}]},
            ],
            "total_count": 5,
            "total_files": 2,
            "truncated": true,
            "next_offset": 4,
        })
    );
    let last = search(&fixture, "hit", json!({"limit": 2, "offset": 4}));
    assert_eq!(
        (&last["truncated"], &last["next_offset"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(lines(&last), [("b".to_owned(), 2, "hit 5".to_owned())]);
}

#[test]
fn lines_around_a_match_are_marked_and_not_counted() {
    let fixture = Fixture::new(&[("v-2-x/a-1-b.txt", "at 10:30\nhit\nm\nhit\n\nz\n")]);
    assert_eq!(
        search(&fixture, "hit", json!({"context": 1, "limit": 2})),
        json!({
            "matches": [{
                "path": "v-2-x/a-1-b.txt",
                "lines": [
                    {"line": 1, "text": "at 10:30", "context": true},
                    {"line": 2, "text": "hit"},
                    {"line": 3, "text": "m", "context": true},
                    {"line": 4, "text": "hit"},
                    {"line": 5, "text": "", "context": true},
                ],
            }],
            "total_count": 2,
            "total_files": 1,
            "truncated": false,
        })
    );
}

#[test]
fn patterns_are_regular_expressions_on_single_lines() {
    let fixture = Fixture::new(&[("a.txt", "cat\r\nconcat\nnaïve f(x)\n")]);
    let check = |pattern: &str, expected: &[(&str, u64, &str)]| {
        check_lines(&fixture, pattern, json!({}), expected);
    };
    check("^cat$", &[("a.txt", 1, "cat")]);
    check("(?i)CAT", &[("a.txt", 1, "cat"), ("a.txt", 2, "concat")]);
    check("na\\wve f\\(x\\)", &[("a.txt", 3, "naïve f(x)")]);
    check("cat.con", &[]);
}

#[test]
fn a_pattern_is_never_an_option() {
    let fixture = Fixture::new(&[("a.txt", "flag -v here\na -- b\n")]);
    check_lines(&fixture, "-v", json!({}), &[("a.txt", 1, "flag -v here")]);
    check_lines(&fixture, "--", json!({}), &[("a.txt", 2, "a -- b")]);
    check_lines(&fixture, "--pre=./run.sh", json!({}), &[]);
    let fixture = Fixture::new(&[("-d/-x.txt", "k\n"), ("y.txt", "k\n")]);
    check_lines(
        &fixture,
        "k",
        json!({"file_glob": "-*.txt"}),
        &[("-d/-x.txt", 1, "k")],
    );
    check_lines(
        &fixture,
        "k",
        json!({"path": "-d"}),
        &[("-d/-x.txt", 1, "k")],
    );
}

#[test]
fn a_pattern_that_does_not_compile_is_refused() {
    let refused = |arguments: Value, text: &str| {
        fruit().refused("search_files", arguments, "bad_pattern", text);
    };
    let help = "put a backslash before characters such as `(` `[` `{` `*` that are meant as they \
                are; look-around and back-references are not supported";
    refused(
        json!({"pattern": "f(x"}),
        &format!("`f(x` is not a regular expression: unclosed group; {help}"),
    );
    refused(
        json!({"pattern": "a\nb"}),
        "`a\nb` cannot match: a search goes line by line, and no line holds its end; \
         search for one of the lines, and set `context` to see the lines around it",
    );
    let help = "write a glob such as `*.rs`, `src/**/*.{ts,tsx}` or `[Mm]akefile`";
    refused(
        json!({"pattern": "a[", "target": "files"}),
        &format!("`pattern`: `a[` is not a glob: unclosed character class; missing ']'; {help}"),
    );
    refused(
        json!({"pattern": "a", "file_glob": "{a"}),
        &format!(
            "`file_glob`: `{{a` is not a glob: unclosed alternate group; missing '}}' \
             (maybe escape '{{' with '[{{]'?); {help}"
        ),
    );
}

#[test]
fn a_search_may_be_narrowed_to_a_folder_a_file_or_names() {
    let fixture = fruit();
    let tape: &[(&str, u64, &str)] = &[("sub/b.py", 1, "# red tape")];
    check_lines(&fixture, "red", json!({"path": "./sub/."}), tape);
    check_lines(&fixture, "red", json!({"path": "sub/b.py"}), tape);
    check_lines(&fixture, "red", json!({"file_glob": "*.py"}), tape);
    check_lines(&fixture, "red", json!({"file_glob": "!*.txt"}), tape);
    check_lines(&fixture, "red", json!({"file_glob": "sub/**"}), tape);
    check_lines(&fixture, "red", json!({"file_glob": "../outside/*"}), &[]);
}

#[test]
fn hidden_and_ignored_files_are_left_out_as_ripgrep_does() {
    let fixture = Fixture::new(&[
        (".git/HEAD", "hit\n"),
        (".gitignore", "build/\n*.log\n"),
        (".cfg/a.txt", "hit\n"),
        ("build/o.txt", "hit\n"),
        ("x.log", "hit\n"),
        ("sub/y.log", "hit\n"),
        ("a.txt", "hit\n"),
    ]);
    check_lines(&fixture, "hit", json!({}), &[("a.txt", 1, "hit")]);
    check_files(&fixture, "*", json!({}), &["a.txt"]);
    check_lines(
        &fixture,
        "hit",
        json!({"path": ".cfg"}),
        &[(".cfg/a.txt", 1, "hit")],
    );
    check_lines(
        &fixture,
        "hit",
        json!({"path": "x.log"}),
        &[("x.log", 1, "hit")],
    );
    check_lines(&fixture, "hit", json!({"file_glob": "*.log"}), &[]);
    check_lines(
        &fixture,
        "hit",
        json!({"file_glob": ""}),
        &[("a.txt", 1, "hit")],
    );

    // Outside a repository `.gitignore` has no force, and `.ignore` has.
    let fixture = Fixture::new(&[
        (".gitignore", "a.txt\n"),
        (".ignore", "b.txt\n"),
        ("a.txt", "hit\n"),
        ("b.txt", "hit\n"),
    ]);
    check_lines(&fixture, "hit", json!({}), &[("a.txt", 1, "hit")]);
    let fixture = Fixture::new(&[
        (".rgignore", "b.txt\n"),
        ("a.txt", "hit\n"),
        ("b.txt", "hit\n"),
    ]);
    check_lines(&fixture, "hit", json!({}), &[("a.txt", 1, "hit")]);
}

#[test]
fn hidden_files_are_searched_where_a_glob_names_them() {
    let fixture = Fixture::new(&[
        (".git/config", "hit\n"),
        (".gitignore", "*.log\n"),
        (".github/workflows/a.yml", "hit\n"),
        (".github/.deep/b.yml", "hit\n"),
        (".eslintrc", "hit\n"),
        ("sub/.eslintrc", "hit\n"),
        ("sub/c.yml", "hit\n"),
        (".x.log", "hit\n"),
        (".env", "hit\n"),
    ]);
    let both = |glob: &str, paths: &[&str]| {
        let found = search(&fixture, glob, json!({"target": "files"}));
        let mut files: Vec<&str> = strings(&found["files"]);
        files.sort_unstable();
        assert_eq!(files, paths, "{glob}");
        let lines: Vec<(&str, u64, &str)> = paths.iter().map(|path| (*path, 1, "hit")).collect();
        check_lines(&fixture, "hit", json!({"file_glob": glob}), &lines);
    };
    both(".eslintrc", &[".eslintrc", "sub/.eslintrc"]);
    both(".github/**/*.yml", &[".github/workflows/a.yml"]);
    both(".github/.deep/*", &[".github/.deep/b.yml"]);
    both(".*rc", &[".eslintrc", "sub/.eslintrc"]);
    both("!.eslintrc", &["sub/c.yml"]);
    // Nobody names these by a point and a star.
    both(".*/*", &[]);
    both(".*.log", &[]);
    both(".env", &[]);
    both(".git/config", &[".git/config"]);
}

#[test]
fn links_are_not_followed() {
    let fixture = Fixture::new(&[("a.txt", "hit\n")]);
    fs::write(fixture.outside("s.txt"), "hit secret\n").unwrap();
    fixture.link("file", fixture.outside("s.txt"));
    fixture.link("folder", fixture.outside(""));
    fixture.link("inside", "a.txt");
    check_lines(&fixture, "hit", json!({}), &[("a.txt", 1, "hit")]);
    check_files(&fixture, "*", json!({}), &["a.txt"]);
}

#[test]
fn what_was_skipped_is_told() {
    let fixture = Fixture::new(&[
        ("a.txt", &b"hit caf\xe9\n"[..]),
        ("b.bin", b"\0hit\0"),
        ("d.txt", b"\xff\xfe\0\0h\0\0\0"),
    ]);
    fixture.pipe("pipe");
    assert_eq!(
        search(&fixture, "hit", json!({})),
        json!({
            "matches": [{"path": "a.txt", "lines": [{"line": 1, "text": "hit caf\u{fffd}"}]}],
            "total_count": 1,
            "total_files": 1,
            "truncated": false,
            "skipped": {"binary": 1, "encoding": 1, "examples": ["b.bin", "d.txt"]},
        })
    );
}

#[test]
fn what_can_be_read_can_be_searched() {
    const MIB: usize = 1 << 20;
    let late = [b"text\n".repeat(4_000).as_slice(), b"\0\nhit\n"].concat();
    let longest = ["x".repeat(16 * MIB - 3).as_bytes(), b"hit"].concat();
    let longer = ["x".repeat(16 * MIB - 2).as_bytes(), b"hit"].concat();
    let fixture = Fixture::new(&[
        ("late", &late[..]),
        ("early", b"\0\nhit\n"),
        ("utf16", b"\xfe\xff\0h\0i\0t"),
        ("utf32", b"\0\0\xfe\xff\0\0\0h"),
        ("pdf", b"%PDF-1.4 hit\n"),
        ("longest", &longest),
        ("longer", &longer),
    ]);
    let read = |path: &str| fixture.call("read_file", &json!({"path": path}));
    assert_eq!(
        search(&fixture, "hit", json!({"output_mode": "files_only"})),
        json!({
            "files": ["late", "longest", "utf16"],
            "total_count": 3,
            "truncated": false,
            "skipped": {
                "binary": 2,
                "encoding": 1,
                "long_lines": 1,
                "examples": ["early", "longer", "pdf", "utf32"],
            },
        })
    );
    assert_eq!(read("late").unwrap()["total_lines"], 4_002);
    for (path, code) in [
        ("early", "binary"),
        ("pdf", "binary"),
        ("utf32", "encoding"),
    ] {
        assert_eq!(read(path).unwrap_err().code(), code, "{path}");
    }
    assert_eq!(
        read("longest").unwrap()["hint"],
        "1 line cut at 2000 characters; `search_files` finds what is behind"
    );
    assert_eq!(
        read("longer").unwrap()["hint"],
        "1 line cut at 2000 characters; `search_files` leaves the file out: it has a line of over \
         16 MiB"
    );
}

#[test]
fn a_file_that_cannot_be_searched_is_told() {
    let fixture = Fixture::new(&[("b.bin", "\0hit\0")]);
    assert_eq!(
        search(&fixture, "hit", json!({"path": "b.bin"})),
        json!({
            "matches": [],
            "total_count": 0,
            "total_files": 0,
            "truncated": false,
            "skipped": {"binary": 1, "examples": ["b.bin"]},
            "hint": "nothing in `b.bin` could be searched; `skipped` says why",
        })
    );
}

#[test]
fn an_ignore_file_that_is_a_pipe_is_not_waited_for() {
    let fixture = Fixture::new(&[("a.txt", "hit\n"), ("sub/b.txt", "hit\n")]);
    fixture.pipe("sub/.ignore");
    let found = search(&fixture, "hit", json!({}));
    assert_eq!(lines(&found), [("a.txt".to_owned(), 1, "hit".to_owned())]);
    assert_eq!(
        found["skipped"],
        json!({"unreadable": 1, "examples": ["sub"]})
    );
    fixture.refused(
        "search_files",
        json!({"pattern": "hit", "path": "sub"}),
        "not_regular",
        "an ignore file of `sub` is a device, a pipe or a socket; \
         remove it, or search another folder",
    );
}

#[test]
fn a_long_line_is_cut_around_its_match() {
    let text = format!("{}hit{}\n", "a".repeat(1_000), "b".repeat(1_000));
    let fixture = Fixture::new(&[("a.txt", text)]);
    let shown = format!(
        "[900 characters ...] {}hit{} [... 603 characters]",
        "a".repeat(100),
        "b".repeat(397)
    );
    check_lines(&fixture, "hit", json!({}), &[("a.txt", 1, &shown)]);
}

#[test]
fn a_page_ends_before_it_is_too_long() {
    let text = format!("{}\n", "\"".repeat(400)).repeat(1_000);
    let fixture = Fixture::new(&[("a.txt", text)]);
    let page = search(&fixture, "\"", json!({"limit": 1_000}));
    assert_eq!(page["total_count"], 1_000);
    let shown = lines(&page).len();
    assert_eq!(shown, 96);
    assert_eq!(page["next_offset"], 96);
    assert!(page.to_string().len() < 80_000);
    let next = search(&fixture, "\"", json!({"limit": 1_000, "offset": 96}));
    assert_eq!(lines(&next)[0].1, 97);
}

#[test]
fn a_page_of_many_files_ends_before_it_is_too_long() {
    let text = format!("{}hit\n", "\t".repeat(400)).repeat(3);
    let names: Vec<String> = (100..300).map(|number| format!("f{number}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*text)).collect();
    let fixture = Fixture::new(&files);
    let mut offset = 0;
    for context in [0, 100] {
        let more = json!({"limit": 1_000, "offset": offset, "context": context});
        let page = search(&fixture, "hit", more);
        assert!(page.to_string().len() < 100_000);
        assert_eq!(page["total_count"], 600);
        assert_eq!(page["truncated"], true);
        offset = page["next_offset"].as_u64().unwrap();
    }
    assert_eq!(offset, 188);
}

#[test]
fn zero_results_say_why() {
    let fixture = fruit();
    let check = |pattern: &str, more: Value, hint: &str| {
        assert_eq!(search(&fixture, pattern, more)["hint"], hint);
    };
    check(
        "Red",
        json!({}),
        "no line matches in 3 files of `.`; case counts, `(?i)` in front ignores it",
    );
    check(
        "red",
        json!({"file_glob": "*.rs"}),
        "none of 3 files in `.` fits `*.rs`",
    );
    check(
        "red",
        json!({"offset": 9}),
        "offset 9 is past the last of 3 results",
    );
    check(
        "*.rs",
        json!({"target": "files", "path": "sub"}),
        "none of 2 files in `sub` fits `*.rs`",
    );
    check(
        "tape",
        json!({"target": "files"}),
        "none of 3 files in `.` is called `tape`; a part of a name is `*tape*`",
    );
    fs::create_dir(fixture.path("empty")).unwrap();
    check(
        "red",
        json!({"path": "empty"}),
        "there are no files in `empty` beside hidden and ignored ones, which are searched only \
         when `path` names them",
    );
}

#[test]
fn a_tree_with_traps_is_searched_to_its_end() {
    let long = format!("{}\nneedle\n", "x".repeat(3_000_000));
    let fixture = Fixture::new(&[
        ("a/f.txt", "needle\n"),
        ("a/b/g.txt", "hay\n"),
        ("a/min.js", &*long),
        ("a/bin.dat", "needle\0bin"),
    ]);
    fixture.link("broken", "/nonexistent/x");
    fixture.link("a/b/up", "..");
    fixture.pipe("a/pipe");
    fixture.check(
        "search_files",
        json!({"pattern": "needle"}),
        json!({
            "matches": [
                {"path": "a/f.txt", "lines": [{"line": 1, "text": "needle"}]},
                {"path": "a/min.js", "lines": [{"line": 2, "text": "needle"}]},
            ],
            "total_count": 2,
            "total_files": 2,
            "truncated": false,
            "skipped": {"binary": 1, "examples": ["a/bin.dat"]},
        }),
    );
}
