//! The files of `hermes` itself are kept from tools and commands, and a workspace that holds too much is told of.

use std::fs;
use std::path::Path;

use crate::folder::{Folder, Ran};

/// A run with these variables, and without those that say where the user's folders are.
fn run_with(folder: &Folder, words: &[&str], variables: &[(&str, &Path)]) -> Ran {
    let mut command = folder.command(words);
    for name in [
        "HOME",
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "HERMES_CHECKPOINTS",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command.output().unwrap().into()
}

#[test]
fn the_configuration_that_is_read_is_changed_by_no_tool_and_no_command() {
    let folder = Folder::new();
    let file = folder.workspace().join("own.toml");
    let text = "enabled = [\"file\", \"terminal\"]\n";
    fs::write(&file, text).unwrap();
    let write = ["call", "write_file", "path=own.toml", "content=x"];
    let by_command = ["call", "terminal", "command=echo x > own.toml"];
    for (option, variables) in [
        (&["--config", "own.toml"][..], &[][..]),
        (&[], &[("HERMES_CONFIG", Path::new("own.toml"))]),
        (&[], &[("HERMES_CONFIG", &*file)]),
    ] {
        let ran = run_with(&folder, &[&write, option].concat(), variables);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(
            ran.stderr.starts_with(
                "error: `own.toml` is not changed by tools: it belongs to the agent itself; "
            ),
            "{ran:?}"
        );
        let ran = run_with(
            &folder,
            &[&by_command, option, &["--json"]].concat(),
            variables,
        );
        assert_ne!(ran.json()["result"]["exit_code"], 0, "{ran:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    let ran = folder.run(&["run", "--config", "own.toml", "echo x > own.toml"]);
    assert_ne!(ran.code, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // Where it is none it is a file as any other.
    assert_eq!(folder.run(&write).code, 0);
}

#[test]
fn checkpoints_are_kept_from_tools_wherever_they_are() {
    let folder = Folder::new();
    let kept = folder.workspace().join("kept");
    fs::create_dir(&kept).unwrap();
    fs::write(kept.join("f"), "before").unwrap();
    let read = ["call", "read_file", "path=kept/f"];
    let print = ["call", "terminal", "command=cat kept/f", "--json"];
    for (option, variables) in [
        (&["--checkpoints", "kept"][..], &[][..]),
        (&[], &[("HERMES_CHECKPOINTS", Path::new("kept"))]),
        (&[], &[("HERMES_CHECKPOINTS", &*kept)]),
    ] {
        let ran = run_with(&folder, &[&read, option].concat(), variables);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(
            ran.stderr.contains("it belongs to other sessions"),
            "{ran:?}"
        );
        let ran = run_with(&folder, &[&print, option].concat(), variables);
        assert_ne!(ran.json()["result"]["exit_code"], 0, "{ran:?}");
    }
    assert_eq!(folder.run(&read).code, 0);
}

#[test]
fn results_of_others_are_kept_from_tools_where_no_folder_for_state_is_known() {
    let folder = Folder::new();
    let temporary = folder.workspace().join("tmp");
    let other = temporary.join("hermes-results/place-other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("f"), "hush").unwrap();
    let path = "tmp/hermes-results/place-other/f";
    let variables = [("TMPDIR", &*temporary)];
    let ran = run_with(
        &folder,
        &["call", "read_file", &format!("path={path}")],
        &variables,
    );
    assert_eq!(ran.code, 1, "{ran:?}");
    let ran = run_with(&folder, &["run", &format!("cat {path}")], &variables);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(!ran.stdout.contains("hush"), "{ran:?}");
}

#[test]
fn a_workspace_that_holds_the_home_folder_is_told_of() {
    let folder = Folder::new();
    let home = folder.workspace();
    let home_text = home.canonicalize().unwrap().display().to_string();
    let warning = |root: &str| {
        format!(
            "warning: the workspace is `{root}`, which holds all that is yours: tools and commands may change nearly \
             everything there; name the folder of a project with `--workspace`\n"
        )
    };
    let told = |words: &[&str]| {
        let ran = run_with(&folder, words, &[("HOME", &home)]);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.stderr
    };
    let read = |more: &[&str]| told(&[&["call", "read_file", "path=src/main.rs"], more].concat());
    assert_eq!(read(&[]), warning(&home_text));
    assert_eq!(told(&["run", "true"]), warning(&home_text));
    assert_eq!(
        told(&[
            "call",
            "search_files",
            "pattern=x",
            "path=src",
            "--workspace",
            "."
        ]),
        warning(&home_text)
    );
    let root = ["call", "search_files", "pattern=x", "--workspace", "/"];
    let path = format!("path={home_text}/src");
    assert_eq!(told(&[&root[..], &[&path]].concat()), warning("/"));
    assert_eq!(told(&["run", "--workspace", "src", "true"]), "");
    // What commands may write to beside it is no less.
    fs::write(home.join("own.toml"), "[terminal]\nwritable = [\"/\"]\n").unwrap();
    let ran = told(&["run", "--workspace", "src", "--config", "own.toml", "true"]);
    assert!(
        ran.starts_with("warning: `terminal.writable` of the configuration names `/`, which holds all that is yours: "),
        "{ran}"
    );
}

#[test]
fn a_home_that_is_no_absolute_path_is_none() {
    let folder = Folder::new();
    let words = ["call", "write_file", "path=a", "content=x"];
    let ran = run_with(&folder, &words, &[("HOME", Path::new("relative"))]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run_with(&folder, &words, &[("HOME", Path::new("relative"))]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!folder.workspace().join("relative").exists());
    let ran = run_with(
        &folder,
        &["checkpoints", "list"],
        &[("HOME", Path::new("relative"))],
    );
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            2,
            "error: no checkpoints are kept; name a folder with `--checkpoints`\n"
        )
    );
}

/// System users have such homes.
#[test]
fn a_home_that_is_no_folder_holds_no_configuration() {
    let folder = Folder::new();
    let ran = run_with(&folder, &["tools"], &[("HOME", Path::new("/dev/null"))]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
}

/// What it forbids must not be allowed because it is somewhere else today.
#[test]
fn a_configuration_that_is_a_link_to_nowhere_is_an_error() {
    let folder = Folder::new();
    let settings = folder.workspace().join("home/.config/hermes");
    fs::create_dir_all(&settings).unwrap();
    std::os::unix::fs::symlink("nowhere", settings.join("hermes.toml")).unwrap();
    let home = folder.workspace().join("home");
    let ran = run_with(&folder, &["tools"], &[("HOME", &home)]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr
            .contains("hermes.toml: expected a file that can be read"),
        "{ran:?}"
    );
}
