//! Kinds of commands, several of each.

use proptest::prelude::*;

use super::{Setting, judge};
use crate::dispatch::guard::Verdict;

fn setting() -> Setting {
    Setting {
        home: "/home/dev".to_owned(),
        ..Setting::default()
    }
}

fn told(line: &str) -> String {
    let verdict = judge(line, &setting());
    match verdict {
        Verdict::Allow => "allow".to_owned(),
        verdict => format!("{} {}", verdict.as_str(), verdict.category()),
    }
}

/// Kinds of commands, several of each, with the verdict and the category that they must have; where no
/// category stands, only the verdict counts.
const LINES: &str = include_str!("lines.jsonl");

#[test]
fn kinds_of_commands_are_told_however_they_are_spelt() {
    let mut misses = Vec::new();
    for row in LINES.lines() {
        let (expected, line): (String, String) = serde_json::from_str(row).unwrap();
        let got = told(&line);
        let verdict = got.split(' ').next().unwrap_or_default();
        if got != expected && verdict != expected {
            misses.push(format!("{got} and not {expected}: {line:?}"));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn settings_change_what_is_asked() {
    let mut setting = setting();
    setting.sudo_password = true;
    assert_eq!(judge("sudo -S ls", &setting), Verdict::Allow);
    setting.folder = Some("/home/dev/work".to_owned());
    assert_eq!(judge("rm -rf ../../..", &setting).category(), "wipe-root");
    assert_eq!(judge("rm -rf ..", &setting).category(), "wipe-home");
    assert_eq!(judge("rm /home/dev/work/x", &setting), Verdict::Allow);
    setting.deny.push(super::Deny::new("make deploy*"));
    assert_eq!(judge("MAKE deploy now", &setting).category(), "denied");
    setting.agent_home = Some("/srv/agent".to_owned());
    assert_eq!(
        judge("echo x > /srv/agent/config.yaml", &setting).category(),
        "agent-config-write"
    );
}

#[test]
fn what_is_forbidden_is_so_however_it_is_spelt() {
    let mut setting = setting();
    setting.deny.push(super::Deny::new("git  push *"));
    for line in [
        "git push o",
        "git  push o",
        "git\tpush o",
        "git push",
        "true; git push o",
        "cd x && git push o",
        "false || git push o | cat",
        "/usr/bin/git push o",
        "X=1 git push o",
        "\"git\" push o",
        "g'i't pu\\sh o",
        "GIT PUSH o",
        "sudo git push o",
        "env X=1 nice -n 5 git push o",
        "sh -c 'git push o'",
        "echo 'git push o' | sh",
        "x=push; git $x o",
        "$(git push o)",
        "f() { git push \"$@\"; }; f o",
        "git -C x push o",
        "git --no-pager -c a=b push o",
        "echo o | xargs git push",
        "docker run image git push o",
        "ssh host git push o",
    ] {
        assert_eq!(judge(line, &setting).category(), "denied", "{line}");
        assert_eq!(judge(line, &setting).as_str(), "block", "{line}");
    }
    for line in [
        "git pull o",
        "echo git push o",
        "git commit -m \"$(date)\"",
        "git log push",
    ] {
        assert_eq!(judge(line, &setting), Verdict::Allow, "{line}");
    }
    assert_eq!(judge("git \"$1\" o", &setting).as_str(), "ask");
    setting.deny.push(super::Deny::new("/opt/x/deploy *"));
    assert_eq!(
        judge("cd /; /opt/x/deploy now", &setting).category(),
        "denied"
    );
}

#[test]
fn a_pattern_that_does_not_read_lets_nothing_run() {
    let mut setting = setting();
    setting.deny.push(super::Deny::new("git [push *"));
    let Verdict::Block { category, why, .. } = judge("ls", &setting) else {
        panic!("it is run");
    };
    assert_eq!(category, "denied");
    assert_eq!(
        why,
        "no command is run: the operator's pattern of forbidden ones does not read: `git [push *`"
    );
}

#[test]
fn lines_that_are_not_looked_through_whole_are_refused() {
    let long = |start: &str| start.to_owned() + &"x".repeat(200_000);
    for line in [
        long("rm -rf / #"),
        long("ls #"),
        long(""),
        "ﷺ".repeat(20_000),
    ] {
        assert_eq!(told(&line), "block too-long", "{line:.20}");
    }
    let doubling = "a=xx;".to_owned() + &"a=$a$a;".repeat(5_000);
    let loops = "for i in 1 2 3 4 5 6 7 8 9;do ".repeat(40) + "ls" + &";done".repeat(40);
    let deep = "$(".repeat(100) + "rm -rf /" + &")".repeat(100);
    let shells = "eval ".repeat(30) + "rm -rf /";
    for line in [
        doubling + "rm -rf /",
        loops,
        deep,
        "$(".repeat(30_000),
        "(".repeat(100_000),
        "((".repeat(50_000),
    ] {
        assert_eq!(told(&line), "block too-involved", "{line:.20}");
    }
    assert_eq!(judge(&shells, &setting()).as_str(), "block", "{shells}");
}

#[test]
fn padding_does_not_turn_a_refusal_into_a_question() {
    for padding in [
        "#".to_owned() + &"x".repeat(100_000),
        ";".to_owned() + &"a=$a$a;".repeat(10_000),
        ";".to_owned() + &"{a,b}".repeat(5_000),
        ";".to_owned() + &"(".repeat(50_000),
        ";'".to_owned(),
    ] {
        let line = format!("rm -rf / {padding}");
        assert_eq!(told(&line), "block wipe-root", "{padding:.20}");
    }
}

#[test]
fn lines_of_much_of_the_same_end() {
    let quotes = "'".repeat(99_999);
    let ticks = "`".repeat(99_999);
    let braces = "{a,b}".repeat(5_000);
    for line in [quotes, ticks, braces] {
        assert_ne!(judge(&line, &setting()), Verdict::Allow, "{line:.20}");
    }
    let calls: String = (0..60)
        .map(|n| format!("f{n}(){{ f{}; f{}; }};", n + 1, n + 1))
        .collect();
    let brackets = "a[".repeat(40_000) + " " + &"a[ ".repeat(20_000);
    for line in [
        "x".repeat(4_097),
        "echo ".to_owned() + &"é".repeat(4_097),
        "a;".repeat(25_001),
    ] {
        assert_eq!(judge(&line, &setting()).as_str(), "ask", "{line:.20}");
    }
    for line in [
        calls + "f0",
        "<<x ".repeat(20_000),
        "! ".repeat(50_000),
        brackets,
        "a;".repeat(60_000),
        "\\".repeat(99_999),
        "${".repeat(10_000),
    ] {
        let _ = judge(&line, &setting());
    }
    for line in [
        "echo ".to_owned() + &"é".repeat(4_096),
        "echo".to_owned() + &" x".repeat(24_000),
    ] {
        assert_eq!(judge(&line, &setting()), Verdict::Allow, "{}", &line[..20]);
    }
}

proptest! {
    #[test]
    fn no_line_makes_it_panic(line in "[ -~\\n]{0,60}") {
        let _ = judge(&line, &setting());
    }

    #[test]
    fn no_pieces_of_shell_make_it_panic(pieces in proptest::collection::vec(prop_oneof![
        Just("rm -rf "), Just("/"), Just("$("), Just(")"), Just("`"), Just("'"), Just("\""), Just("${"), Just("}"), Just("{"), Just("<<EOF\n"), Just("EOF\n"), Just(";"), Just("|"),
        Just("&"), Just("\n"), Just("x="), Just("$x"), Just("if "), Just("then "), Just("fi "), Just("for i in "), Just("do "), Just("done "), Just("case x in "), Just("esac "), Just("f() "), Just("$((") , Just("))"),
        Just("~"), Just("*"), Just("["), Just("]"), Just("\\"), Just("bash -c "), Just("eval "), Just("<("), Just(">"), Just("é"), Just("xargs "), Just("find "), Just("-exec "), Just("$'"), Just("!"), Just("a=("),
        Just("printf "), Just("%"), Just("${x:"), Just("${x/"), Just("${x#*"), Just("chmod "), Just("+"), Just("git "), Just("-"), Just("kill "), Just("docker run "), Just("wget -O"), Just("s/"), Just("sed "),
    ], 0..40)) {
        let line = pieces.concat();
        let _ = judge(&line, &setting());
    }

    #[test]
    fn a_hidden_word_is_never_allowed(before in "[a-z ]{0,8}", quote in prop_oneof![Just(""), Just("''"), Just("\"\""), Just("\\"), Just("$'' ") ]) {
        let quote = quote.trim();
        let line = format!("echo {before}; r{quote}m -rf /");
        prop_assert_ne!(judge(&line, &setting()).as_str(), "allow");
    }
}
