//! Told: a wake as the mind and the log show it.

use crate::fact::{Answering, Call, Value};

use super::called::address_of;
use super::heard::{HeardWord, HeardWords};
use super::poll::{Poll, Polled};
use super::wake::{Body, Wake};
use super::whole::World;

impl World {
    /// A wake as the mind and the log show it.
    pub fn told(&self, wake: &Wake) -> Value {
        let name_of = |being| self.name_of(being);
        let mut pairs = vec![
            ("kind", Value::from(wake.id.kind.word())),
            ("cause", Value::from(wake.id.cause.to_string())),
            ("due", Value::Int(wake.id.due)),
        ];
        match &wake.body {
            Body::Summons { from, summons, content, .. } => pairs.extend([
                ("from", name_of(*from)),
                ("content", (**content).clone()),
                ("intent", summons.intent.as_ref().into()),
                ("callerRole", summons.caller_role.as_ref().into()),
                ("inReplyTo", summons.in_reply_to.map(|made| made.to_string()).into()),
            ]),
            Body::Signal { path } => pairs.push(("path", path.into())),
            Body::Schedule { name, content } => pairs.extend([("name", name.into()), ("content", (**content).clone())]),
            Body::Enter { space } => pairs.push(("space", Value::from(self.path_of(*space)))),
            Body::Arrival { who } => pairs.push(("from", name_of(*who))),
            Body::Hear { hearing } => pairs.extend(self.told_heard(wake, hearing)),
            Body::Watch { who, action, target, place, entry: _, count } => pairs.extend([
                ("from", name_of(*who)),
                ("action", action.into()),
                ("target", Value::from(address_of(self, *target))),
                ("place", Value::from(self.path_of(*place))),
                ("count", Value::Int(i64::from(*count))),
                ("frame", Value::Int(wake.newest.seq as i64)),
            ]),
            Body::Change { wore } => {
                pairs.extend([("wore", Value::List(wore.iter().map(Value::from).collect())), ("frame", Value::Int(wake.newest.seq as i64))])
            }
            Body::ReplyDue { about, poll } => {
                pairs.extend([("about", self.told(about)), ("until", Value::Int(poll.until)), ("ballots", self.ballots(poll))])
            }
            Body::Boot { since } => pairs.push(("since", Value::Int(*since))),
            Body::Crossing | Body::SelfContinue { .. } | Body::Gesture | Body::End => {}
        }
        if let Some(until) = wake.summons().and_then(|summons| summons.until) {
            pairs.push(("until", Value::Int(until)));
        }
        // A default is left out.
        if !wake.only().is_all() {
            pairs.push(("only", Value::List(wake.only().each().map(|verb| Value::from(verb.word())).collect())));
        }
        if wake.summons().is_some_and(|summons| !summons.wants_answer()) {
            pairs.push(("answer", Value::from(Answering::None.word())));
        }
        Value::map(pairs)
    }

    /// The word that a wake stands for; where there are more, all that are kept and how many there were.
    fn told_heard(&self, wake: &Wake, hearing: &HeardWords) -> Vec<(&'static str, Value)> {
        let word = |heard: &HeardWord| [("from", self.name_of(heard.who)), ("content", Value::from(&heard.content))];
        let one = hearing.of_root(wake.root).map(word).into_iter().flatten();
        let all = (hearing.count > 1).then(|| {
            let words = hearing.words.iter().map(|heard| Value::map(word(heard))).collect();
            [("heard", Value::List(words)), ("count", Value::Int(i64::try_from(hearing.count).unwrap_or(i64::MAX)))]
        });
        one.chain(all.into_iter().flatten()).collect()
    }

    /// How the members of a panel have voted, in their order: the call, nothing where one abstained; who has not answered stands there alone.
    pub fn ballots(&self, poll: &Poll) -> Value {
        let told = |polled: &Polled| {
            let vote = polled.ballot.as_ref().map(|ballot| ("vote", ballot.call.as_ref().map_or(Value::Null, Call::to_value)));
            Value::map([("of", self.name_of(polled.member))].into_iter().chain(vote))
        };
        Value::List(poll.asked.iter().map(told).collect())
    }
}
