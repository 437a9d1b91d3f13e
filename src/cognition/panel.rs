//! Panel: a being that thinks by asking others: whom it asks next, and what their ballots come to.

use std::sync::Arc;

use crate::fact::{Code, Decide, Reason, Text, Thought, Turns, Value};
use crate::moment::{Answer, Opening};
use crate::script::Sandbox;
use crate::verb::members;
use crate::world::{Poll, World};

use super::script::{run, to_call};

/// The outcome of opening a panel: members to ask, the call that they decided on, or a reason for none.
pub fn deliberate(opening: &Opening, world: &Arc<World>, sandbox: &mut Sandbox) -> Answer {
    sandbox.begin();
    step(opening, world, sandbox).unwrap_or_else(|reason| Answer { failure: Some(reason), ..Answer::none() })
}

fn step(opening: &Opening, world: &Arc<World>, sandbox: &mut Sandbox) -> Result<Answer, Reason> {
    let in_turn = opening.being.panel.as_ref().is_some_and(|panel| panel.ask == Turns::InTurn);
    let Some(poll) = opening.wake.poll() else {
        let mut asks = members(world, &opening.being)?;
        asks.truncate(if in_turn { 1 } else { asks.len() });
        return Ok(Answer { asks, ..Answer::none() });
    };
    let mut left = if in_turn { members(world, &opening.being)? } else { Vec::new() };
    left.retain(|member| poll.asked.iter().all(|polled| polled.member != *member));
    let members = poll.asked.len() + left.len();
    if poll.agreed(members).is_none() && !left.is_empty() {
        left.truncate(1);
        return Ok(Answer { asks: left, ..Answer::none() });
    }
    if let Decide::Script { name } = &poll.decide {
        return judged(opening, world, (name, poll), sandbox);
    }
    let call = poll.agreed(members).or_else(|| poll.decided(members)).cloned();
    let call = call.ok_or_else(|| no_quorum(poll, members))?;
    let bound = opening.bind(world, &call);
    Ok(Answer { call: Some((call, bound)), ..Answer::none() })
}

fn no_quorum(poll: &Poll, members: usize) -> Reason {
    Reason::new(Code::NoQuorum, format!("{} of {members}", poll.answered()))
}

/// The answer of a script to the ballots: its `decide(face)`, whose face has them as `ballots`.
fn judged(opening: &Opening, world: &Arc<World>, (name, poll): (&Text, &Poll), sandbox: &mut Sandbox) -> Result<Answer, Reason> {
    if poll.answered() == 0 {
        return Err(no_quorum(poll, poll.asked.len()));
    }
    let mut face = opening.face(world);
    if let Value::Map(map) = &mut face {
        map.insert("ballots".into(), world.ballots(poll));
    }
    let mut answer = Answer { thought: Thought::Script, ..Answer::none() };
    match run(opening, world, name, ("decide", ""), face, sandbox).and_then(|value| to_call(&value)) {
        Ok(call) => {
            answer.call = call.map(|call| {
                let bound = opening.bind(world, &call);
                (call, bound)
            });
        }
        Err(reason) => answer.failure = Some(reason),
    }
    Ok(answer)
}
