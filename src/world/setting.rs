//! Setting: the declaration of one: where it may stand, who may set it, and how the values on the way are merged.
//!
//! A value is looked up from where a being stands: the being, the spaces around it outward, the world, and last the default.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Canon, CanonError, Map, Reader, Text, Thing, Value, Writer};

/// At what kind of place a setting may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingPlace {
    /// For all of the world.
    World,
    /// At a space, for whoever stands in it at whatever depth.
    Space,
    /// At one being.
    Being,
}

impl SettingPlace {
    /// All of them, outermost first.
    pub const ALL: &[Self] = &[Self::World, Self::Space, Self::Being];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Space => "space",
            Self::Being => "being",
        }
    }

    /// The place that a thing is to settings: the root is the world, and matter has none.
    pub fn of(thing: Thing) -> Option<Self> {
        match thing {
            Thing::Space(space) if space == crate::fact::SpaceId::ROOT => Some(Self::World),
            Thing::Space(_) => Some(Self::Space),
            Thing::Being(_) => Some(Self::Being),
            Thing::Matter(_) => None,
        }
    }
}

/// The authority that may set a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sayer {
    /// Nobody: it is fixed when a world begins.
    Genesis,
    /// The operator alone, wherever it stands.
    Operator,
    /// The operator for the world; elsewhere whoever owns the ground, or stands above the being.
    Owner,
}

impl Sayer {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Genesis => "genesis",
            Self::Operator => "operator",
            Self::Owner => "owner",
        }
    }
}

/// How what is said at several places on the way comes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The nearest value holds, unless a place further out enforces its own.
    Nearest,
    /// The outermost value holds.
    Outermost,
    /// All that is said on the way holds: the smaller number, what stands in every list, every key of every map.
    Narrow,
    /// The same of waits: the larger number holds.
    Longest,
    /// The lists on the way are joined into one.
    Gather,
    /// Of what is `blocked`, `restricted` and `allowed` all is added up; of what alone is let through, `only`, what stands in every list.
    Scope,
}

impl Merge {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Nearest, Self::Outermost, Self::Narrow, Self::Longest, Self::Gather, Self::Scope];

    /// Those that an extension may choose for a setting of its own.
    pub const DECLARED: [Self; 5] = [Self::Nearest, Self::Outermost, Self::Narrow, Self::Longest, Self::Gather];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Outermost => "outermost",
            Self::Narrow => "narrow",
            Self::Longest => "longest",
            Self::Gather => "gather",
            Self::Scope => "scope",
        }
    }

    /// Whether an inner place can only ever take away from what holds around it.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Self::Narrow | Self::Longest | Self::Gather | Self::Scope)
    }

    /// Merges the value in force at a place with one that is set inside it. Null sets nothing.
    pub fn together(self, outer: &Value, inner: &Value) -> Value {
        match self {
            Self::Nearest => inner.clone(),
            Self::Outermost => outer.clone(),
            Self::Narrow => narrow(outer, inner, Ordering::Less),
            Self::Longest => narrow(outer, inner, Ordering::Greater),
            Self::Gather => gather(outer, inner),
            Self::Scope => scope(outer, inner),
        }
    }

    /// Whether one value takes away at least as much as another that was said at the same place: whoever stands below may say it in its stead.
    pub fn keeps(self, said: &Value, instead: &Value) -> bool {
        match self {
            Self::Gather => is_within(said, instead),
            Self::Scope => {
                let [only, now] = [part(said, "only"), part(instead, "only")];
                let narrows = only.is_null() || (!now.is_null() && is_within(&now, &only));
                let takes = |key: &str| is_within(&part(said, key), &part(instead, key));
                narrows && takes("blocked") && takes("restricted")
            }
            Self::Nearest | Self::Outermost | Self::Narrow | Self::Longest => is_same(&self.together(said, instead), instead),
        }
    }

    /// Whether the inner value would let through what the outer one does not.
    pub fn widens(self, outer: &Value, inner: &Value) -> bool {
        match (self, outer, inner) {
            // Each limit stands by itself: one that is not there outside cannot be widened.
            (Self::Narrow | Self::Longest, Value::Map(outer), Value::Map(inner)) => {
                inner.iter().any(|(key, inner)| outer.get(key).is_some_and(|outer| self.widens(outer, inner)))
            }
            (Self::Narrow | Self::Longest, ..) => !outer.is_null() && !is_same(&self.together(outer, inner), inner),
            _ => false,
        }
    }
}

/// Whether each item of one list is one of another's.
fn is_within(some: &Value, all: &Value) -> bool {
    let all = all.as_list().unwrap_or_default();
    some.as_list().unwrap_or_default().iter().all(|item| all.contains(item))
}

/// Whether two values say the same: of lists it does not matter in what order, nor how often.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::List(_), Value::List(_)) => is_within(one, other) && is_within(other, one),
        (Value::Map(some), Value::Map(all)) => {
            some.len() == all.len() && some.iter().all(|(key, one)| all.get(key).is_some_and(|other| is_same(one, other)))
        }
        _ => one == other,
    }
}

/// Of numbers the one that stands so to the other, of lists what stands in both, of maps every key.
fn narrow(outer: &Value, inner: &Value, holds: Ordering) -> Value {
    match (outer, inner) {
        (Value::Null, said) | (said, Value::Null) => said.clone(),
        (Value::Map(outer), Value::Map(inner)) => {
            let mut both: Map = outer.clone();
            for (key, inner) in inner {
                let held = outer.get(key).map_or_else(|| inner.clone(), |outer| narrow(outer, inner, holds));
                both.insert(key.clone(), held);
            }
            Value::Map(both)
        }
        (Value::List(outer), Value::List(inner)) => Value::List(outer.iter().filter(|item| inner.contains(item)).cloned().collect()),
        (Value::Bool(outer), Value::Bool(inner)) => Value::Bool(*outer && *inner),
        _ if inner.compare(outer) == Some(holds) => inner.clone(),
        _ => outer.clone(),
    }
}

fn gather(outer: &Value, inner: &Value) -> Value {
    let items = |value: &Value| value.as_list().unwrap_or_default().to_vec();
    let mut all = items(outer);
    for item in items(inner) {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    Value::List(all)
}

/// One part of a scope.
fn part(of: &Value, key: &str) -> Value {
    of.get(key).cloned().unwrap_or_default()
}

fn scope(outer: &Value, inner: &Value) -> Value {
    let added = |key: &'static str| (key, gather(&part(outer, key), &part(inner, key)));
    let all =
        ["blocked", "restricted", "allowed"].map(added).into_iter().filter(|(_, list)| list.as_list().is_some_and(|list| !list.is_empty()));
    let only = narrow(&part(outer, "only"), &part(inner, "only"), Ordering::Less);
    Value::map(all.chain(Some(("only", only)).filter(|(_, only)| !only.is_null())))
}

/// A setting, as the register has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its key; one that ends with a dot is the beginning of many.
    pub key: Text,
    /// Its purpose, for people.
    pub about: Text,
    /// The JSON Schema of its value. A value of `"format": "connection"` names a connection.
    pub schema: Arc<Value>,
    /// The value where nobody sets one.
    pub default: Arc<Value>,
    /// Where it may stand.
    pub stands: Vec<SettingPlace>,
    /// The authority that may set it.
    pub who: Sayer,
    /// How the values on the way are merged.
    pub merge: Merge,
}

impl Setting {
    /// Whether its values are names of connections.
    pub fn names_connection(&self) -> bool {
        self.schema.get("format").and_then(Value::as_str) == Some("connection")
    }

    /// The parts of it that decide: all but those for people.
    pub fn ruling(&self) -> Value {
        Value::List(vec![
            Value::from(&self.key),
            (*self.schema).clone(),
            (*self.default).clone(),
            Value::List(self.stands.iter().map(|stand| Value::text(stand.word())).collect()),
            Value::text(self.who.word()),
            Value::text(self.merge.word()),
        ])
    }
}

/// Something said at a space or a being.
#[derive(Clone, Debug, PartialEq)]
pub struct SaidSetting {
    /// What.
    pub value: Arc<Value>,
    /// The being that set it; none: the operator.
    pub by: Option<BeingId>,
    /// The value that a being of higher standing had set there before: it bounds this, and holds again when this is taken back.
    pub above: Option<Arc<SaidSetting>>,
}

canon_struct!(SaidSetting { value, by, above });

impl SaidSetting {
    /// It and all that it was said over, the last first.
    pub fn with_above(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |said| said.above.as_deref())
    }
}

/// The settings of one space or being itself, by key. Most have none, and pay nothing for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnSettings(Option<Arc<BTreeMap<Text, SaidSetting>>>);

impl OwnSettings {
    /// The value that is set for a key.
    pub fn get(&self, key: &str) -> Option<&SaidSetting> {
        self.0.as_ref()?.get(key)
    }

    /// All that is said.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &SaidSetting)> {
        self.0.iter().flat_map(|said| said.iter())
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// How much is said.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |said| said.len())
    }

    /// Says something from now on; with nothing, no more.
    pub(super) fn say(&mut self, key: &Text, said: Option<SaidSetting>) {
        let mut all = self.0.take().unwrap_or_default();
        let open = Arc::make_mut(&mut all);
        match said {
            Some(said) => open.insert(key.clone(), said),
            None => open.remove(key),
        };
        self.0 = Some(all).filter(|all| !all.is_empty());
    }
}

impl Canon for OwnSettings {
    fn put(&self, w: &mut Writer) {
        let said: BTreeMap<Text, SaidSetting> = self.iter().map(|(key, said)| (key.clone(), said.clone())).collect();
        said.put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let said = BTreeMap::<Text, SaidSetting>::take(r)?;
        Ok(Self(Some(Arc::new(said)).filter(|said| !said.is_empty())))
    }
}
