//! What stands at a path decides.

use std::fs;
use std::os::unix::fs::symlink;

use hermes_tools::checkpoint::Checkpoints;
use hermes_tools::dispatch::guard::Policy;
use hermes_tools::workspace::Confined;
use hermes_tools::{Access, Selection, Session, SessionFacts, ToolRegistry, Workspace, tools};
use serde_json::json;

use crate::Place;

#[test]
fn what_stands_at_a_path_decides_and_not_how_it_is_spelt() {
    let place = Place::of(tools![crate::put, crate::get]);
    fs::write(place.folder.path().join("a.txt"), "a").unwrap();
    fs::write(place.folder.path().join(".env"), "KEY=hush").unwrap();
    fs::write(place.folder.path().join("home/.hermes/auth.json"), "{}").unwrap();
    symlink("home/.ssh", place.folder.path().join("keys")).unwrap();
    symlink(".env", place.folder.path().join("plain.txt")).unwrap();
    let put = |path: &str| place.code("put", &json!({ "path": path }).to_string());
    let get = |path: &str| place.code("get", &json!({ "path": path }).to_string());
    for path in [
        "home/.ssh/authorized_keys",
        "keys/authorized_keys",
        "home/x/../.ssh/a",
        ".ssh/config",
        "home/.bashrc",
        "home/.netrc",
        "home/.hermes/.env",
        ".git/hooks/pre-commit",
        "sub/.git/config",
    ] {
        let expected = if path.contains("x/..") {
            "not_found"
        } else {
            "protected_path"
        };
        assert_eq!(put(path), expected, "{path}");
    }
    for path in [".env", "plain.txt", "home/.hermes/auth.json", "./.env"] {
        assert_eq!(get(path), "protected_path", "{path}");
    }
    for path in [
        "b.txt",
        ".env.example",
        ".npmrc",
        "home/notes.txt",
        ".gitignore",
    ] {
        assert_eq!(put(path), "ok", "{path}");
    }
    assert_eq!(put("../x"), "outside_workspace");
    // An argument that was left out is judged by its default.
    assert_eq!(place.code("get", "{}"), "ok");
    let error = place
        .session
        .call_blocking("get", r#"{"path": ".env"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`.env` is not read by tools: it holds credentials; `.env.example` may say what is in it; do without it, or ask the user to do it"
    );
    assert!(!fs::exists(place.folder.path().join("home/.bashrc")).unwrap());
}

#[test]
fn a_file_that_is_not_read_can_be_kept_and_replaced() {
    let store = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::open(store.path());
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".env"), "KEY=hush").unwrap();
    let workspace =
        Workspace::new(Confined::open(folder.path()).unwrap()).with_journal(checkpoints);
    let session = Session::builder(
        ToolRegistry::of(tools![crate::put]).unwrap(),
        Selection::of(["put"]),
    )
    .workspace(workspace)
    .build()
    .unwrap();
    let outcome = session.call_blocking("put", r#"{"path": ".env"}"#).outcome;
    assert_eq!(outcome.unwrap().text(), "done");
    assert_eq!(
        fs::read_to_string(folder.path().join(".env")).unwrap(),
        "text"
    );
}

#[test]
fn a_link_that_changes_after_the_guard_is_seen_by_the_handle() {
    let place = Place::of(tools![crate::swap]);
    fs::create_dir(place.folder.path().join("d")).unwrap();
    assert_eq!(
        place.code("swap", r#"{"path": "d/authorized_keys"}"#),
        "protected_path"
    );
    assert!(!fs::exists(place.folder.path().join("home/.ssh/authorized_keys")).unwrap());
}

#[test]
fn a_home_that_is_none_frees_no_place() {
    let homes = [
        "/", "", "//", "/.", "/home/..", "home/dev", "~", "/dev", "/root", "/srv",
    ];
    let written = [
        ("/dev/sda", "device"),
        ("/proc/1/environ", "process"),
        ("/etc/shadow", "system-file"),
        ("/etc/passwd", "system-file"),
        ("/usr/bin/ls", "system-file"),
        ("/root/.ssh/id_ed25519", "credential-file"),
        ("/root/.bashrc", "startup-file"),
        ("/home/eve/.ssh/authorized_keys", "credential-file"),
        ("/home/eve/.bashrc", "startup-file"),
        ("/srv/data/eve/.ssh/id_ed25519", "credential-file"),
        ("/.ssh/id_ed25519", "credential-file"),
        ("/.bashrc", "startup-file"),
    ];
    let read = [
        ("/dev/sda", "device"),
        ("/proc/1/environ", "process"),
        ("/etc/shadow", "credential-file"),
        ("/root/.hermes/auth.json", "agent-file"),
        ("/srv/app/.env", "secret-file"),
    ];
    let facts = |home: &str| {
        let home = home.to_owned();
        SessionFacts::default().environment(move |name| (name == "HOME").then(|| home.clone()))
    };
    for home in homes {
        let policies = [
            (Policy::new().home(home), SessionFacts::default()),
            (Policy::new(), facts(home)),
            (
                Policy::new().home(home).agent_home(home),
                SessionFacts::default(),
            ),
        ];
        for (policy, facts) in policies {
            let told = |path: &str, access| {
                let verdict = policy.path(path.as_ref(), access, &facts);
                (verdict.as_str(), verdict.category())
            };
            for (path, category) in written {
                assert_eq!(
                    told(path, Access::Write),
                    ("block", category),
                    "{home} {path}"
                );
            }
            for (path, category) in read {
                assert_eq!(
                    told(path, Access::Read),
                    ("block", category),
                    "{home} {path}"
                );
            }
            assert_eq!(
                told("/work/src/a.rs", Access::Write),
                ("allow", ""),
                "{home}"
            );
            let verdict = policy.command("rm -rf ~", None);
            assert_eq!(verdict.as_str(), "block", "{home}");
        }
    }
}

#[test]
fn an_agent_home_that_is_the_home_frees_nothing_in_it() {
    let policy = Policy::new().home("/data/ada").agent_home("/data/ada");
    for (path, category) in [
        ("/data/ada/.ssh/config", "credential-file"),
        ("/data/ada/.bashrc", "startup-file"),
        ("/data/ada/config.yaml", "agent-file"),
    ] {
        let verdict = policy.path(path.as_ref(), Access::Write, &SessionFacts::default());
        assert_eq!(verdict.category(), category, "{path}");
    }
}
