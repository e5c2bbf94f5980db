//! What a session tells its model now, remembered until something changes.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use arc_swap::ArcSwapOption;

use super::Definitions;
use super::cache::{Key, SameTool};
use crate::availability::{Answer, FRESH};
use crate::entry::Exposure;
use crate::registry::Tool;
use crate::search::{Catalogue, Offer, Offering};
use crate::session::Inner;

/// How a provider wants definitions, when nothing is said of it.
const NEUTRAL: &str = "neutral";

/// The part of a session that tells a model of its tools.
pub(crate) struct Told {
    pub(crate) offering: Arc<Offering>,
    latest: ArcSwapOption<Latest>,
    pub(crate) catalogue: Catalogue,
}

/// An offer and how long it holds.
struct Latest {
    offer: Arc<Offer>,
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

impl Inner {
    /// The definitions that still hold.
    pub(crate) fn latest_definitions(&self) -> Option<Arc<Definitions>> {
        let latest = self.told().latest.load();
        let latest = latest.as_ref()?;
        self.holds(latest)
            .then(|| Arc::clone(&latest.offer.definitions))
    }

    /// What the session offers now. Checks are asked whose answers are too old.
    pub(crate) async fn offer(&self) -> Arc<Offer> {
        let latest = self.told().latest.load_full();
        if let Some(latest) = latest.filter(|latest| self.holds(latest)) {
            return Arc::clone(&latest.offer);
        }
        let epoch = self.checks().epoch();
        let view = self.view();
        let answers = self.answers(view.tools()).await;
        let mut until = None;
        let mut tools: Vec<Tool> = Vec::with_capacity(view.tools().len());
        for (tool, answer) in view.tools().iter().zip(answers) {
            if answer.availability.is_available() && tool.declared_exposure() != Exposure::Hidden {
                tools.push(tool.clone());
            }
            until = Answer::ALWAYS.and(answer).earlier(until);
        }
        if tools.iter().any(Tool::is_dynamic) {
            let end = self.context().executor.now().checked_add(FRESH);
            until = earlier(until, end);
        }
        let offer = Arc::new(self.write(view.generation(), tools));
        self.told().latest.store(Some(Arc::new(Latest {
            offer: Arc::clone(&offer),
            generation: view.generation(),
            epoch,
            until,
        })));
        offer
    }

    fn holds(&self, latest: &Latest) -> bool {
        latest.generation == self.registry().generation()
            && latest.epoch == self.checks().epoch()
            && latest
                .until
                .is_none_or(|until| self.context().executor.now() < until)
    }

    fn write(&self, generation: u64, tools: Vec<Tool>) -> Offer {
        let offering = &self.told().offering;
        let cx = self.check_context();
        let (visible, deferred) = offering.divide(&tools, &cx);
        let definitions = if tools.iter().any(Tool::is_dynamic) {
            Arc::new(offering.write(&visible, &deferred, &cx))
        } else {
            let key = Key {
                generation,
                dialect: NEUTRAL,
                offering: Arc::clone(offering),
                tools: tools.into_iter().map(SameTool).collect(),
            };
            let definitions = self.registry().definitions();
            definitions.get(key, |_| offering.write(&visible, &deferred, &cx))
        };
        Offer {
            definitions,
            visible,
            deferred,
        }
    }
}

impl Answer {
    fn earlier(&self, other: Option<Instant>) -> Option<Instant> {
        earlier(self.until, other)
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
