//! Servers that are slow, dead, or die.

use std::fs;
use std::path::Path;
use std::time::Duration;

use hermes_mcp::{ServerSpec, ServerState};

use crate::server::{session, spec, start, until, with_file};

/// Case 157.
#[tokio::test]
async fn a_call_whose_server_dies_is_not_repeated_and_the_next_one_finds_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger.txt");
    let spec = with_file(spec("bank", "dies"), &ledger);
    let (servers, registry) = start(vec![spec]).await;
    let session = session(&registry, &["mcp__bank__transfer"]);
    let paid = || fs::read_to_string(&ledger).unwrap().lines().count();
    let error = session
        .call("mcp__bank__transfer", "{}")
        .await
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server `bank` ended before it answered; the outcome is unknown: the call may have been carried out; \
         it wrote: out of money; look at what has happened before you call it again"
    );
    assert!(!error.is_transient());
    assert_eq!(paid(), 1);
    until(|| matches!(&servers.status()[0].state, ServerState::Waiting(why) if why.contains("out of money"))).await;
    let again = session
        .call("mcp__bank__transfer", "{}")
        .await
        .outcome
        .unwrap_err();
    assert!(
        again.to_string().contains("the outcome is unknown"),
        "{again}"
    );
    assert_eq!(paid(), 2);
}

#[tokio::test]
async fn a_slow_server_delays_nobody_and_a_missing_one_is_told() {
    let slow = spec("slow", "mute").start_within(Duration::from_millis(50));
    let missing = ServerSpec::new("missing", "no-such-program-anywhere").unwrap();
    let (servers, registry) = start(vec![slow, missing, spec("fs", "usual")]).await;
    let status = servers.status();
    assert_eq!(status[2].state, ServerState::Ready);
    assert!(registry.get("mcp__fs__echo").is_some());
    let why = |state: &ServerState| match state {
        ServerState::Waiting(why) | ServerState::Failed(why) => why.clone(),
        other => format!("{other:?}"),
    };
    assert!(
        why(&status[0].state).starts_with("it did not list its tools within 0.05 s"),
        "{status:?}"
    );
    assert!(
        why(&status[1].state).starts_with("`no-such-program-anywhere` cannot be started: "),
        "{status:?}"
    );
}

/// Case 163.
#[tokio::test]
async fn a_server_that_does_not_end_is_killed_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!(
        "trap '' TERM; sleep 351 & echo $! > {0}.new; mv {0}.new {0}; cat > /dev/null; wait",
        file.display()
    );
    let stubborn = ServerSpec::new("stubborn", "sh").unwrap();
    let stubborn = stubborn
        .args(["-c", &script])
        .start_within(Duration::from_mins(5));
    let registry = std::sync::Arc::new(hermes_tools::ToolRegistry::of(&[]).unwrap());
    let servers =
        hermes_mcp::Servers::start(&registry, vec![stubborn], |name| std::env::var(name).ok());
    until(|| file.exists()).await;
    let child = fs::read_to_string(&file).unwrap();
    let status = format!("/proc/{}/status", child.trim());
    let runs = || {
        let status = fs::read_to_string(Path::new(&status)).unwrap_or_default();
        status.contains("sleep") && !status.contains("State:\tZ")
    };
    // Between its birth and its becoming that program it has the name of the shell.
    until(runs).await;
    drop(servers);
    until(|| !runs()).await;
}

/// Time that is paused passes by itself where everybody waits.
#[tokio::test(start_paused = true)]
async fn a_server_that_never_starts_is_given_up_after_five_times_with_pauses_that_grow() {
    let registry = std::sync::Arc::new(hermes_tools::ToolRegistry::of(&[]).unwrap());
    let missing = ServerSpec::new("missing", "/no/such/program").unwrap();
    let begun = tokio::time::Instant::now();
    let servers = hermes_mcp::Servers::start(&registry, vec![missing], |_| None);
    let mut waited = Vec::new();
    loop {
        servers.changed(Duration::from_mins(5)).await;
        match &servers.status()[0].state {
            ServerState::Waiting(_) => waited.push(begun.elapsed().as_millis()),
            ServerState::Failed(why) => {
                assert!(
                    why.starts_with("`/no/such/program` cannot be started"),
                    "{why}"
                );
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    // Half a second, one, two and four.
    assert_eq!(waited, [0, 500, 1_500, 3_500]);
    assert_eq!(begun.elapsed(), Duration::from_millis(7_500));
}

#[tokio::test]
async fn a_server_that_is_late_brings_its_tools_when_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("come");
    let late = with_file(spec("late", "late").trusted(), &file);
    let registry = std::sync::Arc::new(hermes_tools::ToolRegistry::of(&[]).unwrap());
    let servers =
        hermes_mcp::Servers::start(&registry, vec![late], |name| std::env::var(name).ok());
    // Nobody waits for it.
    servers.settle(Duration::ZERO).await;
    assert_eq!(servers.status()[0].state, ServerState::Starting);
    let session = session(&registry, &["mcp__late__echo"]);
    assert!(registry.get("mcp__late__echo").is_none());
    fs::write(&file, "").unwrap();
    until(|| registry.get("mcp__late__echo").is_some()).await;
    let echo = session.call("mcp__late__echo", "{}").await.outcome.unwrap();
    assert_eq!(echo.text(), "echo");
}

#[tokio::test]
async fn a_call_that_is_not_answered_ends_at_its_limit_and_the_server_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told");
    let spec = with_file(spec("s", "stalls").trusted(), &file);
    let (_servers, registry) = start(vec![spec.timeout(Duration::from_millis(20))]).await;
    let session = session(&registry, &["mcp__s__stall"]);
    let stalled = session.call("mcp__s__stall", "{}").await.outcome;
    assert_eq!(stalled.unwrap_err().code(), "timeout");
    let told = || fs::read_to_string(&file).unwrap_or_default();
    until(|| !told().is_empty()).await;
    assert_eq!(told(), "\"the call was given up\"");
}
