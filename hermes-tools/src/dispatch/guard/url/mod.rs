//! Addresses of the network: where they lead, in every spelling and through every redirect.
//!
//! An address is read as browsers read it, its host is looked up, and every answer is judged. What
//! comes back holds the addresses that were judged, so that whoever connects goes to one of those and
//! no second answer of a name server counts.

mod address;
mod resolve;

use std::net::IpAddr;

use url::{Host, Url};

pub use self::resolve::{Resolver, ResolverFuture};

use self::address::Reach;
use super::Verdict;
use crate::context::ToolContext;
use crate::gate::Destination;
use crate::output::ErrorKind;

/// What addresses are judged by.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    /// Whether hosts of the own machine and network may be reached.
    pub(super) private: bool,
    /// Hosts that are not reached, in small letters; with `*.` before them their subdomains alone.
    pub(super) blocked: &'a [String],
    /// A rule of the operator that holds no host.
    pub(super) unread: Option<&'a str>,
    pub(super) resolver: Option<&'a dyn Resolver>,
}

/// Hosts that tell machines in a cloud their own credentials.
const METADATA_HOSTS: [&str; 6] = [
    "metadata.google.internal",
    "metadata.goog",
    "metadata",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.azure.internal",
];

/// Ports of services that are no web servers, as browsers refuse them.
const PORTS: [u16; 40] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 445, 465,
];

/// Whether a host that connects by itself may go to this address of the internet protocol; `private` allows
/// the own machine and network. Services that give out credentials of this machine are never reached.
///
/// This is what guards judge the role `url` by, for connections that no tool makes.
///
/// ```
/// use hermes_tools::dispatch::guard::may_connect;
///
/// assert!(may_connect([93, 184, 215, 14].into(), false));
/// assert!(may_connect([127, 0, 0, 1].into(), true) && !may_connect([127, 0, 0, 1].into(), false));
/// assert!(!may_connect([169, 254, 169, 254].into(), true));
/// ```
pub fn may_connect(address: IpAddr, private: bool) -> bool {
    address::reach(address).is_allowed(private)
}

/// Where an address leads, seen from `from` where it stands in an answer of that one.
///
/// # Errors
///
/// The verdict that it is not fetched.
pub(super) async fn destination(
    cx: &ToolContext,
    text: &str,
    from: Option<&str>,
    setting: Setting<'_>,
) -> Result<Destination, Verdict> {
    let url = match from {
        None => read(text)?,
        Some(from) => {
            let joined = read(from)?
                .join(text.trim())
                .map_err(|error| malformed(text, &error.to_string()))?;
            // An absolute target is read with the same care as a first address.
            if text.contains("//") {
                read(&absolute(text, &joined))?
            } else {
                joined
            }
        }
    };
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Err(malformed(text, "it has no host"));
    };
    if PORTS.contains(&port) {
        return Err(block(
            "port",
            text,
            &format!("port {port} is not one of web servers"),
        ));
    }
    let name = host.to_string().trim_end_matches('.').to_ascii_lowercase();
    if name.is_empty() {
        return Err(malformed(text, "it has no host"));
    }
    if METADATA_HOSTS.contains(&name.as_str()) {
        return Err(judged(Reach::Metadata, text));
    }
    if let Some(rule) = setting.unread {
        let why =
            format!("the operator's rule `{rule}` about sites holds no host, so all are kept out");
        return Err(block("site", text, &why));
    }
    if setting.blocked.iter().any(|rule| is_blocked(rule, &name)) {
        return Err(block("site", text, "the operator has blocked this site"));
    }
    let addresses: Vec<IpAddr> = match host {
        Host::Ipv4(address) => vec![address.into()],
        Host::Ipv6(address) => vec![address.into()],
        Host::Domain(_) if name == "localhost" || name.ends_with(".localhost") => {
            vec![IpAddr::from([127, 0, 0, 1])]
        }
        Host::Domain(_) => {
            let found = resolve::lookup(cx, setting.resolver, &name).await;
            found.map_err(|error| {
                block(
                    "unresolved",
                    text,
                    &format!("its host cannot be looked up: {error}"),
                )
            })?
        }
    };
    if addresses.is_empty() {
        return Err(block("unresolved", text, "its host has no address"));
    }
    // One bad answer is enough: the next answer may be that one.
    for address in &addresses {
        let reach = address::reach(*address);
        if !reach.is_allowed(setting.private) {
            return Err(judged(reach, text));
        }
    }
    Ok(Destination {
        url: url.to_string(),
        host: name,
        port,
        addresses,
    })
}

/// Reads an address with more care than browsers, where readers differ in what they take for the host.
fn read(text: &str) -> Result<Url, Verdict> {
    let text = text.trim();
    let Some((scheme, rest)) = text.split_once(':') else {
        return Err(malformed(text, "it has no scheme"));
    };
    if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return Err(block("scheme", text, "only `http` and `https` are fetched"));
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return Err(malformed(text, "`//` is missing"));
    };
    let rest = rest.trim_start_matches(' ');
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    if authority.is_empty() {
        return Err(malformed(text, "it has no host"));
    }
    let strange = |c: char| {
        c.is_whitespace() || c.is_control() || matches!(c, '\\' | '<' | '>' | '^' | '|' | '"' | '`')
    };
    if authority.contains(strange) {
        return Err(malformed(
            text,
            "its host holds characters that readers take differently",
        ));
    }
    if text.contains(|c: char| c.is_control()) {
        return Err(malformed(text, "it holds control characters"));
    }
    Url::parse(&format!("{scheme}://{rest}")).map_err(|error| malformed(text, &error.to_string()))
}

/// A target with the scheme that it takes over.
fn absolute(text: &str, joined: &Url) -> String {
    let text = text.trim();
    if text.starts_with("//") {
        return format!("{}:{text}", joined.scheme());
    }
    let is_absolute = text.split_once(':').is_some_and(|(scheme, _)| {
        scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    });
    if is_absolute {
        text.to_owned()
    } else {
        joined.to_string()
    }
}

fn is_blocked(rule: &str, host: &str) -> bool {
    match rule.strip_prefix("*.") {
        Some(rule) => host
            .strip_suffix(rule)
            .is_some_and(|rest| rest.ends_with('.')),
        None => {
            host == rule
                || host
                    .strip_suffix(rule)
                    .is_some_and(|rest| rest.ends_with('.'))
        }
    }
}

/// A rule about sites as it is compared: without scheme, path and `www.`.
pub(super) fn site_rule(rule: &str) -> Option<String> {
    let rule = rule.trim().to_lowercase();
    let rule = rule
        .split_once("://")
        .map_or(rule.as_str(), |(_, rest)| rest);
    let rule = rule.split(['/', '?', '#', ':']).next().unwrap_or("");
    let rule = rule
        .strip_prefix("www.")
        .unwrap_or(rule)
        .trim_end_matches('.');
    let (star, name) = rule
        .strip_prefix("*.")
        .map_or(("", rule), |name| ("*.", name));
    if name.contains('*') {
        return None;
    }
    let name = match Host::parse(name) {
        Ok(host) => host.to_string(),
        Err(_) => return None,
    };
    Some(format!("{star}{name}"))
}

fn malformed(text: &str, why: &str) -> Verdict {
    block("malformed", text, why)
}

fn judged(reach: Reach, text: &str) -> Verdict {
    block(reach.word(), text, &format!("it leads to {}", reach.what()))
}

fn block(category: &'static str, text: &str, why: &str) -> Verdict {
    let shown: String = crate::output::redact::address(text)
        .chars()
        .take(200)
        .collect();
    Verdict::Block {
        kind: ErrorKind::UrlBlocked,
        category,
        why: format!("`{shown}` is not fetched: {why}"),
        help: match category {
            "scheme" | "malformed" => {
                "send a whole address of the web, such as `https://example.com/page`"
            }
            "unresolved" => "check the spelling of the host, or use another address",
            _ => "use a public address, or ask the user to allow addresses of the own network",
        }
        .to_owned(),
    }
}
