//! Making: which facts made a value what it is, the newest first: back to the one that set all of it, and no further.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::fact::{BeingId, Code, Content, Draft, Fact, Frame, Made, MatterId, Reason, Seq, SpaceId, Text, Thing, Value, visible};
use crate::role::or_meant;
use crate::tell::{ToldPart, plain_text};
use crate::verb::{Address, Named};
use crate::world::{Being, World, address_of, iso};

use super::cause::kept_cause;
use super::gauge::Gauge;
use super::history::History;
use super::load::{LoadError, signed};

/// How many characters of what was said a reason tells.
const BECAUSE_MAX: usize = 120;
/// The word for a birth that brought a quality along.
const BORN_WITH: &str = "born with";

/// The subject of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum WhyOf {
    /// A thing: how it came, was named, moved and filled, and how it ended.
    Thing(Thing),
    /// A quality of a thing.
    Quality(Thing, Text),
    /// A signal.
    Signal(Text),
    /// A role.
    Role(Text),
    /// The flow of a being or a space.
    Flow(Thing),
    /// A setting of the world, or of a space or being.
    Setting(Thing, Text),
}

/// One fact that made it so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Making {
    /// Its frame.
    pub seq: Seq,
    /// The index of the fact in its frame, from 0.
    pub index: u32,
    /// How many facts the frame has: an operation of many steps has many.
    pub of: usize,
    /// The moment, as `@ada/7`.
    pub moment: String,
    /// When.
    pub time: String,
    /// The driver of the being that did it, as an address.
    pub driver: Option<String>,
    /// The cause of its moment, in words.
    pub because: String,
    /// Why it was done, behind *because*; nothing where no frame says so, or where nobody asked.
    #[serde(rename = "becauseOf", skip_serializing_if = "Vec::is_empty")]
    pub because_of: Vec<ToldPart>,
    /// The operation.
    pub action: Option<Text>,
    /// On what, as it was called then.
    pub target: Option<Text>,
    /// The effect of the fact, such as `set`, `pushed` or `set through t`.
    pub how: String,
    /// With which value; null where there is none, or it was not kept.
    pub value: Value,
}

/// The effect of a fact on the subject.
struct Did<'a> {
    how: String,
    value: Option<&'a Content>,
    /// Whether what was before it makes no difference any more.
    is_whole: bool,
}

impl WhyOf {
    /// Reads `@ada.t.n`, `/factory`, `world.t.dice` or `/.signals/t.dice`, `/.roles/judge`, `@ada/.flow` or `/.settings/brakes.depth`, as somebody says it.
    pub fn read(text: &str, world: &World, speaker: &Being) -> Result<(Named, Self), Reason> {
        let named = match text.parse::<Address>() {
            Ok(address) => address.resolve(world, speaker, world.now()),
            Err(_) => Err(Reason::new(Code::BadAddress, text)),
        };
        let named = match named {
            Ok(named) => named,
            // The name of a thing may have a dot: what is there by that name is meant first.
            Err(reason) => return Self::read_gauge(text, world, speaker).ok_or(reason),
        };
        let of = match &named {
            Named::Thing(of) => Self::Thing(*of),
            Named::Register { of, register, entry } => match register.as_ref() {
                "flow" => Self::Flow(*of),
                "signals" => Self::Signal(entry.clone()),
                "roles" if !entry.is_empty() => Self::Role(entry.clone()),
                "settings" | "config" if !entry.is_empty() => Self::Setting(*of, entry.clone()),
                // No register has a dot in its name: it is a quality of the place.
                _ if register.contains('.') => {
                    return Self::read_gauge(text, world, speaker).ok_or_else(|| Reason::new(Code::NotFound, text));
                }
                _ => return Err(Reason::new(Code::WrongTarget, text)),
            },
        };
        Ok((named, of))
    }

    fn read_gauge(text: &str, world: &World, speaker: &Being) -> Option<(Named, Self)> {
        let gauge: Gauge = text.parse().ok()?;
        let (of, path) = gauge.parts();
        let Some(of) = of else {
            let root = Thing::Space(SpaceId::ROOT);
            return Some((Named::Register { of: root, register: "signals".into(), entry: path.clone() }, Self::Signal(path.clone())));
        };
        let Named::Thing(of) = of.resolve(world, speaker, world.now()).ok()? else { return None };
        Some((Named::Thing(of), Self::Quality(of, path.clone())))
    }

    /// The seq before which there is nothing of it.
    pub(super) fn begins(&self) -> Seq {
        match self {
            Self::Thing(of) | Self::Quality(of, _) | Self::Flow(of) => made_of(*of).seq,
            Self::Signal(_) | Self::Role(_) | Self::Setting(..) => 0,
        }
    }

    /// Its value now, where it is a value.
    pub(super) fn value(&self, world: &World) -> Value {
        let quality = |of: Thing, path: &str| world.qualities(of)?.read(world.now()).at(path).cloned();
        match self {
            Self::Quality(of, path) => quality(*of, path).unwrap_or_default(),
            Self::Signal(path) if path.is_empty() => world.signals().to_value(),
            Self::Signal(path) => world.signals().to_value().at(path).cloned().unwrap_or_default(),
            Self::Thing(of) => Value::from(address_of(world, *of)),
            Self::Role(_) | Self::Flow(_) | Self::Setting(..) => Value::Null,
        }
    }

    /// The name that may be meant by one of something that was never written, as the end of a sentence.
    pub fn meant(&self, text: &str, world: &World) -> String {
        let read = |of: Thing| world.qualities(of).map(|qualities| qualities.to_value());
        let (word, known): (&Text, BTreeSet<String>) = match self {
            Self::Quality(of, path) => {
                let others = world.beings().filter_map(|being| read(Thing::Being(being.id)));
                (path, read(*of).into_iter().chain(others).flat_map(|value| paths_in(&value)).collect())
            }
            Self::Signal(path) => (path, paths_in(&world.signals().to_value())),
            Self::Role(name) => (name, world.registry().roles.keys().map(ToString::to_string).collect()),
            Self::Thing(_) | Self::Flow(_) | Self::Setting(..) => return String::new(),
        };
        // A name that others have is not mistyped.
        if known.contains(word.as_ref()) {
            return String::new();
        }
        or_meant(text.strip_suffix(word.as_ref()).unwrap_or_default(), word, known.iter().map(String::as_str))
    }

    fn did<'a>(&self, made: Made, fact: &'a Fact) -> Option<Did<'a>> {
        let whole = |how: &str, value: &'a Content| Some(Did { how: how.to_owned(), value: Some(value), is_whole: true });
        match (self, fact) {
            (Self::Quality(of, path), fact) => quality_did(*of, path, made, fact),
            (Self::Signal(path), Fact::Signalled { path: set, value }) => at_path(path, set, "set", Some(value), true),
            (Self::Role(name), Fact::RoleSet { name: set, role, .. }) if set == name => whole("set", role),
            (Self::Flow(Thing::Being(of)), Fact::FlowSet { being, flow }) if being == of => whole("set", flow),
            (Self::Flow(Thing::Being(of)), Fact::Born(birth)) if of.0 == made => whole("born with it", &birth.flow),
            (Self::Flow(Thing::Space(of)), Fact::FlowSetIn { space, flow }) if space == of => whole("set", flow),
            (Self::Setting(of, key), Fact::ConfigSet { key: set, value }) if *of == Thing::Space(SpaceId::ROOT) && set == key => {
                whole("set", value)
            }
            (Self::Setting(of, key), Fact::ConfigSetIn { of: at, key: set, value }) if at == of && set == key => whole("set there", value),
            (Self::Thing(of), fact) => thing_did(*of, made, fact),
            _ => None,
        }
    }
}

/// The path of each value in a value, also of those that hold others.
fn paths_in(value: &Value) -> BTreeSet<String> {
    let of = |(key, value): (&Text, &Value)| {
        let below: Vec<String> = paths_in(value).iter().map(|path| format!("{key}.{path}")).collect();
        [vec![key.to_string()], below].concat()
    };
    value.as_map().into_iter().flatten().flat_map(of).collect()
}

fn made_of(thing: Thing) -> Made {
    match thing {
        Thing::Being(id) => id.0,
        Thing::Space(id) => id.0,
        Thing::Matter(id) => id.0,
    }
}

/// The effect of a change at one path on the value at another: the same path, one above, or a part of it.
fn at_path<'a>(asked: &str, set: &str, how: &str, value: Option<&'a Content>, sets: bool) -> Option<Did<'a>> {
    let below = |path: &str, above: &str| above.is_empty() || path.strip_prefix(above).is_some_and(|rest| rest.starts_with('.'));
    if asked == set {
        return Some(Did { how: how.to_owned(), value, is_whole: sets });
    }
    if below(asked, set) {
        return Some(Did { how: format!("{how} through {set}"), value, is_whole: sets });
    }
    below(set, asked).then(|| Did { how: format!("{how} a part of it, {set}"), value, is_whole: false })
}

fn quality_did<'a>(of: Thing, asked: &str, made: Made, fact: &'a Fact) -> Option<Did<'a>> {
    match fact {
        Fact::QualitySet { of: at, path, value } if *at == of => at_path(asked, path, "set", Some(value), true),
        Fact::QualityUnset { of: at, path } if *at == of => at_path(asked, path, "removed", None, true),
        Fact::QualityInc { of: at, path, by } if *at == of => at_path(asked, path, "added", Some(by), false),
        Fact::QualityPush { of: at, path, value, .. } if *at == of => at_path(asked, path, "pushed", Some(value), false),
        Fact::Born(birth) if Thing::Being(BeingId(made)) == of => {
            Some(Did { how: BORN_WITH.to_owned(), value: Some(&birth.qualities), is_whole: true })
        }
        _ => None,
    }
}

fn thing_did(of: Thing, made: Made, fact: &Fact) -> Option<Did<'_>> {
    let plain = |how: String| Some(Did { how, value: None, is_whole: false });
    match fact {
        Fact::Born(_) if of == Thing::Being(BeingId(made)) => plain("born".to_owned()),
        Fact::SpaceMade { .. } if of == Thing::Space(SpaceId(made)) => plain("made".to_owned()),
        Fact::MatterMade { content, .. } if of == Thing::Matter(MatterId(made)) => {
            Some(Did { how: "made".to_owned(), value: Some(content), is_whole: true })
        }
        Fact::Named { of: at, name, .. } if *at == of => plain(format!("named {name}")),
        Fact::Moved { of: at, .. } if *at == of => plain("moved".to_owned()),
        Fact::Filled { matter, content } if Thing::Matter(*matter) == of => {
            Some(Did { how: "filled".to_owned(), value: Some(content), is_whole: false })
        }
        Fact::Ended { of: at } if *at == of => plain("ended".to_owned()),
        _ => None,
    }
}

/// The facts that made something what it is.
#[derive(Clone, Debug, Serialize)]
pub struct Makings {
    /// Its value, where it is one.
    pub value: Value,
    /// The facts, the newest first.
    pub made: Vec<Making>,
    /// Whether more were looked for than are told.
    pub more: bool,
    /// Where older ones may lie that were archived, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

impl History {
    /// The facts that made something what it is in a world, newest first, at most so many: back to the one that set all of it.
    pub fn making(&self, of: &WhyOf, world: &World, most: usize) -> Result<Makings, LoadError> {
        self.made(of, world, most, true)
    }

    /// The same, back to the fact that set all of it, or beyond.
    pub(super) fn made(&self, of: &WhyOf, world: &World, most: usize, ends: bool) -> Result<Makings, LoadError> {
        let (mut found, mut below, begins) = (Vec::new(), world.next_seq(), of.begins().max(self.begins()));
        let unread = self.unread(of.begins());
        // A role knows which fact set it: what lies between need not be read.
        if let WhyOf::Role(name) = of {
            below = world.registry().roles.get(name).map_or(below, |role| role.made.seq + 1);
        }
        let rungs: Vec<Seq> = self.checkpoints().into_iter().filter(|rung| *rung > begins).chain([begins]).collect();
        for rung in rungs {
            if rung >= below {
                continue;
            }
            let frames: Vec<Frame> =
                self.frames(rung)?.take(usize::try_from(below - rung).unwrap_or(usize::MAX)).collect::<Result<_, _>>()?;
            below = rung;
            for frame in frames.iter().rev() {
                let mut is_whole = false;
                for (index, fact) in (0u32..).zip(&frame.draft().facts).collect::<Vec<_>>().into_iter().rev() {
                    let Some(did) = of.did(Made { seq: frame.draft().seq, index }, fact).filter(|_| !(ends && is_whole)) else { continue };
                    is_whole = did.is_whole;
                    if found.len() >= most {
                        return Ok(Makings { value: of.value(world), made: found, more: true, unread: None });
                    }
                    // Each fact that is told was signed, or lies under a seal of its world.
                    signed(frame, world)?;
                    let making = self.making_of(of, frame.draft(), index, &did, world)?;
                    // A birth without the quality is left out.
                    found.extend(Some(making).filter(|making| making.how != BORN_WITH || !making.value.is_null()));
                }
                if ends && is_whole {
                    return Ok(Makings { value: of.value(world), made: found, more: false, unread: None });
                }
            }
        }
        Ok(Makings { value: of.value(world), made: found, more: false, unread })
    }

    /// The last value that a signal was set to, also where it has none any more.
    pub fn last_signal(&self, path: &str, world: &World) -> Result<Option<Value>, LoadError> {
        /// How many facts are looked at: the newest may have taken it away.
        const FACTS: usize = 8;
        let made = self.made(&WhyOf::Signal(path.into()), world, FACTS, false)?.made;
        Ok(made.into_iter().filter(|making| making.how == "set").map(|making| making.value).find(|value| !value.is_null()))
    }

    fn making_of(&self, of: &WhyOf, draft: &Draft, index: u32, did: &Did<'_>, world: &World) -> Result<Making, LoadError> {
        let name = |being| world.being(being).map_or_else(|| "somebody".to_owned(), |being| format!("@{}", being.name));
        let whole = did.value.map(|value| self.content(value)).transpose()?.flatten();
        let value = match (of, did.how.as_str()) {
            (WhyOf::Quality(_, path), BORN_WITH) => whole.and_then(|born| born.at(path).cloned()),
            _ => whole,
        };
        let call = draft.call.as_ref();
        Ok(Making {
            seq: draft.seq,
            index,
            of: draft.facts.len(),
            moment: format!("{}/{}", name(draft.being), draft.n),
            time: iso(draft.at, draft.offset),
            driver: draft.driver.map(name),
            because: kept_cause(draft, world),
            because_of: Vec::new(),
            action: call.map(|call| call.action.clone()).filter(|action| !action.is_empty()),
            target: call.map(|call| call.target.clone()).filter(|target| !target.is_empty()),
            how: did.how.clone(),
            value: value.unwrap_or_default(),
        })
    }
}

/// A line as the command line prints it.
impl std::fmt::Display for Making {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seq, index, of, moment, time, driver, because, because_of, action, target, how, value } = self;
        write!(f, "#{seq} {moment} {time} {how}")?;
        if !value.is_null() {
            let told = visible(&value.to_string());
            write!(f, ": {}", if told.chars().count() > 80 { told.chars().take(79).chain(['…']).collect() } else { told })?;
        }
        let by = action.as_ref().map(|action| format!(" by {action}")).unwrap_or_default();
        let on = target.as_ref().map(|target| format!(" on {}", visible(target))).unwrap_or_default();
        let driven = driver.as_ref().map(|driver| format!(", driven by {driver}")).unwrap_or_default();
        write!(f, "\n   {by}{on}, fact {} of {of}, woken by {because}{driven}", index + 1)?;
        if because_of.is_empty() { Ok(()) } else { write!(f, "\n    because {}", plain_text(because_of, BECAUSE_MAX)) }
    }
}
