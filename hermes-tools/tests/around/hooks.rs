//! Hooks: what they see, what they may do, and how little their faults do.

use std::future::{Future, pending};
use std::pin::Pin;
use std::time::{Duration, Instant};

use hermes_tools::context::{Executor, JobFuture, JobLost};
use hermes_tools::hook::{Hook, HookCall, HookFuture, HookVerdict};
use hermes_tools::loops::{LoopSettings, Thresholds};
use hermes_tools::search::ToolSearch;
use hermes_tools::testing::{FakeClock, Folder};
use hermes_tools::{Cancel, Content, Effect, Output, RateLimit, ToolCall};

use crate::tools::Person;
use crate::{Driven, Lines, call, code, session};

#[test]
fn hooks_see_decoded_arguments_with_defaults_once_in_their_order() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let note = |name: &'static str| {
        let lines = lines.clone();
        move |call: &HookCall| {
            let arguments = call.arguments().to_json();
            lines.push(format!("{name} {} {arguments}", call.name()));
        }
    };
    let after = lines.clone();
    let session = session(&clock, |builder| {
        builder
            .before("first", note("first"))
            .observe("second", note("second"))
            .after("last", move |call, ended| {
                let repairs = ended.repairs.len();
                let status = ended.status.as_str();
                after.push(format!("{} {status} {repairs}", call.name()));
            })
    });
    let result = call(&session, "Say", r#"{"text": "a", "times": "2"}"#);
    assert_eq!(result.outcome.unwrap().text(), "aa");
    assert_eq!(
        lines.take(),
        [
            r#"first say {"text":"a","times":2}"#,
            r#"second say {"text":"a","times":2}"#,
            "say ok 1"
        ]
    );
    call(&session, "say", r#"{"text": "a"}"#);
    assert_eq!(lines.take()[0], r#"first say {"text":"a","times":1}"#);
}

#[test]
fn a_blocked_call_does_not_run_and_all_hooks_have_seen_it() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let (seen, after) = (lines.clone(), lines.clone());
    let session = session(&clock, |builder| {
        builder
            .before("strict", |call| match call.arguments().text("text") {
                Some("bad") => HookVerdict::block("not that; say something else"),
                Some("worse") => HookVerdict::block(" "),
                _ => HookVerdict::Pass,
            })
            .before("later", move |_| seen.push("later"))
            .after("after", move |_, ended| {
                let (status, ran) = (ended.status.as_str(), ended.has_run());
                let error = ended.error.as_ref().map(|(kind, _)| kind.code());
                after.push(format!(
                    "{status} {ran} {error:?} {}",
                    ended.may_have_acted()
                ));
            })
    });
    let error = call(&session, "keep", r#"{"text": "bad"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(error.code(), "blocked");
    assert_eq!(
        error.to_string(),
        "not that; say something else; do it in another way, or ask the user"
    );
    assert_eq!(
        lines.take(),
        ["later", "blocked false Some(\"blocked\") false"]
    );
    let error = call(&session, "keep", r#"{"text": "worse"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the hook `strict` does not allow this call"
    );
}

/// Neither says yes nor no.
struct Stuck;

impl Hook for Stuck {
    fn before<'a>(&'a self, _: &'a HookCall) -> HookFuture<'a, HookVerdict> {
        Box::pin(pending())
    }
}

#[test]
fn a_before_hook_that_fails_panics_or_is_slow_blocks_with_its_name() {
    let clock = FakeClock::new();
    let fails = session(&clock, |builder| {
        builder.before("fails", |_| Err::<(), _>("the rules are gone"))
    });
    let error = call(&fails, "say", r#"{"text":"a"}"#).outcome.unwrap_err();
    assert_eq!(error.code(), "hook_failed");
    assert_eq!(
        error.message(),
        "the hook `fails` failed, so the call was not made"
    );
    assert!(error.operator_text().contains("fails: the rules are gone"));
    let panics = session(&clock, |builder| {
        builder.before("panics", |call| {
            assert_ne!(call.name(), "say", "on purpose");
        })
    });
    let error = call(&panics, "say", r#"{"text":"a"}"#).outcome.unwrap_err();
    assert_eq!(error.code(), "hook_failed");
    assert!(error.message().contains("`panics`"), "{error}");
    assert_eq!(
        call(&panics, "keep", r#"{"text":"a"}"#)
            .outcome
            .unwrap()
            .text(),
        "kept a"
    );
    let stuck = session(&clock, |builder| {
        builder
            .hook("stuck", Stuck)
            .hook_timeout(Duration::from_secs(5))
    });
    let mut slow = Driven::of(stuck.call("say", r#"{"text":"a"}"#));
    assert!(slow.poll().is_none());
    clock.advance(Duration::from_secs(4));
    assert!(slow.poll().is_none());
    clock.advance(Duration::from_secs(1));
    let error = slow.ready().outcome.unwrap_err();
    assert_eq!(error.code(), "hook_failed");
    assert!(
        error
            .operator_text()
            .contains("stuck: it took longer than 5 s")
    );
}

#[test]
fn what_only_looks_changes_nothing_by_failing() {
    let clock = FakeClock::new();
    let session = session(&clock, |builder| {
        builder
            .observe("observer", |_| Err::<(), _>("cannot write"))
            .observe("panicking observer", |call| {
                assert_eq!(call.name(), "", "on purpose");
            })
            .after("after", |_, _| Err::<(), _>("cannot write"))
            .after("panicking after", |_, ended| {
                assert!(!ended.has_run(), "on purpose");
            })
            .rewrite_result("result", |_, output| {
                *output = Content::text("half").into();
                Err::<(), _>("gave up")
            })
    });
    let result = call(&session, "say", r#"{"text":"a"}"#);
    assert_eq!(result.outcome.unwrap().text(), "a");
}

#[test]
fn rewriting_hooks_are_chained_and_what_does_not_fit_names_its_hook() {
    let clock = FakeClock::new();
    let session = session(&clock, |builder| {
        builder
            .rewrite("double", |_, arguments| {
                let text = arguments.text("text").unwrap_or_default().repeat(2);
                arguments.set("text", text);
            })
            .rewrite("count", |call, arguments| {
                // What the hook before made is what this one sees, in both places.
                assert_eq!(call.arguments(), arguments);
                let text = arguments.text("text").unwrap_or_default().to_owned();
                match text.as_str() {
                    "bbbb" => arguments.set("times", 9_i64),
                    "cc" => arguments.set("other", true),
                    "dd" => drop(arguments.remove("text")),
                    _ => arguments.set("times", "2"),
                }
            })
    });
    let say = |text: &str| call(&session, "say", &format!(r#"{{"text":"{text}"}}"#));
    assert_eq!(say("a").outcome.unwrap().text(), "aaaa");
    let error = say("bb").outcome.unwrap_err();
    assert_eq!(error.code(), "hook_failed");
    assert_eq!(
        error.message(),
        "the hook `count` rewrote the arguments of `say` so that they do not fit: \
         `times`: expected a whole number from 0 to 3, got 9"
    );
    assert_eq!(code(&say("d")), "hook_failed");
}

#[test]
fn repairs_of_the_model_are_told_also_when_a_hook_rewrites() {
    let clock = FakeClock::new();
    let session = session(&clock, |builder| {
        builder.rewrite("shout", |_, arguments| {
            let text = arguments.text("text").unwrap_or_default().to_uppercase();
            arguments.set("text", text);
        })
    });
    let result = call(&session, "say", r#"{"text":"a","times":"2"}"#);
    assert_eq!(
        result.model_text(),
        "AA\n[arguments changed: `times`: text to integer (\"2\" to 2)]"
    );
}

#[test]
fn the_guard_judges_what_hooks_have_made_and_no_hook_switches_it_off() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let folder = Folder::with([]).unwrap();
    let seen = lines.clone();
    let session = session(&clock, |builder| {
        builder
            .workspace(folder.workspace().unwrap())
            .rewrite("lead out", |_, arguments| {
                if arguments.text("path") == Some("in.txt") {
                    arguments.set("path", "../out.txt");
                }
            })
            .before("seen", move |call| seen.push(call.name()))
    });
    let write = |path: &str| format!(r#"{{"path":"{path}","text":"x"}}"#);
    assert_eq!(
        code(&call(&session, "write_note", &write("in.txt"))),
        "outside_workspace"
    );
    assert!(lines.take().is_empty(), "a guarded call meets no `before`");
    let inside = ToolCall::new("write_note", write("fine.txt")).without_hooks();
    let result = Driven::of(session.call_with(inside)).ready();
    assert_eq!(result.outcome.unwrap().text(), "wrote fine.txt");
    assert!(lines.take().is_empty(), "an internal call meets no hook");
    let outside = ToolCall::new("write_note", write("../out.txt")).without_hooks();
    assert_eq!(
        code(&Driven::of(session.call_with(outside)).ready()),
        "outside_workspace"
    );
}

#[test]
fn results_are_rewritten_in_a_chain_and_bounded_afterwards() {
    let clock = FakeClock::new();
    let session = session(&clock, |builder| {
        builder
            .rewrite_result("stamp", |_, output| {
                let text = format!("{}!", output.text());
                *output = Output::from(Content::text(text));
            })
            .rewrite_result("twice", |call, output| {
                let text = format!("{} said {}", call.name(), output.text());
                *output = Output::from(Content::text(text));
            })
    });
    let result = call(&session, "say", r#"{"text":"a"}"#);
    assert_eq!(result.outcome.unwrap().text(), "say said a!");
    assert_eq!(code(&call(&session, "broken", "{}")), "failed");
}

#[test]
fn a_call_through_the_bridge_keeps_its_ids_and_shows_the_real_name() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let seen = lines.clone();
    let schema = serde_json::json!({"type": "object", "properties": {"who": {"type": "string"}}});
    let session = crate::session_with(
        &clock,
        |registry| {
            let mut tool = serde_json::Map::new();
            tool.insert("parameters".to_owned(), schema);
            registry.register(
                hermes_tools::RuntimeTool::of_server("srv", "greet", tool).answering(|arguments| {
                    format!("hello {}", arguments.text("who").unwrap_or("?"))
                }),
            );
        },
        |builder| {
            builder
                .tool_search(ToolSearch::of_value(&serde_json::json!({"enabled": "on"})))
                .after("ids", move |call, _| {
                    let ids = call.ids();
                    let id =
                        |id: &Option<std::sync::Arc<str>>| id.as_deref().unwrap_or("-").to_owned();
                    let ids = [id(&ids.call), id(&ids.turn), id(&ids.request)].join(" ");
                    seen.push(format!(
                        "{} {ids} {}",
                        call.name(),
                        call.arguments().to_json()
                    ));
                })
        },
    );
    let bridged = ToolCall::new(
        "tool_call",
        r#"{"name": "mcp__srv__greet", "arguments": {"who": "Ada"}}"#,
    );
    let bridged = bridged.id("c1").turn("t1").request("r1");
    let result = Driven::of(session.call_with(bridged)).ready();
    assert!(result.outcome.unwrap().text().contains("hello Ada"));
    assert_eq!(lines.take(), [r#"mcp__srv__greet c1 t1 r1 {"who":"Ada"}"#]);
}

#[test]
fn every_end_has_its_status_and_its_time_on_the_sessions_clock() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let seen = lines.clone();
    let session = session(&clock, |builder| {
        builder.after("end", move |_, ended| {
            let (status, time) = (ended.status.as_str(), ended.duration.as_secs());
            seen.push(format!("{status} {time} {}", ended.may_have_acted()));
        })
    });
    call(&session, "say", r#"{"text":"a"}"#);
    call(&session, "broken", "{}");
    let mut late = Driven::of(session.call("hang", "{}"));
    assert!(late.poll().is_none());
    clock.advance(Duration::from_secs(30));
    assert_eq!(code(&late.ready()), "timeout");
    let cancel = Cancel::new();
    let mut stopped =
        Driven::of(session.call_with(ToolCall::new("hang", "{}").cancel(cancel.clone())));
    assert!(stopped.poll().is_none());
    clock.advance(Duration::from_secs(7));
    cancel.cancel();
    assert_eq!(code(&stopped.ready()), "cancelled");
    assert_eq!(
        lines.take(),
        [
            "ok 0 false",
            "error 0 false",
            "timeout 30 true",
            "cancelled 7 true"
        ]
    );
}

#[test]
fn calls_that_cannot_be_decoded_or_belong_to_the_agent_loop_meet_no_hook() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let configure = |lines: Lines| {
        let after = lines.clone();
        move |builder: hermes_tools::SessionBuilder| {
            builder
                .rewrite("rewrite", |_, _| ())
                .before("before", move |_| lines.push("before"))
                .after("after", move |_, _| after.push("after"))
        }
    };
    let bare = session(&clock, configure(lines.clone()));
    for arguments in ["[]", r#"{"text":"#, r#"{"text":1.5}"#] {
        call(&bare, "say", arguments).outcome.unwrap_err();
    }
    let error = call(&bare, "ask_user", "{}").outcome.unwrap_err();
    assert_eq!(error.code(), "agent_loop");
    assert_eq!(
        error.message(),
        "`ask_user` must be handled by the agent loop: this session has no `Person`"
    );
    call(&bare, "no_such_tool", "{}").outcome.unwrap_err();
    assert!(lines.take().is_empty());
    let handled = session(&clock, |builder| {
        configure(lines.clone())(builder).state(Person("yes"))
    });
    let result = call(&handled, "ask_user", "{}");
    assert_eq!(result.outcome.unwrap().text(), "yes");
    assert_eq!(lines.take(), ["before", "after"]);
}

#[test]
fn calls_that_are_refused_before_they_are_decoded_are_told_of_too() {
    let (clock, lines) = (FakeClock::new(), Lines::default());
    let (before, after) = (lines.clone(), lines.clone());
    let few = LoopSettings::default()
        .hard_stops(true)
        .stop_after(Thresholds {
            exact_failure: 1,
            same_tool_failure: 9,
            no_progress: 9,
        });
    let session = session(&clock, |builder| {
        builder
            .max_effect(Effect::Write)
            .rate_limit("say", RateLimit::new(1, Duration::from_mins(1)))
            .loops(few)
            .before("before", move |_| before.push("before"))
            .after("after", move |call, ended| {
                let status = ended.status.as_str();
                let error = ended.error.as_ref().map_or("-", |(kind, _)| kind.code());
                after.push(format!("{} {status} {error}", call.arguments().to_json()));
            })
    });
    call(&session, "say", r#"{"text":"a"}"#);
    call(&session, "broken", "{}");
    lines.take();
    call(&session, "say", r#"{"text":"a"}"#);
    call(&session, "broken", "{}");
    call(&session, "act", r#"{"gravely":true}"#);
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = ToolCall::new("keep", r#"{"text":"a"}"#).cancel(cancel);
    Driven::of(session.call_with(cancelled)).ready();
    assert_eq!(
        lines.take(),
        [
            r#"{"text":"a"} blocked rate_limited"#,
            "{} blocked repeated_exact_failure_block",
            r#"{"gravely":true} blocked effect_not_allowed"#,
            r#"{"text":"a"} cancelled cancelled"#,
        ]
    );
}

/// Threads of its own for jobs, and the clock of the test.
#[derive(Clone)]
struct Threads(FakeClock);

impl Executor for Threads {
    fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) -> JobFuture<'_> {
        let (ended, wait) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            job();
            // Whoever waited may have gone.
            let _ = ended.send(());
        });
        Box::pin(async move { wait.await.map_err(|_| JobLost::ShutDown) })
    }

    fn now(&self) -> Instant {
        self.0.now()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.0.sleep(time)
    }
}

#[test]
fn a_plain_closure_that_does_not_come_back_is_given_up_and_its_write_not_made() {
    let clock = FakeClock::new();
    let folder = Folder::with([]).unwrap();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = std::sync::Mutex::new(held);
    let session = session(&clock, |builder| {
        builder
            .executor(Threads(clock.clone()))
            .workspace(folder.workspace().unwrap())
            .before("stuck", move |call| {
                if call.arguments().text("path") == Some("slow.txt") {
                    let _ = held.lock().unwrap().recv();
                } else {
                    panic!("on purpose");
                }
            })
    });
    let write = r#"{"path":"slow.txt","text":"x"}"#;
    let mut slow = Driven::of(session.call("write_note", write));
    assert!(slow.poll().is_none());
    clock.advance(Duration::from_secs(10));
    assert_eq!(code(&slow.ready()), "hook_failed");
    drop(release);
    let write = r#"{"path":"panics.txt","text":"x"}"#;
    let result = session.call_blocking("write_note", write);
    assert_eq!(code(&result), "hook_failed");
    for name in ["slow.txt", "panics.txt"] {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
}
