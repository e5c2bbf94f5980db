//! Definitions of linked tools as text. They never change, so that each is written once.

use std::ptr;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::entry::ToolEntry;
use crate::schema::write;

/// By address: an entry is a static and is never freed.
static TEXTS: RwLock<Option<FxHashMap<usize, Arc<str>>>> = RwLock::new(None);

/// The definition of a linked tool.
pub(super) fn of_linked(entry: &'static ToolEntry) -> Arc<str> {
    let address = ptr::from_ref(entry).addr();
    {
        let texts = TEXTS.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = texts.as_ref().and_then(|texts| texts.get(&address)) {
            return Arc::clone(text);
        }
    }
    let text: Arc<str> = write::definition(entry).into();
    let mut texts = TEXTS.write().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    Arc::clone(texts.entry(address).or_insert(text))
}
