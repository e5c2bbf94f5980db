use std::fs;
use std::path::Path;

use serde_json::json;
use tools_builtin::{Confinement, Isolation, TerminalOptions, bubblewrap, confinement};

use crate::fixture::{Fixture, is_alive};

/// Whether the kernel confines; tests that need it say that they are left out.
fn confines(test: &str) -> bool {
    let full = confinement() == Confinement::Full;
    if !full {
        println!("left out, since this kernel does not confine: {test}");
    }
    full
}

#[test]
fn commands_write_below_the_workspace_and_the_temporary_folder_only() {
    if !confines("commands_write_below_the_workspace_and_the_temporary_folder_only") {
        return;
    }
    let fixture = Fixture::new();
    let outside = fixture.place("outside").display().to_string();
    let ran = fixture.run(&format!("echo x > '{outside}/x'"));
    assert_eq!(ran["exit_code"], 1);
    assert!(!fixture.place("outside/x").exists());
    assert_eq!(
        ran["notes"],
        json!([format!(
            "isolation may have refused to write `{outside}/x`: commands write only below the workspace and \
             the temporary folder; write there, or ask the user"
        )])
    );
    let ran = fixture.run(
        "echo x > in && echo x > \"$TMPDIR/in\" && mv in \"$TMPDIR/moved\" && echo x > /dev/null",
    );
    assert_eq!(ran["exit_code"], 0, "{ran}");
}

#[test]
fn credentials_cannot_be_read() {
    if !confines("credentials_cannot_be_read") {
        return;
    }
    let fixture = Fixture::new();
    fs::create_dir(fixture.place("home/.ssh")).unwrap();
    fs::write(fixture.place("home/.ssh/id"), "secret key").unwrap();
    fs::write(fixture.place("home/notes"), "plain").unwrap();
    let ran = fixture.run("cat ~/.ssh/id");
    assert_eq!(ran["exit_code"], 1);
    assert!(
        ran["notes"][0]
            .as_str()
            .unwrap()
            .starts_with("isolation refused to read `"),
        "{ran}"
    );
    assert_eq!(fixture.output("cat ~/notes"), "plain");
}

#[test]
fn a_link_leads_nowhere_new() {
    if !confines("a_link_leads_nowhere_new") {
        return;
    }
    let fixture = Fixture::new();
    let outside = fixture.place("outside").display().to_string();
    assert_ne!(
        fixture.run(&format!("ln -s '{outside}' link && echo x > link/x"))["exit_code"],
        0
    );
    assert!(!fixture.place("outside/x").exists());
}

#[test]
fn the_host_can_neither_be_read_nor_signalled() {
    if !confines("the_host_can_neither_be_read_nor_signalled") {
        return;
    }
    let fixture = Fixture::new();
    let own = std::process::id();
    // Kernels from 6.17 let whoever may watch performance read the environment of every process, and
    // root may.
    if rustix::process::geteuid().is_root() {
        println!("left out for root: reading the host's environment");
    } else {
        assert_ne!(
            fixture.run(&format!("cat /proc/{own}/environ"))["exit_code"],
            0
        );
    }
    assert_ne!(fixture.run(&format!("kill -0 {own}"))["exit_code"], 0);
    // What the session itself has started it may end.
    fixture.run("sleep 300 & echo $! > pid");
    let child = fixture.output("cat pid");
    assert_eq!(fixture.run("kill \"$(cat pid)\"")["exit_code"], 0);
    crate::fixture::until("the end of the child", || !is_alive(&child));
}

#[test]
fn commands_get_no_new_privileges_and_limits_of_their_own() {
    let said = "grep NoNewPrivs /proc/self/status; ulimit -c; ulimit -u";
    let limited = TerminalOptions::new().user_processes(Some(1_234));
    let privileges = u8::from(confines("commands_get_no_new_privileges"));
    let fixture = Fixture::with(limited.clone(), &[]);
    assert_eq!(
        fixture.output(said),
        format!("NoNewPrivs:\t{privileges}\n0\n1234\n")
    );
    let open = Fixture::with(limited.isolation(Isolation::Off), &[]);
    assert!(open.output(said).ends_with("\n0\n1234\n"));
}

#[test]
fn isolation_can_be_switched_off_in_words_only() {
    let fixture = Fixture::with(TerminalOptions::new().isolation(Isolation::Off), &[]);
    let outside = fixture.place("outside").display().to_string();
    assert_eq!(
        fixture.run(&format!("echo x > '{outside}/x'"))["exit_code"],
        0
    );
    assert!(fixture.place("outside/x").exists());
}

#[test]
fn more_folders_can_be_opened() {
    if !confines("more_folders_can_be_opened") {
        return;
    }
    let base = tempfile::tempdir_in("/var/tmp").unwrap();
    let shared = base.path().canonicalize().unwrap();
    let fixture = Fixture::with(TerminalOptions::new().writable(&shared), &[]);
    assert_eq!(
        fixture.run(&format!("echo x > '{}/x'", shared.display()))["exit_code"],
        0
    );
}

#[test]
fn what_is_hidden_where_commands_write_cannot_be_read() {
    if !confines("what_is_hidden_where_commands_write_cannot_be_read") {
        return;
    }
    let base = tempfile::tempdir().unwrap();
    let shared = base.path().canonicalize().unwrap();
    fs::write(shared.join("key"), "secret").unwrap();
    fs::write(shared.join("notes"), "plain").unwrap();
    let options = TerminalOptions::new()
        .writable(&shared)
        .hidden(shared.join("key"));
    let fixture = Fixture::with(options, &[]);
    let ran = fixture.run(&format!("cat '{}/key'", shared.display()));
    assert_eq!(
        (
            &ran["output"].as_str().unwrap().contains("secret"),
            &ran["exit_code"]
        ),
        (&false, &json!(1))
    );
    let notes = format!("cat '{0}/notes'; echo more > '{0}/new'", shared.display());
    assert_eq!(fixture.output(&notes), "plain");
    assert!(shared.join("new").exists());
}

/// A home folder in which `hermes` has kept something.
fn used(home: &Path) {
    for (name, text) in [
        (".local/state/hermes/mcp/tokens/notes.json", "secret token"),
        (".local/state/hermes/mcp/trusted.json", "[]"),
        (
            ".local/state/hermes/results/place-1/call.txt",
            "secret answer",
        ),
        (".local/state/hermes/checkpoints/w/1", "secret file"),
        (".config/hermes/hermes.toml", "# settings"),
        (".config/app/settings", "plain"),
        ("work/notes", "plain"),
    ] {
        let path = home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// What holds for commands whose workspace is the home folder of a user of `hermes`.
fn keeps_to_itself(isolation: Isolation) {
    let fixture = Fixture::at_home(TerminalOptions::new().isolation(isolation), used);
    let home = fixture.place("home").display().to_string();
    for name in [
        "mcp/tokens/notes.json",
        "mcp/trusted.json",
        "results/place-1/call.txt",
        "checkpoints/w/1",
    ] {
        let path = format!("{home}/.local/state/hermes/{name}");
        let ran = fixture.run(&format!("cat '{path}'"));
        assert_ne!(ran["exit_code"], 0, "{ran}");
        assert_eq!(
            ran["notes"],
            json!([format!(
                "isolation refused to read `{path}`: it belongs to `hermes` itself; do without it, or ask the user"
            )]),
            "{ran}"
        );
    }
    for (command, file) in [
        (
            "echo x > .config/hermes/hermes.toml",
            ".config/hermes/hermes.toml",
        ),
        (
            "echo x > .local/state/hermes/mcp/trusted.json",
            ".local/state/hermes/mcp/trusted.json",
        ),
        (
            "mv work/notes .config/hermes/hermes.toml",
            ".config/hermes/hermes.toml",
        ),
        (
            "ln .config/hermes/hermes.toml work/link && echo x > work/link",
            ".config/hermes/hermes.toml",
        ),
        (
            "rm .config/hermes/hermes.toml",
            ".config/hermes/hermes.toml",
        ),
        (
            "mv .config work/moved && mkdir -p .config/hermes",
            ".config/hermes/hermes.toml",
        ),
        (
            "mv .local/state work/moved",
            ".local/state/hermes/mcp/trusted.json",
        ),
    ] {
        let before = fs::read_to_string(fixture.place("home").join(file)).unwrap();
        let ran = fixture.run(command);
        assert_ne!(ran["exit_code"], 0, "{command}: {ran}");
        let after = fs::read_to_string(fixture.place("home").join(file)).unwrap();
        assert_eq!(after, before, "{command}");
    }
    assert_ne!(fixture.run("mkdir .hermes")["exit_code"], 0);
    // Beside it they write as before, and have a folder for temporary files.
    let ran = fixture.run("echo x > work/new && mv work/new .config/app/new && mkdir work/sub");
    assert_eq!(ran["exit_code"], 0, "{ran}");
    let ran = fixture.run("file=$(mktemp) && echo x > \"$file\" && cat \"$file\"");
    assert_eq!(ran["output"].as_str().unwrap().trim(), "x", "{ran}");
    let ran = fixture.run("echo x > new");
    assert_ne!(ran["exit_code"], 0, "{ran}");
}

#[test]
fn what_belongs_to_hermes_is_neither_read_nor_changed_by_commands() {
    if confines("what_belongs_to_hermes_is_neither_read_nor_changed_by_commands") {
        keeps_to_itself(Isolation::Landlock);
    }
}

#[test]
fn what_belongs_to_hermes_is_neither_read_nor_changed_in_a_sandbox() {
    match bubblewrap() {
        Ok(_) => keeps_to_itself(Isolation::Bubblewrap),
        Err(why) => println!("left out, since {why}"),
    }
}

/// What holds for commands where the settings, the checkpoints and the results are no folders of the user's.
fn keeps_what_is_elsewhere(isolation: Isolation) {
    let base = tempfile::tempdir().unwrap();
    let place = base.path().canonicalize().unwrap();
    for folder in ["own", "kept"] {
        fs::create_dir(place.join(folder)).unwrap();
    }
    fs::write(place.join("own/settings.toml"), "# settings").unwrap();
    fs::write(place.join("kept/file"), "secret file").unwrap();
    let named = |name: &str| place.join(name).display().to_string();
    let options = TerminalOptions::new().isolation(isolation).writable(&place);
    let fixture = Fixture::with_others(
        options,
        &[
            ("HERMES_CONFIG", &named("own/settings.toml")),
            ("HERMES_CHECKPOINTS", &named("kept")),
        ],
    );
    for (command, refused) in [
        (format!("cat '{}'", named("own/settings.toml")), false),
        (format!("echo x > '{}'", named("own/settings.toml")), true),
        (format!("echo x > '{}'", named("other")), true),
        (format!("cat '{}'", named("kept/file")), true),
        (format!("rm '{}'", named("kept/file")), true),
        (
            format!(
                "cat '{}'",
                fixture.place("results/session-other/f").display()
            ),
            true,
        ),
        ("echo x > here && cat here".to_owned(), false),
    ] {
        let ran = fixture.run(&command);
        assert_eq!(ran["exit_code"] != 0, refused, "{command}: {ran}");
    }
    assert_eq!(
        fs::read_to_string(place.join("own/settings.toml")).unwrap(),
        "# settings"
    );
    assert!(place.join("kept/file").exists());
}

#[test]
fn what_belongs_to_hermes_is_kept_from_commands_wherever_it_is() {
    if confines("what_belongs_to_hermes_is_kept_from_commands_wherever_it_is") {
        keeps_what_is_elsewhere(Isolation::Landlock);
    }
}

#[test]
fn what_belongs_to_hermes_is_kept_in_a_sandbox_wherever_it_is() {
    match bubblewrap() {
        Ok(_) => keeps_what_is_elsewhere(Isolation::Bubblewrap),
        Err(why) => println!("left out, since {why}"),
    }
}
