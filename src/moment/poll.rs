//! Polling: a panel asks its members for their votes, each by one question under the role that the panel wears.

use crate::fact::{BeingId, Call, Code, Fact, KeyOf, Millis, Reason, Summons, Thing, Value, Verb, Verbs};
use crate::role::Entry;
use crate::verb::{Hands, Named, Performed};
use crate::world::World;

use super::acting::{actor, behalf};
use super::open::{Composer, Opening};

/// Asks members of a panel, each of whom may only look and speak for it: one fact for each, or why the worn role lets it ask one of them not.
pub(super) fn poll(
    opening: &Opening,
    members: &[BeingId],
    world: &World,
    at: Millis,
    key_of: KeyOf<'_>,
    (hands, composer): (&mut Hands, &mut Composer),
) -> Result<Vec<Fact>, Reason> {
    let until = opening.being.panel.as_ref().map(|panel| at.saturating_add(panel.until));
    let only = Verbs::ASKING.each().map(|verb| Value::from(verb.word())).collect();
    let args = Value::map([("content", question(opening, world)), ("only", Value::List(only))]);
    let behalf = behalf(opening, world, composer);
    let mut facts = Vec::with_capacity(members.len());
    for member in members {
        let name =
            world.being(*member).map(|being| being.name.clone()).ok_or_else(|| Reason::new(Code::PanelMember, member.to_string()))?;
        let (call, bound) = (Call::summon(&format!("@{name}"), args.clone()), Ok(Named::Thing(Thing::Being(*member))));
        let actor = actor(opening, &call, world, at, (key_of, behalf.as_deref()))?;
        let Performed::Facts(asked) = actor.admit(&call, &bound)?.perform(hands)? else { continue };
        for mut fact in asked {
            if let Fact::Asked(summons) = &mut fact {
                (summons.intent, summons.in_reply_to, summons.until) = (Some(Summons::BALLOT.into()), None, until);
            }
            facts.push(fact);
        }
    }
    Ok(facts)
}

/// The question to a member: who asks, about what, and what the panel may do; where members are asked in turn, the votes before.
fn question(opening: &Opening, world: &World) -> Value {
    let list = |verb: Verb| Value::List(opening.worn.entries(verb).map(Entry::to_value).collect());
    let verbs = [("canSee", Verb::See), ("canDo", Verb::Do), ("canSummon", Verb::Summon), ("canBe", Verb::Be)];
    let options = verbs.into_iter().filter(|(_, verb)| opening.worn.entries(*verb).next().is_some()).map(|(key, verb)| (key, list(verb)));
    let ballots = opening.wake.poll().map(|poll| ("ballots", world.ballots(poll)));
    let told = [
        ("panel", Value::from(format!("@{}", opening.being.name))),
        ("about", world.told(opening.wake.about())),
        ("options", Value::map(options)),
    ];
    Value::map(told.into_iter().chain(ballots))
}
