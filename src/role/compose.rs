//! Compose: makes the one worn role of a stack.
//!
//! Lists are united in order and the first occurrence wins; prompts are layered; every other option is the primary's.

use crate::fact::{Canon, Cognition, Hash, Millis, Orientation, Reason, RespondMode, SpaceId, Text, Trigger, Value, Verb, Verbs};

use super::entry::Entry;
use super::spec::Spec;
use super::words::{Layer, fit_words, written_words};

/// The role that a being wears in one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worn {
    /// The primary's name.
    pub name: Text,
    /// The names of the whole stack, the primary first.
    pub stack: Vec<Text>,
    /// The things that it may read.
    pub can_see: Vec<Entry>,
    /// The actions that it may do.
    pub can_do: Vec<Entry>,
    /// The beings that it may summon.
    pub can_summon: Vec<Entry>,
    /// The operations on identity that it may use.
    pub can_be: Vec<Entry>,
    /// The roles lent by the flows of spaces around: each holds only for targets inside its space.
    pub lent: Vec<Lent>,
    /// The see-resolvers that fill the face.
    pub see: Vec<Text>,
    /// The one cognition that may wear it.
    pub required_cognition: Option<Cognition>,
    /// Whether it goes on by itself after an act.
    pub self_continue: bool,
    /// The triggers that may wake its wearer.
    pub trigger_on: Vec<Trigger>,
    /// The orientation of its moments: what they fold in.
    pub default_orientation: Orientation,
    /// Whether who summons it awaits an answer.
    pub respond_mode: RespondMode,
    /// Whether what it does for a summons counts as done by whoever summons.
    pub acts_for_caller: bool,
    /// The script that thinks for it.
    pub script: Option<Text>,
    /// The kind of model for its moments.
    pub slot: Option<Text>,
    /// How much world time a thought takes.
    pub thinks: Option<Millis>,
    /// The verbs that it is narrowed to: the lists of others are empty.
    pub only: Verbs,
    /// The words of the whole stack, the primary's first.
    pub layers: Vec<Layer>,
    /// The hash over the hashes of the stack's members, in order.
    pub hash: Hash,
}

/// The entries of one role that came by the flow of a space: they hold inside that space, and none of them is for be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lent {
    /// The space whose flow lent it.
    pub space: SpaceId,
    /// The role.
    pub role: Text,
    /// The things that it lets its wearer read there.
    pub can_see: Vec<Entry>,
    /// The actions that it lets its wearer do there.
    pub can_do: Vec<Entry>,
    /// The beings that it lets its wearer summon there.
    pub can_summon: Vec<Entry>,
}

impl Lent {
    /// The entries of a verb.
    pub fn list(&self, verb: Verb) -> &[Entry] {
        match verb {
            Verb::See => &self.can_see,
            Verb::Do => &self.can_do,
            Verb::Summon => &self.can_summon,
            Verb::Be => &[],
        }
    }

    fn clear(&mut self, verb: Verb) {
        match verb {
            Verb::See => self.can_see.clear(),
            Verb::Do => self.can_do.clear(),
            Verb::Summon => self.can_summon.clear(),
            Verb::Be => {}
        }
    }
}

impl Worn {
    /// An empty stack, for a being with nothing to wear: it allows nothing.
    pub fn nothing() -> Self {
        let spec = Spec::default();
        let hash = Hash::of(&[]);
        Self { hash, stack: Vec::new(), ..compose_with(&spec, &[]) }
    }

    /// The same narrowed to some verbs. Its stack and its hash stay the same; the lists of the other verbs are cleared.
    pub fn narrow(&self, only: Verbs) -> Self {
        let mut narrowed = Self { only: self.only.and(only), ..self.clone() };
        let missing = Verb::ALL.iter().filter(|verb| !narrowed.only.contains(**verb));
        for verb in missing.copied().collect::<Vec<_>>() {
            match verb {
                Verb::See => narrowed.can_see.clear(),
                Verb::Do => narrowed.can_do.clear(),
                Verb::Summon => narrowed.can_summon.clear(),
                Verb::Be => narrowed.can_be.clear(),
            }
            narrowed.lent.iter_mut().for_each(|lent| lent.clear(verb));
        }
        narrowed
    }

    /// The same with a role that the flow of a space stacks on it.
    pub fn lend(&self, space: SpaceId, spec: &Spec) -> Self {
        let mut worn = self.clone();
        worn.stack.push(spec.name.clone());
        worn.lent.push(Lent {
            space,
            role: spec.name.clone(),
            can_see: spec.can_see.clone(),
            can_do: spec.can_do.clone(),
            can_summon: spec.can_summon.clone(),
        });
        let new: Vec<Text> = spec.see.iter().filter(|name| !worn.see.contains(name)).cloned().collect();
        worn.see.extend(new);
        worn.layers.push(layer(spec));
        let mut hashes = self.hash.0.to_vec();
        hashes.extend_from_slice(&space.to_canon());
        hashes.extend_from_slice(&spec.hash().0);
        worn.hash = Hash::of(&hashes);
        worn
    }

    /// Its words as they were written.
    pub fn words(&self) -> String {
        written_words(&self.layers)
    }

    /// Its words with their places filled in, in so many bytes at most: what has no room falls, the last modifiers first.
    pub fn fit(&self, values: &Value, room: usize) -> Result<String, Reason> {
        fit_words(&self.layers, values, room)
    }

    /// Whether it has any entry for a verb.
    pub fn has(&self, verb: Verb) -> bool {
        !self.list(verb).is_empty() || self.lent.iter().any(|lent| !lent.list(verb).is_empty())
    }

    /// Every entry for a verb, those that hold only somewhere among them.
    pub fn entries(&self, verb: Verb) -> impl Iterator<Item = &Entry> {
        self.list(verb).iter().chain(self.lent.iter().flat_map(move |lent| lent.list(verb)))
    }

    /// The can* list of a verb.
    pub fn list(&self, verb: Verb) -> &[Entry] {
        match verb {
            Verb::See => &self.can_see,
            Verb::Do => &self.can_do,
            Verb::Summon => &self.can_summon,
            Verb::Be => &self.can_be,
        }
    }
}

/// Composes a stack, the primary first; nothing for an empty one, because then the moment is `no-role`.
pub fn compose(stack: &[&Spec]) -> Option<Worn> {
    stack.first().map(|primary| compose_with(primary, stack))
}

fn compose_with(primary: &Spec, stack: &[&Spec]) -> Worn {
    let mut hashes = Vec::with_capacity(32 * stack.len());
    stack.iter().for_each(|spec| hashes.extend_from_slice(&spec.hash().0));
    let list = |verb: Verb| union(stack, |spec| spec.list(verb));
    Worn {
        name: primary.name.clone(),
        stack: stack.iter().map(|spec| spec.name.clone()).collect(),
        can_see: list(Verb::See),
        can_do: list(Verb::Do),
        can_summon: list(Verb::Summon),
        can_be: list(Verb::Be),
        lent: Vec::new(),
        see: union(stack, |spec| &spec.see),
        required_cognition: primary.required_cognition,
        self_continue: primary.self_continue,
        trigger_on: primary.trigger_on.clone(),
        default_orientation: primary.default_orientation,
        respond_mode: primary.respond_mode,
        acts_for_caller: primary.acts_for_caller,
        script: primary.script.clone(),
        slot: primary.slot.clone(),
        thinks: primary.thinks,
        only: Verbs::ALL,
        layers: stack.iter().copied().map(layer).collect(),
        hash: Hash::of(&hashes),
    }
}

fn union<'a, T: Clone + PartialEq + 'a>(stack: &[&'a Spec], list: impl Fn(&'a Spec) -> &'a [T]) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for item in stack.iter().flat_map(|spec| list(spec)) {
        if !all.contains(item) {
            all.push(item.clone());
        }
    }
    all
}

fn layer(spec: &Spec) -> Layer {
    Layer { role: spec.name.clone(), words: spec.prompt.clone() }
}
