//! Registering, and looking up while somebody registers.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use hermes_tools::{RuntimeTool, Tool, ToolRegistry};

use super::made;
use crate::compare::Way;

/// How many tools there are.
const MANY: usize = 10_000;

/// Registering ten thousand tools one by one, and dropping them all: in a map behind a lock, and in a
/// registry, whose readers see each at once.
pub fn registrations() -> Vec<Way<'static>> {
    let tools: Arc<[RuntimeTool]> = (0..MANY).map(made).collect();
    let others = Arc::clone(&tools);
    vec![
        Way::new("`RwLock` of a `HashMap`", move || {
            let map = RwLock::new(HashMap::new());
            for tool in &*tools {
                let tool = Tool::from(tool.clone());
                let mut map = map.write().unwrap_or_else(PoisonError::into_inner);
                map.insert(tool.name().to_owned(), tool);
            }
            map
        }),
        Way::new("`ToolRegistry::register`", move || {
            let registry = empty();
            for tool in &*others {
                registry.register(tool.clone());
            }
            registry
        }),
    ]
}

/// Finding a tool among ten thousand while another thread registers without a pause.
pub fn lookups() -> Vec<Way<'static>> {
    let map = RwLock::new(HashMap::new());
    let registry = empty();
    for number in 0..MANY {
        let tool = Tool::from(made(number));
        registry.register(tool.clone());
        map.write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(tool.name().to_owned(), tool);
    }
    let names: Arc<[String]> = (0..MANY)
        .step_by(97)
        .map(|it| format!("tool_{it}"))
        .collect();
    let others = Arc::clone(&names);
    let tool = Tool::from(made(5));
    let same = tool.clone();
    vec![
        Way::timed("`RwLock` of a `HashMap`", move |count| {
            let write = || {
                let mut map = map.write().unwrap_or_else(PoisonError::into_inner);
                map.insert(tool.name().to_owned(), tool.clone());
            };
            disturbed(count, &names, write, |name| {
                let map = map.read().unwrap_or_else(PoisonError::into_inner);
                map.get(name).cloned()
            })
        }),
        Way::timed("`ToolRegistry::get`", move |count| {
            let write = || {
                registry.register(same.clone());
            };
            disturbed(count, &others, write, |name| registry.get(name))
        }),
    ]
}

/// The time of so many lookups while another thread writes.
fn disturbed(
    count: u32,
    names: &[String],
    write: impl Fn() + Sync,
    find: impl Fn(&str) -> Option<Tool>,
) -> Duration {
    let (begun, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                write();
                begun.store(true, Ordering::Release);
            }
        });
        while !begun.load(Ordering::Acquire) {
            thread::yield_now();
        }
        let start = Instant::now();
        for name in names.iter().cycle().take(count as usize) {
            black_box(find(black_box(name))).expect("it stays there");
        }
        let took = start.elapsed();
        done.store(true, Ordering::Release);
        took
    })
}

fn empty() -> ToolRegistry {
    ToolRegistry::of(&[]).expect("no tool, no name twice")
}
