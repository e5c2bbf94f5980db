//! Approvals: who is asked what, and what every answer and every silence means.

use std::collections::BTreeSet;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_tools::approval::{
    Approval, ApprovalFuture, ApprovalPolicy, ApprovalRequest, Approver, ApproverError, GrantKey,
    GrantStore, Rule, Unattended,
};
use hermes_tools::hook::HookVerdict;
use hermes_tools::testing::FakeClock;
use hermes_tools::{
    Cancel, Effect, RuntimeTool, SessionBuilder, SessionFacts, SessionSource, ToolCall,
    ToolRegistry, Worker,
};
use serde_json::Map;

use crate::{Driven, Lines, call, code, session, session_with};

/// Asks about everything that is not read.
fn careful() -> ApprovalPolicy {
    ApprovalPolicy::default().from_effect(Effect::Write, Rule::Ask)
}

/// A person who notes what was asked and always answers alike.
fn person(lines: &Lines, answer: Approval) -> impl Fn(&ApprovalRequest) -> Approval + use<> {
    let lines = lines.clone();
    move |request| {
        let whys: Vec<&str> = request.reasons().iter().map(|it| &*it.why).collect();
        let name = request.tool().name();
        lines.push(format!(
            "{name} {} {}",
            request.arguments(),
            whys.join("; ")
        ));
        answer.clone()
    }
}

fn remove_twice(
    builder: impl FnOnce(SessionBuilder) -> SessionBuilder,
) -> [Option<&'static str>; 2] {
    let session = session(&FakeClock::new(), |it| builder(it.approvals(careful())));
    [0, 1].map(|_| {
        call(&session, "remove", "{}")
            .outcome
            .err()
            .map(|it| it.code())
    })
}

#[test]
fn nothing_needs_an_approval_for_its_effect_unless_the_host_says_so() {
    let session = session(&FakeClock::new(), |builder| builder);
    assert_eq!(
        call(&session, "remove", "{}").outcome.unwrap().text(),
        "gone"
    );
}

#[test]
fn an_answer_holds_for_the_call_the_session_or_always() {
    let lines = Lines::default();
    assert_eq!(
        remove_twice(|it| it.approve_with(person(&lines, Approval::Once))),
        [None, None]
    );
    let question = "remove {} the effect of this call is destructive";
    assert_eq!(lines.take(), [question, question]);
    assert_eq!(
        remove_twice(|it| it.approve_with(person(&lines, Approval::Session))),
        [None, None]
    );
    assert_eq!(lines.take(), [question]);
    // Without a store always is the session.
    assert_eq!(
        remove_twice(|it| it.approve_with(person(&lines, Approval::Always))),
        [None, None]
    );
    assert_eq!(lines.take(), [question]);
}

#[derive(Default)]
struct Store(Mutex<BTreeSet<GrantKey>>);

impl GrantStore for Store {
    fn holds(&self, key: &GrantKey) -> bool {
        self.0.lock().unwrap().contains(key)
    }

    fn keep(&self, key: &GrantKey) -> Result<(), ApproverError> {
        self.0.lock().unwrap().insert(key.clone());
        Ok(())
    }
}

/// Neither keeps nor finds anything, and says so badly.
struct BrokenStore;

impl GrantStore for BrokenStore {
    fn holds(&self, _: &GrantKey) -> bool {
        panic!("no disk")
    }

    fn keep(&self, _: &GrantKey) -> Result<(), ApproverError> {
        Err("no disk".into())
    }
}

#[test]
fn always_is_kept_in_the_hosts_store_and_only_always() {
    let (store, lines) = (Arc::new(Store::default()), Lines::default());
    let with = |answer| {
        let store = Arc::clone(&store);
        remove_twice(|it| it.grants(store).approve_with(person(&lines, answer)))
    };
    assert_eq!(with(Approval::Session), [None, None]);
    assert!(store.0.lock().unwrap().is_empty());
    assert_eq!(with(Approval::Always), [None, None]);
    let kept: Vec<String> = store
        .0
        .lock()
        .unwrap()
        .iter()
        .map(GrantKey::to_string)
        .collect();
    assert_eq!(
        kept,
        [r#"[{"tool":"remove","toolset":"test"},"effect destructive",[]]"#]
    );
    lines.take();
    // Another session of the same host is not even asked.
    assert_eq!(with(Approval::denied()), [None, None]);
    assert!(lines.take().is_empty());
}

#[test]
fn a_store_that_fails_holds_nothing_and_stops_nobody() {
    let lines = Lines::default();
    let answers = remove_twice(|it| {
        it.grants(Arc::new(BrokenStore))
            .approve_with(person(&lines, Approval::Always))
    });
    assert_eq!(answers, [None, None]);
    assert_eq!(lines.take().len(), 1, "the answer holds for the session");
}

#[test]
fn a_no_says_why_and_what_to_do() {
    let session = session(&FakeClock::new(), |it| {
        it.approvals(careful())
            .approve_with(|_| Approval::denied_because("not today"))
    });
    let error = call(&session, "remove", "{}").outcome.unwrap_err();
    assert_eq!(error.code(), "approval_denied");
    assert_eq!(
        error.to_string(),
        "this call of `remove` was not allowed: not today; \
         do not try it again in another way; ask the user what to do instead"
    );
}

/// How an approver can fail to answer.
#[derive(Clone, Copy)]
enum Fault {
    Error,
    Panic,
    Silence,
}

impl Approver for Fault {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> ApprovalFuture<'a> {
        match self {
            Self::Error => Box::pin(async { Err("the window is closed".into()) }),
            Self::Panic => panic!("on purpose"),
            Self::Silence => Box::pin(pending()),
        }
    }
}

#[test]
fn every_kind_of_silence_is_a_no() {
    let nobody = remove_twice(|it| it);
    assert_eq!(nobody, [Some("approval_required"); 2]);
    let no = [Some("approval_denied"); 2];
    assert_eq!(remove_twice(|it| it.approver(Fault::Error)), no);
    assert_eq!(remove_twice(|it| it.approver(Fault::Panic)), no);
    assert_eq!(
        remove_twice(|it| it.approve_with(|_| panic!("on purpose"))),
        no
    );
    let clock = FakeClock::new();
    let session = session(&clock, |it| {
        it.approvals(careful()).approver(Fault::Silence)
    });
    let mut asked = Driven::of(session.call("remove", "{}"));
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(59));
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(1));
    let error = asked.ready().outcome.unwrap_err();
    assert_eq!(error.code(), "approval_denied");
    assert_eq!(
        error.message(),
        "nobody answered whether `remove` may be called: the effect of this call is destructive"
    );
}

/// Answers when the test says so.
struct Later(
    tokio::sync::Mutex<tokio::sync::mpsc::UnboundedReceiver<Approval>>,
    Lines,
);

impl Approver for Later {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> ApprovalFuture<'a> {
        self.1.push(request.tool().name());
        Box::pin(async move {
            self.0
                .lock()
                .await
                .recv()
                .await
                .ok_or_else(|| "gone".into())
        })
    }
}

fn later() -> (tokio::sync::mpsc::UnboundedSender<Approval>, Later, Lines) {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let lines = Lines::default();
    (sender, Later(receiver.into(), lines.clone()), lines)
}

#[test]
fn the_time_that_a_person_takes_is_not_the_tools() {
    let (clock, (person, approver, _)) = (FakeClock::new(), later());
    let session = session(&clock, |it| it.approvals(careful()).approver(approver));
    // `remove` has 30 s; the person takes 50.
    let mut asked = Driven::of(session.call("remove", "{}"));
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(31));
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(19));
    assert!(asked.poll().is_none());
    person.send(Approval::Once).unwrap();
    assert_eq!(asked.ready().outcome.unwrap().text(), "gone");
}

#[test]
fn a_call_that_is_allowed_late_has_its_whole_limit() {
    let (clock, (person, approver, _)) = (FakeClock::new(), later());
    let session = session(&clock, |it| it.approvals(careful()).approver(approver));
    let mut asked = Driven::of(session.call("hang", "{}"));
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(20));
    person.send(Approval::Once).unwrap();
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(29));
    assert!(asked.poll().is_none());
    clock.advance(Duration::from_secs(1));
    assert_eq!(code(&asked.ready()), "timeout");
}

#[test]
fn questions_come_one_after_the_other_and_one_answer_serves_all_alike() {
    let (clock, (person, approver, asked)) = (FakeClock::new(), later());
    let session = session(&clock, |it| it.approvals(careful()).approver(approver));
    let mut first = Driven::of(session.call("remove", "{}"));
    let mut second = Driven::of(session.call("remove", "{}"));
    let read = call(&session, "say", r#"{"text":"a"}"#);
    assert_eq!(read.outcome.unwrap().text(), "a", "others go on");
    assert!(first.poll().is_none() && second.poll().is_none());
    person.send(Approval::Session).unwrap();
    assert_eq!(first.ready().outcome.unwrap().text(), "gone");
    assert_eq!(second.ready().outcome.unwrap().text(), "gone");
    assert_eq!(asked.take(), ["remove"]);
}

#[test]
fn a_call_that_waits_for_a_person_can_be_cancelled() {
    let (clock, (_person, approver, _)) = (FakeClock::new(), later());
    let session = session(&clock, |it| it.approvals(careful()).approver(approver));
    let cancel = Cancel::new();
    let waiting = ToolCall::new("remove", "{}").cancel(cancel.clone());
    let mut waiting = Driven::of(session.call_with(waiting));
    assert!(waiting.poll().is_none());
    cancel.cancel();
    assert_eq!(code(&waiting.ready()), "cancelled");
}

#[test]
fn sessions_that_nobody_attends_are_decided_by_policy_and_by_default_with_no() {
    let lines = Lines::default();
    let cli = SessionFacts::new(SessionSource::Cli);
    let alone = [
        cli.child(),
        cli.clone().delegated(true),
        cli.clone().works_as(Worker::of_task("t1").in_run("r2")),
        SessionFacts::new(SessionSource::Cron),
        SessionFacts::new(SessionSource::Webhook),
    ];
    for facts in alone {
        assert!(facts.is_unattended());
        let person = |answer| person(&lines, answer);
        let no = remove_twice(|it| {
            it.facts(facts.clone())
                .approve_with(person(Approval::Always))
        });
        assert_eq!(no, [Some("approval_denied"); 2]);
        let yes = session(&FakeClock::new(), |it| {
            it.facts(facts.clone())
                .approvals(careful().unattended(Unattended::Allow))
                .approve_with(person(Approval::denied()))
        });
        assert_eq!(call(&yes, "remove", "{}").outcome.unwrap().text(), "gone");
    }
    assert!(lines.take().is_empty(), "nobody was asked");
    let deep = cli.child().child();
    assert_eq!((deep.depth(), deep.is_delegated()), (2, true));
    assert!(!cli.is_unattended());
}

#[test]
fn rules_deny_allow_and_ask_by_effect() {
    let lines = Lines::default();
    let session = session(&FakeClock::new(), |it| {
        it.approvals(
            ApprovalPolicy::default()
                .effect(Effect::Write, Rule::Ask)
                .effect(Effect::Destructive, Rule::Deny),
        )
        .approve_with(person(&lines, Approval::Once))
    });
    assert_eq!(code(&call(&session, "remove", "{}")), "approval_denied");
    assert!(call(&session, "keep", r#"{"text":"a"}"#).outcome.is_ok());
    assert!(call(&session, "say", r#"{"text":"a"}"#).outcome.is_ok());
    assert_eq!(
        lines.take(),
        [r#"keep {"text":"a"} the effect of this call is write"#]
    );
}

#[test]
fn an_answer_about_a_command_holds_for_exactly_that_command() {
    let lines = Lines::default();
    let session = session(&FakeClock::new(), |it| {
        it.approvals(careful())
            .approve_with(person(&lines, Approval::Session))
    });
    for command in ["ls a", "ls a", "ls b", "ls  a"] {
        let arguments = format!(r#"{{"command":"{command}"}}"#);
        assert!(call(&session, "run_command", &arguments).outcome.is_ok());
    }
    assert_eq!(lines.take().len(), 3);
}

#[test]
fn secrets_are_not_shown_to_whoever_is_asked() {
    let lines = Lines::default();
    let session = session(&FakeClock::new(), |it| {
        it.approvals(careful())
            .approve_with(person(&lines, Approval::Once))
    });
    let result = call(&session, "login", r#"{"name":"ada","password":"hunter2"}"#);
    assert_eq!(
        result.outcome.unwrap().text(),
        "ada has a password of 7 characters"
    );
    assert_eq!(
        lines.take(),
        [r#"login {"name":"ada","password":"***"} the effect of this call is write"#]
    );
}

#[test]
fn what_a_server_claims_never_spares_a_question() {
    let lines = Lines::default();
    let tool = |server: &str, raw: &str| {
        RuntimeTool::of_server(server, raw, Map::new()).answering(|_| "done")
    };
    let register = |registry: &ToolRegistry| {
        registry.register(tool("srv", "unknown"));
        registry.register(tool("srv", "claims").claims(Effect::Read));
        registry.register(tool("srv", "trusted").effect(Effect::Read));
        let doubtful = tool("srv", "doubtful").effect(Effect::Read);
        registry.register(doubtful.claims(Effect::Destructive));
    };
    let session = session_with(&FakeClock::new(), register, |it| {
        it.approvals(careful())
            .approve_with(person(&lines, Approval::denied()))
    });
    let denied = ["unknown", "claims", "trusted", "doubtful"].map(|raw| {
        call(&session, &format!("mcp__srv__{raw}"), "{}")
            .outcome
            .is_err()
    });
    assert_eq!(denied, [true, true, false, true]);
    assert_eq!(lines.take().len(), 3);
}

#[test]
fn tools_of_two_servers_never_share_an_answer() {
    let lines = Lines::default();
    let session = session_with(
        &FakeClock::new(),
        |registry| {
            for (server, raw) in [("a", "b"), ("c", "b")] {
                let tool = RuntimeTool::of_server(server, raw, Map::new());
                registry.register(tool.answering(|_| "done"));
            }
        },
        |it| {
            it.approvals(careful())
                .approve_with(person(&lines, Approval::Session))
        },
    );
    for name in ["mcp__a__b", "mcp__a__b", "mcp__c__b"] {
        assert!(call(&session, name, "{}").outcome.is_ok());
    }
    assert_eq!(lines.take().len(), 2);
}

#[test]
fn a_hook_may_have_a_person_asked() {
    let lines = Lines::default();
    let session = session(&FakeClock::new(), |it| {
        it.before("taste", |call| match call.arguments().text("text") {
            Some("plain") => HookVerdict::Pass,
            Some(text) if text.starts_with("odd") => {
                HookVerdict::ask("an odd text").remembered_as("odd texts")
            }
            _ => HookVerdict::ask("another text"),
        })
        .approve_with(person(&lines, Approval::Session))
    });
    for text in ["plain", "odd", "odder", "other", "odd"] {
        let arguments = format!(r#"{{"text":"{text}"}}"#);
        assert!(call(&session, "say", &arguments).outcome.is_ok());
    }
    let whys: Vec<bool> = lines
        .take()
        .iter()
        .map(|line| line.ends_with("an odd text"))
        .collect();
    assert_eq!(whys, [true, false]);
    let nobody = session_without_anybody();
    assert_eq!(
        code(&call(&nobody, "say", r#"{"text":"a"}"#)),
        "approval_required"
    );
}

fn session_without_anybody() -> hermes_tools::Session {
    session(&FakeClock::new(), |it| {
        it.before("taste", |_| HookVerdict::ask("any text"))
    })
}

#[test]
fn what_a_guard_is_not_sure_of_is_asked_and_what_it_blocks_is_not() {
    let lines = Lines::default();
    let run = |session: &hermes_tools::Session, command: &str| {
        call(
            session,
            "run_command",
            &format!(r#"{{"command":"{command}"}}"#),
        )
    };
    let nobody = session(&FakeClock::new(), |it| it);
    assert_eq!(code(&run(&nobody, "rm -rf build")), "approval_required");
    let seen = lines.clone();
    let yes = session(&FakeClock::new(), |it| {
        it.approve_with(move |request| {
            let reason = &request.reasons()[0];
            seen.push(format!("{} {}", reason.category, reason.subject));
            Approval::Session
        })
    });
    for command in ["rm -rf build", "rm -rf build", "rm -rf other"] {
        assert!(run(&yes, command).outcome.is_ok());
    }
    assert_eq!(code(&run(&yes, "rm -rf /")), "command_blocked");
    assert_eq!(
        lines.take(),
        [
            "recursive-delete rm -rf build",
            "recursive-delete rm -rf other"
        ]
    );
    let rule = |rule| {
        let policy = ApprovalPolicy::default().category("recursive-delete", rule);
        session(&FakeClock::new(), |it| it.approvals(policy))
    };
    let allowed = rule(Rule::Allow);
    assert!(run(&allowed, "rm -rf build").outcome.is_ok());
    assert_eq!(code(&run(&allowed, "rm -rf /")), "command_blocked");
    assert_eq!(
        code(&run(&rule(Rule::Deny), "rm -rf build")),
        "approval_denied"
    );
}
