//! Worn: one role of a stack, as frames and summonses record it.

use serde::Serialize;

use super::canon::canon_struct;
use super::id::SpaceId;
use super::value::Text;

/// A role of the stack, and the clause that chose it; none: the default role, or the one asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WornRole {
    /// The role.
    pub role: Text,
    /// The clause's place in the flow.
    pub clause: Option<u16>,
    /// The space whose flow it is; none: the being's own.
    pub space: Option<SpaceId>,
}

canon_struct!(WornRole { role, clause, space });
