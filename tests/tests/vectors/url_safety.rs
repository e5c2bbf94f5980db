//! Addresses that are fetched, and those that are not.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use hermes_tests::{Outcome, VectorFile};
use hermes_tools::ToolContext;
use hermes_tools::context::SessionContext;
use hermes_tools::dispatch::guard::{Policy, Resolver, ResolverFuture};
use serde::Deserialize;

use crate::wait;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    url: String,
    allow_private: bool,
    #[serde(default)]
    redirects: Vec<String>,
    dns: BTreeMap<String, Vec<Answer>>,
}

/// An address as a resolver writes it: `fe80::1%eth0` names the interface as well.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Answer(IpAddr);

impl TryFrom<String> for Answer {
    type Error = std::net::AddrParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (address, _) = text.split_once('%').unwrap_or((&text, ""));
        address.parse().map(Self)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    verdict: String,
    /// A label for people.
    #[serde(rename = "category")]
    _category: String,
}

/// The hosts of a line; any other does not resolve.
struct Hosts(BTreeMap<String, Vec<Answer>>);

impl Resolver for Hosts {
    fn resolve<'a>(&'a self, host: &'a str) -> ResolverFuture<'a> {
        let found = self.0.get(host);
        let found = found.map(|answers| answers.iter().map(|answer| answer.0).collect());
        let answer = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
        Box::pin(std::future::ready(answer))
    }
}

#[test]
fn url_safety_vectors() {
    let cx = ToolContext::new("fetch", Arc::new(SessionContext::default()));
    VectorFile::new("url_safety")
        .kinds(["url_safety"])
        .run(|line| {
            let input: Input = line.input()?;
            let expected: Expected = line.expected()?;
            let policy = Policy::new()
                .allow_private_urls(input.allow_private)
                .resolver(Hosts(input.dns));
            let mut at = None;
            let mut verdict = ("allow", String::new());
            for address in std::iter::once(&input.url).chain(&input.redirects) {
                match wait(policy.url(&cx, address, at.as_deref())) {
                    Ok(destination) => at = Some(destination.url),
                    Err(refused) => {
                        verdict = (refused.as_str(), format!("{refused:?}"));
                        break;
                    }
                }
            }
            Ok(Outcome::Judged {
                passed: verdict.0 == expected.verdict,
                got: format!("{verdict:?}"),
            })
        });
}
