//! Approval: a request of a bridge that waits until somebody says yes.
//!
//! The answer is about certain bytes. The moment writes its request anew; where that is another by then, it is asked about anew.

use std::sync::Arc;

use crate::fact::{BeingId, Hash, Made, Millis, Text, Value};

/// A request that is to be approved, or was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The summons by which somebody was asked.
    pub asked: Made,
    /// Who was asked.
    pub by: BeingId,
    /// The hash of the bytes that would leave.
    pub request: Hash,
    /// Until when it is waited for.
    pub until: Millis,
    /// Everything that whoever was asked is told.
    pub told: Arc<Value>,
    /// The answer, if there is one.
    pub said: Option<ApprovalAnswer>,
}

/// The answer to a request that was to be approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalAnswer {
    /// It may leave.
    Yes {
        /// Who said so.
        by: BeingId,
    },
    /// It may not.
    No {
        /// Who said so.
        by: BeingId,
        /// Why.
        why: Text,
    },
}

impl Approval {
    /// Whether nobody has said anything yet.
    pub fn is_open(&self) -> bool {
        self.said.is_none()
    }

    /// Whether a request of these bytes may leave.
    pub fn lets(&self, request: Hash) -> bool {
        self.request == request && matches!(self.said, Some(ApprovalAnswer::Yes { .. }))
    }
}
