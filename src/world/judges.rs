//! Judges: the rules in force, in the order in which they are asked, and which of them an action concerns.
//!
//! An action is looked up by its name, by its namespace, and among the few rules that ask about actions of any name: a world of a thousand
//! rules asks those alone that can be meant.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{Text, Value};
use crate::role::{Entry, Glob, Judge};

/// Rules, compiled.
#[derive(Clone, Debug, Default)]
pub struct Judges {
    all: Vec<Arc<Judge>>,
    by_name: BTreeMap<Text, usize>,
    named: BTreeMap<Text, Vec<usize>>,
    spaced: BTreeMap<Text, Vec<usize>>,
    wide: Vec<usize>,
}

impl Judges {
    /// Rules in the order in which they are asked.
    pub(super) fn of(rules: impl IntoIterator<Item = Arc<Judge>>) -> Self {
        let mut judges = Self::default();
        rules.into_iter().for_each(|judge| judges.add(judge));
        judges
    }

    /// The rule of that name, if it was written just so: what is compiled already is not compiled again.
    pub(super) fn same(&self, name: &str, source: &Value) -> Option<Arc<Judge>> {
        let at = self.by_name.get(name)?;
        self.all.get(*at).filter(|judge| judge.source() == source).cloned()
    }

    pub fn add(&mut self, judge: Arc<Judge>) {
        let at = self.all.len();
        for action in judge.on().iter().filter_map(action_of) {
            let list = match (action.is_literal(), action.as_str().split_once(':')) {
                (true, _) => self.named.entry(action.as_str().into()).or_default(),
                (false, Some((space, _))) if !space.contains(['*', '?']) => self.spaced.entry(space.into()).or_default(),
                (false, _) => &mut self.wide,
            };
            if list.last() != Some(&at) {
                list.push(at);
            }
        }
        self.by_name.insert(judge.name().clone(), at);
        self.all.push(judge);
    }

    /// All of them, in order.
    pub fn all(&self) -> &[Arc<Judge>] {
        &self.all
    }

    /// Those that ask about an action, on whatever it is done, in order.
    pub fn on(&self, action: &str) -> Vec<&Arc<Judge>> {
        let space = action.split_once(':').and_then(|(space, _)| self.spaced.get(space));
        let mut found: Vec<usize> = [self.named.get(action), space, Some(&self.wide)].into_iter().flatten().flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        let judges = found.into_iter().filter_map(|at| self.all.get(at));
        judges.filter(|judge| judge.on().iter().any(|entry| entry.covers_action(action))).collect()
    }
}

/// The actions that an entry names.
fn action_of(entry: &Entry) -> Option<&Glob> {
    match entry {
        Entry::Name(action) | Entry::Bound { action, .. } => Some(action),
        Entry::Rel(_) | Entry::Pattern(_) => None,
    }
}
