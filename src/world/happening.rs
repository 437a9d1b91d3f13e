//! Happening: something that was done or said, as it is remembered.

use crate::fact::canon::{canon_enum, canon_struct};
use crate::fact::{BeingId, Made, Millis, Seq, SpaceId, Text};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// The frame.
    pub seq: Seq,
    /// When.
    pub at: Millis,
    /// The being that did it.
    pub who: BeingId,
    /// The being that drove its doer, if any.
    pub driver: Option<BeingId>,
    /// The root to which it belongs.
    pub root: Option<Made>,
    /// The deed.
    pub what: Happened,
}

/// The deed of a happening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// An operation, on what was named so.
    Did {
        /// Which.
        action: Text,
        /// On what.
        target: Text,
        /// The beginning of its arguments, for its doer, if that has a mind.
        args: Text,
        /// The sentence of the operation, for all others who hear of it; empty where it has none.
        told: Text,
    },
    /// A call of its own that was refused.
    Tried {
        /// The refused call.
        deed: Text,
        /// Why it was refused: the code, and the place behind it.
        why: Text,
    },
    /// Something was said in the space.
    Said {
        /// What.
        words: Text,
    },
    /// A being was summoned.
    Summoned {
        /// Whom.
        to: BeingId,
        /// The words.
        words: Text,
        /// The summons that it answers.
        answers: Option<Made>,
    },
    /// It went from one space to another.
    Went {
        /// From where.
        from: SpaceId,
        /// Where to.
        to: SpaceId,
    },
    /// An operation on identity.
    Became {
        /// Which.
        operation: Text,
    },
}

impl Happening {
    /// The words that were said, if any.
    pub fn words(&self) -> Option<&str> {
        match &self.what {
            Happened::Said { words } | Happened::Summoned { words, .. } => Some(words),
            Happened::Did { .. } | Happened::Tried { .. } | Happened::Went { .. } | Happened::Became { .. } => None,
        }
    }
}

canon_struct!(Happening { seq, at, who, driver, root, what });
canon_enum!(Happened {
    0 => Did { action, target, args, told },
    1 => Said { words },
    2 => Summoned { to, words, answers },
    3 => Went { from, to },
    4 => Became { operation },
    5 => Tried { deed, why },
});
