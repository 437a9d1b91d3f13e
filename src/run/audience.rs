//! Audience: who hears of what has become durable, and what they are told.

use std::sync::Arc;

use crate::fact::Draft;
use crate::moment::is_asking;
use crate::past::{Report, report};
use crate::world::World;

use super::breaks::Lookout;
use super::engine::Closed;
use super::feed::{Feed, Standing, Ticking};
use super::logs::LogLine;
use super::tally::Tally;
use super::waits::Wait;

/// The news of a round, published once it is durable.
#[derive(Default)]
pub(super) struct Told {
    /// Its moments.
    pub(super) reports: Vec<Report>,
    /// The world after it, where somebody reads it while it runs.
    pub(super) world: Option<Arc<World>>,
    /// How long its wakes have waited.
    pub(super) waits: Vec<Wait>,
}

/// The watchers of a run.
pub(super) struct Audience<'a> {
    pub(super) watch: Option<&'a mut dyn FnMut(&Report)>,
    pub(super) feed: Option<&'a Feed>,
}

impl Audience<'_> {
    pub(super) fn is_there(&self) -> bool {
        self.watch.is_some() || self.feed.is_some()
    }

    pub(super) fn hear(&mut self, told: Vec<Told>) {
        for Told { reports, world, waits } in told {
            if let Some(watch) = &mut self.watch {
                reports.iter().for_each(watch);
            }
            if let (Some(feed), Some(world)) = (self.feed, world) {
                waits.iter().for_each(|wait| feed.waits().note(wait));
                feed.publish(reports, world);
            }
        }
    }

    /// How world time passes from now on.
    pub(super) fn ticks(&self, ticking: Option<Ticking>) {
        if let Some(feed) = self.feed {
            feed.ticks(ticking);
        }
    }

    /// Publishes the state of the run.
    pub(super) fn stands(&self, standing: Standing) {
        if let Some(feed) = self.feed {
            feed.stands(standing);
        }
    }

    /// An act outside of rounds, as it is told.
    pub(super) fn told(&self, draft: &Draft, world: &Arc<World>) -> Told {
        match self.feed {
            Some(_) => Told { reports: vec![report(draft, world, None)], world: Some(world.clone()), ..Told::default() },
            None => Told::default(),
        }
    }
}

/// The output of a round, collected from the engine.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) is_watched: bool,
    pub(super) drafts: Vec<Draft>,
    pub(super) reports: Vec<Report>,
    /// The log lines, written once the round is kept.
    pub(super) lines: Vec<LogLine>,
    pub(super) tally: Tally,
    pub(super) waits: Vec<Wait>,
    pub(super) lookout: Lookout,
}

impl Taken {
    pub(super) fn take(&mut self, closed: Closed, world: &World) {
        // That a model is about to be asked is no moment, and nobody's news.
        if !is_asking(&closed.draft) {
            self.lines.extend(LogLine::of(&closed.draft, world));
            self.tally.count(&closed.draft);
            self.lookout.see(&closed.draft, world);
            if self.is_watched {
                self.waits.push(Wait::of(&closed.draft));
                self.reports.push(report(&closed.draft, world, closed.why).noting(closed.notes));
            }
        }
        self.drafts.push(closed.draft);
    }
}
