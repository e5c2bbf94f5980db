//! Linking a pack installs its tools, in every build profile; not linking it installs none.
//!
//! The example pack has a tool deep in private modules and one nested in a function that nobody
//! calls. The example application is built and run as its users would. Every run covers the development profile;
//! `HERMES_SLOW_TESTS=1` adds every kind of link-time optimisation with 1 and 256 codegen units.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One way of building.
struct Profile {
    name: &'static str,
    release: bool,
    lto: &'static str,
    codegen_units: &'static str,
}

const fn dev(name: &'static str, codegen_units: &'static str) -> Profile {
    Profile {
        name,
        release: false,
        lto: "off",
        codegen_units,
    }
}

const fn release(name: &'static str, lto: &'static str, codegen_units: &'static str) -> Profile {
    Profile {
        name,
        release: true,
        lto,
        codegen_units,
    }
}

const SLOW: [Profile; 8] = [
    dev("dev-1", "1"),
    dev("dev-256", "256"),
    release("release-1", "off", "1"),
    release("release-256", "off", "256"),
    release("thin-1", "thin", "1"),
    release("thin-256", "thin", "256"),
    release("fat-1", "fat", "1"),
    release("fat-256", "fat", "256"),
];

const TOOLS: &str = "count_words\tread\nreverse_words\tread\nslugify\tread\n";

#[test]
fn a_linked_pack_brings_all_its_tools_and_an_unlinked_one_none() {
    if std::env::var_os("HERMES_SLOW_TESTS").is_none_or(|value| value.is_empty()) {
        check(&dev("dev", "256"));
        println!(
            "linking: 1 profile; HERMES_SLOW_TESTS=1 runs {}",
            SLOW.len()
        );
        return;
    }
    for profile in &SLOW {
        check(profile);
        println!("linking: {} is sound", profile.name);
    }
}

fn check(profile: &Profile) {
    let folder = build(profile);
    let binary = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let linked = binary("text-agent");
    assert_eq!(
        run(&linked, &[]),
        (true, TOOLS.to_owned()),
        "{}",
        profile.name
    );
    assert_eq!(
        run(
            &linked,
            &["reverse_words", r#"{"text": "tools linked are these"}"#]
        ),
        (true, "these are linked tools\n".to_owned()),
        "{}",
        profile.name
    );
    let unlinked = binary("text-agent-unlinked");
    assert_eq!(
        run(&unlinked, &[]),
        (true, String::new()),
        "{}",
        profile.name
    );
    assert_eq!(
        run(&unlinked, &["slugify", r#"{"title": "x"}"#]),
        (
            false,
            "{\"error\":\"there is no tool `slugify`\",\"code\":\"unknown_tool\",\
             \"help\":\"this session has no tools; answer without one\"}\n"
                .to_owned()
        ),
        "{}",
        profile.name
    );
}

/// Builds both binaries and gives back the folder they are in.
fn build(profile: &Profile) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // A target folder of its own: the running tests hold the common one's place for binaries.
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("linking");
    let (kind, folder) = if profile.release {
        ("RELEASE", "release")
    } else {
        ("DEV", "debug")
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root)
        .args([
            "build",
            "--quiet",
            "--locked",
            "--package",
            "text-agent",
            "--bins",
        ])
        .arg("--target-dir")
        .arg(&target)
        .env(format!("CARGO_PROFILE_{kind}_LTO"), profile.lto)
        .env(
            format!("CARGO_PROFILE_{kind}_CODEGEN_UNITS"),
            profile.codegen_units,
        );
    if profile.release {
        cargo.arg("--release");
    }
    let built = cargo.output().expect("cargo runs");
    assert!(
        built.status.success(),
        "{}: {}",
        profile.name,
        String::from_utf8_lossy(&built.stderr)
    );
    target.join(folder)
}

/// Whether the program succeeded, and what it printed.
fn run(program: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .expect("the program was built");
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}
