//! Drafted: what a draft says, and what would become another if whoever holds it published it.
//!
//! A draft is known by the hash of what it would do and of what stood there when it was drawn up: whoever publishes it names that hash, so
//! that nothing is published but what they have read.

use crate::fact::{Call, Canon, Hash, Map, SpaceId, Text, Thing, Value, Verb};
use crate::role::Spec;
use crate::world::{DRAFT, Matter, World};

/// The prefix of an operation on identity.
pub(super) const BE: &str = "be.";

/// The call in a draft, done by the being that publishes it.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftedCall {
    /// An operation, or `be.` and an operation on identity.
    pub action: Text,
    /// The address of its target; empty for an operation on identity.
    pub target: Text,
    /// The arguments.
    pub args: Value,
    /// The hash of what stood there when it was drawn up.
    pub base: Text,
}

impl DraftedCall {
    /// The call of a draft; none for matter that is no draft.
    pub fn of(matter: &Matter) -> Option<Self> {
        let text = |key: &str| matter.content.get(key).and_then(Value::as_text).cloned();
        let args = || matter.content.get("args").cloned();
        if matter.kind.as_ref() != DRAFT {
            return None;
        }
        Some(Self { action: text("action")?, target: text("target")?, args: args()?, base: text("base")? })
    }

    /// The hash by which it is published.
    pub fn hash(&self) -> Hash {
        Hash::of(&self.said().to_canon())
    }

    fn said(&self) -> Value {
        let Self { action, target, args, base } = self;
        Value::map([("action", action.into()), ("target", target.into()), ("args", args.clone()), ("base", base.into())])
    }

    /// As matter holds it.
    pub fn to_value(&self) -> Value {
        let hash = [("hash".into(), Value::from(self.hash().to_string()))];
        if let Value::Map(said) = self.said() { Value::Map(said.into_iter().chain(hash).collect::<Map>()) } else { Value::Null }
    }

    /// The call by which it is done.
    pub fn call(&self) -> Call {
        match self.action.strip_prefix(BE) {
            Some(operation) => Call::be(operation, self.args.clone()),
            None => Call::doing(&self.target, &self.action, self.args.clone()),
        }
    }

    /// How it is done.
    pub fn verb(&self) -> Verb {
        if self.action.starts_with(BE) { Verb::Be } else { Verb::Do }
    }

    /// The present value of what it would replace; null where nothing can be compared.
    pub fn now(world: &World, action: &str, of: Thing, args: &Value) -> Value {
        let named = |key: &str| args.get(key).and_then(Value::as_str).unwrap_or_default();
        let being = || if let Thing::Being(id) = of { world.being(id) } else { None };
        let texts = |texts: &[Text]| Value::List(texts.iter().map(Value::from).collect());
        let (registry, name) = (world.registry(), named("name"));
        let found = match (action, of) {
            ("role.set", Thing::Space(SpaceId::ROOT)) => registry.roles.get(name).map(|role| role.spec.to_value()),
            ("role.set", Thing::Space(space)) => registry.local_role(name, space).map(|role| role.spec.to_value()),
            ("flow.set", Thing::Space(space)) => world.space(space).and_then(|space| Some(space.flow.as_ref()?.flow.source().clone())),
            ("flow.set", _) => being().map(|being| being.flow.source().clone()),
            ("flow.default", _) => being().map(|being| being.default_role.as_ref().into()),
            ("grants.set", _) => being().map(|being| texts(&being.grants)),
            ("home.set", _) => being().map(|being| world.path_of(being.home).into()),
            ("cognition.set", _) => being().map(|being| {
                let panel = being.panel.as_ref().map(|panel| ("panel", panel.to_value()));
                let thinks = [("cognition", Value::from(being.cognition.word())), ("script", being.script.as_ref().into())];
                Value::map(thinks.into_iter().chain(panel))
            }),
            ("signal.set", _) => world.signals().at(named("path")).cloned(),
            ("own.allow", Thing::Space(space)) => world.space(space).map(|space| texts(&space.allow)),
            ("config.set", _) => world.said_at(named("key"), of).cloned(),
            ("script.set", _) => registry.scripts.get(name).map(|script| Value::from(&script.source)),
            ("rule.set", _) => registry.rules.get(name).map(|rule| (*rule.source).clone()),
            _ => None,
        };
        found.unwrap_or_default()
    }

    /// The value that would stand there instead, as far as it can be compared.
    fn then(&self) -> Value {
        let key = match self.action.as_ref() {
            "role.set" => {
                let role = self.args.get("role").cloned().unwrap_or_default();
                return Spec::from_value(&role).map_or(role, |spec| spec.to_value());
            }
            "flow.set" => "flow",
            "flow.default" => "role",
            "grants.set" => "grants",
            "home.set" => "home",
            "own.allow" => "allow",
            "script.set" => "source",
            "rule.set" => "rule",
            "signal.set" | "config.set" => "value",
            _ => return self.args.clone(),
        };
        self.args.get(key).cloned().unwrap_or_default()
    }

    /// Where what would stand there differs from what does.
    pub fn difference(&self, world: &World, of: Thing) -> Vec<DraftChange> {
        let mut found = Vec::new();
        differ("", &Self::now(world, &self.action, of, &self.args), &self.then(), &mut found);
        found
    }
}

/// The hash of what stands somewhere, as a draft names what it was drawn up against.
pub(super) fn base_of(now: &Value) -> Text {
    Hash::of(&now.to_canon()).to_string().into()
}

/// A place at which two values differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct DraftChange {
    /// Where, such as `/canDo/2`; empty for the whole.
    pub place: String,
    /// The present value there; null where there is none.
    pub is: Value,
    /// The value that would stand there.
    pub would: Value,
}

/// Notes where two values differ: maps by their keys, lists by their places, anything else as a whole.
fn differ(place: &str, is: &Value, would: &Value, found: &mut Vec<DraftChange>) {
    let null = Value::Null;
    match (is, would) {
        (is, would) if is == would => {}
        (Value::Map(is), Value::Map(would)) => {
            let keys: std::collections::BTreeSet<&Text> = is.keys().chain(would.keys()).collect();
            keys.into_iter().for_each(|key| {
                differ(&format!("{place}/{key}"), is.get(key).unwrap_or(&null), would.get(key).unwrap_or(&null), found);
            });
        }
        (Value::List(is), Value::List(would)) => {
            for at in 0..is.len().max(would.len()) {
                differ(&format!("{place}/{at}"), is.get(at).unwrap_or(&null), would.get(at).unwrap_or(&null), found);
            }
        }
        (is, would) => found.push(DraftChange { place: place.to_owned(), is: is.clone(), would: would.clone() }),
    }
}
