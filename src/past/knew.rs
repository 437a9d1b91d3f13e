//! Knew: what a being could see of an address at the moment it answered, through the role that it wore then.

use serde::Serialize;

use crate::fact::{Code, Frame, Reason, Seq, Value};
use crate::verb::{Address, Asker, show};
use crate::world::{World, iso};

use super::explain::ExplainError;
use super::history::History;
use super::load::NoFrame;
use super::trial::Trial;

/// The view that a being had of an address in a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knew {
    /// The moment's being, as an address.
    pub being: String,
    /// Of what.
    pub address: String,
    /// All frames below it: the world on which the moment opened.
    pub seq: Seq,
    /// When it opened.
    pub time: String,
    /// Why it could not see that, if it could not.
    pub why: Option<Reason>,
    /// The value there, where it could see it.
    pub value: Value,
}

impl History {
    /// The view of an address that the being of a moment had when it opened.
    pub fn knew(&self, seq: Seq, address: &str) -> Result<Knew, ExplainError> {
        let end = self.end();
        let missing = || NoFrame { seq, end };
        let after = self.world_at(seq.checked_add(1).filter(|after| *after <= end).ok_or_else(missing)?)?;
        let frame = self.frame(seq, &after)?.ok_or_else(missing)?;
        let opened = self.world_at(frame.draft().opened)?;
        Knew::of(&frame, &opened, &after, address).ok_or_else(missing).map_err(ExplainError::from)
    }
}

impl Knew {
    /// The same by the worlds on which a frame opened and that it left; none where its being lived in neither.
    pub(super) fn of(frame: &Frame, opened: &World, after: &World, address: &str) -> Option<Self> {
        let draft = frame.draft();
        let seen = match Trial::again(draft, opened, &[]) {
            // The wake is not kept: nobody can say any more what was worn for it.
            None => Err(Reason::new(Code::NotFound, address)),
            Some(Trial { world, opening }) => {
                let actor = world.being(draft.being)?;
                let asker = Asker { world: &world, actor, worn: &opening.worn, caller: None, at: draft.opened_at };
                let address = address.parse::<Address>().map_err(|_| Reason::new(Code::BadAddress, address));
                address.and_then(|address| {
                    let named = address.resolve(&world, actor, draft.opened_at)?;
                    asker.may_see(&named)?;
                    show(&world, &named, Some(draft.being), draft.opened_at)
                })
            }
        };
        let (why, value) = match seen {
            Ok(value) => (None, value),
            Err(why) => (Some(why), Value::Null),
        };
        let (address, time) = (address.to_owned(), iso(draft.opened_at, draft.offset));
        let being = after.name_of(draft.being).as_str().unwrap_or_default().to_owned();
        Some(Self { being, address, seq: draft.opened, time, why, value })
    }
}
