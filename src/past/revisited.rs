//! Revisited: worlds of the past that were looked at lately, so that looking there again folds nothing, and looking nearby reads no checkpoint.
//!
//! A page asks for several things at one point, and whoever plays the past or drags through it comes by the same stretches again. The frames
//! below a seq never change while a server has the world, so nothing here grows old.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::fact::Seq;
use crate::world::World;

use super::checkpoint::resume_on;
use super::history::History;
use super::loaded::Loaded;
use super::point::{Point, PointError};

/// So many worlds are kept at most, and so many rungs from which one begins.
const WORLDS: usize = 16;
const GROUNDS: usize = 2;
/// Fewer, but always one, where all of them together would have more beings than this: they share only what they have in common.
const BEINGS_MAX: usize = 100_000;

/// A cache of the worlds that were looked at lately.
#[derive(Default)]
pub struct Revisited {
    kept: Mutex<Lately>,
}

/// The newest first.
#[derive(Default)]
struct Lately {
    worlds: VecDeque<World>,
    grounds: VecDeque<Loaded>,
}

impl Revisited {
    /// The world at a point of a history, always the same one, of which the newest world is known.
    pub fn world(&self, history: &History, point: &Point, newest: World) -> Result<World, PointError> {
        let seq = history.begun_seen(point, || Ok(newest))?;
        let (seen, read_before) = {
            let mut kept = self.kept();
            (kept.world(seq), kept.ground(seq))
        };
        let mut world = match seen {
            Some(world) => world,
            None => {
                let (loaded, ground) = resume_on(history.dir(), &history.store, seq, read_before)?;
                self.kept().keep(&loaded.world, ground);
                loaded.world
            }
        };
        history.stand(&mut world, point)?;
        Ok(world)
    }

    fn kept(&self) -> MutexGuard<'_, Lately> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lately {
    /// The world below a seq.
    fn world(&mut self, seq: Seq) -> Option<World> {
        let at = self.worlds.iter().position(|world| world.next_seq() == seq)?;
        let world = self.worlds.remove(at)?;
        self.worlds.push_front(world.clone());
        Some(world)
    }

    /// The nearest rung at a seq or before it, of those that were read.
    fn ground(&self, seq: Seq) -> Option<Loaded> {
        let below = self.grounds.iter().filter(|ground| ground.chain.next() <= seq);
        below.max_by_key(|ground| ground.chain.next()).cloned()
    }

    fn keep(&mut self, world: &World, ground: Option<Loaded>) {
        if let Some(ground) = ground {
            self.grounds.retain(|kept| kept.chain.next() != ground.chain.next());
            self.grounds.push_front(ground);
        }
        self.worlds.retain(|kept| kept.next_seq() != world.next_seq());
        self.worlds.push_front(world.clone());
        let most = BEINGS_MAX / world.beings().len().max(1);
        self.worlds.truncate(most.clamp(1, WORLDS));
        self.grounds.truncate(most.clamp(1, GROUNDS));
    }
}
