//! Script: a face goes into `think(face)` of a Rhai script, and at most one call comes out.

use std::sync::Arc;

use crate::fact::{BeingId, Call, Code, Cognition, Millis, Reason, Text, Thing, Thought, Value, Verb};
use crate::moment::{Answer, AskedResolver, Opening};
use crate::role::Worn;
use crate::script::{Host, Program, Sandbox, ScriptError};
use crate::verb::{Address, Asker, CROWD, ListPart, Recall, answer, draw, here, looks_for, named};
use crate::world::{Being, World};

use super::resolvers::shown;

/// The questions that a script may ask in its moment: of the world as of `opened`, as far as its worn role lets it see.
struct ScriptEyes {
    world: Arc<World>,
    being: Arc<Being>,
    worn: Arc<Worn>,
    caller: Option<BeingId>,
    /// When the moment opened.
    at: Millis,
}

impl ScriptEyes {
    fn asker(&self) -> Asker<'_> {
        Asker { world: &self.world, actor: &self.being, worn: &self.worn, caller: self.caller, at: self.at }
    }

    /// The answer of a look at an address.
    fn look(&self, address: &str) -> Result<Value, Reason> {
        let named = named(&self.world, &self.being, address, self.at)?;
        self.asker().look(&named, ListPart::default()).map(|seen| seen.value)
    }

    /// Whether an address shows anything to this being.
    fn may_see(&self, address: &str) -> Result<(), Reason> {
        let parsed: Address = address.parse().map_err(|_| Reason::new(Code::BadAddress, ""))?;
        self.asker().may_see(&parsed.resolve(&self.world, &self.being, self.at)?)
    }
}

impl Host for ScriptEyes {
    fn ask(&self, what: &str, args: Vec<Value>) -> Result<Value, String> {
        let first = args.first().and_then(Value::as_str).unwrap_or_default();
        let told = |what: &str| answer(&self.world, &self.being, (what, first), self.at);
        match what {
            // A thing that it may not see is `()` to it: a mind that only looks around does not fail.
            "see" => Ok(self.may_see(first).and_then(|()| self.look(first)).unwrap_or_default()),
            "why_not" => match self.may_see(first) {
                Err(reason) => Ok(Value::text(reason.code.to_string())),
                Ok(()) => told("why_not").map_err(|reason| reason.to_string()),
            },
            // Where it stands and who is there it sees as far as its role lets it; signals are published to all.
            "space" if self.asker().may_reach(Verb::See, Thing::Space(self.being.position)).is_err() => Ok(Value::Null),
            "here" => Ok(here(&self.world, &self.being, self.at, &|being| self.asker().may_reach(Verb::See, Thing::Being(being)).is_ok())),
            what => told(what).map_err(|reason| reason.to_string()),
        }
    }

    fn looks_at(&self, what: &str, args: &[Value]) -> usize {
        let others = || self.world.space(self.being.position).map_or(0, |space| space.count as usize).min(CROWD);
        match what {
            "here" => others().saturating_mul(4),
            "see" | "why_not" => looks_for(&self.world, args).max(4),
            _ => 4,
        }
    }
}

/// Asks the script of a being that has been opened; without one, the being only looks. The see-resolvers of its role and the script itself
/// share one bound of work.
pub fn think(opening: &Opening, world: &Arc<World>, sandbox: &mut Sandbox) -> Answer {
    sandbox.begin();
    let mut answer = Answer { thought: Thought::Script, ..Answer::none() };
    let Some(name) = opening.worn.script.as_ref().or(opening.being.script.as_ref()) else { return answer };
    match ask(opening, world, name, sandbox, &mut answer.resolved) {
        Ok(Some(call)) => {
            let bound = opening.bind(world, &call);
            answer.call = Some((call, bound));
        }
        Ok(None) => {}
        Err(reason) => answer.failure = Some(reason),
    }
    answer
}

fn ask(
    opening: &Opening,
    world: &Arc<World>,
    name: &Text,
    sandbox: &mut Sandbox,
    resolved: &mut Vec<AskedResolver>,
) -> Result<Option<Call>, Reason> {
    let mut face = opening.face(world);
    if !opening.worn.see.is_empty() {
        let seen = seen(opening, world, sandbox, resolved)?;
        if let Value::Map(map) = &mut face {
            map.insert("see".into(), seen);
        }
    }
    let value = run(opening, world, name, ("think", ""), face, sandbox)?;
    to_call(&value).inspect_err(|reason| sandbox.note(&format!("{}: {}", file_of(world, name), no_call(&value, reason))))
}

fn file_of<'a>(world: &'a World, script: &'a Text) -> &'a str {
    world.registry().scripts.get(script).map_or(script, |script| &script.file)
}

/// Why what a script returned is no call, for whoever watches.
fn no_call(value: &Value, reason: &Reason) -> String {
    match value {
        Value::List(list) => {
            format!("a mind returns one call, found a list of {}; return one, and summon yourself to go on", list.len())
        }
        Value::Map(_) => format!("a mind returns what act, summon, be or look give; `{}` of it is wrong", reason.at),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => {
            "a mind returns one call, made by act, summon, be or look, or ()".to_owned()
        }
    }
}

/// Runs the see-resolvers that the worn role names, and maps each name to its answer. Of those that may fail it notes whether they did; one that
/// rests is not asked.
pub(super) fn seen(
    opening: &Opening,
    world: &Arc<World>,
    sandbox: &mut Sandbox,
    resolved: &mut Vec<AskedResolver>,
) -> Result<Value, Reason> {
    if opening.worn.see.is_empty() {
        return Ok(Value::Map(Default::default()));
    }
    let face = opening.face(world);
    let mut seen = Vec::new();
    for written in &opening.worn.see {
        let (name, may_fail) = match written.strip_suffix(MAY_FAIL) {
            Some(name) => (Text::from(name), true),
            None => (written.clone(), false),
        };
        // Of two roles of a stack the one that cannot do without it decides.
        if may_fail && opening.worn.see.contains(&name) {
            continue;
        }
        if let Some(recalled) = recall(opening, world).of(&name).or_else(|| shown(&name, opening, world)) {
            seen.push((name, recalled));
        } else if let Some(resolver) = world.registry().resolvers.get(&name).filter(|_| world.offers(&name, opening.being.position)) {
            let resolve = |sandbox: &mut Sandbox| run(opening, world, &resolver.script, ("resolve", &name), face.clone(), sandbox);
            let answer = match (may_fail, world.resolver_rests(&opening.being, &name, opening.opened_at)) {
                (false, _) => resolve(sandbox)?,
                (true, Some(_)) => failure(RESTS),
                (true, None) => {
                    let answer = sandbox.sparing(resolve);
                    if sandbox.was_stopped() {
                        answer?
                    } else {
                        resolved.push(AskedResolver { name: name.clone(), failed: answer.is_err() });
                        answer.unwrap_or_else(|reason| failure(reason.code.word()))
                    }
                }
            };
            seen.push((name.clone(), answer));
        }
    }
    Ok(Value::map(seen))
}

/// The suffix of a resolver that may fail without ending the moment.
const MAY_FAIL: char = '?';

/// The word in place of a code, of a resolver that failed too often and is not asked.
const RESTS: &str = "rests";

/// The value of a resolver that failed or rests.
fn failure(why: &str) -> Value {
    Value::map([("error", Value::from(why))])
}

/// The memories that the being of a moment can recall.
pub(super) fn recall<'a>(opening: &'a Opening, world: &'a World) -> Recall<'a> {
    let asker = Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at };
    let quotes = opening.cognition == Cognition::Llm;
    Recall { asker, wake: &opening.wake, orientation: opening.orientation, quotes }
}

/// Calls a function of a script, for one of several answers of the moment where it has a name.
pub(super) fn run(
    opening: &Opening,
    world: &Arc<World>,
    name: &Text,
    (function, of): (&str, &str),
    face: Value,
    sandbox: &mut Sandbox,
) -> Result<Value, Reason> {
    let script = world.registry().scripts.get(name).ok_or_else(|| Reason::new(Code::UnknownScript, name))?;
    let program = Program { hash: script.hash, file: script.file.clone(), source: script.source.clone() };
    // Each resolver has draws of its own: one more of them shifts nobody's.
    let purpose = if of.is_empty() { function.to_owned() } else { format!("{function} {of}") };
    let Opening { being, worn, caller, opened_at: at, .. } = opening;
    let sight = ScriptEyes { world: world.clone(), being: being.clone(), worn: worn.clone(), caller: *caller, at: *at };
    sandbox
        .call(&program, function, vec![face], Arc::new(sight), draw(world, &opening.being, &purpose))
        .map_err(|error| reason(&error, &program))
}

/// A name and a place: what a script throws itself is for whoever watches, and stands in no seal.
fn reason(error: &ScriptError, program: &Program) -> Reason {
    Reason::new(error.code(), error.place(&program.file))
}

/// Reads what a script returned: nothing, or a map of verb, target, action, args and content.
pub fn to_call(value: &Value) -> Result<Option<Call>, Reason> {
    Call::read(value).map_err(|place| Reason::new(Code::CallMalformed, place))
}
