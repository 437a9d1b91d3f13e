//! Measured then: a cache of a world's measures at points of its past: below a seq nothing changes any more.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::fact::{Seq, Value};
use crate::past::History;
use crate::source::MeasureList;
use crate::store::Interest;

use super::measured::values;
use super::trouble::Trouble;

/// How many points are kept.
const KEPT: usize = 2_048;

/// The values of one list of measures at points of the past, by seq.
#[derive(Default)]
pub struct MeasuredThen {
    list: Option<MeasureList>,
    kept: BTreeMap<Seq, Vec<Option<f64>>>,
}

impl MeasuredThen {
    /// Works out the measures at some points; of those that are not kept the past is folded, until nobody waits any more.
    pub fn at(&mut self, history: &History, list: &MeasureList, seqs: &BTreeSet<Seq>, interest: &Interest) -> Result<(), Trouble> {
        if !self.list.as_ref().is_some_and(|kept| kept.is_same(list)) {
            *self = Self { list: Some(list.clone()), kept: BTreeMap::new() };
        }
        let new: BTreeSet<Seq> = seqs.iter().copied().filter(|seq| !self.kept.contains_key(seq)).collect();
        if self.kept.len() + new.len() > KEPT {
            self.kept.retain(|seq, _| seqs.contains(seq));
        }
        let walked = history.along(&new, |seq, world| {
            let world = Arc::new(world.clone());
            self.kept.insert(seq, values(list, &world, world.at()).iter().map(Value::as_float).collect());
            if interest.is_gone() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // The points reached so far are kept: whoever asks again goes on from there.
        walked.or_else(|error| if error.is_too_far() { Ok(()) } else { Err(error.into()) })
    }

    /// Whether it knows all of some points.
    pub fn has(&self, seqs: &[Seq]) -> bool {
        seqs.iter().all(|seq| self.kept.contains_key(seq))
    }

    /// The value of a measure at a point.
    pub fn value(&self, seq: Seq, measure: usize) -> Option<f64> {
        self.kept.get(&seq)?.get(measure).copied().flatten()
    }
}
