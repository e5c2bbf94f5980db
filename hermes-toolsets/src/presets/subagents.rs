//! What a sub-agent never has.

/// Tools that are taken from every sub-agent, whichever toolset brings them: those that speak to the
/// user, change what outlives the task, or start further work. Only an orchestrator keeps
/// `delegate_task`. Sorted.
pub const SUBAGENT_BLOCKED: &[&str] = &[
    "clarify",
    "cronjob",
    "delegate_task",
    "execute_code",
    "memory",
    // check-toolsets: allow(unknown-tool-in-string): hosts that speak to users bring it; no toolset lists it.
    "send_message",
];
