//! How `search_files` goes through folders: what it tells on its way, in which order, and what it keeps
//! away from.

use std::cmp::Reverse;
use std::fs;
use std::sync::{Arc, Mutex};

use hermes_tools::workspace::Confined;
use hermes_tools::{SessionFacts, Workspace};
use serde_json::{Value, json};

use crate::fixture::{Fixture, patient, session};
use crate::search::{fruit, lines, search};

#[test]
fn what_is_found_is_told_while_the_search_goes_on() {
    let fixture = fruit();
    for (arguments, expected) in [
        (
            json!({"pattern": "red"}),
            [
                "`PATH`: N lines; 3 lines in 2 files so far",
                "`PATH`: N line; 3 lines in 2 files so far",
            ],
        ),
        (
            json!({"pattern": "*.{py,txt}", "target": "files"}),
            ["`PATH`; 2 files so far", "`PATH`; 2 files so far"],
        ),
    ] {
        let heard: Arc<Mutex<Vec<(f64, String)>>> = Arc::default();
        let listener = Arc::clone(&heard);
        let call = patient("search_files", &arguments).on_progress(move |event| {
            let message = event.message.to_owned();
            listener.lock().unwrap().push((event.done, message));
        });
        fixture.session().call_blocking_with(call).outcome.unwrap();
        let heard = heard.lock().unwrap();
        let done: Vec<f64> = heard.iter().map(|(done, _)| *done).collect();
        assert_eq!(done, [1.0, 2.0]);
        // Which of the two files comes first is chance.
        let mut last = heard[1]
            .1
            .replace("a.txt", "PATH")
            .replace("sub/b.py", "PATH");
        last = last
            .replace(": 1 line", ": N line")
            .replace(": 2 line", ": N line");
        assert!(expected.contains(&&*last), "{last}");
    }
}

#[test]
fn the_files_of_a_page_are_the_first_by_their_paths_however_many_there_are() {
    let files: Vec<(String, String)> = (0..2_500)
        .map(|number| {
            (
                format!("d{}/f{number:04}", number % 7),
                format!("hit {number}\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let fixture = Fixture::new(&files);
    let mut paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    paths.sort_unstable();
    for offset in [0, 1, 1_490, 2_499] {
        let found = search(&fixture, "hit", json!({"offset": offset, "limit": 3}));
        let shown: Vec<String> = lines(&found).into_iter().map(|(path, _, _)| path).collect();
        let end = (offset + 3).min(paths.len());
        assert_eq!(shown, paths[offset..end]);
        assert_eq!(
            (&found["total_count"], &found["total_files"]),
            (&json!(2_500), &json!(2_500))
        );
    }
    let found = search(
        &fixture,
        "hit",
        json!({"offset": 700, "limit": 2, "output_mode": "files_only"}),
    );
    assert_eq!(found["files"], json!(paths[700..702]));
    assert_eq!(found["total_count"], 2_500);
    let changed = |path: &str| {
        fs::metadata(fixture.path(path))
            .unwrap()
            .modified()
            .unwrap()
    };
    paths.sort_by_key(|path| (Reverse(changed(path)), *path));
    for offset in [0, 1_490, 2_498] {
        let arguments = json!({"target": "files", "offset": offset, "limit": 3});
        let found = search(&fixture, "f*", arguments);
        assert_eq!(
            found["files"],
            json!(paths[offset..(offset + 3).min(2_500)])
        );
        assert_eq!(found["total_count"], 2_500);
    }
}

#[test]
fn the_agents_own_credentials_are_not_searched_where_its_folder_is() {
    let fixture = Fixture::new(&[
        (".hermes/auth.json", "needle\n"),
        (".hermes/tokens/a", "needle\n"),
        (".hermes/notes.txt", "needle\n"),
        ("plain/.env.example", "needle\n"),
        ("plain/.env.local", "needle\n"),
        ("plain/env", "needle\n"),
    ]);
    let home = fixture.path("").canonicalize().unwrap();
    let home = home.to_str().unwrap().to_owned();
    let facts =
        SessionFacts::default().environment(move |name| (name == "HOME").then(|| home.clone()));
    let session = session()
        .workspace(Workspace::new(Confined::open(fixture.path("")).unwrap()))
        .facts(facts)
        .build()
        .unwrap();
    let found = |arguments: Value| -> Value {
        let output = session
            .call_blocking_with(patient("search_files", &arguments))
            .outcome;
        serde_json::from_str(output.unwrap().json().unwrap()).unwrap()
    };
    let hermes = found(json!({"pattern": "needle", "path": ".hermes"}));
    let paths = |found: &Value| -> Vec<String> {
        lines(found).into_iter().map(|(path, _, _)| path).collect()
    };
    assert_eq!(paths(&hermes), [".hermes/notes.txt"]);
    assert_eq!(hermes["skipped"]["unreadable"], 2, "{hermes}");
    // Hidden files are searched where the path names them, and then they are judged.
    let named = |path: &str| {
        let arguments = json!({"pattern": "needle", "path": path});
        session.call_blocking_with(patient("search_files", &arguments))
    };
    assert_eq!(
        named("plain/.env.local").outcome.unwrap_err().code(),
        "protected_path"
    );
    assert!(named("plain/.env.example").outcome.is_ok());
    assert_eq!(paths(&found(json!({"pattern": "needle"}))), ["plain/env"]);
}
