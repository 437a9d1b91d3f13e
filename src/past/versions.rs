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

/// The versions of something.
#[derive(Default)]
pub struct Versions {
    /// The newest first.
    pub newest: Vec<Version>,
    /// Whether there may be older ones, which were not looked for.
    pub stopped: bool,
}

/// One version of something.
pub struct Version {
    /// Its number, counted in its space, and anew once it was taken back there; none where those before it were not looked for and nothing else
    /// says it.
    pub version: Option<u32>,
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
/// How many versions there are of something, everywhere and in each space, since it was last taken back there.
type VersionCounts = BTreeMap<Option<SpaceId>, u32>;

impl History {
    /// The versions of a role, up to a world, among so many of the newest frames that may hold one.
    pub fn versions_of_role(&self, name: &Text, newest: &World, most: u64) -> Result<Versions, LoadError> {
        let counted = |world: &World| {
            let registry = world.registry();
            let everywhere = registry.roles.get(name).map(|role| (None, role.version));
            let places = registry.local_roles.get(name).into_iter().flatten();
            Some(everywhere.into_iter().chain(places.map(|(space, role)| (Some(*space), role.version))).collect())
        };
        self.versions(
            (name, newest, most),
            |_| false,
            counted,
            |_, fact| match fact {
                Fact::RoleSet { name: set, role, .. } if set == name => Some((None, role)),
                Fact::RoleSetIn { space, name: set, role, .. } if set == name => Some((Some(*space), role)),
                _ => None,
            },
        )
    }

    /// The versions of a being's flow, up to a world, among so many of the newest frames that may hold one.
    pub fn versions_of_flow(&self, of: BeingId, newest: &World, most: u64) -> Result<Versions, LoadError> {
        self.versions(
            (&of.to_string(), newest, most),
            |frames| frames.contains(&of.0.seq),
            |_| None,
            |made, fact| match fact {
                Fact::FlowSet { being, flow } if *being == of => Some((None, flow)),
                Fact::Born(birth) if made == of => Some((None, &birth.flow)),
                _ => None,
            },
        )
    }

    /// The versions of a space's flow, up to a world, among so many of the newest frames that may hold one.
    pub fn versions_of_flow_in(&self, of: SpaceId, newest: &World, most: u64) -> Result<Versions, LoadError> {
        self.versions(
            (&of.to_string(), newest, most),
            |_| false,
            |_| None,
            |_, fact| match fact {
                Fact::FlowSetIn { space, flow } if *space == of => Some((Some(*space), flow)),
                _ => None,
            },
        )
    }

    /// Folds what may put something under a key; a frame that does has to carry its being's signature. Where not all is looked at, `counted` says
    /// how many versions there were.
    fn versions(
        &self,
        (key, newest, most): (&str, &World, u64),
        is_born_in: impl Fn(&Range<Seq>) -> bool,
        counted: impl Fn(&World) -> Option<VersionCounts>,
        put: impl for<'a> Fn(BeingId, &'a Fact) -> Put<'a>,
    ) -> Result<Versions, LoadError> {
        let may_hold = |frames: &Range<Seq>, chapter: &Chapter| is_born_in(frames) || chapter.may_hold(Of::Put, |found| found == key);
        let (stretches, stopped) = newest_of(stretches(newest.chapters(), 0..newest.next_seq(), may_hold), most);
        let first = stretches.first().filter(|_| stopped).map(|frames| self.world_at(frames.start)).transpose()?;
        let mut found =
            VersionsTaken { newest: Vec::new(), counts: first.map_or_else(|| Some(VersionCounts::new()), |world| counted(&world)) };
        for frames in stretches {
            let mut failed = None;
            self.fold(frames.start, Some(frames.end), |frame, world| {
                if failed.is_none() {
                    failed = found.take(self, frame, world, &put).err();
                }
            })?;
            failed.map_or(Ok(()), Err)?;
        }
        found.newest.reverse();
        Ok(Versions { newest: found.newest, stopped })
    }
}

/// The newest of some stretches, with so many frames at most, and whether any was left out.
fn newest_of(stretches: Vec<Range<Seq>>, most: u64) -> (Vec<Range<Seq>>, bool) {
    let (mut newest, mut left, mut stopped) = (Vec::new(), most, false);
    for Range { start, end } in stretches.into_iter().rev() {
        let begins = start.max(end.saturating_sub(left));
        stopped |= begins > start;
        left -= end - begins;
        if begins < end {
            newest.push(begins..end);
        }
    }
    newest.reverse();
    (newest, stopped)
}

/// The versions that were found so far, the oldest first.
struct VersionsTaken {
    newest: Vec<Version>,
    /// How many there are; none where that is not known.
    counts: Option<VersionCounts>,
}

impl VersionsTaken {
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
            let version = self.counts.as_mut().map(|counts| counts.entry(space).or_default());
            let version = version.map(|count| {
                let version = *count + 1;
                *count = if whole.as_ref().is_none_or(Value::is_null) { 0 } else { version };
                version
            });
            self.newest.push(Version { version, space, whole, ..Version::put_in(draft) });
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
        Self { version: None, space: None, seq, at, offset, by, label, whole: None }
    }
}
