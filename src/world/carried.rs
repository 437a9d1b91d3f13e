//! Carried: a thing that is carried in begins a root, and each being that passes it on goes on with that root.
//!
//! In a line of stations each is woken by the one before it, day after day: if what they cause counted on from there, a brake would end a
//! factory. So it is the thing that carries the count. A thing that a person or the clock brings in begins anew.
//! A being that a watch or a change woke, or that goes on by itself, passes the thing on one deeper, or with the root and depth of
//! its wake, whichever is less deep. Where two wake each other over one thing, both depths grow.

use crate::fact::{Closing, Draft, Fact, Made, MatterId, Thing, WakeKind};

use super::fold::Cause;
use super::space::Carried;
use super::whole::World;

impl World {
    /// The root and depth that a frame passes on, given those of its wake: those of the thing that it handles first, where that was brought in.
    pub(super) fn passed_on(&mut self, draft: &Draft, root: Option<Made>, depth: u32) -> (Option<Made>, u32) {
        let handled = draft.facts.iter().zip(0u32..).find_map(|(fact, index)| Some((handled(fact)?, index)));
        let Some((id, index)) = handled.filter(|_| draft.closing == Closing::Act) else { return (root, depth) };
        let Some(carried) = self.matter.get(&id).and_then(|matter| matter.carried) else { return (root, depth) };
        let is_station = matches!(draft.wake.kind, WakeKind::Watch | WakeKind::Change | WakeKind::SelfContinue);
        let deeper = carried.depth.saturating_add(1);
        let passed = match root {
            Some(root) if is_station && depth < deeper => Carried { root, depth },
            _ if is_station => Carried { root: carried.root, depth: deeper },
            root => Carried { root: root.unwrap_or(Made { seq: draft.seq, index }), depth },
        };
        self.matter_mut(id, |matter| matter.carried = Some(passed));
        if is_station { (Some(passed.root), passed.depth) } else { (root, depth) }
    }

    /// The root and depth with which a thing comes into the world; none while the world is planted.
    pub(super) fn brings(&self, cause: &Cause, made: Made) -> Option<Carried> {
        let begun = Carried { root: made, depth: 0 };
        let goes_on = cause.root.filter(|_| cause.depth > 0).map(|root| Carried { root, depth: cause.depth });
        (!cause.is_planting).then_some(goes_on.unwrap_or(begun))
    }
}

/// The matter that a fact handles.
fn handled(fact: &Fact) -> Option<MatterId> {
    let of = match fact {
        Fact::QualitySet { of, .. }
        | Fact::QualityUnset { of, .. }
        | Fact::QualityInc { of, .. }
        | Fact::QualityPush { of, .. }
        | Fact::Moved { of, .. }
        | Fact::Named { of, .. }
        | Fact::Ended { of } => *of,
        Fact::Filled { matter, .. } => Thing::Matter(*matter),
        _ => return None,
    };
    if let Thing::Matter(id) = of { Some(id) } else { None }
}
