//! Values: what something came to in the past, one value after the other, each with the moment that left it.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use crate::fact::{Frame, Seq, Value, visible};
use crate::world::{Local, World, iso};

use super::history::History;
use super::load::LoadError;
use super::making::{Making, WhyOf};

/// The values that something had.
#[derive(Clone, Debug)]
pub struct MadeValues {
    /// The values, the oldest first.
    pub values: Vec<MadeValue>,
    /// Whether there were more before.
    pub more: bool,
    /// Where older ones may lie that were archived, in words.
    pub unread: Option<String>,
}

/// A value as a moment left it.
#[derive(Clone, Debug, Serialize)]
pub struct MadeValue {
    /// The frame behind which it was so.
    pub seq: Seq,
    /// The moment that left it; none of the value with which a log begins whose earlier history is archived.
    pub moment: Option<String>,
    /// When.
    pub time: String,
    /// The value behind that.
    pub value: Value,
}

/// A line as the command line prints it.
impl std::fmt::Display for MadeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seq, moment, time, value } = self;
        let moment = moment.as_deref().unwrap_or("(archived)");
        write!(f, "#{seq} {moment} {time} {}", visible(&value.to_string()))
    }
}

impl MadeValue {
    fn behind(frame: &Frame, world: &World, value: Value) -> Self {
        let draft = frame.draft();
        let name = world.being(draft.being).map_or_else(|| draft.being.to_string(), |being| format!("@{}", being.name));
        Self { seq: draft.seq, moment: Some(format!("{name}/{}", draft.n)), time: iso(draft.at, draft.offset), value }
    }

    /// The value in the world with which a log begins; none where it has none.
    fn at_border(world: &World, value: Value) -> Option<Self> {
        let seq = world.next_seq().checked_sub(1).filter(|_| !value.is_null())?;
        Some(Self { seq, moment: None, time: Local::of(world.at(), world.zone()).iso(), value })
    }
}

impl History {
    /// The values that something had up to a world: what each of the newest facts about it has left, at most so many. An archive that
    /// may hold older ones is named, also where more are there. Behind an archive they begin with the value at its border.
    pub fn made_values(&self, of: &WhyOf, world: &World, most: usize) -> Result<MadeValues, LoadError> {
        let made = self.made(of, world, most, false)?;
        let moments: BTreeMap<Seq, Making> = made.made.into_iter().map(|making| (making.seq, making)).collect();
        let mut values = Vec::new();
        if let (Some((first, _)), Some((last, _))) = (moments.first_key_value(), moments.last_key_value()) {
            self.fold(*first, Some(last + 1), |frame, world| {
                if let Some(Making { seq, moment, time, .. }) = moments.get(&frame.draft().seq) {
                    values.push(MadeValue { seq: *seq, moment: Some(moment.clone()), time: time.clone(), value: of.value(world) });
                }
            })?;
        }
        let unread = self.unread(of.begins());
        let first = if unread.is_some() && !made.more { self.border_value(|border| of.value(border))? } else { None };
        let more = made.more || (first.is_some() && values.len() >= most);
        values.splice(0..0, first.filter(|_| !more));
        Ok(MadeValues { values, more, unread })
    }

    /// The values of the world with which the log begins, where earlier history is archived.
    fn border_value(&self, read: impl FnOnce(&World) -> Value) -> Result<Option<MadeValue>, LoadError> {
        if self.begins() == 0 {
            return Ok(None);
        }
        let border = self.world_at(self.begins())?;
        Ok(MadeValue::at_border(&border, read(&border)))
    }

    /// The values to which something comes that is read of the world behind each frame, up to a seq: the newest changes, at most so many.
    pub fn read_values(&self, below: Seq, most: usize, mut read: impl FnMut(&World) -> Value) -> Result<MadeValues, LoadError> {
        let first = self.border_value(&mut read)?;
        let (mut more, mut last) = (false, first.as_ref().map_or(Value::Null, |first| first.value.clone()));
        let mut values: VecDeque<MadeValue> = first.into_iter().collect();
        self.fold(self.begins(), Some(below), |frame, world| {
            let value = read(world);
            if value == last {
                return;
            }
            last = value.clone();
            values.push_back(MadeValue::behind(frame, world, value));
            if values.len() > most {
                more = values.pop_front().is_some();
            }
        })?;
        Ok(MadeValues { values: values.into(), more, unread: self.unread(0) })
    }
}
