//! What becomes of the tools of a server.

use hermes_mcp::ServerState;
use hermes_tools::Effect;
use hermes_tools::registry::ServerFilter;

use crate::server::{session, spec, start, until};

#[tokio::test]
async fn tools_get_names_of_their_own_and_a_damaged_one_is_left_out_alone() {
    let filter = ServerFilter {
        exclude: vec!["rm".into()],
        ..ServerFilter::default()
    };
    let spec = spec("fs", "usual")
        .filter(filter)
        .effect("look", Effect::Write);
    let (servers, registry) = start(vec![spec]).await;
    let status = &servers.status()[0];
    assert_eq!(status.state, ServerState::Ready);
    let names: Vec<&str> = status.tools.iter().map(|name| &**name).collect();
    // Both would be `mcp__fs__a_b`.
    assert_eq!(names.len(), 4);
    assert!(names[0].starts_with("mcp__fs__a_b_") && names[1].starts_with("mcp__fs__a_b_"));
    assert_eq!(names[2..], ["mcp__fs__echo", "mcp__fs__look"]);
    assert_eq!(
        status.refused,
        [("bad".into(), "its `inputSchema` is no object".to_owned())]
    );
    // What the server says of itself makes nothing milder.
    let effect = |name: &str| registry.get(name).unwrap().declared_effect();
    assert_eq!(effect("mcp__fs__echo"), Effect::Destructive);
    assert_eq!(effect("mcp__fs__look"), Effect::Write);
    let tool = registry.get("mcp__fs__look").unwrap();
    assert_eq!((tool.toolset(), tool.is_untrusted()), ("mcp-fs", true));
    servers.stop().await;
    assert!(registry.get("mcp__fs__echo").is_none());
}

#[tokio::test]
async fn a_call_reaches_the_server_and_secrets_of_the_host_do_not() {
    let (_servers, registry) = start(vec![spec("fs", "usual").trusted()]).await;
    let session = session(&registry, &["mcp__fs__look"]);
    let result = session.call("mcp__fs__look", r#"{"n": 3}"#).await;
    assert_eq!(result.outcome.unwrap().text(), "true {\"n\":3}");
    for number in [
        "123456789012345678901234567890",
        "1e400",
        "0.1234567890123456789",
    ] {
        let arguments = format!("{{\"deep\": [{number}]}}");
        let refused = session.call("mcp__fs__look", &arguments).await;
        assert_eq!(
            refused.outcome.unwrap_err().message(),
            "a number in the arguments has more digits than can be sent to a server"
        );
    }
}

/// Case 160.
#[tokio::test]
async fn a_storm_of_changes_is_a_few_lists() {
    let (_servers, registry) = start(vec![spec("s", "changes").trusted()]).await;
    let names = ["mcp__s__open", "mcp__s__step", "mcp__s__close"];
    let session = session(&registry, &names);
    let opened = session.call("mcp__s__open", "{}").await;
    assert_eq!(opened.outcome.unwrap().text(), "opened");
    until(|| registry.get("mcp__s__step").is_some()).await;
    assert!(registry.get("mcp__s__open").is_none());
    let lists = session.call("mcp__s__step", "{}").await.outcome.unwrap();
    let lists: usize = lists.text().parse().unwrap();
    assert!((2..=5).contains(&lists), "{lists}");
    let gone = session
        .call("mcp__s__open", "{}")
        .await
        .outcome
        .unwrap_err();
    assert_eq!(gone.code(), "unknown_tool");
}
