//! Addresses: how anybody, inside or outside, names a thing of the world.
//!
//! | form | names |
//! |---|---|
//! | `/` `/a/b` | a space; behind the last space, matter in it |
//! | `.` `./a` | where the one who speaks stands, and what is there |
//! | `~` `/~` `~/a` | the home of the one who speaks, and what is there |
//! | `@ada` `@ada/bag` | a being, and what it holds |
//! | `/court@judge` | the being in a space by its name, else by the role that it wears or has by default |
//! | `/.roles/x` `@ada/.flow` | what is registered, recorded or open: behind a `.` segment the rest is the entry's name |
//! | `b7.1` `s0.1` `m9.0` | a being, space or matter by its name inside |
//! | `world/…` | another world |

use std::fmt;
use std::str::FromStr;

use crate::fact::{BeingId, Code, MatterId, Millis, Reason, SpaceId, Text, Thing, composed};

use super::being::Being;
use super::whole::World;

/// The longest address, in bytes.
pub const ADDRESS_MAX: usize = 1024;

/// Where an address begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    Root,
    Here,
    Home,
    Thing(Thing),
}

/// An address as parsed; it may name nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    start: Start,
    path: Vec<Text>,
    being: Option<Text>,
    held: Vec<Text>,
    dot: Option<(Text, Text)>,
}

/// The thing or the register that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A thing.
    Thing(Thing),
    /// A register of a thing, such as `.roles` of the root, and the entry in it; empty: all of it.
    Register {
        /// Whose.
        of: Thing,
        /// Which, without the dot.
        register: Text,
        /// The key of the entry.
        entry: Text,
    },
}

/// Why some text is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an address: {what}")]
pub struct AddressError {
    /// The text as given.
    pub text: String,
    /// The fault in it.
    pub what: &'static str,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let text = composed(text);
        let text = text.as_ref();
        let wrong = |what| AddressError { text: text.chars().take(80).collect(), what };
        if text.is_empty() {
            return Err(wrong("it is empty; `/` is the root, `@name` a being"));
        }
        if text.len() > ADDRESS_MAX {
            return Err(wrong("it is too long"));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(wrong("it holds a space or a control character"));
        }
        if let Some(thing) = thing_id(text) {
            return Ok(Self { start: Start::Thing(thing), path: Vec::new(), being: None, held: Vec::new(), dot: None });
        }
        let (before, after) = match text.split_once('@') {
            Some((before, after)) => (before, Some(after)),
            None => (text, None),
        };
        let (start, rest) =
            start(before, after.is_some()).ok_or_else(|| wrong("it names another world, or begins with neither `/`, `@`, `.` nor `~`"))?;
        let (path, dot) = segments(rest).map_err(wrong)?;
        let (being, held, dot) = match after {
            None => (None, Vec::new(), dot),
            Some(_) if dot.is_some() => return Err(wrong("a register stands before `@`")),
            Some(after) => {
                let (name, rest) = after.split_once('/').unwrap_or((after, ""));
                if name.is_empty() || name.contains('@') {
                    return Err(wrong("expected one being's name behind `@`"));
                }
                let (held, dot) = segments(rest).map_err(wrong)?;
                (Some(Text::from(name)), held, dot)
            }
        };
        Ok(Self { start, path, being, held, dot })
    }
}

fn thing_id(text: &str) -> Option<Thing> {
    let being = text.parse().map(|id: BeingId| Thing::Being(id));
    let space = || text.parse().map(|id: SpaceId| Thing::Space(id));
    let matter = || text.parse().map(|id: MatterId| Thing::Matter(id));
    being.or_else(|_| space()).or_else(|_| matter()).ok()
}

/// Where the address begins, and the rest of its path.
fn start(before: &str, has_being: bool) -> Option<(Start, &str)> {
    let below = |prefix: &str| before.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if before.is_empty() {
        return has_being.then_some((Start::Root, ""));
    }
    if let Some(rest) = below("/~").or_else(|| below("~")) {
        return Some((Start::Home, rest.strip_prefix('/').unwrap_or(rest)));
    }
    if let Some(rest) = below(".") {
        return Some((Start::Here, rest.strip_prefix('/').unwrap_or(rest)));
    }
    before.strip_prefix('/').map(|rest| (Start::Root, rest))
}

type Segments = (Vec<Text>, Option<(Text, Text)>);

fn segments(path: &str) -> Result<Segments, &'static str> {
    let mut names = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (name, after) = rest.split_once('/').unwrap_or((rest, ""));
        if let Some(register) = name.strip_prefix('.') {
            // Behind the dot alone stand all registers there are.
            if register.is_empty() && !after.is_empty() || register.starts_with('.') {
                return Err("`.` and `..` are not names");
            }
            return Ok((names, Some((register.into(), after.into()))));
        }
        if name.is_empty() {
            return Err("a name between two `/` is empty");
        }
        names.push(name.into());
        rest = after;
    }
    Ok((names, None))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.join("/");
        match &self.start {
            Start::Root if self.path.is_empty() && self.being.is_some() => {}
            Start::Root => write!(f, "/{path}")?,
            Start::Here if path.is_empty() => f.write_str(".")?,
            Start::Here => write!(f, "./{path}")?,
            Start::Home if path.is_empty() => f.write_str("~")?,
            Start::Home => write!(f, "~/{path}")?,
            Start::Thing(thing) => write!(f, "{thing}")?,
        }
        if let Some(being) = &self.being {
            write!(f, "@{being}")?;
            self.held.iter().try_for_each(|name| write!(f, "/{name}"))?;
        }
        if let Some((register, entry)) = &self.dot {
            let slash = if self.being.is_none() && self.path.is_empty() && self.start == Start::Root { "" } else { "/" };
            write!(f, "{slash}.{register}")?;
            if !entry.is_empty() {
                write!(f, "/{entry}")?;
            }
        }
        Ok(())
    }
}

/// The thing that an address names for the operator; nothing for a register.
pub fn thing_at(world: &World, address: &str) -> Option<Thing> {
    match address.parse::<Address>().ok()?.resolve(world, world.being(world.operator())?, world.now()).ok()? {
        Named::Thing(thing) => Some(thing),
        Named::Register { .. } => None,
    }
}

impl Address {
    /// Resolves the address from where the speaker stands.
    pub fn resolve(&self, world: &World, speaker: &Being, at: Millis) -> Result<Named, Reason> {
        let missing = || Reason::new(Code::NotFound, self.to_string());
        let mut thing = match self.start {
            Start::Root => Thing::Space(SpaceId::ROOT),
            Start::Here => Thing::Space(speaker.position),
            Start::Home => Thing::Space(speaker.home),
            Start::Thing(thing) => thing,
        };
        world.qualities(thing).ok_or_else(missing)?;
        for name in &self.path {
            thing = within(world, thing, name).ok_or_else(missing)?;
        }
        if let Some(name) = &self.being {
            thing = Thing::Being(self.being_in(world, thing, name, at).ok_or_else(missing)?);
            for name in &self.held {
                thing = within(world, thing, name).ok_or_else(missing)?;
            }
        }
        Ok(match &self.dot {
            None => Named::Thing(thing),
            Some((register, entry)) => Named::Register { of: thing, register: register.clone(), entry: entry.clone() },
        })
    }

    /// The being of that name; in a space, the one there by name, else by role.
    fn being_in(&self, world: &World, place: Thing, name: &str, at: Millis) -> Option<BeingId> {
        let named = world.being_named(name);
        if self.start == Start::Root && self.path.is_empty() {
            return named.map(|being| being.id);
        }
        let Thing::Space(space) = place else { return None };
        if let Some(being) = named.filter(|being| being.position == space && !being.ended) {
            return Some(being.id);
        }
        world.beings_in(space).find(|id| world.wears(*id, at).iter().any(|role| role.as_ref() == name))
    }
}

fn within(world: &World, holder: Thing, name: &str) -> Option<Thing> {
    let space = match holder {
        Thing::Space(space) => world.child_space(space, name).map(Thing::Space),
        Thing::Being(_) | Thing::Matter(_) => None,
    };
    space.or_else(|| world.matter_named(holder, name).map(Thing::Matter))
}
