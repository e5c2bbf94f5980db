//! What a session tells its model now, remembered until something changes.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use arc_swap::ArcSwapOption;

use super::Definitions;
use super::cache::{Key, SameTool};
use crate::availability::FRESH;
use crate::entry::Exposure;
use crate::registry::Tool;
use crate::schema::dialect::Dialect;
use crate::search::{Catalogue, Offering};
use crate::session::Inner;

/// The part of a session that tells a model of its tools.
pub(crate) struct Told {
    pub(crate) offering: Arc<Offering>,
    latest: ArcSwapOption<Offer>,
    pub(crate) catalogue: Catalogue,
}

/// The available tools of a session, divided, and how long that holds.
pub(crate) struct Offer {
    pub(crate) visible: Vec<Tool>,
    /// Tools that the search offers; empty when it is not used.
    pub(crate) deferred: Vec<Tool>,
    /// The definitions in each form, made when they are asked for.
    made: [OnceLock<Arc<Definitions>>; Dialect::ALL.len() + 1],
    generation: u64,
    /// Of the cache of checks: grows when answers are forgotten.
    epoch: u64,
    until: Option<Instant>,
}

impl Told {
    pub(crate) fn new(offering: Offering) -> Self {
        Self {
            offering: Arc::new(offering),
            latest: ArcSwapOption::empty(),
            catalogue: Catalogue::default(),
        }
    }
}

impl Offer {
    fn made(&self, dialect: Option<Dialect>) -> &OnceLock<Arc<Definitions>> {
        &self.made[dialect.map_or(0, |dialect| dialect as usize + 1)]
    }
}

impl Inner {
    /// The definitions that are made and still hold.
    pub(crate) fn latest_definitions(&self, dialect: Option<Dialect>) -> Option<Arc<Definitions>> {
        let latest = self.told().latest.load();
        let latest = latest.as_ref()?;
        let made = latest.made(dialect).get()?;
        self.holds(latest).then(|| Arc::clone(made))
    }

    /// The definitions as they are now.
    pub(crate) async fn definitions(&self, dialect: Option<Dialect>) -> Arc<Definitions> {
        let offer = self.offer().await;
        let made = offer.made(dialect);
        Arc::clone(made.get_or_init(|| self.write(&offer, dialect)))
    }

    /// What the session offers now. Checks are asked whose answers are too old.
    pub(crate) async fn offer(&self) -> Arc<Offer> {
        let latest = self.told().latest.load_full();
        if let Some(latest) = latest.filter(|latest| self.holds(latest)) {
            return latest;
        }
        // Before the answers: what is forgotten meanwhile makes the offer old.
        let epoch = self.checks().epoch();
        let view = self.view();
        let answers = self.answers(view.tools()).await;
        let mut until = None;
        let mut tools: Vec<Tool> = Vec::with_capacity(view.tools().len());
        for (tool, answer) in view.tools().iter().zip(answers) {
            if answer.availability.is_available() && tool.declared_exposure() != Exposure::Hidden {
                tools.push(tool.clone());
            }
            until = earlier(answer.until, until);
        }
        if tools.iter().any(Tool::is_dynamic) {
            let end = self.context().executor.now().checked_add(FRESH);
            until = earlier(until, end);
        }
        let (visible, deferred) = self.told().offering.divide(tools, &self.check_context());
        let offer = Arc::new(Offer {
            visible,
            deferred,
            made: [const { OnceLock::new() }; Dialect::ALL.len() + 1],
            generation: view.generation(),
            epoch,
            until,
        });
        self.told().latest.store(Some(Arc::clone(&offer)));
        offer
    }

    fn holds(&self, latest: &Offer) -> bool {
        latest.generation == self.registry().generation()
            && latest.epoch == self.checks().epoch()
            && latest
                .until
                .is_none_or(|until| self.context().executor.now() < until)
    }

    fn write(&self, offer: &Offer, dialect: Option<Dialect>) -> Arc<Definitions> {
        let offering = &self.told().offering;
        let Offer {
            visible, deferred, ..
        } = offer;
        let write = || offering.write(visible, deferred, dialect, &self.check_context());
        // What is deferred is told by its number alone, so that a dynamic tool there changes nothing.
        if visible.iter().any(Tool::is_dynamic) {
            return Arc::new(write());
        }
        let key = Key {
            generation: offer.generation,
            dialect,
            offering: Arc::clone(offering),
            visible: SameTool::all(visible),
            deferred: SameTool::all(deferred),
        };
        self.registry().definitions().get(key, |_| write())
    }
}

fn earlier(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Told")
            .field("offering", &self.offering)
            .finish_non_exhaustive()
    }
}
