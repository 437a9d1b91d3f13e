//! Versions: every role and every flow that was ever put in a place, the newest first.
//!
//! A checkpoint holds the version that is in force and none before it, so all of the log is read; nothing is folded for it.

use std::collections::BTreeMap;

use crate::fact::{BeingId, Content, Draft, Fact, Millis, Seq, SpaceId, Text, Value};
use crate::reel::Unverified;
use crate::store::RecordPlace;

use super::history::History;
use super::load::{LoadError, skim};

/// One version of something.
pub struct Version {
    /// Which one, counted where it holds; counted anew once it was taken back there.
    pub version: u32,
    /// In which space; none where it holds everywhere.
    pub space: Option<SpaceId>,
    /// In which frame.
    pub seq: Seq,
    /// When.
    pub at: Millis,
    /// In which zone, in minutes from UTC.
    pub offset: i64,
    /// By whom.
    pub by: BeingId,
    /// What whoever put it calls it.
    pub label: Option<Value>,
    /// All of it; null where it was taken back, none where it is not kept.
    pub whole: Option<Value>,
}

/// Where a fact puts what is looked for (everywhere, or in a space), and what it puts there.
type Put<'a> = Option<(Option<SpaceId>, &'a Content)>;

impl History {
    /// The versions of a role.
    pub fn versions_of_role(&self, name: &Text) -> Result<Vec<Version>, LoadError> {
        self.versions(|_, fact| match fact {
            Fact::RoleSet { name: set, role, .. } if set == name => Some((None, role)),
            Fact::RoleSetIn { space, name: set, role, .. } if set == name => Some((Some(*space), role)),
            _ => None,
        })
    }

    /// The versions of a being's flow.
    pub fn versions_of_flow(&self, of: BeingId) -> Result<Vec<Version>, LoadError> {
        self.versions(|made, fact| match fact {
            Fact::FlowSet { being, flow } if *being == of => Some((None, flow)),
            Fact::Born(birth) if made == of => Some((None, &birth.flow)),
            _ => None,
        })
    }

    /// The versions of a space's flow.
    pub fn versions_of_flow_in(&self, of: SpaceId) -> Result<Vec<Version>, LoadError> {
        self.versions(|_, fact| match fact {
            Fact::FlowSetIn { space, flow } if *space == of => Some((Some(*space), flow)),
            _ => None,
        })
    }

    /// Reads all of history; a frame that puts something has to carry its being's signature.
    fn versions(&self, put: impl for<'a> Fn(BeingId, &'a Fact) -> Put<'a>) -> Result<Vec<Version>, LoadError> {
        let mut versions = Vec::new();
        let mut counts: BTreeMap<Option<SpaceId>, u32> = BTreeMap::new();
        skim(&self.store, self.world_file().world, |admitted| {
            let draft = admitted.frame.draft();
            for (index, fact) in (0u32..).zip(&draft.facts) {
                let Some((space, content)) = put(BeingId::new(draft.seq, index), fact) else { continue };
                signed(admitted)?;
                let whole = self.content(content)?;
                let count = counts.entry(space).or_default();
                *count += 1;
                versions.push(Version { version: *count, space, whole, ..Version::put_in(draft) });
                if versions.last().and_then(|version| version.whole.as_ref()).is_none_or(Value::is_null) {
                    *count = 0;
                }
            }
            Ok(())
        })?;
        versions.reverse();
        Ok(versions)
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

fn signed(admitted: &Unverified) -> Result<(), LoadError> {
    let at = RecordPlace { file: format!("frame {}", admitted.frame.draft().seq).into(), offset: 0 };
    admitted.verify().map_err(LoadError::at(at))
}
