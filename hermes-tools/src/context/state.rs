//! What a host gives a session, found again by its type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// One value of each type.
#[derive(Clone, Default)]
pub struct StateMap {
    values: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl StateMap {
    /// Puts a value in; an earlier one of its type goes.
    pub fn insert<T: Any + Send + Sync>(&mut self, value: Arc<T>) {
        self.values.insert(TypeId::of::<T>(), value);
    }

    /// The value of a type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.values.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(super) fn has(&self, id: TypeId) -> bool {
        self.values.contains_key(&id)
    }

    /// The value of a type, shared.
    pub fn get_shared<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.values.get(&TypeId::of::<T>())?)
            .downcast()
            .ok()
    }
}

impl fmt::Debug for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateMap({} values)", self.values.len())
    }
}
