//! What stands at a path decides.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use hermes_tools::checkpoint::Checkpoints;
use hermes_tools::dispatch::guard::Policy;
use hermes_tools::output::store::ResultStore;
use hermes_tools::workspace::Confined;
use hermes_tools::{
    Access, Selection, Session, SessionFacts, ToolRegistry, Workspace, tool, tools,
};
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
fn the_names_of_credentials_are_free_in_a_project_and_kept_in_a_home() {
    let base = tempfile::tempdir().unwrap();
    let base = base.path().canonicalize().unwrap();
    for folder in ["home/code/.aws", "project", "theirs/.ssh", "data/home"] {
        fs::create_dir_all(base.join(folder)).unwrap();
    }
    fs::write(base.join("theirs/.ssh/known_hosts"), "").unwrap();
    let told = |root: &str, home: &str, path: &str| {
        let home = home.to_owned();
        let facts =
            SessionFacts::default().environment(move |name| (name == "HOME").then(|| home.clone()));
        let session = Session::builder(
            ToolRegistry::of(tools![crate::put]).unwrap(),
            Selection::of(["put"]),
        )
        .facts(facts)
        .workspace(Workspace::new(Confined::open(base.join(root)).unwrap()))
        .build()
        .unwrap();
        let outcome = session
            .call_blocking("put", &json!({ "path": path }).to_string())
            .outcome;
        outcome.map_or_else(|error| error.code().to_owned(), |_| "ok".to_owned())
    };
    let home = base.join("home").to_string_lossy().into_owned();
    for path in [".netrc", ".pgpass", ".git-credentials", ".npmrc"] {
        assert_eq!(told("project", &home, path), "ok", "{path}");
        assert_eq!(told("home", &home, path), "protected_path", "{path}");
        // A home in it, one of somebody else, and one that nobody knows.
        if path != ".npmrc" {
            let home_in_it = base.join("data/home").to_string_lossy().into_owned();
            assert_eq!(told("data", &home_in_it, path), "protected_path", "{path}");
            assert_eq!(told("theirs", &home, path), "protected_path", "{path}");
            assert_eq!(told("project", "/", path), "protected_path", "{path}");
        }
    }
    assert_eq!(told("home/code", &home, ".aws/credentials"), "ok");
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

#[test]
fn the_folders_of_hermes_itself_are_kept_wherever_the_environment_says_they_are() {
    let named = |name: &str| match name {
        "HOME" => Some("/data/ada".to_owned()),
        "XDG_STATE_HOME" => Some("/srv/state".to_owned()),
        "XDG_CONFIG_HOME" => Some("/srv/config".to_owned()),
        "HERMES_CONFIG" => Some("/srv/own/./settings.toml".to_owned()),
        "HERMES_CHECKPOINTS" => Some("/srv/kept".to_owned()),
        _ => None,
    };
    let facts = SessionFacts::default().environment(named);
    let judged = |path: &str, access: Access| {
        let verdict = Policy::new().path(Path::new(path), access, &facts);
        verdict.as_str()
    };
    for (path, read) in [
        (
            "/data/ada/.local/state/hermes/mcp/tokens/notes.json",
            "block",
        ),
        ("/srv/state/hermes/mcp/tokens/notes.json", "block"),
        ("/home/bob/.local/state/hermes/mcp/trusted.json", "block"),
        ("/srv/state/hermes/mcp/pins.json", "block"),
        ("/srv/state/hermes/results/place-1/turn-1/call.txt", "block"),
        ("/data/ada/.local/state/hermes/checkpoints/x", "block"),
        ("/data/ada/.config/hermes/hermes.toml", "allow"),
        ("/srv/config/hermes/hermes.toml", "allow"),
        ("/srv/state/hermes/log", "allow"),
        ("/srv/own/settings.toml", "allow"),
        ("/srv/kept/work-1/turn-1", "block"),
        ("/srv/kept", "block"),
    ] {
        assert_eq!(judged(path, Access::Read), read, "{path}");
        assert_eq!(judged(path, Access::Write), "block", "{path}");
    }
    for path in [
        "/srv/state/other",
        "/srv/config/hermes.toml",
        "/srv/own/other.toml",
        "/srv/own/settings.toml.bak",
        "/srv/kept-2",
        "/data/ada/.config/app/settings",
        "/data/ada/.local/state/hermes-2/x",
        "/data/ada/hermes/mcp/x",
    ] {
        assert_eq!(judged(path, Access::Read), "allow", "{path}");
        assert_eq!(judged(path, Access::Write), "allow", "{path}");
    }
}

/// Say where the results of this session are kept.
#[tool(toolset = "test", effect = "read", inline)]
fn own_results(#[ctx] workspace: &Workspace) -> String {
    let mut roots = workspace.roots();
    let root = roots.find(|(_, access)| *access == Access::Read);
    root.unwrap().0.display().to_string()
}

#[test]
fn a_session_reads_its_own_results_and_no_others() {
    let place = Place::of(tools![crate::put, crate::get]);
    let home = place.folder.path().canonicalize().unwrap();
    let state = home.join(".local/state/hermes");
    let home_text = home.display().to_string();
    let facts = SessionFacts::default()
        .environment(move |name| (name == "HOME").then(|| home_text.clone()));
    let store = ResultStore::at(state.join("results")).unwrap();
    let session = Session::builder(
        ToolRegistry::of(tools![crate::put, crate::get, own_results]).unwrap(),
        Selection::of(["put", "get", "own_results"]),
    )
    .facts(facts)
    .workspace(Workspace::new(Confined::open(&home).unwrap()))
    .result_store(store.of_place("here"))
    .build()
    .unwrap();
    let code = |tool: &str, path: &Path| {
        let result = session.call_blocking(tool, &json!({ "path": path }).to_string());
        match result.outcome {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.code().to_owned(),
        }
    };
    // The store is not there yet: the home folder around it can be written.
    assert_eq!(code("put", &home.join("a")), "ok");
    let own = session.call_blocking("own_results", "{}").outcome.unwrap();
    let own = PathBuf::from(own.text().into_owned());
    assert_eq!(own.parent(), Some(&*state.join("results")));
    assert_eq!(code("put", &own.join("f")), "not_found");
    for folder in [
        &own,
        &state.join("results/place-other"),
        &state.join("mcp/tokens"),
    ] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("f"), "text").unwrap();
    }
    // As the store makes its folders.
    fs::create_dir(own.join(".result-store")).unwrap();
    for folder in [&*own, own.parent().unwrap()] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
    assert_eq!(code("get", &own.join("f")), "ok");
    assert_eq!(
        code("get", &state.join("results/place-other/f")),
        "protected_path"
    );
    assert_eq!(code("get", &state.join("mcp/tokens/f")), "protected_path");
    assert_eq!(
        code("put", &state.join("mcp/trusted.json")),
        "protected_path"
    );
    assert_eq!(code("put", &own.join("f")), "protected_path");
    assert_eq!(code("put", &home.join("b")), "ok");
}

#[test]
fn what_other_sessions_keep_is_out_of_reach_wherever_the_store_is() {
    let place = Place::of(tools![crate::put, crate::get]);
    let root = place.folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("disk")).unwrap();
    // The store and the settings are named by a link, and one of them is not there yet.
    symlink("disk", root.join("link")).unwrap();
    let config = root.join("link/own.toml").display().to_string();
    let facts = SessionFacts::default()
        .environment(move |name| (name == "HERMES_CONFIG").then(|| config.clone()));
    let store = ResultStore::at(root.join("link/store")).unwrap();
    let session = Session::builder(
        ToolRegistry::of(tools![crate::put, crate::get, own_results]).unwrap(),
        Selection::of(["put", "get", "own_results"]),
    )
    .facts(facts)
    .workspace(Workspace::new(Confined::open(&root).unwrap()))
    .result_store(store)
    .build()
    .unwrap();
    let other = root.join("disk/store/session-other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("f"), "text").unwrap();
    for (tool, path, expected) in [
        ("get", "disk/store/session-other/f", "protected_path"),
        ("get", "link/store/session-other/f", "protected_path"),
        ("put", "disk/store/session-other/f", "protected_path"),
        ("put", "disk/own.toml", "protected_path"),
        ("put", "link/own.toml", "protected_path"),
        ("put", "disk/other.toml", "ok"),
    ] {
        let result = session.call_blocking(tool, &json!({ "path": path }).to_string());
        let code = result
            .outcome
            .as_ref()
            .map_or_else(hermes_tools::ToolError::code, |_| "ok");
        assert_eq!(code, expected, "{tool} {path}");
    }
}
