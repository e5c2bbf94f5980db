//! What stands between the decoded arguments of a call and its tool.
//!
//! The core knows only this trait. The host's implementation (feature `host`) guards paths, commands
//! and addresses, asks for approval and runs hooks. A reader whose tool has no roles and no targets, in a
//! session whose gate looks at nothing else, pays one comparison for it.

mod roles;
mod secrets;

use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

pub use self::roles::{RoleTable, Subject};
pub(crate) use self::roles::{has_roles, secrets_of};
pub(crate) use self::secrets::{hide_in_error, hide_in_repairs, is_secret_param};

use crate::args::{Arguments, ForeignArguments, Node, Values};
use crate::context::ToolContext;
use crate::effect::Effect;
use crate::entry::ToolEntry;
use crate::output::ToolError;
use crate::param::{Param, Slot};
use crate::registry::Tool;
use crate::target::Target;

/// The decision of a gate: the call may go on, or the error that the model gets in its place.
pub type GateFuture<'a> = Pin<Box<dyn Future<Output = Result<(), ToolError>> + Send + 'a>>;

/// Judges calls after decoding and before the tool runs.
pub trait Gate: Send + Sync {
    /// Whether every call passes here. Otherwise those do whose arguments have roles or
    /// targets, and those that may have to run alone.
    fn sees_all(&self) -> bool {
        false
    }

    /// Lets a call pass, or refuses it. A gate that fails refuses.
    fn pass<'a>(&'a self, call: &'a PendingCall<'_>) -> GateFuture<'a>;

    /// Lets the call of a typed tool pass whose arguments are in these places, as [`pass`](Self::pass)
    /// decides. A method, so that a program without a gate has nothing of it.
    #[doc(hidden)]
    fn pass_typed<'a>(
        &'a self,
        cx: &'a ToolContext,
        entry: &'static ToolEntry,
        judged: (Effect, Vec<Target>),
        slots: Box<[&'a mut dyn Slot]>,
    ) -> GateFuture<'a> {
        Box::pin(async move {
            let values = &*slots;
            let call = PendingCall::typed(cx, entry.into(), judged, &values)?;
            cx.note_secrets(secrets_of(call.subjects()));
            self.pass(&call).await
        })
    }

    /// Says where an address of the network leads, or refuses it; `from` is the address whose answer
    /// leads there. See [`ToolContext::destination`].
    fn destination<'a>(
        &'a self,
        cx: &'a ToolContext,
        address: &'a str,
        from: Option<&'a str>,
    ) -> DestinationFuture<'a>;
}

/// Where an address of the network leads. Whoever connects goes to one of `addresses`, and asks no
/// name server again: another answer would be another destination.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Destination {
    /// The whole address as it is requested, its host in ASCII.
    pub url: String,
    /// The host, in small letters and ASCII, for the certificate and the header `Host`.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The addresses of the host that were judged. At least one.
    pub addresses: Vec<IpAddr>,
}

/// Where an address leads, on its way.
pub type DestinationFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Destination, ToolError>> + Send + 'a>>;

/// A decoded call that has not run.
pub struct PendingCall<'a> {
    cx: &'a ToolContext,
    tool: Tool,
    effect: Effect,
    targets: Vec<Target>,
    subjects: Vec<Subject>,
    arguments: PendingArguments<'a>,
}

/// The decoded arguments of a call, whatever kind of tool it is for.
#[derive(Clone, Copy)]
enum PendingArguments<'a> {
    Typed(&'a [Param], &'a dyn Values),
    Foreign(&'a ForeignArguments),
}

impl<'a> PendingCall<'a> {
    /// The call of a typed tool.
    pub(crate) fn typed(
        cx: &'a ToolContext,
        tool: Tool,
        (effect, targets): (Effect, Vec<Target>),
        values: &'a dyn Values,
    ) -> Result<Self, ToolError> {
        let params = tool.params();
        Ok(Self {
            cx,
            subjects: roles::of_values(params, values)?,
            tool,
            effect,
            targets,
            arguments: PendingArguments::Typed(params, values),
        })
    }

    /// The call of a tool with a JSON schema.
    pub(crate) fn foreign(
        cx: &'a ToolContext,
        tool: Tool,
        targets: Vec<Target>,
        arguments: &'a ForeignArguments,
        roles: &RoleTable,
    ) -> Self {
        Self {
            cx,
            subjects: roles.subjects(arguments),
            effect: tool.declared_effect(),
            tool,
            targets,
            arguments: PendingArguments::Foreign(arguments),
        }
    }

    /// The context of the call.
    pub fn cx(&self) -> &'a ToolContext {
        self.cx
    }

    /// The tool.
    pub fn tool(&self) -> &Tool {
        &self.tool
    }

    /// What this call does, as far as its tool says.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The paths that stand inside the arguments, as the tool found them.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The texts of arguments that have a role, secrets among them.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// All arguments as a tree, secrets left as they are: whoever shows it redacts it.
    ///
    /// # Errors
    ///
    /// A value whose type does not render as JSON.
    pub fn arguments(&self) -> Result<Node, ToolError> {
        match self.arguments {
            PendingArguments::Foreign(arguments) => Ok(arguments.to_node()),
            PendingArguments::Typed(params, values) => {
                let mut entries = Vec::with_capacity(params.len());
                for (index, param) in params.iter().enumerate() {
                    let slot = values.slot(index).filter(|slot| slot.value().is_some());
                    if let Some(slot) = slot {
                        entries.push((param.name().to_owned(), roles::tree(param, slot)?));
                    }
                }
                Ok(Node::Object(entries))
            }
        }
    }

    /// The typed arguments as the functions of `effect_of` and `targets` see them; `None` for a tool with
    /// a JSON schema.
    pub fn with_typed<R>(&self, look: impl FnOnce(&Arguments<'_>) -> R) -> Option<R> {
        match self.arguments {
            PendingArguments::Typed(params, values) => Some(look(&Arguments::new(params, values))),
            PendingArguments::Foreign(_) => None,
        }
    }
}

impl Destination {
    /// A destination. For gates.
    pub fn new(url: String, host: String, port: u16, addresses: Vec<IpAddr>) -> Self {
        Self {
            url,
            host,
            port,
            addresses,
        }
    }
}

impl fmt::Debug for PendingCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values are left out: they may be secret.
        f.debug_struct("PendingCall")
            .field("tool", &self.tool.name())
            .field("effect", &self.effect)
            .field("targets", &self.targets.len())
            .field("subjects", &self.subjects.len())
            .finish_non_exhaustive()
    }
}
