//! Otherwise: overrides from another source for the beings, the spaces and the world that are there: flows, default roles and settings.
//!
//! They replace the values that the world was planted with. A value that its history has set since stays.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::fact::{BeingId, Made, Map, SpaceId, Text, Value};
use crate::role::Flow;

use super::being::Being;
use super::setting::{OwnSettings, SaidSetting};
use super::space::{Space, SpaceFlow};
use super::whole::World;

/// A being as another source says it.
#[derive(Clone, Debug)]
pub struct OtherBeing {
    /// Its flow.
    pub flow: Arc<Flow>,
    /// The role that it wears when no clause matches.
    pub default_role: Option<Text>,
    /// The settings for it alone.
    pub settings: Map,
}

/// A space as another source says it.
#[derive(Clone, Debug)]
pub struct OtherSpace {
    /// The flow that it lends to all who stand inside; nothing keeps the one that it has.
    pub flow: Option<Arc<Flow>>,
    /// The settings in it.
    pub settings: Map,
}

/// The overrides of another source, by thing.
#[derive(Clone, Debug, Default)]
pub struct OtherThings {
    /// Of beings, by their names.
    pub beings: BTreeMap<Text, OtherBeing>,
    /// Of spaces, by their paths.
    pub spaces: BTreeMap<Text, OtherSpace>,
    /// Of settings of the world.
    pub config: BTreeMap<Text, Arc<Value>>,
}

/// The same for one history, whose things are known by their ids, whatever they are called later.
#[derive(Clone, Debug)]
pub(super) struct OtherLives {
    /// The world as it was planted.
    begun: Arc<World>,
    beings: BTreeMap<BeingId, OtherBeing>,
    spaces: BTreeMap<SpaceId, OtherSpace>,
    /// The beings of the last world that was recast, and what came of them: from one moment to the next hardly any is another.
    last: (OrdMap<BeingId, Arc<Being>>, OrdMap<BeingId, Arc<Being>>),
}

/// The override that replaces a value: none where the value is no more as it was planted, or is the same.
fn instead<'a, T: PartialEq>(begun: &T, now: &T, other: &'a T) -> Option<&'a T> {
    Some(other).filter(|other| begun == now && *other != now)
}

impl OtherLives {
    pub(super) fn of(things: &OtherThings, begun: Arc<World>) -> Self {
        let being = |(name, other): (&Text, &OtherBeing)| Some((begun.being_named(name)?.id, other.clone()));
        let beings = things.beings.iter().filter_map(being).collect();
        let spaces = begun.spaces.keys().filter_map(|id| Some((*id, things.spaces.get(begun.path_of(*id).as_str())?.clone()))).collect();
        Self { begun, beings, spaces, last: Default::default() }
    }

    /// Puts it into a world of that history; whether what is set in spaces is another now.
    pub(super) fn put(&mut self, world: &mut World) -> bool {
        let (was, mut made) = std::mem::take(&mut self.last);
        for item in was.diff(&world.beings) {
            match item {
                DiffItem::Add(id, being) | DiffItem::Update { new: (id, being), .. } => drop(made.insert(*id, self.being(being))),
                DiffItem::Remove(id, _) => drop(made.remove(id)),
            }
        }
        self.last = (std::mem::replace(&mut world.beings, made.clone()), made);
        self.spaces.iter().fold(false, |is_set, (id, other)| self.space(world, *id, other) || is_set)
    }

    fn being(&self, being: &Arc<Being>) -> Arc<Being> {
        let mut recast = being.clone();
        let Some((other, begun)) = self.beings.get(&being.id).zip(self.begun.being(being.id)) else { return recast };
        if instead(begun.flow.source(), being.flow.source(), other.flow.source()).is_some() {
            Arc::make_mut(&mut recast).flow = other.flow.clone();
        }
        if let Some(role) = instead(&begun.default_role, &being.default_role, &other.default_role) {
            Arc::make_mut(&mut recast).default_role.clone_from(role);
        }
        for (key, said) in said(&begun.settings, &being.settings, &other.settings) {
            Arc::make_mut(&mut recast).settings.say(key, Some(said));
        }
        recast
    }

    fn space(&self, world: &mut World, id: SpaceId, other: &OtherSpace) -> bool {
        let Some((space, begun)) = world.spaces.get(&id).cloned().zip(self.begun.space(id)) else { return false };
        let (was, is) = (lent(begun), lent(&space));
        let meant = other.flow.as_ref().map(|flow| Some(flow).filter(|flow| flow.roles().next().is_some()));
        if let Some(flow) = meant.filter(|flow| instead(&was, &is, &flow.map(|flow| flow.source())).is_some()) {
            let made = space.flow.as_ref().map_or_else(Made::default, |flow| flow.made);
            let flow = flow.cloned().map(|flow| SpaceFlow { flow, made });
            let _ = if flow.is_some() { world.flowing.insert(id) } else { world.flowing.remove(&id) };
            world.space_mut(id, |space| space.flow = flow);
        }
        let said: Vec<_> = said(&begun.settings, &space.settings, &other.settings).collect();
        let is_set = !said.is_empty();
        world.space_mut(id, |space| said.into_iter().for_each(|(key, said)| space.settings.say(key, Some(said))));
        is_set
    }

    /// The settings of the world that stand in place of its own.
    pub(super) fn config<'a>(
        &'a self,
        now: &'a BTreeMap<Text, Arc<Value>>,
        other: &'a BTreeMap<Text, Arc<Value>>,
    ) -> impl Iterator<Item = (&'a Text, &'a Arc<Value>)> {
        let was = &self.begun.registry.config;
        other.iter().filter(move |(key, value)| was.get(*key) == now.get(*key) && now.get(*key) != Some(value))
    }

    /// The values that a world's history has set since it was planted, so that their overrides do not count.
    pub(super) fn kept(&self, world: &World, config: &BTreeMap<Text, Arc<Value>>) -> Vec<String> {
        let mut kept = Vec::new();
        let (was, now) = (&self.begun.registry.config, &world.registry.config);
        kept.extend(config.keys().filter(|key| was.get(*key) != now.get(*key)).map(|key| format!("{key} of the world")));
        for (id, other) in &self.spaces {
            let Some((space, begun)) = world.space(*id).zip(self.begun.space(*id)) else { continue };
            let flow = (other.flow.is_some() && lent(begun) != lent(space)).then_some("flow");
            let settings = set_since(&begun.settings, &space.settings, &other.settings);
            kept.extend(flow.into_iter().chain(settings).map(|what| format!("{what} of {}", world.path_of(*id))));
        }
        for (id, other) in &self.beings {
            let Some((being, begun)) = world.being(*id).zip(self.begun.being(*id)) else { continue };
            let settings = set_since(&begun.settings, &being.settings, &other.settings);
            let flow = (begun.flow.source() != being.flow.source()).then_some("flow");
            let role = (begun.default_role != being.default_role).then_some("default role");
            kept.extend(flow.into_iter().chain(role).chain(settings).map(|what| format!("{what} of @{}", being.name)));
        }
        kept
    }
}

/// The source of the flow that a space lends to all who stand inside.
fn lent(space: &Space) -> Option<&Value> {
    space.flow.as_ref().map(|flow| flow.flow.source())
}

/// The settings that another source says of a thing and that its history has set otherwise.
fn set_since<'a>(begun: &'a OwnSettings, now: &'a OwnSettings, other: &'a Map) -> impl Iterator<Item = &'a str> {
    other.keys().map(AsRef::as_ref).filter(move |key| own(begun, key) != own(now, key))
}

fn own<'a>(settings: &'a OwnSettings, key: &str) -> Option<&'a Value> {
    settings.get(key).map(|said| said.value.as_ref())
}

/// The settings that another source says of a thing, where they stand as they were planted: as the operator's word.
fn said<'a>(begun: &'a OwnSettings, now: &'a OwnSettings, other: &'a Map) -> impl Iterator<Item = (&'a Text, SaidSetting)> {
    let is_instead = |(key, value): &(&Text, &Value)| own(begun, key) == own(now, key) && own(now, key) != Some(value);
    other.iter().filter(is_instead).map(|(key, value)| (key, SaidSetting { value: Arc::new(value.clone()), by: None, above: None }))
}
