//! Usage: what language models have cost, summed from frames as they come by: by being, space, model and day.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cognition::Request;
use crate::fact::{BeingId, Draft, Fact, Spend, Spent, Text, Value, WakeId};
use crate::moment::is_asking;
use crate::world::{World, iso};

use super::minds::Minds;

/// What something has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Moments in which a model was asked.
    pub moments: u64,
    /// Calls and tokens, and millionths of the currency.
    #[serde(flatten)]
    pub spend: Spend,
    /// How long the answers took in all, in milliseconds of the wall clock.
    pub ms: u64,
    /// Moments of which nobody heard the end: what was reserved for them counts as spent.
    pub unanswered: u64,
}

impl Sum {
    fn add(&mut self, spend: Spend, ms: u64, is_answered: bool) {
        self.moments += 1;
        self.spend = self.spend.plus(spend);
        self.ms = self.ms.saturating_add(ms);
        self.unanswered += u64::from(!is_answered);
    }

    /// The mean time of an answer, in milliseconds.
    pub fn latency(&self) -> Option<u64> {
        self.ms.checked_div(self.moments - self.unanswered.min(self.moments))
    }
}

/// What a world's models have cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Usage {
    /// In all.
    pub total: Sum,
    /// By the being that was to answer.
    pub beings: BTreeMap<Text, Sum>,
    /// By the space where it stood.
    pub spaces: BTreeMap<Text, Sum>,
    /// By the model as it was served.
    pub models: BTreeMap<Text, Sum>,
    /// By the day in the world's zone.
    pub days: BTreeMap<Text, Sum>,
    /// What was held back for all of it: the most that it could have cost.
    pub reserved: Spend,
    /// Calls of which no end is known yet.
    #[serde(skip)]
    open: BTreeMap<(BeingId, WakeId), (Spend, [Text; 3])>,
}

impl Usage {
    /// Takes in a frame, with the world after it.
    pub fn add(&mut self, draft: &Draft, world: &World) {
        let key = (draft.being, draft.wake.clone());
        let open = self.open.remove(&key);
        match (spent(draft), open) {
            (Some(spent), _) => self.sum(Self::places(draft, world), Some(&spent.model), spent.spend, spent.ms, true),
            (None, Some((held, places))) => self.sum(places, None, held, 0, false),
            (None, None) => {}
        }
        let reserved = draft.facts.iter().find_map(|fact| if let Fact::Reserved(spend) = fact { Some(**spend) } else { None });
        if let Some(spend) = reserved.filter(|_| is_asking(draft)) {
            self.reserved = self.reserved.plus(spend);
            self.open.insert(key, (spend, Self::places(draft, world)));
        }
    }

    /// Counts the calls that nobody has closed: they are under way now, or the run that made them has died.
    pub fn end(&mut self) {
        for (_, (held, places)) in std::mem::take(&mut self.open) {
            self.sum(places, None, held, 0, false);
        }
    }

    /// Who, where, and on which day.
    fn places(draft: &Draft, world: &World) -> [Text; 3] {
        let being = world.being(draft.being);
        let name = being.map_or_else(|| draft.being.to_string(), |being| format!("@{}", being.name));
        let space = being.map(|being| world.path_of(being.position)).unwrap_or_default();
        let day: String = iso(draft.at, draft.offset).chars().take(10).collect();
        [name.into(), space.into(), day.into()]
    }

    fn sum(&mut self, [being, space, day]: [Text; 3], model: Option<&Text>, spend: Spend, ms: u64, is_answered: bool) {
        let model = model.cloned().unwrap_or_else(|| "unanswered".into());
        let sums = [
            &mut self.total,
            self.beings.entry(being).or_default(),
            self.spaces.entry(space).or_default(),
            self.models.entry(model).or_default(),
            self.days.entry(day).or_default(),
        ];
        for sum in sums {
            sum.add(spend, ms, is_answered);
        }
    }
}

/// Minds for an estimate: every model looks and does nothing, with a prompt of a token for every four bytes and a short reply.
pub struct Guess;

/// How many tokens a guessed reply has.
const GUESSED_REPLY: i64 = 100;

impl Minds for Guess {
    fn ask(&mut self, requests: &[Request]) -> Vec<Value> {
        let body = r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Nothing to do."}}]}"#;
        let answer = |request: &Request| {
            let input = i64::try_from(request.body.len().div_ceil(4)).unwrap_or(i64::MAX);
            let usage = Value::map([("input", Value::Int(input)), ("output", Value::Int(GUESSED_REPLY))]);
            Value::map([("status", Value::Int(200)), ("body", Value::text(body)), ("usage", usage)])
        };
        requests.iter().map(answer).collect()
    }
}

/// What one moment has cost, where its frame says so.
pub fn spent(draft: &Draft) -> Option<&Spent> {
    draft.facts.iter().find_map(|fact| if let Fact::Spent(spent) = fact { Some(&**spent) } else { None })
}
