//! Forking: a world of its own that goes on from a commit of another, with keys of its own, and what is to be otherwise in it.

use std::path::Path;

use crate::fact::{BeingId, Draft, ForkOrigin, Master, Seq, Value};
use crate::past::{History, LoadError};
use crate::source::{SourceError, WantedChange};
use crate::store::{ForkPlan, Keystore, Linking, StoreError, WorldFile};

use super::living::{Living, RunError};
use super::replying::{RepliedMoment, ReplyError, calls};

/// A fork that is wanted.
pub struct Forking<'a> {
    /// The parent's directory.
    pub parent: &'a Path,
    /// The seq at which, or before which, it begins; where a recorded moment is answered otherwise, it begins before that one asked.
    pub at: Seq,
    /// Its name.
    pub name: &'a str,
    /// What it may spend on models, from its origin on: `calls`, `tokens`, `money`; nothing: it asks none.
    pub budget: Option<Value>,
    /// What is otherwise in it.
    pub changes: &'a [WantedChange],
}

/// What was made.
pub struct Forked {
    /// What its `world.toml` says.
    pub file: WorldFile,
    /// The seq at which, or before which, it was to begin.
    pub meant: Seq,
    /// Where it goes on.
    pub origin: ForkOrigin,
    /// How it came to its past.
    pub linking: Linking,
    /// What was changed, in words.
    pub changed: Vec<String>,
}

/// Why no fork was made; nothing is left of it.
#[derive(Debug, thiserror::Error)]
pub enum ForkError {
    /// Nothing was committed so early.
    #[error("expected a point at or behind frame {first}, where the first commit ends, found {found}; fork at `{first}` or later")]
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
    /// What is to be changed cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A recorded moment cannot be answered otherwise.
    #[error(transparent)]
    Reply(#[from] ReplyError),
    /// What is to be changed cannot be.
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
        let meant = replied.as_ref().map_or(self.at, |replied| replied.asked);
        let (from, way) = replied.as_ref().map_or(Ok((meant, Vec::new())), |replied| replied.way(history))?;
        let Some((origin, position)) = history.border(from)? else {
            return Err(ForkError::TooEarly { found: meant, first: history.first_border()?.unwrap_or_default() });
        };
        let (file, id) = (history.world_file(), origin.fork(self.name));
        let keystore = if file.simulated {
            Keystore { master: zeroize::Zeroizing::new(*Master::simulated_fork(history.seed()?, id).reveal()) }
        } else {
            Keystore::draw().map_err(|error| StoreError::io("draw a secret for", dir, error))?
        };
        let root_key = Master::new(*keystore.master).public(id, BeingId::WORLD);
        let plan = ForkPlan { parent: self.parent, file, origin: origin.clone(), position, name: self.name, keystore, root_key };
        let (made, linking) = plan.make(dir)?;
        let changed = self.change(made.beside(), replied.as_ref().map(|replied| (replied, way.as_slice())))?;
        let file = WorldFile::of(made.beside())?;
        made.settle()?;
        Ok(Forked { file, meant, origin, linking, changed })
    }

    /// The moment that is answered otherwise, if one is to be.
    fn replied(&self, history: &History) -> Result<Option<RepliedMoment>, ForkError> {
        let replies = self.changes.iter().filter_map(|change| change.reply().transpose()).collect::<Result<Vec<_>, _>>()?;
        Ok(RepliedMoment::of(history, replies)?)
    }

    /// Has the fork's operator do what is to be otherwise.
    fn change(&self, dir: &Path, replied: Option<(&RepliedMoment, &[Draft])>) -> Result<Vec<String>, ForkError> {
        if self.changes.is_empty() && self.budget.is_none() {
            return Ok(Vec::new());
        }
        let (mut living, _) = Living::open(dir, 1)?;
        let changed = self.stamp(&mut living, replied);
        // Whatever came of it: nobody writes there any more when the directory is put in its place, or taken away.
        living.stop()?;
        changed
    }

    fn stamp(&self, living: &mut Living, replied: Option<(&RepliedMoment, &[Draft])>) -> Result<Vec<String>, ForkError> {
        let mut changed = Vec::new();
        // What is heard counts as asked, as often as it was, though nobody is.
        let needed = |way| Value::map([("calls", Value::Int(i64::try_from(calls(way)).map_or(i64::MAX, |calls| calls.saturating_add(1))))]);
        let budget = self.budget.clone().or_else(|| replied.map(|(_, way)| needed(way)));
        if replied.is_some() {
            // At the instant of the border, also where the wall clock counts.
            living.instant = Some(living.world().now());
        }
        if let Some(budget) = &budget {
            changed.push(living.grant(budget)?);
        }
        if let Some((replied, way)) = replied {
            changed.push(living.retell(replied, way)?);
        }
        living.instant = None;
        for change in self.changes {
            let steps = change.steps(living.world())?;
            changed.extend(living.stamp(steps)?.0);
        }
        Ok(changed)
    }
}
