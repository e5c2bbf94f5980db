//! `search_files` for names of files.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::search::{check_files, search};

#[test]
fn files_are_listed_newest_first() {
    let fixture = Fixture::new(&[
        ("old.log", ""),
        ("new.log", ""),
        ("d/mid.log", ""),
        ("x", ""),
    ]);
    for (name, age) in [("old.log", 300), ("d/mid.log", 200), ("new.log", 100)] {
        let file = fs::File::options()
            .write(true)
            .open(fixture.path(name))
            .unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age))
            .unwrap();
    }
    assert_eq!(
        search(&fixture, "*.log", json!({"target": "files", "limit": 2})),
        json!({
            "files": ["new.log", "d/mid.log"],
            "total_count": 3,
            "truncated": true,
            "next_offset": 2,
        })
    );
    check_files(&fixture, "*.log", json!({"offset": 2}), &["old.log"]);
}

#[test]
fn names_are_globs() {
    let fixture = Fixture::new(&[("src/c.py", ""), ("src/deep/d.py", ""), ("x.d/foo.py", "")]);
    check_files(
        &fixture,
        "*.py",
        json!({}),
        &["src/c.py", "src/deep/d.py", "x.d/foo.py"],
    );
    check_files(
        &fixture,
        "src/**/*.py",
        json!({}),
        &["src/c.py", "src/deep/d.py"],
    );
    check_files(&fixture, "src/*.py", json!({}), &["src/c.py"]);
    check_files(
        &fixture,
        "deep/*",
        json!({"path": "src"}),
        &["src/deep/d.py"],
    );
    check_files(&fixture, "*.d", json!({}), &[]);
    check_files(
        &fixture,
        "*.py",
        json!({"file_glob": "[cf]*"}),
        &["src/c.py", "x.d/foo.py"],
    );
    check_files(&fixture, "$(touch pwned)*", json!({}), &[]);
}

#[test]
fn what_is_behind_a_link_is_shown_as_it_was_asked_for() {
    let fixture = Fixture::new(&[("real/s.sql", "needle\n")]);
    fixture.link("view", "real");
    let files = |arguments: Value| {
        let found = fixture.call("search_files", &arguments).unwrap();
        found["files"].clone()
    };
    let content = json!({"pattern": "needle", "path": "view", "output_mode": "files_only"});
    assert_eq!(files(content), json!(["view/s.sql"]));
    let whole = json!({"pattern": "needle", "output_mode": "files_only"});
    assert_eq!(files(whole), json!(["real/s.sql"]));
    let listed = json!({"pattern": "view/*.sql", "target": "files"});
    assert_eq!(files(listed), json!(["view/s.sql"]));
    let page = fixture
        .call("read_file", &json!({"path": "view/s.sql"}))
        .unwrap();
    assert_eq!(page["content"], "1|needle");
    for pattern in ["../outside/*", "view/../../outside/*"] {
        let out = json!({"pattern": pattern, "target": "files"});
        assert_eq!(files(out), json!([]), "{pattern}");
    }
}

#[test]
fn a_glob_with_folders_finds_the_same_however_the_path_is_spelled() {
    let fixture = Fixture::new(&[
        ("a.py", "x"),
        ("src/c.py", "x"),
        ("src/deep/d.py", "x"),
        ("src/deep/er/e.py", "x"),
        ("lib/deep/z.py", "x"),
        ("real/s.sql", "x"),
        ("real/sub/t.sql", "x"),
    ]);
    fixture.link("src/view", "../real");
    let whole = fixture
        .path("")
        .to_str()
        .unwrap()
        .trim_end_matches('/')
        .to_owned();
    let paths = ["src", "src/", "./src", "src/../src"].map(str::to_owned);
    let absolute = ["src", "src/", "src/../src"].map(|path| format!("{whole}/{path}"));
    for path in paths.iter().chain(&absolute) {
        for (pattern, expected) in [
            ("deep/*.py", json!(["src/deep/d.py"])),
            ("./deep/*.py", json!(["src/deep/d.py"])),
            ("deep/{d,x}.py", json!(["src/deep/d.py"])),
            ("deep/er/*", json!(["src/deep/er/e.py"])),
            ("deep/**", json!(["src/deep/d.py", "src/deep/er/e.py"])),
            ("deep/**/*.py", json!(["src/deep/d.py", "src/deep/er/e.py"])),
            ("deep/../*.py", json!([])),
        ] {
            let asked = json!({"pattern": pattern, "target": "files", "path": path});
            let found = fixture.call("search_files", &asked).unwrap();
            assert_eq!(found["files"], expected, "{pattern} in {path}");
        }
        let linked = json!({"pattern": "view/*.sql", "target": "files", "path": path});
        let found = fixture.call("search_files", &linked).unwrap();
        let plain = path.starts_with("src") && !path.contains("..") || path.starts_with("./");
        let shown = if plain {
            "src/view/s.sql"
        } else {
            "real/s.sql"
        };
        assert_eq!(found["files"], json!([shown]), "{path}");
    }
}
