//! `do`, `summon`, `be`: a person's own acts, each a durable moment when the command returns.

use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::{Call, Cognition, Thing, Value};
use crate::role::or_meant;
use crate::source::flow_warnings;
use crate::verb::thing_named;
use crate::world::{Being, World};

use super::argument::{self, JsonArgument};
use super::door::{Door, Ended};
use super::inbox::Answers;
use super::line::Reach;

/// Does something to a thing, as a being
#[derive(Args)]
#[command(after_help = "Example: reelm do / signal.set '{\"path\":\"skateco.shift\",\"value\":\"night\"}' --as @operator

`reelm see /.ops` lists the operations, `reelm see /.ops/<name>` shows an operation's arguments.")]
pub struct Do {
    /// The address of the thing
    target: String,
    /// The operation
    action: String,
    /// Its arguments, as JSON; `@FILE` reads them from a file, `-` from standard input
    #[arg(value_parser = argument::json)]
    args: Option<JsonArgument>,
    #[command(flatten)]
    by: ActBy,
}

/// Speaks to a being, as a being
#[derive(Args)]
#[command(after_help = "Example: reelm summon @foreman 'how many boards today?'")]
pub struct Summon {
    /// Whom
    target: String,
    /// The words to say; `-` reads them from standard input, and a single word `@FILE` from a file (`@@word` says `@word`)
    #[arg(required = true)]
    text: Vec<String>,
    /// The purpose of the act
    #[arg(long)]
    intent: Option<String>,
    /// How urgent it is
    #[arg(long, value_parser = ["person", "urgent", "normal", "background"])]
    rank: Option<String>,
    /// A role asked for
    #[arg(long)]
    role: Option<String>,
    /// Of a summons to oneself: whether it is thought about with what one did oneself beside the world (half), or with that alone (inward)
    #[arg(long, value_parser = ["forward", "half", "inward"])]
    orientation: Option<String>,
    #[command(flatten)]
    by: ActBy,
}

/// Binds an identity: birth, end, inhabit, release
#[derive(Args)]
#[command(after_help = "Example: reelm be birth '{\"name\":\"eve\",\"home\":\"/factory\",\"cognition\":\"human\"}'

`reelm see /.ops/be.birth` shows what it takes.")]
pub struct Be {
    /// birth, end, inhabit or release
    operation: String,
    /// Its payload, as JSON, or `@being`; `@FILE` reads it from a file, `-` from standard input
    #[arg(value_parser = argument::json)]
    payload: Option<JsonArgument>,
    #[command(flatten)]
    by: ActBy,
}

/// The actor, and the waiting wake that its act answers
#[derive(Args)]
pub(super) struct ActBy {
    /// The being that acts: @operator where none is named, or the being of the token
    #[arg(long = "as", value_name = "@BEING")]
    pub being: Option<String>,
    /// The wake it answers: the seq of its cause, as `reelm inbox` lists it, or `none`. Where none is named, the oldest summons of whoever
    /// it is done to that waits for an answer
    #[arg(long, value_name = "SEQ")]
    pub answers: Option<Answers>,
}

impl ActBy {
    /// An act of one's own.
    fn own(being: Option<&str>) -> Self {
        Self { being: being.map(str::to_owned), answers: Some(Answers::Nothing) }
    }
}

impl Do {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        written_by(door, &self.by, Call::doing(&self.target, &self.action, read(self.args)?))
    }
}

impl Summon {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let options = [("intent", self.intent), ("rank", self.rank), ("role", self.role), ("orientation", self.orientation)];
        let given = options.into_iter().filter_map(|(key, value)| Some((key, Value::from(value?))));
        let words = argument::words(&self.text.join(" "));
        let args = Value::map(given.chain([("content", Value::from(words.read()?))]));
        answer(door, &self.by, Call::summon(&self.target, args))
    }
}

impl Be {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if let Some(name) = self.payload.as_ref().and_then(JsonArgument::lacking_file)
            && let Ok((_, world)) = door.world()
        {
            if self.operation == "birth" {
                bail!(
                    "`@{name}` reads a file, and there is none; a birth takes the name of who is to be born, as JSON: '{{\"name\":\"…\"}}'"
                );
            }
            if world.being_named(name).is_none() {
                let meant = or_meant("@", name, world.living().map(|being| being.name.as_ref()));
                bail!("there is no being `@{name}`, and no file `{name}`{meant}");
            }
            let payload = Value::map([("being", Value::text(format!("@{name}")))]);
            return answer(door, &self.by, Call::be(&self.operation, payload));
        }
        answer(door, &self.by, Call::be(&self.operation, read(self.payload)?))
    }
}

fn read(given: Option<JsonArgument>) -> Result<Value> {
    given.map_or(Ok(Value::Null), JsonArgument::read)
}

/// An act, with what may not be meant in that part of what somebody wears which it writes.
pub(super) fn written(door: &Door, speaker: Option<&str>, call: Call) -> Result<Ended> {
    written_by(door, &ActBy::own(speaker), call)
}

fn written_by(door: &Door, by: &ActBy, call: Call) -> Result<Ended> {
    let is_written: Option<fn(&str) -> bool> = match call.action.as_ref() {
        "flow.set" => Some(|place| place.starts_with('[')),
        "flow.default" => Some(|place| !place.starts_with('[')),
        _ => None,
    };
    let (name, target) = (by.being.clone(), call.target.clone());
    let doubts = is_written.map(|is_written| move |world: &World| doubted(world, name.as_deref(), &target, is_written));
    act_then(door, by, call, doubts)
}

fn doubted(world: &World, speaker: Option<&str>, target: &str, is_written: impl Fn(&str) -> bool) -> Vec<String> {
    let speaker = speaker.map_or_else(|| world.being(world.operator()), |name| world.being_named(name.trim_start_matches('@')));
    let warnings = match speaker.and_then(|speaker| thing_named(world, speaker, world.now(), target).ok()) {
        Some(Thing::Being(id)) => world.being(id).map(|being| flow_warnings(world, &being.flow, Some(being))),
        Some(Thing::Space(id)) => {
            let flow = world.space(id).and_then(|space| space.flow.as_ref());
            flow.map(|flow| flow_warnings(world, &flow.flow, None))
        }
        Some(Thing::Matter(_)) | None => None,
    };
    let warnings = warnings.unwrap_or_default().into_iter().filter(|warning| is_written(&warning.place));
    warnings.map(|warning| format!("{target}: {warning}")).collect()
}

/// One act of one being, recorded whatever becomes of it.
pub(super) fn act(door: &Door, being: Option<&str>, call: Call) -> Result<Ended> {
    answer(door, &ActBy::own(being), call)
}

/// The same, where it may answer what waits for that being.
pub(super) fn answer(door: &Door, by: &ActBy, call: Call) -> Result<Ended> {
    act_then(door, by, call, None::<fn(&World) -> Vec<String>>)
}

/// The same, with what there is to warn of once it is done.
fn act_then(door: &Door, by: &ActBy, call: Call, doubts: Option<impl FnOnce(&World) -> Vec<String>>) -> Result<Ended> {
    let mut world = Reach::to(door)?;
    let done = world.act(by.being.as_deref(), by.answers, call)?;
    // The act stands even where the world cannot be read to doubt it.
    if let Some(doubts) = doubts.filter(|_| done.refused.is_none())
        && let Ok(world) = world.world(door)
    {
        doubts(&world).iter().for_each(|warning| door.warn(warning));
    }
    if done.refused.is_none() {
        done.told.iter().for_each(|hint| door.note(hint));
    }
    let (held, woken) = world.stands().map(|world| woken(world, done.seq)).unwrap_or_default();
    if !held.is_empty() {
        door.warn(&format!("{}: nothing to wear, so what woke them waits; `reelm see /.health` lists them", names(&held)));
    }
    world.close()?;
    let answered = done.answered.as_ref().map(|seq| format!(", which answers #{seq}")).unwrap_or_default();
    door.say(&done.report, || match &done.refused {
        Some(reason) => format!("#{} refused: {reason}{}", done.seq, lines(&done.told)),
        None if woken.is_empty() => format!("#{} done{answered}", done.seq),
        None => format!(
            "#{} done{answered}; the world stands still: {} wakes at its next `reelm run` or `reelm serve`",
            done.seq,
            names(&woken)
        ),
    })?;
    Ok(if done.refused.is_some() { Ended::Refused } else { Ended::Well })
}

/// Lines under another.
fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n    | {line}")).collect()
}

/// The beings that a frame woke and nobody answers for while the world stands: those with nothing to wear, and all others.
/// People are not among them: they answer for themselves.
fn woken(world: &World, seq: u64) -> (Vec<String>, Vec<String>) {
    let is_woken = |being: &Being| world.inbox().of(being.id).any(|wake| wake.id.cause.seq == seq && wake.id.due <= world.now());
    let woken = world.beings().filter(|being| being.cognition != Cognition::Human && is_woken(being));
    let (held, woken): (Vec<_>, Vec<_>) = woken.partition(|being| world.stands_undressed(being, world.now()));
    let named = |beings: Vec<&Arc<Being>>| beings.into_iter().map(|being| format!("@{}", being.name)).collect();
    (named(held), named(woken))
}

/// The first of them, and how many more.
fn names(woken: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = woken.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if woken.len() > SHOWN { format!("{shown} and {} more", woken.len() - SHOWN) } else { shown }
}
