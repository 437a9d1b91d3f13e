//! Gauge: one value of one thing, by its name (`@ada.bag.count`, `/hall.owner`, `world.court.in-session`), read in any world of a history.

use std::fmt;
use std::str::FromStr;

use crate::fact::{Text, Thing, Value};
use crate::verb::{Address, AddressError, Named, describe};
use crate::world::World;

/// The name of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// Of what; the signals of the world where there is none.
    of: Option<Address>,
    /// The path of the value: a quality, or something else that `see` shows of the thing.
    path: Text,
}

/// Why some text names no value.
#[derive(Debug, thiserror::Error)]
pub enum GaugeError {
    /// No path.
    #[error("expected ADDRESS.quality such as `@ada.bag.count`, or `world.court.in-session`, found `{0}`")]
    Path(String),
    /// No address.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl FromStr for Gauge {
    type Err = GaugeError;

    fn from_str(text: &str) -> Result<Self, GaugeError> {
        let wrong = || GaugeError::Path(text.chars().take(80).collect());
        if let Some(path) = text.strip_prefix("world.") {
            return if path.is_empty() { Err(wrong()) } else { Ok(Self { of: None, path: path.into() }) };
        }
        let last = text.rfind('/').map_or(0, |slash| slash + 1);
        // The names inside of things have a dot of their own: `m9.0.bag.count`.
        let dots = text.char_indices().skip_while(|(at, _)| *at < last).filter(|(_, letter)| *letter == '.').map(|(at, _)| at);
        for dot in dots {
            let (address, path) = (text.get(..dot).unwrap_or_default(), text.get(dot + 1..).unwrap_or_default());
            let is_inside = text.get(..dot).is_some_and(|id| id.starts_with(['b', 's', 'm']) && id.get(1..).is_some_and(is_number));
            if !is_inside && !path.is_empty() {
                // A path behind a trailing slash belongs to the place itself: `/.t` to the root, `/hall/.t` to the hall.
                let address = if address.len() > 1 { address.trim_end_matches('/') } else { address };
                return Ok(Self { of: Some(address.parse()?), path: path.into() });
            }
        }
        Err(wrong())
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Some(address) => write!(f, "{address}.{}", self.path),
            None => write!(f, "world.{}", self.path),
        }
    }
}

impl Gauge {
    /// Of what, which value; of no thing is a signal of the world.
    pub fn parts(&self) -> (Option<&Address>, &Text) {
        (self.of.as_ref(), &self.path)
    }

    /// Its value in a world; null where there is no such thing or nothing of that name.
    pub fn read(&self, world: &World) -> Value {
        let Some(address) = &self.of else { return world.signals().at(&self.path).cloned().unwrap_or_default() };
        let named = world.being(world.operator()).and_then(|operator| address.resolve(world, operator, world.now()).ok());
        let Some(Named::Thing(thing)) = named else { return Value::Null };
        self.of_thing(world, thing)
    }

    fn of_thing(&self, world: &World, thing: Thing) -> Value {
        let quality = world.qualities(thing).and_then(|qualities| qualities.found(&self.path));
        quality.map_or_else(
            || describe(world, thing, world.now()).at(&self.path).cloned().unwrap_or_default(),
            |found| found.seen(world.now()).to_value(),
        )
    }
}
