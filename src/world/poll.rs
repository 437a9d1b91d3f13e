//! Poll: the vote that a panel takes among its members about one wake, and their ballots so far.

use std::collections::BTreeMap;

use crate::fact::{BeingId, Call, Canon, Content, Decide, Made, Millis, Value, Verb};

/// One question to the members of a panel, as long as its wake is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// The rule that makes one call of the ballots.
    pub decide: Decide,
    /// The members that have been asked, in the order in which ties are decided.
    pub asked: Vec<Polled>,
    /// Until when they are waited for.
    pub until: Millis,
}

/// A member that has been asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    /// Who.
    pub member: BeingId,
    /// The fact that asked it.
    pub asked: Made,
    /// Its ballot, once it has answered.
    pub ballot: Option<Ballot>,
}

/// The answer of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The call that the panel should make; none: it abstained, or its answer is no call.
    pub call: Option<Call>,
    /// When.
    pub at: Millis,
}

impl Ballot {
    /// A ballot as it was said: a call as a map, or as the text of one in JSON.
    pub fn read(said: &Value, at: Millis) -> Self {
        let parsed = said.as_str().filter(|text| text.trim_start().starts_with('{')).map(serde_json::from_str);
        let call = match parsed {
            Some(parsed) => parsed.ok().and_then(|value: Value| Call::read(&value).ok().flatten()),
            None => Call::read(said).ok().flatten(),
        };
        Self { call: call.map(plain), at }
    }
}

/// Of two ways to say that there are no arguments, one.
fn plain(mut call: Call) -> Call {
    if matches!(call.verb, Verb::Do | Verb::Be) && call.args == Content::Here(Value::Null) {
        call.args = Content::Here(Value::Map(Default::default()));
    }
    call
}

impl Poll {
    /// Takes the ballot of a member; nothing where it was not asked so, or has answered before.
    pub(super) fn take(&mut self, member: BeingId, asked: Made, ballot: Ballot) {
        if let Some(polled) = self.asked.iter_mut().find(|polled| polled.member == member && polled.asked == asked) {
            polled.ballot.get_or_insert(ballot);
        }
    }

    /// The votes, each with its place in the order of members.
    fn votes(&self) -> impl Iterator<Item = (usize, &Call, Millis)> {
        self.asked.iter().enumerate().filter_map(|(place, polled)| {
            let Ballot { call, at } = polled.ballot.as_ref()?;
            Some((place, call.as_ref()?, *at))
        })
    }

    /// How many have answered, also those who abstained.
    pub fn answered(&self) -> usize {
        self.asked.iter().filter(|polled| polled.ballot.is_some()).count()
    }

    /// The call that most voted for, and how many did; of those that as many voted for, the one of the member that comes first. Two votes
    /// are for one call where their calls have the same canonical bytes.
    fn foremost(&self) -> Option<(&Call, usize)> {
        let mut counts: BTreeMap<Vec<u8>, (usize, &Call, usize)> = BTreeMap::new();
        for (place, call, _) in self.votes() {
            counts.entry(call.to_canon()).or_insert((place, call, 0)).2 += 1;
        }
        let best = counts.into_values().max_by_key(|(place, _, count)| (*count, usize::MAX - place));
        best.map(|(_, call, count)| (call, count))
    }

    /// The vote that came first; of those that came at one instant, the one of the member that comes first.
    fn first(&self) -> Option<&Call> {
        self.votes().min_by_key(|(place, _, at)| (*at, *place)).map(|(_, call, _)| call)
    }

    /// The call that no further ballot can change any more, of a panel of so many.
    pub fn agreed(&self, members: usize) -> Option<&Call> {
        match self.decide {
            Decide::Majority => self.foremost().filter(|(_, count)| count * 2 > members).map(|(call, _)| call),
            Decide::First => self.first(),
            Decide::Script { .. } => None,
        }
    }

    /// The call that the ballots come to once nobody else is waited for; none where too few have answered.
    pub fn decided(&self, members: usize) -> Option<&Call> {
        match self.decide {
            Decide::Majority => self.foremost().filter(|_| self.answered() * 2 > members).map(|(call, _)| call),
            Decide::First => self.first(),
            Decide::Script { .. } => None,
        }
    }

    /// Whether nobody is waited for any more of those who were asked last: who was asked in turn before them has been waited for.
    pub(super) fn is_ready(&self) -> bool {
        let last = self.asked.last().map(|polled| polled.asked.seq);
        let is_waited_for = |polled: &Polled| Some(polled.asked.seq) == last && polled.ballot.is_none();
        let at_once = self.asked.iter().all(|polled| Some(polled.asked.seq) == last);
        !self.asked.iter().any(is_waited_for) || (at_once && self.agreed(self.asked.len()).is_some())
    }
}
