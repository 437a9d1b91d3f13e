//! Unasked: why nobody outside is asked in a moment that would ask somebody.

use crate::fact::{Code, Reason, Summons};
use crate::moment::Answer;

/// Why nobody is asked.
#[derive(Debug)]
pub enum Unasked {
    /// The request cannot be written, or nothing may be asked.
    Fault(Reason),
    /// Somebody has to approve it before.
    Petition(Box<Summons>),
}

impl From<Reason> for Unasked {
    fn from(reason: Reason) -> Self {
        Self::Fault(reason)
    }
}

impl Unasked {
    /// The answer of the moment.
    pub fn answer(self) -> Answer {
        match self {
            Self::Fault(reason) => unasked(reason),
            Self::Petition(petition) => Answer { petition: Some(petition), ..Answer::none() },
        }
    }
}

/// The answer of a moment whose model cannot even be asked: why its request cannot be written.
pub fn unasked(reason: Reason) -> Answer {
    let is_final =
        matches!(reason.code, Code::BridgeUnset | Code::BridgeRequest | Code::BridgeHost | Code::BridgeMethod | Code::GateNarrowed);
    Answer { failure: Some(reason), is_final, ..Answer::none() }
}
