//! Retake: each recorded moment is opened, thought and closed once more by other code, one by one, always on the world that was recorded.
//!
//! Nothing of it goes on: what comes out otherwise changes no later moment. A model's recorded reply counts where it would be asked the
//! same, byte for byte. Where not, it is asked anew by whoever wants to know; else nobody knows what it would have done.

use std::ops::Range;
use std::sync::Arc;

use crate::cognition::{Reply, Request, wrote};
use crate::fact::{Closing, Cognition, Draft, Seq, Value};
use crate::moment::{SEMANTICS, is_asking};
use crate::past::{History, Kept, LoadError};
use crate::world::{Recast, World, iso};

use super::again::Again;
use super::deeds::Deeds;
use super::judged::{RetakeHeard, changes, unopened};
use super::opened::OpenedWorlds;
use super::retaken::{AskedAnew, Retake, RetakeChange, RetakePart, Retakes};
use super::stage::{Stage, keys_of};
use super::walk::ReplayError;

/// The client that asks models anew where their request would be another.
pub struct AsksAnew<'a> {
    /// The number of requests that are sent at once.
    pub at_once: usize,
    /// Asks them: a reply for each, in their order.
    pub ask: &'a mut dyn FnMut(&[Request]) -> Vec<Reply>,
}

/// Takes each moment of a range of frames again by other code, and counts how they come out, and how each deed does with recorded replies.
pub fn retake<'a>(
    history: &'a History,
    recast: Recast,
    within: Range<Seq>,
    asks: Option<AsksAnew<'a>>,
) -> Result<(Retakes, Deeds), ReplayError> {
    let (again, opened, deeds) = (Again::new(), OpenedWorlds::default(), Deeds::default());
    let mut set = Set { history, recast, again, opened, deeds, far: None, asks, taken: Vec::new() };
    let (mut retakes, mut before, mut failed) = (Retakes::default(), None::<World>, None::<ReplayError>);
    history.fold(within.start.saturating_sub(1), Some(within.end), |frame, world| {
        let now = before.replace(world.clone());
        // Genesis comes before all code.
        let Some(now) = now.filter(|now| failed.is_none() && now.next_seq() >= within.start) else { return };
        if let Err(error) = set.moment(frame.draft(), &now) {
            failed = Some(error);
        }
        if set.is_full() {
            set.settle(&mut retakes);
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    set.settle(&mut retakes);
    Ok((retakes, set.deeds))
}

/// Where moments are taken again.
struct Set<'a> {
    history: &'a History,
    recast: Recast,
    again: Again,
    deeds: Deeds,
    /// Recast.
    opened: OpenedWorlds,
    /// The last world that was opened on before the first frame that was asked for, recast.
    far: Option<Arc<World>>,
    asks: Option<AsksAnew<'a>>,
    /// The retakes that are not told yet, in the order of the history: the first one waits for a model to be asked.
    taken: Vec<(Retake, Option<Box<ToAsk>>)>,
}

/// A moment whose model is to be asked anew, and what it is closed on once that has answered.
struct ToAsk {
    recorded: Draft,
    opened: Arc<World>,
    now: Arc<World>,
    kept: Kept,
    request: Request,
}

impl Set<'_> {
    /// A recorded moment once more; what only asks a model is none.
    fn moment(&mut self, recorded: &Draft, now: &World) -> Result<(), ReplayError> {
        if let Some(found) = now.registry().config.get("semantics").and_then(|value| value.as_int()).filter(|found| *found != SEMANTICS) {
            return Err(ReplayError::Semantics { found });
        }
        let name = now.being(recorded.being).map_or_else(|| recorded.being.to_string().into(), |being| being.name.clone());
        let now = Arc::new(self.recast.world(now));
        self.opened.note(recorded, &now);
        if is_asking(recorded) && recorded.cognition != Cognition::Panel {
            return Ok(());
        }
        let opened = self.opened_on(recorded)?;
        let kept = self.history.kept(recorded)?;
        let (closing, changes) = again(&mut self.again, recorded, (&opened, &now, &kept), None);
        self.deeds.note(recorded, closing.as_ref(), &changes, &now);
        let asks_otherwise = changes.iter().any(|change| change.part == RetakePart::Request);
        let request = self.again.request.take().filter(|request| asks_otherwise && self.asks.is_some() && request.connection.web.is_none());
        let retake = Retake {
            seq: recorded.seq,
            moment: format!("@{name}/{}", recorded.n),
            time: iso(recorded.at, recorded.offset),
            role: recorded.stack.first().map_or_else(|| "-".into(), |worn| worn.role.clone()),
            changes,
            anew: None,
        };
        let to_ask = request.map(|request| Box::new(ToAsk { recorded: recorded.clone(), opened, now, kept, request }));
        self.taken.push((retake, to_ask));
        Ok(())
    }

    /// Whether as many are to be asked as are asked at once, or nobody is.
    fn is_full(&self) -> bool {
        let wanted = self.taken.iter().filter(|(_, to_ask)| to_ask.is_some()).count();
        wanted == 0 || self.asks.as_ref().is_none_or(|asks| wanted >= asks.at_once.max(1))
    }

    /// Asks whoever is to be asked, and tells what was taken.
    fn settle(&mut self, retakes: &mut Retakes) {
        let taken = std::mem::take(&mut self.taken);
        let requests: Vec<Request> = taken.iter().filter_map(|(_, to_ask)| Some(to_ask.as_ref()?.request.clone())).collect();
        let asked = self.asks.as_mut().filter(|_| !requests.is_empty()).map(|asks| (asks.ask)(&requests));
        let mut replies = asked.unwrap_or_default().into_iter();
        for (mut retake, to_ask) in taken {
            if let Some((to_ask, reply)) = to_ask.and_then(|to_ask| Some((to_ask, replies.next()?))) {
                self.judge(&mut retake, &to_ask, reply);
            }
            retakes.add(retake);
        }
    }

    /// Judges a moment by what its model answered now; where that is no answer, it stays unknown.
    fn judge(&mut self, retake: &mut Retake, ToAsk { recorded, opened, now, kept, request }: &ToAsk, reply: Reply) {
        let (spend, answered) = (request.spent(&reply).spend, reply.last.is_answer());
        let said = wrote(&request.to_value(), &Value::from(reply.clone())).0;
        if answered {
            retake.changes = again(&mut self.again, recorded, (opened, now, kept), Some(reply)).1;
        }
        retake.anew = Some(AskedAnew { said, answered, spend });
    }

    /// The world on which a moment was opened, recast.
    fn opened_on(&mut self, recorded: &Draft) -> Result<Arc<World>, LoadError> {
        if let Some(opened) = self.opened.of(recorded).or_else(|| self.far.as_ref().filter(|far| far.next_seq() == recorded.opened)) {
            return Ok(opened.clone());
        }
        let opened = Arc::new(self.recast.world(&self.history.world_at(recorded.opened)?));
        self.far = Some(opened.clone());
        Ok(opened)
    }
}

/// How a moment closes, with its recorded reply or with another, and its changes.
fn again(
    again: &mut Again,
    recorded: &Draft,
    (opened, now, kept): (&Arc<World>, &Arc<World>, &Kept),
    reply: Option<Reply>,
) -> (Option<Closing>, Vec<RetakeChange>) {
    let is_anew = reply.is_some();
    again.anew = reply;
    match again.moment(recorded, &Stage { opened, now, kept, key_of: &keys_of(recorded) }) {
        Ok(computed) => {
            let heard = match (is_anew, again.is_unheard) {
                (true, _) => RetakeHeard::Anew,
                (false, true) => RetakeHeard::Nobody,
                (false, false) => RetakeHeard::Recorded,
            };
            (Some(computed.closing.clone()), changes(recorded, computed, kept, heard))
        }
        Err(difference) => (None, vec![unopened(*difference)]),
    }
}
