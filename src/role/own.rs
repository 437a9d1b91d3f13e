//! Own: what a being may write into its own flow without having more than it has.
//!
//! Roles that are its own to name it names freely. One that it has only by a clause stays under that clause: conditions may be added to it,
//! none may be taken away, and a modifier stays a modifier.

use crate::fact::{Map, Text, Value};

use super::flow::Flow;

/// Why a being may not give itself a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overreach {
    /// It names a role that it has neither by right nor by any clause.
    Role(Text),
    /// A clause asks for less than the one by which it has the role.
    Clause(usize),
}

impl Flow {
    /// Whether it gives nobody more than the flow that its being has now; some roles are free.
    pub fn stays_within(&self, now: &Self, is_free: impl Fn(&str) -> bool) -> Result<(), Overreach> {
        for (index, clause) in self.clauses().iter().enumerate().filter(|(_, clause)| !is_free(&clause.role)) {
            let mut had = now.clauses().iter().enumerate().filter(|(_, had)| had.role == clause.role).peekable();
            if had.peek().is_none() {
                return Err(Overreach::Role(clause.role.clone()));
            }
            if !had.any(|(at, had)| had.is_stacked == clause.is_stacked && asks_for_all(self.when_of(index), now.when_of(at))) {
                return Err(Overreach::Clause(index));
            }
        }
        Ok(())
    }

    /// The `when` of a clause as written.
    fn when_of(&self, index: usize) -> Option<&Map> {
        self.source().as_list()?.get(index)?.get("when").and_then(Value::as_map)
    }
}

/// Whether one `when` holds all conditions of another: all its keys have to hold, so whatever is added only asks for more.
fn asks_for_all(new: Option<&Map>, had: Option<&Map>) -> bool {
    had.into_iter().flatten().all(|(key, value)| new.and_then(|new| new.get(key)) == Some(value))
}
