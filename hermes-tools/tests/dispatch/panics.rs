//! Panics in unusual places.

use hermes_tools::{
    Availability, CheckContext, ErrorKind, Selection, Session, ToolRegistry, tool, tools,
};

/// A panic whose payload panics as it is dropped.
struct Grudge;

impl Drop for Grudge {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "dropped");
    }
}

/// Panic with a payload that panics again.
#[tool(toolset = "test", inline)]
fn hold_a_grudge() -> String {
    std::panic::panic_any(Grudge)
}

/// Has a check that panics.
#[tool(toolset = "test", inline, check = panicking_check)]
fn unchecked() -> String {
    "never".to_owned()
}

fn panicking_check(_cx: &CheckContext<'_>) -> Availability {
    panic!("no answer")
}

#[test]
fn whatever_panics_is_an_answer() {
    let registry = ToolRegistry::of(tools![hold_a_grudge, unchecked]).unwrap();
    let session = Session::builder(registry, Selection::of(["hold_a_grudge", "unchecked"]))
        .build()
        .unwrap();
    let error = session
        .call_blocking("hold_a_grudge", "{}")
        .outcome
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panicked);
    let error = session
        .call_blocking("unchecked", "{}")
        .outcome
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert_eq!(
        error.to_string(),
        "`unchecked` is unavailable: its check panicked: no answer; report it to the author of the tool"
    );
    assert!(!session.definitions().contains("unchecked"));
}
