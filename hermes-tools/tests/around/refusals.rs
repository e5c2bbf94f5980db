//! Every refusal has a code of the catalogue and names a next step.

use std::collections::BTreeSet;
use std::time::Duration;

use hermes_tools::approval::{ApprovalPolicy, Rule};
use hermes_tools::hook::HookVerdict;
use hermes_tools::loops::{LoopSettings, Thresholds};
use hermes_tools::testing::{FakeClock, Folder};
use hermes_tools::{CallResult, Effect, ErrorKind, RateLimit, ToolError};

use crate::{call, session};

/// What only a guard that panics gives; the tests of the guards provoke it.
const BY_GUARDS: [ErrorKind; 1] = [ErrorKind::GuardFailed];

/// Refusals of calls whose turn never came; those of batches and of stuck functions have tests of their own.
const NEVER_BEGUN: [ErrorKind; 2] = [ErrorKind::Busy, ErrorKind::NotStarted];

/// One call for each way in which the library refuses.
fn refused() -> Vec<CallResult> {
    let clock = FakeClock::new();
    let folder = Folder::with([]).unwrap();
    let bare = session(&clock, |it| it);
    let once = Thresholds {
        exact_failure: 1,
        same_tool_failure: 9,
        no_progress: 1,
    };
    let guarded = session(&clock, |it| {
        it.workspace(folder.workspace().unwrap())
            .max_effect(Effect::Write)
            .approvals(ApprovalPolicy::default().effect(Effect::Read, Rule::Deny))
    });
    let asking = session(&clock, |it| {
        it.approvals(ApprovalPolicy::default().effect(Effect::Write, Rule::Ask))
    });
    let hooked = session(&clock, |it| {
        it.before("strict", |call| match call.name() {
            "keep" => HookVerdict::block("no"),
            _ => panic!("on purpose"),
        })
    });
    let limited = session(&clock, |it| {
        it.rate_limit("say", RateLimit::new(1, Duration::from_mins(1)))
            .loops(LoopSettings::default().hard_stops(true).stop_after(once))
    });
    for (name, arguments) in [
        ("say", r#"{"text":"a"}"#),
        ("broken", "{}"),
        ("read_note", r#"{"name":"a"}"#),
    ] {
        call(&limited, name, arguments);
    }
    let write = |path: &str| format!(r#"{{"path":"{path}","text":"x"}}"#);
    vec![
        call(&bare, "no_such_tool", "{}"),
        call(&bare, "", "{}"),
        call(&bare, "write_note", &write("a.txt")),
        call(&bare, "say", r#"{"text" "a"}"#),
        call(&bare, "say", r#"{"text":"#),
        call(&bare, "say", r#"{"text":1.5}"#),
        call(&bare, "say", "[]"),
        call(&bare, "ask_user", "{}"),
        call(&bare, "run_command", r#"{"command":"rm -rf /"}"#),
        call(&bare, "fetch", r#"{"url":"http://169.254.169.254/"}"#),
        call(&guarded, "write_note", &write(".git/hooks/pre-commit")),
        call(&guarded, "write_note", &write("../a.txt")),
        call(&guarded, "write_note", &write("a\\u0000.txt")),
        call(&guarded, "act", r#"{"gravely":true}"#),
        call(&guarded, "say", r#"{"text":"a"}"#),
        call(&asking, "keep", r#"{"text":"a"}"#),
        call(&hooked, "keep", r#"{"text":"a"}"#),
        call(&hooked, "say", r#"{"text":"a"}"#),
        call(&limited, "say", r#"{"text":"a"}"#),
        call(&limited, "broken", "{}"),
        call(&limited, "read_note", r#"{"name":"a"}"#),
    ]
}

#[test]
fn every_refusal_is_in_the_catalogue_and_names_a_next_step() {
    let elsewhere = BY_GUARDS.iter().chain(&NEVER_BEGUN);
    let mut seen: BTreeSet<&str> = elsewhere.map(|kind| kind.code()).collect();
    for result in refused() {
        let error = result.outcome.unwrap_err();
        assert!(error.kind().is_refusal(), "{error}");
        let help = error.help().unwrap_or_default();
        assert!(help.len() > 8, "{}: {error}", error.code());
        assert!(!error.message().is_empty());
        let json: serde_json::Value = serde_json::from_str(&error.to_json()).unwrap();
        assert_eq!(
            (&json["code"], &json["help"]),
            (&error.code().into(), &help.into())
        );
        seen.insert(error.code());
    }
    let all = ErrorKind::ALL.iter().filter(|kind| kind.is_refusal());
    let all: BTreeSet<&str> = all.map(|kind| kind.code()).collect();
    assert_eq!(seen, all);
}

#[test]
fn a_refusal_without_a_next_step_of_its_own_has_that_of_the_catalogue() {
    for kind in ErrorKind::ALL {
        let bare = ToolError::new(*kind, "no");
        let general = kind.is_refusal().then(|| kind.next_step());
        assert_eq!(bare.help(), general);
        let own = ToolError::new(*kind, "no").with_help("do this");
        assert_eq!(own.help(), Some("do this"));
    }
}
