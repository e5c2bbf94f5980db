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
    setting.deny.extend(super::deny_pattern("make deploy*"));
    assert_eq!(judge("MAKE deploy now", &setting).category(), "denied");
    setting.agent_home = Some("/srv/agent".to_owned());
    assert_eq!(
        judge("echo x > /srv/agent/config.yaml", &setting).category(),
        "agent-config-write"
    );
}

#[test]
fn long_and_deep_lines_are_asked_about_and_end() {
    let deep = "$(".repeat(30_000);
    let quotes = "'".repeat(99_999);
    let doubling = "a=xx;".to_owned() + &"a=$a$a;".repeat(5_000);
    let calls: String = (0..60)
        .map(|n| format!("f{n}(){{ f{}; f{}; }};", n + 1, n + 1))
        .collect();
    let braces = "{a,b}".repeat(5_000);
    let brackets = "a[".repeat(40_000) + " " + &"a[ ".repeat(20_000);
    let loops = "for i in 1 2 3 4 5 6 7 8 9;do ".repeat(40) + "ls" + &";done".repeat(40);
    for line in [
        deep,
        quotes,
        doubling,
        braces,
        "(".repeat(100_000),
        "((".repeat(50_000),
        "`".repeat(99_999),
        loops,
        "x".repeat(200_000),
        "x".repeat(4_097),
        "echo ".to_owned() + &"é".repeat(4_097),
        "a;".repeat(25_001),
    ] {
        assert_eq!(judge(&line, &setting()).as_str(), "ask", "{}", &line[..20]);
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
