//! Output that is too long for a result.

use serde_json::json;
use tools_builtin::TerminalOptions;

use crate::fixture::{Fixture, QUOTA, text};

#[test]
fn all_of_a_long_output_can_be_read_page_by_page() {
    let fixture = Fixture::with(TerminalOptions::new().output_limit(20_000), &[]);
    let ran = fixture.run("for i in $(seq 1 60000); do echo \"row $i\"; done");
    let output = text(&ran["output"]);
    assert!(output.starts_with("row 1\n") && output.ends_with("row 60000\n"));
    assert_eq!(
        output
            .matches("`full_output` is a file with all of it")
            .count(),
        1
    );
    let file = text(&ran["full_output"]);
    let whole: String = (1..=60_000).map(|row| format!("row {row}\n")).collect();
    assert!(std::fs::read_to_string(&file).unwrap() == whole);
    let page = fixture.call(
        "read_file",
        json!({"path": file, "offset": 30_000, "limit": 2}),
    );
    assert_eq!(page["content"], "30000|row 30000\n30001|row 30001");
    let found = fixture.call(
        "search_files",
        json!({"path": file, "pattern": "row 5999[89]$"}),
    );
    assert!(
        found.to_string().contains("row 59998") && found.to_string().contains("row 59999"),
        "{found}"
    );
    let (missing, _) = output
        .split_once("\n[... ")
        .unwrap()
        .1
        .split_once(" of ")
        .unwrap();
    let notice = output
        .lines()
        .find(|line| line.starts_with("[... "))
        .unwrap()
        .len()
        + 2;
    let kept = output.len() - notice;
    assert_eq!(missing.parse::<usize>().unwrap() + kept, whole.len());
}

#[test]
fn what_is_just_too_long_is_kept_as_well() {
    let fixture = Fixture::with(TerminalOptions::new().output_limit(1_000), &[]);
    let fits = fixture.run("printf '%01000d' 7");
    assert_eq!(
        (fits.get("full_output"), text(&fits["output"]).len()),
        (None, 1_000)
    );
    assert!(!fixture.place("results").exists());
    let ran = fixture.run("printf '%01001d' 7");
    let whole = std::fs::read_to_string(text(&ran["full_output"])).unwrap();
    assert_eq!(whole, format!("{:01001}", 7));
}

#[test]
fn secrets_are_in_no_part_of_a_long_output() {
    let fixture = Fixture::with(TerminalOptions::new().output_limit(2_000), &[]);
    let key = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let body = "MIIEpAIBAAKCAQEA7nVb0Zk1o9Zq3l1gq8x0";
    let ran = fixture.run(&format!(
        "seq 1 20000; echo TOKEN={key}; echo '-----BEGIN RSA PRIVATE KEY-----'; for i in $(seq 1 30); do echo {body}; \
         done; echo '-----END RSA PRIVATE KEY-----'; seq 1 20000"
    ));
    let whole = std::fs::read_to_string(text(&ran["full_output"])).unwrap();
    assert!(whole.starts_with("1\n2\n") && whole.ends_with("19999\n20000\n"));
    for secret in [key, body] {
        assert!(!whole.contains(secret) && !text(&ran["output"]).contains(secret));
    }
}

#[test]
fn a_store_that_is_full_keeps_the_beginning() {
    let fixture = Fixture::with(TerminalOptions::new().output_limit(2_000), &[]);
    let ran = fixture.run("seq 1 2000000");
    let output = text(&ran["output"]);
    assert!(
        output.contains("`full_output` is a file with its beginning"),
        "{output}"
    );
    let whole = std::fs::read_to_string(text(&ran["full_output"])).unwrap();
    assert!(
        whole.starts_with("1\n2\n3\n")
            && whole.len() as u64 <= QUOTA
            && whole.len() as u64 > QUOTA / 2
    );
    let lines: Vec<&str> = whole.lines().collect();
    let last = lines.len() - 2;
    assert_eq!(lines[last], (last + 1).to_string());
}

#[test]
fn output_that_is_long_only_before_it_is_written_over_is_kept_nowhere() {
    let fixture = Fixture::with(TerminalOptions::new().output_limit(2_000), &[]);
    let ran = fixture.run("for i in $(seq 1 300); do printf '\\rstep %d of 300' $i; done; echo");
    assert_eq!(
        (&ran["output"], ran.get("full_output")),
        (&json!("step 300 of 300\n"), None)
    );
    assert!(!fixture.place("results").exists());
}

#[test]
fn colours_take_no_room() {
    let fixture = Fixture::with(TerminalOptions::new(), &[]);
    let ran = fixture.run("awk 'BEGIN { for (i = 1; i <= 8000; i++) printf \"\\033[1;38;2;%d;%d;9m%d\\033[0m\\n\", i % 256, i % 199, i }'");
    let whole: String = (1..=8_000).map(|row| format!("{row}\n")).collect();
    assert!(text(&ran["output"]) == whole);
    assert_eq!(ran.get("full_output"), None);
}

#[test]
fn what_is_missing_is_told_with_the_file_that_has_it() {
    let fixture = Fixture::with(TerminalOptions::new(), &[]);
    let ran = fixture.run("awk 'BEGIN { for (i = 1; i <= 8000; i++) printf \"\\033]0;title of row %d\\007%d\\n\", i, i }'");
    let whole: String = (1..=8_000).map(|row| format!("{row}\n")).collect();
    let output = text(&ran["output"]);
    let (front, rest) = output.split_once("\n[... ").unwrap();
    let (notice, back) = rest.split_once(" ...]\n").unwrap();
    let missing = whole.len() - front.len() - back.len();
    assert_eq!(
        notice,
        format!(
            "{missing} of {} characters left out; `full_output` is a file with all of it",
            whole.len()
        )
    );
    assert!(whole.starts_with(front) && whole.ends_with(back));
    assert!(std::fs::read_to_string(text(&ran["full_output"])).unwrap() == whole);
}

#[test]
fn totals_of_plain_output_are_those_of_all_of_it() {
    let fixture = Fixture::with(TerminalOptions::new(), &[]);
    let ran = fixture.run("head -c 268894 /dev/zero | tr '\\0' x");
    assert!(text(&ran["output"]).contains(" of 268894 characters left out"));
}
