//! The server of a process that a client has started.

use std::io;

use hermes_tools::{Cancel, Session};
use rmcp::transport::stdio_pipes;
use tokio::runtime::Builder;

use crate::{Lines, ServeError, Server};

/// Serves a session over the standard input and output until the input ends, the output is closed, or
/// the process is told to end (Ctrl-C, `SIGTERM`, `SIGHUP`). Calls that still run are cancelled.
///
/// It makes a runtime of its own and waits, so it is called outside of one. Nothing else may write to
/// the standard output; logs go to the standard error.
///
/// # Errors
///
/// The client does not speak the protocol, or there is no runtime to be had.
pub fn serve_stdio(session: Session) -> Result<(), ServeError> {
    Server::new(session).serve_stdio()
}

impl Server {
    /// [`serve_stdio`](crate::serve_stdio) with what was set here.
    ///
    /// # Errors
    ///
    /// Those of [`serve_stdio`](crate::serve_stdio).
    pub fn serve_stdio(self) -> Result<(), ServeError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let stop = self.stop_sign();
        let ended = runtime.block_on(until_signals(stop, async move {
            let (read, write) = stdio_pipes();
            Box::pin(self.serve(Lines::new(read, write))).await
        }));
        // A read of the standard input that waits for a terminal cannot be called off.
        runtime.shutdown_background();
        ended
    }
}

#[cfg(feature = "http")]
impl crate::Http {
    /// Serves an address until the process is told to end (Ctrl-C, `SIGTERM`). `told` gets the address
    /// that is served, with the port that was chosen where it is 0.
    ///
    /// It makes a runtime of its own and waits, so it is called outside of one.
    ///
    /// # Errors
    ///
    /// Those of [`serve`](Self::serve), and the address cannot be had.
    pub fn serve_at(
        self,
        address: std::net::SocketAddr,
        told: impl FnOnce(std::net::SocketAddr),
    ) -> Result<(), crate::HttpError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let stop = self.stop_sign();
        let ended = runtime.block_on(until_signals(stop, async move {
            self.check(address)?;
            let listener = tokio::net::TcpListener::bind(address).await?;
            told(listener.local_addr()?);
            self.serve(listener).await
        }));
        // What tools have started ends with their calls and sessions, which end with their tasks.
        runtime.shutdown_timeout(PATIENCE);
        ended
    }
}

/// How long calls may take to end when nobody waits for their answers any more.
#[cfg(feature = "http")]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

/// Waits for a server, which is told to stop when the process is to end.
async fn until_signals<T>(stop: Cancel, server: impl Future<Output = T>) -> T {
    let signals = tokio::spawn(stop_at_signals(stop));
    let ended = server.await;
    signals.abort();
    ended
}

/// Gives the sign when the process is told to end.
async fn stop_at_signals(stop: Cancel) -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
            interrupted = tokio::signal::ctrl_c() => interrupted?,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await?;
    stop.cancel();
    Ok(())
}
