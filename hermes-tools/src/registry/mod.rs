//! All tools that can be called, by name.
//!
//! The registry is one pointer to an immutable [`Snapshot`]. Readers take the snapshot and never
//! wait; a change builds the next snapshot beside it and swaps the pointer, so nobody sees half of one.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use rustc_hash::FxHashMap;

use crate::entry::{Origin, ToolEntry};

/// The tools of a process.
#[derive(Debug)]
pub struct ToolRegistry {
    current: ArcSwap<Snapshot>,
    writing: Mutex<()>,
}

/// The tools at one moment, sorted by name.
#[derive(Debug, Default)]
pub struct Snapshot {
    generation: u64,
    tools: Vec<&'static ToolEntry>,
    overridden: Vec<&'static ToolEntry>,
    // Names are the host's, not an attacker's, so a fast hash without a secret does.
    places: FxHashMap<&'static str, u32>,
}

/// Tools that cannot stand beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateTools {
    /// Each name that two tools have, with both places, sorted by name.
    pub duplicates: Vec<(&'static str, Origin, Origin)>,
}

impl ToolRegistry {
    /// A registry of everything that is linked into this binary.
    ///
    /// # Errors
    ///
    /// Two linked tools of one name, with both places in source.
    pub fn linked() -> Result<Self, DuplicateTools> {
        #[cfg(feature = "link")]
        let tools: Vec<&'static ToolEntry> = crate::link::tools().collect();
        #[cfg(not(feature = "link"))]
        let tools: Vec<&'static ToolEntry> = Vec::new();
        Self::of(&tools)
    }

    /// A registry of these tools, such as a [`tools!`](crate::tools!) list.
    ///
    /// # Errors
    ///
    /// Two tools of one name.
    pub fn of(tools: &[&'static ToolEntry]) -> Result<Self, DuplicateTools> {
        let snapshot = Snapshot::of(tools.to_vec(), 0)?;
        Ok(Self {
            current: ArcSwap::from_pointee(snapshot),
            writing: Mutex::new(()),
        })
    }

    /// Adds tools, all or none, and gives back the new generation.
    ///
    /// # Errors
    ///
    /// A name that is taken, or given twice. Nothing is changed then.
    pub fn add(&self, tools: &[&'static ToolEntry]) -> Result<u64, DuplicateTools> {
        // A writer that panicked published nothing, so the lock's poison says nothing.
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load();
        let before = current.tools.iter().chain(&current.overridden);
        let all = before.chain(tools).copied().collect();
        let next = Snapshot::of(all, current.generation + 1)?;
        let generation = next.generation;
        self.current.store(Arc::new(next));
        Ok(generation)
    }

    /// The tools as they are now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Grows by one with every change.
    pub fn generation(&self) -> u64 {
        self.current.load().generation
    }

    /// The tool of a name, as it is now.
    pub fn get(&self, name: &str) -> Option<&'static ToolEntry> {
        self.current.load().get(name)
    }
}

impl Snapshot {
    fn of(mut tools: Vec<&'static ToolEntry>, generation: u64) -> Result<Self, DuplicateTools> {
        // The linker's order differs between profiles; ours is by name, then by place.
        tools.sort_unstable_by_key(|tool| (tool.name(), tool.declared_at()));
        let overridden = take_overridden(&mut tools);
        let duplicates: Vec<_> = tools
            .windows(2)
            .filter(|pair| pair[0].name() == pair[1].name())
            .map(|pair| (pair[0].name(), pair[0].declared_at(), pair[1].declared_at()))
            .collect();
        if !duplicates.is_empty() {
            return Err(DuplicateTools { duplicates });
        }
        let places = (0_u32..)
            .zip(&tools)
            .map(|(place, tool)| (tool.name(), place))
            .collect();
        Ok(Self {
            generation,
            tools,
            overridden,
            places,
        })
    }

    /// Grows by one with every change.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// All tools, sorted by name.
    pub fn tools(&self) -> &[&'static ToolEntry] {
        &self.tools
    }

    /// Tools that another one of their name replaces, which names their package in `overrides`.
    /// Sorted by name.
    pub fn overridden(&self) -> &[&'static ToolEntry] {
        &self.overridden
    }

    /// The tool of a name.
    pub fn get(&self, name: &str) -> Option<&'static ToolEntry> {
        let place = *self.places.get(name)?;
        self.tools.get(place as usize).copied()
    }
}

/// Takes out the tools that another one of their name replaces. Tools that would replace each other
/// both stay, and are duplicates.
fn take_overridden(tools: &mut Vec<&'static ToolEntry>) -> Vec<&'static ToolEntry> {
    let replaces = |by: &ToolEntry, tool: &ToolEntry| {
        by.name() == tool.name() && by.overridden_package() == Some(tool.declared_at().package)
    };
    let all = tools.clone();
    let overridden = |tool: &&'static ToolEntry| {
        all.iter()
            .any(|by| replaces(by, tool) && !replaces(tool, by) && !std::ptr::eq(*by, *tool))
    };
    if all.iter().all(|tool| tool.overridden_package().is_none()) {
        return Vec::new();
    }
    tools.extract_if(.., |tool| overridden(tool)).collect()
}

impl fmt::Display for DuplicateTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, first, second)) in self.duplicates.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(
                f,
                "two tools are called `{name}`: {first} and {second}; rename one, or say `overrides` with the package of the other"
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for DuplicateTools {}
