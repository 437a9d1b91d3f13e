//! Recall: the see-resolvers that every world has: what a being remembers of a conversation, a place, another being, and of itself.
//!
//! There is no transcript: what is recalled is folded from frames, the newest first as far as a budget of tokens reaches, and told with
//! the oldest first.

use crate::fact::{BeingId, Made, Orientation, Text, Thing, Value, Verb};
use crate::world::{Being, Happened, Happening, Local};

use super::gate::Asker;

/// The words of the conversation that a summons belongs to.
pub const THREAD: &str = "thread";
/// What happened and was said where the being is.
pub const RECENT_HERE: &str = "recent-here";
/// What lies between the being and whoever woke it.
pub const ABOUT_CALLER: &str = "about-caller";
/// What the being itself did.
pub const OWN_ACTS: &str = "own-acts";
/// What was done as the being while somebody drove it.
pub const HANDOVER: &str = "handover";

/// All of them.
pub const RECALLED: &[&str] = &[THREAD, RECENT_HERE, ABOUT_CALLER, OWN_ACTS, HANDOVER];

/// About how many bytes a token has: by this what a model is told is kept within its budgets, whatever the model counts.
pub const TOKEN: usize = 4;

/// What a being recalls, and of whom.
pub struct Recall<'a> {
    /// Who recalls, as what.
    pub asker: Asker<'a>,
    /// The summons that it answers.
    pub answers: Option<Made>,
    /// Turned to itself, it recalls twice as much.
    pub orientation: Orientation,
}

impl Recall<'_> {
    /// What a resolver of that name answers; nothing where there is none of that name, or nothing to recall.
    pub fn of(&self, name: &str) -> Option<Value> {
        let Asker { world, actor, caller, .. } = self.asker;
        let memory = world.memory();
        match name {
            // What is to be answered is told by itself.
            THREAD => self.answers.zip(caller).and_then(|(now, caller)| {
                self.within(memory.between(actor.id, caller).iter().rev().filter(|happening| happening.seq != now.seq))
            }),
            RECENT_HERE => self.within(memory.of_place(actor.position).iter().rev().filter(|happening| self.may_know(happening))),
            ABOUT_CALLER => caller.map(|caller| self.about(caller)),
            OWN_ACTS => self.within(memory.own(actor.id).iter().rev()),
            HANDOVER => self.handover(),
            _ => None,
        }
    }

    /// What is said in a space is heard by all who are there; what is done, by those who see who does it.
    fn may_know(&self, happening: &Happening) -> bool {
        let is_own = happening.who == self.asker.actor.id;
        let is_said = matches!(happening.what, Happened::Said { .. });
        is_own || is_said || self.asker.may_reach(Verb::See, Thing::Being(happening.who)).is_ok()
    }

    /// As many as the budget allows, of those that come the newest first.
    fn within<'a>(&self, newest: impl Iterator<Item = &'a Happening>) -> Option<Value> {
        let tokens = self.asker.world.count_setting("tokens.recall", self.asker.actor);
        let deeper = if self.orientation == Orientation::Forward { 1 } else { 2 };
        let mut left = usize::try_from(tokens).unwrap_or(0).saturating_mul(TOKEN * deeper);
        let mut lines: Vec<Value> = Vec::new();
        for happening in newest {
            let line = self.line(happening);
            let Some(rest) = left.checked_sub(line.len() + TOKEN) else { break };
            left = rest;
            lines.push(Value::from(line));
        }
        lines.reverse();
        if lines.is_empty() { None } else { Some(Value::List(lines)) }
    }

    fn name(&self, being: BeingId) -> String {
        if being == self.asker.actor.id {
            return "you".to_owned();
        }
        self.asker.world.being(being).map_or_else(|| being.to_string(), |being| format!("@{}", being.name))
    }

    fn line(&self, happening: &Happening) -> String {
        let world = self.asker.world;
        let time: String = Local::of(happening.at, world.zone()).iso().get(11..16).unwrap_or_default().to_owned();
        let who = self.name(happening.who);
        let what = match &happening.what {
            Happened::Did { action, target } => format!("did {action} on {target}"),
            Happened::Said { words } => format!("said: {words}"),
            Happened::Summoned { to, words, .. } => format!("told {}: {words}", self.name(*to)),
            Happened::Went { from, to } => format!("went from {} to {}", world.path_of(*from), world.path_of(*to)),
            Happened::Became { operation } => format!("did {operation}"),
        };
        format!("{time} {who} {what}")
    }

    /// Who the caller is to the being, and what passed between them.
    fn about(&self, caller: BeingId) -> Value {
        let Asker { world, actor, at, .. } = self.asker;
        let Some(other) = world.being(caller) else { return Value::Null };
        let related = |one: &Being, other: &Being| one.parent == Some(other.id);
        let kin = match (related(actor, other), related(other, actor), other.id == actor.id) {
            (_, _, true) => "yourself",
            (true, ..) => "your parent",
            (_, true, _) => "your child",
            _ if world.is_ancestor(other.id, actor.id) => "an ancestor of yours",
            _ if world.is_ancestor(actor.id, other.id) => "a descendant of yours",
            _ => "no kin of yours",
        };
        let words = world.memory().between(actor.id, caller);
        let met = words.iter().next().map_or(Value::Null, |first| Value::from(Local::of(first.at, world.zone()).iso()));
        let wearing: Vec<Value> = world.wears(caller, at).iter().map(Value::from).collect();
        Value::map([
            ("name", Value::from(format!("@{}", other.name))),
            ("cognition", Value::from(other.cognition.word())),
            ("kin", Value::text(kin)),
            ("isHere", Value::Bool(other.position == actor.position)),
            ("wearing", Value::List(wearing)),
            ("words", Value::Int(words.iter().count() as i64)),
            ("firstOfThem", met),
        ])
    }

    /// What was done as the being since it last acted of itself.
    fn handover(&self) -> Option<Value> {
        let own = self.asker.world.memory().own(self.asker.actor.id);
        let driven = || own.iter().rev().take_while(|happening| happening.driver.is_some());
        let driver = driven().next().and_then(|newest| newest.driver)?;
        let acts = self.within(driven())?;
        let note: Text = format!("{} drove you; these were your own deeds", self.name(driver)).into();
        Some(Value::map([("note", Value::from(note)), ("acts", acts)]))
    }
}
