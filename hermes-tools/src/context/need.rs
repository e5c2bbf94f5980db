//! What a tool takes from its session, known before it is called.

use std::any::{Any, TypeId, type_name};
use std::fmt;

use super::{SessionContext, SessionFacts, ToolContext, Workspace};

/// A type that a session must hold before a tool that takes it can run.
#[derive(Clone, Copy)]
pub struct StateNeed {
    id: TypeId,
    name: fn() -> &'static str,
}

impl StateNeed {
    /// A value of this type.
    pub const fn of<T: Any + Send + Sync>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: type_name::<T>,
        }
    }

    /// The type with its path.
    pub fn type_name(&self) -> &'static str {
        (self.name)()
    }

    /// The type without its path.
    pub fn short_name(&self) -> &'static str {
        short(self.type_name())
    }

    /// Whether it is the workspace, which a session may do without.
    pub fn is_workspace(&self) -> bool {
        self.id == TypeId::of::<Workspace>()
    }

    /// Whether the session has it.
    pub fn is_met(&self, session: &SessionContext) -> bool {
        if self.is_workspace() {
            return session.workspace.is_some();
        }
        let always = [TypeId::of::<ToolContext>(), TypeId::of::<SessionFacts>()];
        always.contains(&self.id) || session.state.has(self.id)
    }
}

/// The last part of a type's name, with that of its generic arguments as they are.
pub(super) fn short(name: &'static str) -> &'static str {
    let head = name.find('<').unwrap_or(name.len());
    let start = name[..head].rfind("::").map_or(0, |colons| colons + 2);
    &name[start..]
}

impl fmt::Debug for StateNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateNeed({})", self.type_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_keep_generic_arguments() {
        assert_eq!(StateNeed::of::<String>().short_name(), "String");
        assert_eq!(StateNeed::of::<Vec<u8>>().short_name(), "Vec<u8>");
        assert_eq!(StateNeed::of::<u8>().short_name(), "u8");
    }

    #[test]
    fn what_every_session_has_is_never_missing() {
        let mut session = SessionContext::default();
        assert!(StateNeed::of::<SessionFacts>().is_met(&session));
        assert!(!StateNeed::of::<Workspace>().is_met(&session));
        assert!(!StateNeed::of::<u8>().is_met(&session));
        session.state.insert(std::sync::Arc::new(1_u8));
        assert!(StateNeed::of::<u8>().is_met(&session));
    }
}
