//! Ways out of the confinement that others were caught by.

use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use tools_builtin::{Confinement, confinement};

use crate::fixture::Fixture;

fn confines(test: &str) -> bool {
    let full = confinement() == Confinement::Full;
    if !full {
        println!("left out, since this kernel does not confine: {test}");
    }
    full
}

#[test]
fn nothing_outside_is_written_made_moved_or_removed() {
    if !confines("nothing_outside_is_written_made_moved_or_removed") {
        return;
    }
    let fixture = Fixture::new();
    let outside = fixture.place("outside");
    fs::write(outside.join("file"), "kept").unwrap();
    fs::create_dir(outside.join("folder")).unwrap();
    let out = outside.display().to_string();
    for command in [
        format!("echo x > /proc/self/root{out}/new"),
        "echo x > /proc/self/cwd/../outside/new".to_owned(),
        format!("cd '{out}' && echo x > new"),
        format!("exec 9<'{out}/file'; echo x > /dev/fd/9; echo x >> /proc/self/fd/9"),
        format!("exec 9<'{out}'; echo x > /proc/self/fd/9/new"),
        format!("ln '{out}/file' hard && echo x >> hard"),
        format!("ln -s '{out}' soft; echo x > soft/new; echo x >> soft/file"),
        format!("mv '{out}/file' stolen"),
        format!("echo x > in; mv in '{out}/new'; ln in '{out}/new'; cp in '{out}/new'"),
        format!("truncate -s 0 '{out}/file'; : > '{out}/file'"),
        format!(
            "rm -f '{out}/file'; rmdir '{out}/folder'; mkdir '{out}/new'; mkfifo '{out}/new'; ln -s x '{out}/new'"
        ),
        format!("bash -c \"setsid bash -c 'echo x > {out}/new'\""),
        format!("unshare -rm sh -c 'mount --bind {out} . && echo x > new'"),
    ] {
        fixture.run(&command);
        let mut left: Vec<_> = fs::read_dir(&outside)
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["file", "folder"], "{command}");
        assert_eq!(
            fs::read_to_string(outside.join("file")).unwrap(),
            "kept",
            "{command}"
        );
    }
}

#[test]
fn a_secret_is_read_by_no_other_name() {
    if !confines("a_secret_is_read_by_no_other_name") {
        return;
    }
    let fixture = Fixture::new();
    fs::create_dir(fixture.place("home/.ssh")).unwrap();
    fs::write(fixture.place("home/.ssh/id"), "the secret").unwrap();
    let home = fixture.place("home").display().to_string();
    for command in [
        format!("cat /proc/self/root{home}/.ssh/id"),
        format!("cat /proc/1/root{home}/.ssh/id"),
        "cd ~/.ssh && cat id".to_owned(),
        "ln -s ~/.ssh s; cat s/id".to_owned(),
        "ln ~/.ssh/id hard; cat hard".to_owned(),
        "mv ~/.ssh moved; cat moved/id".to_owned(),
        "cp -r ~/.ssh copied; cat copied/id; tar cf - ~/.ssh".to_owned(),
        "exec 9<~/.ssh; cat /proc/self/fd/9/id".to_owned(),
    ] {
        let output = fixture.output(&command);
        assert!(!output.contains("the secret"), "{command}: {output}");
    }
}

#[test]
fn sockets_without_a_path_are_not_reached() {
    if !confines("sockets_without_a_path_are_not_reached") {
        return;
    }
    if std::process::Command::new("python3")
        .arg("-V")
        .output()
        .is_err()
    {
        println!("left out, since there is no python3: sockets_without_a_path_are_not_reached");
        return;
    }
    let name = format!("hermes-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    let connect = format!(
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"\\0{name}\")' 2>&1 | tail -n 1"
    );
    let said = Fixture::new().output(&connect);
    assert!(said.starts_with("PermissionError"), "{said}");
    drop(listener);
}
