//! Tools of MCP servers: their names here, and keeping them in step with what a server offers.

use std::collections::BTreeMap;

use super::change::MCP_TOOLSET;
use super::{Change, MAX_NAME, Refusal, Registration, RuntimeTool, Tool};

/// The names of a foreign tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Foreign {
    pub(super) server: Box<str>,
    pub(super) tool: Box<str>,
    /// The name that it has here unless another tool wants the same.
    pub(super) wanted: Box<str>,
}

/// Which tools of a server are taken, by the server's own names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerFilter {
    /// Only these, when there are any; `exclude` then counts for nothing.
    pub include: Vec<Box<str>>,
    /// All but these.
    pub exclude: Vec<Box<str>>,
}

/// What became of the tools that a server offers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerReport {
    /// Names under which its tools can be called, sorted.
    pub registered: Vec<Box<str>>,
    /// The server's own names of tools that were left out, with the reason.
    pub refused: Vec<(Box<str>, Refusal)>,
    /// Names that are gone, sorted.
    pub removed: Vec<Box<str>>,
    /// Whether tools that are not the server's are registered under its bare name: that name then
    /// means both.
    pub shares_its_name: bool,
}

/// The helper tools for what a server has beside tools: whether they are for resources (or for
/// prompts), the method that is the raw name, and the name that is shown.
pub const SERVER_HELPERS: [(bool, &str, &str); 4] = [
    (true, "resources/list", "list_resources"),
    (true, "resources/read", "read_resource"),
    (false, "prompts/list", "list_prompts"),
    (false, "prompts/get", "get_prompt"),
];

impl ServerFilter {
    /// Whether a tool of this name is taken.
    pub fn takes(&self, tool: &str) -> bool {
        let named = |names: &[Box<str>]| names.iter().any(|name| **name == *tool);
        if self.include.is_empty() {
            !named(&self.exclude)
        } else {
            named(&self.include)
        }
    }
}

/// The name of a server's tool here: `mcp__<server>__<tool>`, every character that is no ASCII
/// letter, digit or `_` replaced by `_`. It may be too long, and two tools may have the same.
pub fn foreign_name(server: &str, tool: &str) -> String {
    format!("mcp__{}__{}", clean(server), clean(tool))
}

/// The toolset of a server's tools.
pub fn foreign_toolset(server: &str) -> String {
    format!("{MCP_TOOLSET}{server}")
}

fn clean(name: &str) -> String {
    name.chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '_' })
        .collect()
}

impl Foreign {
    pub(super) fn new(server: &str, tool: &str, shown: &str) -> Self {
        Self {
            server: server.into(),
            tool: tool.into(),
            wanted: foreign_name(server, shown).into(),
        }
    }

    /// A name of its own: as much of the wanted one as fits, and a digest of the raw names, the same
    /// whenever and in whatever order tools arrive.
    fn digest_name(&self) -> String {
        let digest = format!("_{:010x}", digest(&self.server, &self.tool));
        let room = MAX_NAME - digest.len();
        let head = self.wanted.get(..room).unwrap_or(&self.wanted);
        format!("{head}{digest}")
    }
}

/// 40 bits of FNV-1a over both names, a byte that no name holds between them.
fn digest(server: &str, tool: &str) -> u64 {
    let bytes = server.bytes().chain([0xff]).chain(tool.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 40)) & 0xff_ffff_ffff
}

impl Change<'_> {
    /// Makes the tools of a server those that it offers now: names that are gone are removed, the
    /// rest is registered in place. With at least one tool the bare name of the server becomes
    /// an alias of its toolset.
    ///
    /// Where two tools would have one name, or a name is longer than [`MAX_NAME`], each gets a name
    /// of its own that ends in a digest, also a tool that is there already. A tool that is not of
    /// an MCP server keeps its name, and the server's is left out.
    pub fn sync_server(
        &mut self,
        server: &str,
        offered: impl IntoIterator<Item = RuntimeTool>,
    ) -> ServerReport {
        let toolset = foreign_toolset(server);
        let mut offers: BTreeMap<Box<str>, RuntimeTool> = BTreeMap::new();
        for tool in offered {
            if let Some((_, raw)) = tool.raw_names() {
                offers.entry(raw.into()).or_insert(tool);
            }
        }
        let (mine, others): (Vec<Tool>, Vec<Tool>) = self
            .next
            .tools()
            .iter()
            .filter(|tool| {
                tool.runtime()
                    .is_some_and(|tool| tool.foreign_names().is_some())
            })
            .cloned()
            .partition(|tool| tool.toolset() == toolset);

        let mut claims: BTreeMap<Box<str>, usize> = BTreeMap::new();
        let wanted = |tool: &RuntimeTool| tool.foreign_names().map(|it| it.wanted.clone());
        let there = others.iter().filter_map(|tool| wanted(tool.runtime()?));
        for name in there.chain(offers.values().filter_map(wanted)) {
            *claims.entry(name).or_default() += 1;
        }
        let named = |tool: &RuntimeTool| -> RuntimeTool {
            match tool.foreign_names() {
                Some(names) if claims[&names.wanted] > 1 || names.wanted.len() > MAX_NAME => {
                    tool.renamed(&names.digest_name())
                }
                Some(names) => tool.renamed(&names.wanted),
                None => tool.clone(),
            }
        };

        // A tool of another server that has lost its plain name moves to its own one.
        for tool in others.iter().filter_map(Tool::runtime) {
            let contested = wanted(tool).is_some_and(|name| claims[&name] > 1);
            if contested && wanted(tool).as_deref() == Some(tool.name()) {
                self.deregister(tool.name());
                self.register(named(tool));
            }
        }
        let mut report = ServerReport {
            shares_its_name: self
                .next
                .tools()
                .iter()
                .any(|tool| tool.toolset() == server),
            ..ServerReport::default()
        };
        let renamed: Vec<RuntimeTool> = offers.values().map(named).collect();
        for tool in mine {
            if renamed.iter().all(|kept| kept.name() != tool.name()) {
                self.deregister(tool.name());
                report.removed.push(tool.name().into());
            }
        }
        for tool in renamed {
            let name: Box<str> = tool.name().into();
            let raw: Box<str> = tool.raw_names().map_or("", |(_, raw)| raw).into();
            // Digests can be made to coincide. Whose name it is already, keeps it.
            let other = self.next.get(&name).is_some_and(|existing| {
                let theirs = existing.runtime().and_then(|it| it.raw_names());
                theirs.is_some() && theirs != tool.raw_names()
            });
            if other {
                report.refused.push((raw, Refusal::NameTaken));
                continue;
            }
            match self.register(tool) {
                Registration::Refused { why, .. } => report.refused.push((raw, why)),
                _ => report.registered.push(name),
            }
        }
        report.registered.sort_unstable();
        if !report.registered.is_empty() && self.next.alias_target(server) != Some(&toolset) {
            self.alias(server, &toolset);
        }
        report
    }
}
