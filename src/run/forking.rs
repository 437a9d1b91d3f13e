//! Forking: a world of its own that goes on from a point of another, with keys of its own, and what is to be otherwise in it.

use std::path::Path;

use crate::fact::{BeingId, ForkOrigin, Master, Millis, Seq, Value};
use crate::past::{ForkPoint, History, LoadError};
use crate::source::{SourceError, WantedChange};
use crate::store::{ClockFile, ForkPlan, Group, Keystore, Linking, StoreError, WorldFile};

use super::living::{Living, RunError};
use super::replying::{RepliedMoment, ReplyError};

/// A fork that is wanted.
pub struct Forking<'a> {
    /// The parent's directory.
    pub parent: &'a Path,
    /// The seq at which it begins; where a recorded moment is answered otherwise, it begins where that was opened.
    pub at: Seq,
    /// Where its world time stands: at the instant of the point; `None`: at its last frame.
    pub instant: Option<Millis>,
    /// Its name.
    pub name: &'a str,
    /// Its budget for models, from its origin on: `calls`, `tokens`, `money`; `None`: it asks none.
    pub budget: Option<Value>,
    /// Its differences from the parent.
    pub changes: &'a [WantedChange],
}

/// What was made.
pub struct Forked {
    /// The contents of its `world.toml`.
    pub file: WorldFile,
    /// Where it goes on.
    pub origin: ForkOrigin,
    /// How it came to its past.
    pub linking: Linking,
    /// The changes, in words.
    pub changed: Vec<String>,
}

/// Why no fork was made; nothing is left of it.
#[derive(Debug, thiserror::Error)]
pub enum ForkError {
    /// No fork can begin so early: the world was not planted, or what lies there was archived.
    #[error(
        "expected a point at or behind frame {first}, found {found}: before it the world was not planted, or what was archived cannot be gone on from; fork at `{first}` or later"
    )]
    TooEarly {
        /// The seq that was meant.
        found: Seq,
        /// The first border.
        first: Seq,
    },
    /// No name of a world.
    #[error("expected a name of up to 64 letters, digits and `-`, found `{found}`; give the fork one by `--name`")]
    Name {
        /// What was given.
        found: String,
    },
    /// The parent cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The fork cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The changes cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A recorded moment cannot be answered otherwise.
    #[error(transparent)]
    Reply(#[from] ReplyError),
    /// The changes cannot be made.
    #[error(transparent)]
    Run(#[from] Box<RunError>),
}

impl From<RunError> for ForkError {
    fn from(error: RunError) -> Self {
        Self::Run(Box::new(error))
    }
}

impl Forking<'_> {
    /// Makes the fork in a directory that is absent or empty: as a whole, or not at all.
    pub fn make(&self, history: &History, dir: &Path) -> Result<Forked, ForkError> {
        if !WorldFile::is_name(self.name) {
            return Err(ForkError::Name { found: self.name.to_owned() });
        }
        let replied = self.replied(history)?;
        let at = replied.as_ref().map_or(self.at, |replied| replied.opened);
        let Some(ForkPoint { origin, position, head, group }) = history.fork_point(at)? else {
            return Err(ForkError::TooEarly { found: at, first: history.first_point()? });
        };
        let (file, id) = (history.world_file(), origin.fork(self.name));
        let keystore = if file.simulated {
            Keystore { master: zeroize::Zeroizing::new(*Master::simulated_fork(history.seed()?, id).reveal()) }
        } else {
            Keystore::draw().map_err(|error| StoreError::io("draw a secret for", dir, error))?
        };
        let own = Master::new(*keystore.master).key(id, BeingId::WORLD);
        let group = group.map(|group| Group { seal: own.sign(&group.head).0, ..group });
        let (parent, root_key, shares) = (self.parent, own.public().to_hash(), history.shared_below(at));
        let plan = ForkPlan { parent, file, origin: origin.clone(), position, head, group, shares, name: self.name, keystore, root_key };
        let (made, linking) = plan.make(dir)?;
        if let Some(instant) = self.instant.filter(|_| replied.is_none()) {
            ClockFile::standing(instant).save(made.beside())?;
        }
        let changed = self.change(made.beside(), replied.as_ref(), history)?;
        let file = WorldFile::of(made.beside())?;
        made.settle()?;
        Ok(Forked { file, origin, linking, changed })
    }

    /// The moment that is answered otherwise, if one is to be.
    fn replied(&self, history: &History) -> Result<Option<RepliedMoment>, ForkError> {
        let replies = self.changes.iter().filter_map(|change| change.reply().transpose()).collect::<Result<Vec<_>, _>>()?;
        Ok(RepliedMoment::of(history, replies)?)
    }

    /// Has the fork's operator do what is to be otherwise.
    fn change(&self, dir: &Path, replied: Option<&RepliedMoment>, history: &History) -> Result<Vec<String>, ForkError> {
        if self.changes.is_empty() && self.budget.is_none() {
            return Ok(Vec::new());
        }
        let (mut living, _) = Living::open(dir, 1)?;
        let changed = self.stamp(&mut living, replied, history);
        // The fork is stopped whether or not the changes succeed: nobody may write there while the directory is moved or removed.
        living.stop()?;
        changed
    }

    fn stamp(&self, living: &mut Living, replied: Option<&RepliedMoment>, history: &History) -> Result<Vec<String>, ForkError> {
        let (mut changed, begun) = (Vec::new(), living.world().clone());
        // A given reply counts as a call, though no model is asked.
        let budget = self.budget.clone().or_else(|| replied.map(|_| Value::map([("calls", Value::Int(1))])));
        // At the instant of the point, also where the wall clock counts.
        living.instant = replied.map(|_| living.world().now());
        if let Some(budget) = &budget {
            changed.push(living.grant(budget)?);
        }
        if let Some(replied) = replied {
            changed.push(living.retell(replied)?);
        }
        living.instant = None;
        for change in self.changes {
            let before = |signal: &str| history.last_signal(signal, &begun).ok().flatten();
            let steps = change.steps(living.world(), &before)?;
            changed.extend(living.stamp(steps)?.0);
        }
        Ok(changed)
    }
}
