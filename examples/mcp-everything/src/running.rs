//! Tools that tell something while they run.

use std::time::Duration;

use hermes_tools::{Log, Progress, tool};

/// How long a step takes.
const STEP: Duration = Duration::from_millis(50);

/// Say three times what happens.
#[tool(toolset = "everything", effect = "read")]
async fn test_tool_with_logging(#[ctx] log: Log) -> &'static str {
    log.info("Tool execution started");
    tokio::time::sleep(STEP).await;
    log.info("Tool processing data");
    tokio::time::sleep(STEP).await;
    log.info("Tool execution completed");
    "three messages were logged"
}

/// Say three times how far it has come.
#[tool(toolset = "everything", effect = "read")]
async fn test_tool_with_progress(#[ctx] progress: Progress) -> &'static str {
    for done in [0.0, 50.0, 100.0] {
        progress.report(done, Some(100.0), "");
        tokio::time::sleep(STEP).await;
    }
    "done"
}

/// Take a while, during which the client may lose the connection and come back.
#[tool(toolset = "everything", effect = "read")]
async fn test_reconnection() -> &'static str {
    tokio::time::sleep(STEP * 4).await;
    "the answer has arrived"
}
