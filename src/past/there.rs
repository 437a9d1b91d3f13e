//! There: the frames between two points, for those who read a span: as far as they are there, or with the newest world at hand.

use std::ops::Range;

use crate::fact::Seq;
use crate::store::StoreError;
use crate::world::World;

use super::history::History;
use super::load::LoadError;
use super::point::{MomentName, Point, PointError, forward};

impl History {
    /// The frames between two points without those that were archived. Where all of them were, that is the error.
    pub fn span_there(&self, from: &Point, to: &Point) -> Result<Range<Seq>, PointError> {
        match self.span_of(from, to) {
            // The beginning is always there.
            Err(PointError::Load(LoadError::Store(StoreError::Archived { .. }))) => self.span_of(&Point::Before(MomentName::Seq(0)), to),
            span => span,
        }
    }

    /// The frames between two points, for those who have the newest world; without a first point, from the first frame on.
    pub fn span_seen(&self, from: Option<&Point>, to: &Point, newest: &World) -> Result<Range<Seq>, PointError> {
        let seq = |point: &Point| self.seq_seen(point, || Ok(newest.clone()));
        let Some(from) = from else { return Ok(0..seq(to)?) };
        forward((from, seq(from)?), (to, seq(to)?))
    }
}
