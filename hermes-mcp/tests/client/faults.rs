//! What servers do wrong, and that nothing hangs or is lost because of it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use hermes_mcp::{ServerSpec, ServerState, Servers};
use hermes_tools::registry::ServerFilter;
use hermes_tools::{Effect, ToolRegistry};

use crate::server::{session, spec, start, until};

/// Case 155.
#[tokio::test]
async fn noise_is_passed_over_and_a_long_answer_arrives() {
    let (servers, registry) = start(vec![spec("n", "noisy").trusted()]).await;
    assert_eq!(servers.status()[0].state, ServerState::Ready);
    let session = session(
        &registry,
        &[
            "mcp__n__big",
            "mcp__n__paint",
            "mcp__n__measure",
            "mcp__n__huge",
            "mcp__n__broken",
        ],
    );
    let big = session.call("mcp__n__big", "{}").await.outcome.unwrap();
    assert!(big.text().contains("xxx"));
    // A picture is no text that is cut: it comes as it was sent.
    let painted = session.call("mcp__n__paint", "{}").await.outcome.unwrap();
    let picture = painted.parts().find_map(hermes_tools::Content::media);
    assert_eq!(picture.map(|it| it.data().len()), Some(9_000_000));
    // The same in the other direction.
    let long = "x".repeat(12_000_000);
    let arguments = format!("{{\"text\":\"{long}\"}}");
    let measured = session.call("mcp__n__measure", &arguments).await;
    assert_eq!(measured.outcome.unwrap().text(), "12000000");
    let huge = session
        .call("mcp__n__huge", "{}")
        .await
        .outcome
        .unwrap_err();
    assert_eq!(
        huge.message(),
        "the server `n` refused the call: the answer is longer than 16777216 bytes; the call was carried out"
    );
    let broken = session.call("mcp__n__broken", "{}").await.outcome.unwrap();
    assert_eq!(broken.text(), "after all");
}

#[tokio::test]
async fn half_an_answer_is_none_and_two_are_one() {
    let (_servers, registry) = start(vec![spec("n", "noisy").trusted()]).await;
    let session = session(&registry, &["mcp__n__half", "mcp__n__twice"]);
    for _ in 0..3 {
        let twice = session.call("mcp__n__twice", "{}").await.outcome.unwrap();
        assert_eq!(twice.text(), "one");
    }
    let half = session
        .call("mcp__n__half", "{}")
        .await
        .outcome
        .unwrap_err();
    assert!(
        half.to_string().contains("the outcome is unknown"),
        "{half}"
    );
}

#[tokio::test]
async fn a_thousand_tools_in_pages_and_a_hundred_calls_at_one_time() {
    let (servers, registry) = start(vec![spec("m", "many").trusted()]).await;
    assert_eq!(servers.status()[0].tools.len(), 1000);
    let names: Vec<String> = (0..100)
        .map(|it| format!("mcp__m__tool_{:04}", it * 10))
        .collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let session = Arc::new(session(&registry, &all));
    let calls = names.iter().map(|name| {
        let (session, name) = (Arc::clone(&session), name.clone());
        tokio::spawn(async move { (session.call(&name, "{}").await.outcome.unwrap(), name) })
    });
    for call in calls.collect::<Vec<_>>() {
        let (output, name) = call.await.unwrap();
        assert_eq!(format!("mcp__m__{}", output.text()), name);
    }
}

#[tokio::test]
async fn a_list_that_goes_in_circles_ends() {
    let (servers, _registry) = start(vec![spec("c", "circle")]).await;
    let status = &servers.status()[0];
    assert_eq!(
        (&status.state, &*status.tools),
        (&ServerState::Ready, &["mcp__c__one".into()][..])
    );
    assert_eq!(
        status.incomplete.as_deref(),
        Some("its list of tools goes in circles")
    );
}

#[tokio::test]
async fn a_list_that_is_cut_says_so_and_one_that_is_too_long_is_no_call() {
    let long = spec("l", "long");
    let (servers, _registry) = start(vec![spec("e", "endless"), spec("c", "many"), long]).await;
    let status = servers.status();
    assert_eq!(status[0].state, ServerState::Ready);
    assert_eq!(
        status[0].incomplete.as_deref(),
        Some("its list of tools has more than 1000 pages, and no more were read")
    );
    assert_eq!(status[1].incomplete, None);
    let ServerState::Waiting(why) = &status[2].state else {
        panic!("{status:?}");
    };
    // The server may have more to say when nobody reads any more.
    assert_eq!(
        why.split("; it wrote: ").next(),
        Some("its tools cannot be listed: the answer is longer than 16777216 bytes")
    );
}

#[tokio::test]
async fn names_that_no_tool_of_a_server_has_are_told() {
    let filter = ServerFilter {
        include: Vec::new(),
        exclude: vec!["rm".into(), "rmm".into()],
    };
    let named = spec("s", "usual")
        .filter(filter)
        .effect("echo", Effect::Read)
        .effect("ehco", Effect::Read)
        .effect("rmm", Effect::Write);
    let include = ServerFilter {
        include: vec!["a.b".into(), "a.c".into(), "bad".into()],
        exclude: Vec::new(),
    };
    let included = spec("t", "usual").filter(include);
    let (servers, _registry) = start(vec![named, included, spec("u", "usual")]).await;
    let status = servers.status();
    assert_eq!(status[0].unknown_names, ["ehco".into(), "rmm".into()]);
    // A tool that cannot be used is there all the same.
    assert_eq!(status[1].unknown_names, ["a.c".into()]);
    assert!(status[2].unknown_names.is_empty());
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_blamed_and_not_the_command() {
    let (servers, _registry) = start(vec![spec("s", "usual").cwd("/no/such/folder")]).await;
    let ServerState::Waiting(why) = &servers.status()[0].state else {
        panic!("{:?}", servers.status());
    };
    assert!(
        why.ends_with("cannot be started: its `cwd` `/no/such/folder` is no folder"),
        "{why}"
    );
}

#[tokio::test]
async fn a_variable_that_is_not_set_is_named_and_one_that_is_reaches_the_server() {
    let missing = spec("a", "usual").env("KEY", "${NO_SUCH_VARIABLE_ANYWHERE}");
    let there = spec("b", "usual")
        .env("SECRET_OF_THE_HOST", "${SECRET_OF_THE_HOST}")
        .trusted();
    let (servers, registry) = start(vec![missing, there]).await;
    let ServerState::Waiting(why) = &servers.status()[0].state else {
        panic!("{:?}", servers.status());
    };
    assert!(
        why.ends_with("the variable `NO_SUCH_VARIABLE_ANYWHERE` is not set"),
        "{why}"
    );
    let session = session(&registry, &["mcp__b__look"]);
    let look = session.call("mcp__b__look", "{}").await.outcome.unwrap();
    assert_eq!(look.text(), "false {}");
}

const PID_FILE: &str = "TEST_HOST_PID_FILE";

/// The host that is killed, when this program is started as one. Does nothing in a usual run of the tests.
#[tokio::test]
async fn host_process() {
    let Ok(file) = std::env::var(PID_FILE) else {
        return;
    };
    let script = format!(
        "trap '' TERM; sleep 351 & echo $! > {file}.new; mv {file}.new {file}; cat > /dev/null; wait"
    );
    let stubborn = ServerSpec::new("stubborn", "sh")
        .unwrap()
        .args(["-c", &script]);
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let _servers = Servers::start(&registry, vec![stubborn], |name| std::env::var(name).ok());
    std::future::pending::<()>().await;
}

/// Case 163.
#[tokio::test]
async fn a_host_that_is_killed_leaves_no_server_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "faults::host_process", "--nocapture"])
        .env(PID_FILE, &file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| file.exists()).await;
    let child = fs::read_to_string(&file).unwrap();
    let status = format!("/proc/{}/status", child.trim());
    let runs = || {
        let status = fs::read_to_string(Path::new(&status)).unwrap_or_default();
        status.contains("sleep") && !status.contains("State:\tZ")
    };
    // Between its birth and its becoming that program it has the name of the shell.
    until(runs).await;
    // `SIGKILL`, which nobody can prepare for.
    host.kill().unwrap();
    host.wait().unwrap();
    let gone = tokio::time::timeout(Duration::from_mins(5), until(|| !runs())).await;
    assert!(gone.is_ok());
}

/// Case 160, after a new connection.
#[tokio::test]
async fn a_new_connection_lists_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("left");
    let spec = crate::server::with_file(spec("s", "changes").trusted(), &file);
    let (_servers, registry) = start(vec![spec]).await;
    let session = session(
        &registry,
        &["mcp__s__open", "mcp__s__extra", "mcp__s__step"],
    );
    assert!(registry.get("mcp__s__extra").is_none());
    // The next call is waited for until the server is there again.
    fs::write(&file, "").unwrap();
    session.call("mcp__s__open", "{}").await.outcome.unwrap();
    until(|| registry.get("mcp__s__step").is_some()).await;
    let gone = session
        .call("mcp__s__open", "{}")
        .await
        .outcome
        .unwrap_err();
    assert!(
        gone.message().contains("not available") || gone.message().contains("no longer"),
        "{gone}"
    );
}
