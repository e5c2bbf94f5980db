//! Spans and events, as a subscriber sees them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use hermes_tools::testing::FakeClock;
use hermes_tools::{SessionFacts, SessionSource, ToolCall};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::{Driven, call, session};

type Fields = BTreeMap<String, String>;

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Kept {
    next: Arc<AtomicU64>,
    spans: Arc<Mutex<Vec<(&'static str, Fields)>>>,
    events: Arc<Mutex<Vec<String>>>,
}

struct Into<'a>(&'a mut Fields);

impl Visit for Into<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl Subscriber for Kept {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == hermes_tools::trace::TARGET
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        span.record(&mut Into(&mut fields));
        self.spans
            .lock()
            .unwrap()
            .push((span.metadata().name(), fields));
        Id::from_u64(self.next.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let index = usize::try_from(id.into_u64()).unwrap() - 1;
        values.record(&mut Into(&mut self.spans.lock().unwrap()[index].1));
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Into(&mut fields));
        let message = fields.remove("message").unwrap_or_default();
        let mut rest: Vec<String> = Vec::new();
        rest.extend(
            fields
                .into_iter()
                .map(|(key, value)| format!("{key}={value}")),
        );
        self.events
            .lock()
            .unwrap()
            .push(format!("{message}: {}", rest.join(" ")));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn fields(pairs: &[(&str, &str)]) -> Fields {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn a_call_is_a_span_with_the_names_of_the_conventions() {
    let kept = Kept::default();
    let session = session(&FakeClock::new(), |it| {
        it.facts(SessionFacts::new(SessionSource::Cli).with_id("s1"))
    });
    tracing::subscriber::with_default(kept.clone(), || {
        let say = ToolCall::new("say", r#"{"text":"a","times":"2"}"#).id("c1");
        assert!(Driven::of(session.call_with(say)).ready().outcome.is_ok());
    });
    let spans = kept.spans.lock().unwrap().clone();
    assert_eq!(
        spans,
        [(
            "execute_tool",
            fields(&[
                ("otel.name", "execute_tool say"),
                ("otel.kind", "internal"),
                ("gen_ai.operation.name", "execute_tool"),
                ("gen_ai.tool.name", "say"),
                ("gen_ai.tool.description", "Say a text."),
                ("gen_ai.tool.type", "function"),
                ("gen_ai.tool.call.id", "c1"),
                ("hermes.effect", "read"),
                ("hermes.toolset", "test"),
                ("hermes.status", "ok"),
                ("hermes.repairs", "1"),
                ("hermes.session.id", "s1"),
            ])
        )]
    );
    assert_eq!(
        *kept.events.lock().unwrap(),
        ["arguments repaired: path=times what=text to integer"]
    );
}

#[test]
fn an_error_has_its_code_and_a_refused_name_a_span() {
    let kept = Kept::default();
    let session = session(&FakeClock::new(), |it| it);
    tracing::subscriber::with_default(kept.clone(), || {
        call(&session, "broken", "{}");
        call(&session, "no_such_tool", "{}");
    });
    let spans = kept.spans.lock().unwrap().clone();
    let told: Vec<[&str; 4]> = spans
        .iter()
        .map(|(_, fields)| {
            [
                "gen_ai.tool.name",
                "error.type",
                "otel.status_code",
                "hermes.status",
            ]
            .map(|key| fields.get(key).map_or("-", String::as_str))
        })
        .collect();
    assert_eq!(
        told,
        [
            ["broken", "failed", "ERROR", "error"],
            ["no_such_tool", "unknown_tool", "ERROR", "blocked"],
        ]
    );
}

#[test]
fn contents_are_traced_on_request_alone_and_without_secrets() {
    let secret = r#"{"name":"ada","password":"hunter2"}"#;
    let content = |kept: &Kept| {
        let spans = kept.spans.lock().unwrap();
        ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"]
            .map(|key| spans[0].1.get(key).cloned())
    };
    let (silent, telling) = (Kept::default(), Kept::default());
    let session_silent = session(&FakeClock::new(), |it| it);
    tracing::subscriber::with_default(silent.clone(), || call(&session_silent, "login", secret));
    assert_eq!(content(&silent), [None, None]);
    let session_telling = session(
        &FakeClock::new(),
        hermes_tools::SessionBuilder::trace_content,
    );
    tracing::subscriber::with_default(telling.clone(), || call(&session_telling, "login", secret));
    assert_eq!(
        content(&telling),
        [
            Some(r#"{"name":"ada","password":"***"}"#.to_owned()),
            Some("ada has a password of 7 characters".to_owned())
        ]
    );
}

#[test]
fn faults_of_hooks_and_loops_are_events() {
    let kept = Kept::default();
    let session = session(&FakeClock::new(), |it| {
        it.after("log", |_, _| Err::<(), _>("no disk"))
    });
    tracing::subscriber::with_default(kept.clone(), || {
        call(&session, "broken", "{}");
        call(&session, "broken", "{}");
    });
    assert_eq!(
        *kept.events.lock().unwrap(),
        [
            "a hook failed: fault=no disk hook=log tool=broken",
            "a hook failed: fault=no disk hook=log tool=broken",
            "loop: action=warn code=repeated_exact_failure_warning count=2 tool=broken",
        ]
    );
}
