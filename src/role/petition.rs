//! Petition: the conditions on which a request to the outside has to be approved: they ask of the request, of whoever asks, and of its cost.
//!
//! Nothing malformed or unknown is let pass: a path that no request has would let everything out.

use crate::fact::Value;

use super::seen::Context;
use super::walk::{Silent, all_hold};
use super::when::{Compiler, FlowError, FlowPlace, Node};

/// The conditions of an approval, compiled.
#[derive(Clone, Debug)]
pub struct Petition(Vec<Node>);

impl Petition {
    /// Compiles a `when`, or says where it is malformed.
    pub fn compile(when: &Value) -> Result<Self, FlowError> {
        Compiler::requested().when(when, &FlowPlace::Named("when"), 1).map(Self)
    }

    /// Whether all of them hold.
    pub fn holds<C: Context + ?Sized>(&self, context: &C) -> bool {
        all_hold(&self.0, context, &mut Silent)
    }
}
