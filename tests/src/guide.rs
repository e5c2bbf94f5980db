//! The pages of `docs/guide`, so that every block of code in them is compiled and run as a
//! documentation test.

#[doc = include_str!("../../docs/guide/first-tool.md")]
pub struct FirstTool;

#[doc = include_str!("../../docs/guide/first-pack.md")]
pub struct FirstPack;

#[doc = include_str!("../../docs/guide/first-host.md")]
pub struct FirstHost;

#[doc = include_str!("../../docs/guide/hooks-and-approvals.md")]
pub struct HooksAndApprovals;

#[doc = include_str!("../../docs/guide/testing-a-pack.md")]
pub struct TestingAPack;

#[doc = include_str!("../../docs/guide/linking.md")]
pub struct Linking;

#[doc = include_str!("../../docs/guide/batches.md")]
pub struct Batches;

#[doc = include_str!("../../docs/guide/guards.md")]
pub struct Guards;
#[doc = include_str!("../../docs/guide/files.md")]
pub struct Files;

#[doc = include_str!("../../docs/guide/mcp.md")]
pub struct Mcp;

#[doc = include_str!("../../docs/guide/serving-mcp.md")]
pub struct ServingMcp;

#[doc = include_str!("../../docs/guide/mcp-servers.md")]
pub struct McpServers;

#[cfg(unix)]
#[doc = include_str!("../../docs/guide/terminal.md")]
pub struct Terminal;
