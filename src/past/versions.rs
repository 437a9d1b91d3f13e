//! Versions: every role and every flow that was ever put in a place, the newest first.
//!
//! A checkpoint holds the version that is in force and none before it: what was in force once is read where a chapter says that it was put.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::fact::{BeingId, Content, Draft, Fact, Frame, Millis, Seq, SpaceId, Text, Value};
use crate::world::{Chapter, Of, World};

use super::history::History;
use super::load::{LoadError, signed};
use super::search::stretches;

/// One version of something.
pub struct Version {
    /// Its number, counted in its space, and anew once it was taken back there.
    pub version: u32,
    /// The space in which it holds; none where it holds everywhere.
    pub space: Option<SpaceId>,
    /// In which frame.
    pub seq: Seq,
    /// When.
    pub at: Millis,
    /// In which zone, in minutes from UTC.
    pub offset: i64,
    /// By whom.
    pub by: BeingId,
    /// The label given by its author.
    pub label: Option<Value>,
    /// All of it; null where it was taken back, none where it is not kept.
    pub whole: Option<Value>,
}

/// Where a fact puts what is looked for (everywhere, or in a space), and what it puts there.
type Put<'a> = Option<(Option<SpaceId>, &'a Content)>;

impl History {
    /// The versions of a role.
    pub fn versions_of_role(&self, name: &Text) -> Result<Vec<Version>, LoadError> {
        self.versions(
            name,
            |_| false,
            |_, fact| match fact {
                Fact::RoleSet { name: set, role, .. } if set == name => Some((None, role)),
                Fact::RoleSetIn { space, name: set, role, .. } if set == name => Some((Some(*space), role)),
                _ => None,
            },
        )
    }

    /// The versions of a being's flow.
    pub fn versions_of_flow(&self, of: BeingId) -> Result<Vec<Version>, LoadError> {
        self.versions(
            &of.to_string(),
            |frames| frames.contains(&of.0.seq),
            |made, fact| match fact {
                Fact::FlowSet { being, flow } if *being == of => Some((None, flow)),
                Fact::Born(birth) if made == of => Some((None, &birth.flow)),
                _ => None,
            },
        )
    }

    /// The versions of a space's flow.
    pub fn versions_of_flow_in(&self, of: SpaceId) -> Result<Vec<Version>, LoadError> {
        self.versions(
            &of.to_string(),
            |_| false,
            |_, fact| match fact {
                Fact::FlowSetIn { space, flow } if *space == of => Some((Some(*space), flow)),
                _ => None,
            },
        )
    }

    /// Folds what may put something under a key; a frame that does has to carry its being's signature.
    fn versions(
        &self,
        key: &str,
        is_born_in: impl Fn(&Range<Seq>) -> bool,
        put: impl for<'a> Fn(BeingId, &'a Fact) -> Put<'a>,
    ) -> Result<Vec<Version>, LoadError> {
        let whole = self.world_at(self.end())?;
        let mut found = Versions::default();
        let may_hold = |frames: &Range<Seq>, chapter: &Chapter| is_born_in(frames) || chapter.may_hold(Of::Put, |found| found == key);
        for frames in stretches(whole.chapters(), 0..self.end(), may_hold) {
            let mut failed = None;
            self.fold(frames.start, Some(frames.end), |frame, world| {
                if failed.is_none() {
                    failed = found.take(self, frame, world, &put).err();
                }
            })?;
            failed.map_or(Ok(()), Err)?;
        }
        found.versions.reverse();
        Ok(found.versions)
    }
}

/// The versions that were found so far, the oldest first.
#[derive(Default)]
struct Versions {
    versions: Vec<Version>,
    /// How many there are of each since it was last taken back.
    counts: BTreeMap<Option<SpaceId>, u32>,
}

impl Versions {
    fn take(
        &mut self,
        history: &History,
        frame: &Frame,
        world: &World,
        put: impl for<'a> Fn(BeingId, &'a Fact) -> Put<'a>,
    ) -> Result<(), LoadError> {
        let draft = frame.draft();
        for (index, fact) in (0u32..).zip(&draft.facts) {
            let Some((space, content)) = put(BeingId::new(draft.seq, index), fact) else { continue };
            signed(frame, world)?;
            let whole = history.content(content)?;
            let is_back = whole.as_ref().is_none_or(Value::is_null);
            let count = self.counts.entry(space).or_default();
            *count += 1;
            self.versions.push(Version { version: *count, space, whole, ..Version::put_in(draft) });
            if is_back {
                *count = 0;
            }
        }
        Ok(())
    }
}

impl Version {
    /// When, by whom and as what something was put.
    fn put_in(draft: &Draft) -> Self {
        let args = draft.call.as_ref().map(|call| &call.args);
        let label = if let Some(Content::Here(args)) = args { args.get("label").cloned() } else { None };
        let Draft { seq, at, offset, being: by, .. } = *draft;
        Self { version: 0, space: None, seq, at, offset, by, label, whole: None }
    }
}
