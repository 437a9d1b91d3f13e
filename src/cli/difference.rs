//! Difference: how it is told that a replay does not come out as it was recorded.

use anyhow::Result;

use crate::replay::Difference;

use super::door::{Door, Ended};

/// Says where a replay first differs.
pub(super) fn tell_difference(door: &Door, difference: &Difference) -> Result<Ended> {
    door.say(difference, || {
        let Difference { seq, being, n, beat, field, recorded, computed } = difference;
        format!("frame {seq} ({being}, its moment {n}) differs in the beat `{beat}`, field `{field}`\n  recorded: {recorded}\n  computed: {computed}")
    })?;
    Ok(Ended::Differs)
}
