//! Addresses of the network.

use std::future::Future as _;
use std::net::IpAddr;

use hermes_tools::dispatch::guard::{Policy, Resolver, ResolverFuture};
use hermes_tools::{Selection, Session, ToolContext, ToolRegistry, tools};
use serde_json::json;

use crate::Place;

struct Hosts;

impl Resolver for Hosts {
    fn resolve<'a>(&'a self, host: &'a str) -> ResolverFuture<'a> {
        let addresses: &[&str] = match host {
            "public.example" => &["93.184.216.34"],
            "both.example" => &["93.184.216.34", "10.0.0.1"],
            "boom.example" => panic!("the resolver is broken"),
            _ => &[],
        };
        let addresses: Vec<IpAddr> = addresses.iter().map(|it| it.parse().unwrap()).collect();
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

#[test]
fn addresses_are_pinned_and_every_hop_is_judged() {
    let place = Place::with(tools![crate::fetch], |builder| {
        builder.guard(
            Policy::new()
                .resolver(Hosts)
                .block_site("https://www.Blocked.example/x"),
        )
    });
    let told = |arguments: &str| match place.session.call_blocking("fetch", arguments).outcome {
        Ok(output) => output.text().into_owned(),
        Err(error) => error.code().to_owned(),
    };
    assert_eq!(
        told(r#"{"url": "https://Public.example/a b"}"#),
        "https://public.example/a%20b 443 [93.184.216.34]"
    );
    assert_eq!(
        told(r#"{"url": "http://public.example:8080/x", "redirect": "../y"}"#),
        "http://public.example:8080/y 8080 [93.184.216.34]"
    );
    for url in [
        "http://both.example/",
        "http://none.example/",
        "http://sub.blocked.example/",
        "http://127.0.0.1/",
        "http://public.example:22/",
        "http:/public.example",
        "javascript:alert(1)",
    ] {
        assert_eq!(
            told(&json!({ "url": url }).to_string()),
            "url_blocked",
            "{url}"
        );
    }
    for target in [
        "http://127.0.0.1/",
        "//10.0.0.1/",
        "file:///etc/passwd",
        "http://both.example/",
        "//localhost",
        "http:\\\\127.0.0.1",
    ] {
        let arguments = json!({ "url": "https://public.example/", "redirect": target }).to_string();
        assert_eq!(told(&arguments), "url_blocked", "{target}");
    }
    // What a guard cannot do is refused.
    assert_eq!(told(r#"{"url": "http://boom.example/"}"#), "guard_failed");
    let error = place
        .session
        .call_blocking("fetch", r#"{"url": "http://u:pw@127.0.0.1/?token=abc"}"#)
        .outcome
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`http://u:***@127.0.0.1/?token=***` is not fetched: it leads to this machine; use a public address, or ask the user to allow addresses of the own network"
    );
}

#[test]
fn a_rule_that_does_not_read_lets_nothing_through_and_builds_no_session() {
    let build = |policy: Policy| {
        Session::builder(
            ToolRegistry::of(tools![crate::fetch]).unwrap(),
            Selection::of(["fetch"]),
        )
        .guard(policy)
        .build()
    };
    for rule in ["", "   ", "https://", "*.", "exa mple.com", "*"] {
        let policy = Policy::new().block_site("bad.example").block_site(rule);
        let error = build(policy).unwrap_err();
        assert_eq!(error.rules, [rule]);
        assert!(error.to_string().contains("write a host for `block_site`"));
    }
    let error = build(Policy::new().deny_command("git [").block_site("ok.example")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "what the policy forbids cannot be told from `git [`; write a host for `block_site`, and a \
         pattern with `*` and `?` for `deny_command`"
    );
    assert!(
        build(
            Policy::new()
                .deny_command("git push *")
                .block_site("*.ok.example")
        )
        .is_ok()
    );
    // Without a session the policy itself keeps everything out.
    let cx = ToolContext::new("fetch", std::sync::Arc::default());
    let judged = |policy: Policy| {
        let mut task = std::task::Context::from_waker(std::task::Waker::noop());
        let mut judged =
            std::pin::pin!(async move { policy.url(&cx, "https://93.184.215.14/", None).await });
        match judged.as_mut().poll(&mut task) {
            std::task::Poll::Ready(judged) => judged,
            std::task::Poll::Pending => panic!("a literal address is not looked up"),
        }
    };
    let verdict = judged(Policy::new().block_site("exa mple.com")).unwrap_err();
    assert_eq!((verdict.as_str(), verdict.category()), ("block", "site"));
}
