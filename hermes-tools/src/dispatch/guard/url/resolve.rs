//! Looking up hosts.

use std::future::Future;
use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::pin::Pin;

use crate::context::{self, ToolContext};

/// The addresses of a host on their way.
pub type ResolverFuture<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Looks up the addresses of hosts. Without one the system is asked.
pub trait Resolver: Send + Sync {
    /// All addresses of a host, given in small letters, in ASCII, and without a dot at its end.
    fn resolve<'a>(&'a self, host: &'a str) -> ResolverFuture<'a>;
}

pub(super) async fn lookup(
    cx: &ToolContext,
    resolver: Option<&dyn Resolver>,
    host: &str,
) -> io::Result<Vec<IpAddr>> {
    if let Some(resolver) = resolver {
        return resolver.resolve(host).await;
    }
    let host = host.to_owned();
    let asked = context::run_blocking(cx, move || {
        let found = (host.as_str(), 0).to_socket_addrs()?;
        Ok(found.map(|address| address.ip()).collect())
    });
    asked
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error.to_string())))
}
