//! Knew: what a being could see of an address at the moment it answered, through the role that it wore then.

use serde::Serialize;

use crate::fact::{Code, Reason, Seq, Value};
use crate::verb::{Address, Asker, show};
use crate::world::iso;

use super::explain::ExplainError;
use super::history::History;
use super::load::NoFrame;
use super::trial::Trial;

/// What a being could know of something.
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
    /// What stood there, where it could.
    pub value: Value,
}

impl History {
    /// What the being of a moment could see of an address when the moment opened.
    pub fn knew(&self, seq: Seq, address: &str) -> Result<Knew, ExplainError> {
        let end = self.end();
        let missing = || NoFrame { seq, end };
        let after = self.world_at(seq.checked_add(1).filter(|after| *after <= end).ok_or_else(missing)?)?;
        let frame = self.frame(seq, &after)?.ok_or_else(missing)?;
        let draft = frame.draft();
        let opened = self.world_at(draft.opened)?;
        let seen = match Trial::again(draft, &opened, &[]) {
            // The wake is not kept: nobody can say any more what was worn for it.
            None => Err(Reason::new(Code::NotFound, address)),
            Some(Trial { world, opening }) => {
                let actor = world.being(draft.being).ok_or_else(missing)?;
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
        Ok(Knew { being, address, seq: draft.opened, time, why, value })
    }
}
