//! Because: why somebody did something, in a sentence, as far as frames say it: the nearest cause that carries the same thing or words,
//! else the clause by which the role is worn.
//!
//! A cause counts where the moment's call takes up something of it: the being that acted, a thing, or a text. A place alone is no such thing, since
//! all that happens there shares it. A cause that carries nothing is no *because*, even where it woke the being.

use std::collections::BTreeSet;

use crate::fact::{Call, Closing, Content, Draft, Made, MatterId, Thing, Value, Verb, plain};
use crate::role::{Condition, Operand, Operator, Path};
use crate::world::{World, thing_at};

use super::happened::{ToldMoment, words_of};
use super::naming::subjects;
use super::part::{ToldPart, cut};
use super::wording::last_name;

/// How short a text may be that two calls share.
const TEXT_LEAST: usize = 3;
/// How long a word is at least that says what somebody spoke of, in letters.
const WORD_LEAST: usize = 5;
/// How many such words two speeches share at least.
const WORDS_LEAST: usize = 2;
/// Words that begin a phrase.
const PHRASES: [&str; 8] = ["at", "in", "is", "has", "no", "not", "on", "under"];
/// How long a value is in a sentence, in characters.
const VALUE_MAX: usize = 60;

/// The subjects of a moment: things by their addresses, texts in its arguments, and the words that were spoken.
#[derive(Default)]
struct Subjects {
    things: BTreeSet<String>,
    /// Where those are: what holds a thing is a place for it.
    holders: BTreeSet<String>,
    texts: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Subjects {
    fn of(call: &Call, world: &World) -> Self {
        let mut found = Self::default();
        found.thing(&call.target, world);
        if let Content::Here(args) = &call.args {
            found.value(args, world);
        }
        if let Some(said) = words_of(call) {
            found.speech(&said);
        }
        found
    }

    /// The same of a cause, to which belong whoever acted and all that was made.
    fn of_cause(cause: &Draft, call: &Call, being: &str, world: &World) -> Self {
        let mut found = Self::of(call, world);
        found.things.insert(format!("@{being}"));
        let made = (0..).zip(&cause.facts).filter_map(|(index, _)| world.matter(MatterId(Made { seq: cause.seq, index })));
        found.things.extend(made.map(|matter| matter.name.to_string()));
        found
    }

    fn thing(&mut self, address: &str, world: &World) {
        let is_address = address.starts_with(['/', '@']) && address.len() > 1 && !address.contains(char::is_whitespace);
        if !is_address || matches!(thing_at(world, address), Some(Thing::Space(_))) {
            return;
        }
        // A thing that is carried on keeps its name, and no address.
        match address.rsplit_once('/') {
            Some((holder, name)) => {
                self.holders.extend(holder.rsplit('/').next().map(str::to_owned));
                self.things.insert(name.to_owned());
            }
            None => drop(self.things.insert(address.to_owned())),
        }
    }

    fn value(&mut self, value: &Value, world: &World) {
        match value {
            Value::Text(text) if text.starts_with(['/', '@']) => self.thing(text, world),
            Value::Text(text) => {
                if text.chars().count() >= TEXT_LEAST {
                    self.texts.insert(text.to_lowercase());
                }
                self.speech(text);
            }
            Value::List(items) => items.iter().for_each(|item| self.value(item, world)),
            Value::Map(map) => map.values().for_each(|value| self.value(value, world)),
            _ => {}
        }
    }

    fn speech(&mut self, said: &str) {
        let line: String = plain(said).collect::<String>().to_lowercase();
        let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD_LEAST);
        self.words.extend(words.map(str::to_owned));
    }

    /// Whether a moment takes up something of a cause.
    fn takes_up(&self, cause: &Self) -> bool {
        let shares = |texts: &BTreeSet<String>, others: &BTreeSet<String>| texts.intersection(others).next().is_some();
        let is_place = |thing: &&String| self.holders.contains(*thing) || cause.holders.contains(*thing);
        let is_spoken = |text: &String| text.chars().count() >= WORD_LEAST && cause.words.contains(text);
        self.things.intersection(&cause.things).any(|thing| !is_place(&thing))
            || shares(&self.texts, &cause.texts)
            || self.texts.iter().any(is_spoken)
            || self.words.intersection(&cause.words).count() >= WORDS_LEAST
    }
}

/// The nearest of the causes of a moment that carries the same thing or words, as a sentence behind *because*; none where no cause does.
pub fn carried(moment: &Draft, causes: &[Draft], world: &World) -> Option<Vec<ToldPart>> {
    let own = world.being(moment.being)?.name.to_string();
    let mut about = Subjects::of(moment.call.as_ref()?, world);
    about.things.remove(&format!("@{own}"));
    // Of those to whom one speaks it tells nothing that they did something before, unless one answers them.
    if let Some(call) = moment.call.as_ref().filter(|call| call.verb == Verb::Summon && moment.answers().is_none()) {
        about.things.remove(call.target.as_ref());
    }
    let takes_up = |cause: &&Draft| {
        let (Some(call), Some(actor)) = (&cause.call, world.being(cause.being)) else { return false };
        let is_deed = cause.closing == Closing::Act && call.verb != Verb::See && cause.being != moment.being;
        is_deed && about.takes_up(&Subjects::of_cause(cause, call, &actor.name, world))
    };
    let cause = causes.iter().find(takes_up)?;
    let actor = world.being(cause.being)?;
    let told = ToldMoment::of(cause, world).told.into_iter().filter(|part| !part.is_why);
    Some(subjects(&[&actor.name]).into_iter().chain([ToldPart::words(" ")]).chain(told).collect())
}

/// The clause by which the primary is worn, as a sentence behind *because*; none where it asks for no signal and no quality.
pub fn in_force(moment: &Draft, world: &World) -> Option<Vec<ToldPart>> {
    if moment.closing != Closing::Act || moment.call.is_none() {
        return None;
    }
    let worn = moment.stack.first().filter(|worn| worn.space.is_none())?;
    let (role, conditions) = world.being(moment.being)?.flow.asked(worn.clause?)?;
    let said: Vec<String> = conditions.into_iter().filter(|_| *role == worn.role).filter_map(condition).collect();
    (!said.is_empty()).then(|| vec![ToldPart::words(said.join(" and "))])
}

/// Whether a signal is called by words that have no article, such as `in session`.
fn is_phrase(path: &str) -> bool {
    last_name(path).split(' ').next().is_some_and(|first| PHRASES.contains(&first))
}

/// A condition as people say it: `the alarm is on`.
fn condition(asked: &Condition) -> Option<String> {
    let (of, path) = match &asked.path {
        Path::World(path) => (if is_phrase(path) { "" } else { "the " }, path),
        Path::MeQuality(path) => ("its ", path),
        Path::SpaceQuality(path) => ("the place's ", path),
        _ => return None,
    };
    let Operand::Value(operand) = &asked.operand else { return None };
    let (name, says) = (last_name(path), asked.operator.says());
    let said = match (asked.operator, operand) {
        (Operator::Eq, Value::Bool(true)) | (Operator::Ne, Value::Bool(false)) => "is on".to_owned(),
        (Operator::Eq, Value::Bool(false)) | (Operator::Ne, Value::Bool(true)) => "is not on".to_owned(),
        (Operator::Eq, Value::Null) | (Operator::Present, Value::Bool(false)) => "is not there".to_owned(),
        (Operator::Ne, Value::Null) | (Operator::Present, _) => "is there".to_owned(),
        (_, Value::Text(text)) => format!("{says} {text}"),
        (_, Value::Map(_) | Value::List(_)) => return None,
        (_, value) => format!("{says} {value}"),
    };
    let line: String = plain(&format!("{of}{name} {said}")).collect();
    Some(cut(&line, VALUE_MAX))
}
