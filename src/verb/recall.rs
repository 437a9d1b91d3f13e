//! Recall: the see-resolvers that every world has: what a being remembers of a conversation, a place, another being, and of itself.
//!
//! There is no transcript: what is recalled is folded from frames, the newest first as far as a budget of tokens reaches, and told with
//! the oldest first.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{BeingId, Orientation, Seq, Text, Thing, Value, Verb};
use crate::world::{Being, Happened, Happening, KEPT_BETWEEN, KEPT_OF_PLACE, KEPT_OWN, Local, Memory, Topic, Wake};

use super::gate::Asker;
use super::life::Teller;
use super::short::TOKEN;

/// The words between the being and its caller, and the other words to it and by it on behalf of the same root.
pub const THREAD: &str = "thread";
/// The happenings and words in the being's space.
pub const RECENT_HERE: &str = "recent-here";
/// The relation of the being to its caller, and their past.
pub const ABOUT_CALLER: &str = "about-caller";
/// The being's own deeds.
pub const OWN_ACTS: &str = "own-acts";
/// Other happenings of its life that come to its mind.
pub const RECALL: &str = "recall";
/// The deeds done as the being while somebody drove it.
pub const HANDOVER: &str = "handover";

/// How a being is told that whoever woke it is itself.
pub const ONESELF: &str = "yourself";

/// All of them.
pub const RECALLED: &[&str] = &[THREAD, RECENT_HERE, ABOUT_CALLER, OWN_ACTS, RECALL, HANDOVER];

/// A recall: what a being remembers at a wake.
pub struct Recall<'a> {
    /// The being that recalls, and the stack that it wears.
    pub asker: Asker<'a>,
    /// The wake.
    pub wake: &'a Wake,
    /// Turned to itself, it recalls twice as much.
    pub orientation: Orientation,
    /// Whether what others said is quoted in lines of its own, as a prompt has it.
    pub quotes: bool,
}

/// A happening that is told, for all that are told in the same words.
struct RecalledLine<'a> {
    happening: &'a Happening,
    /// The others, back to the oldest.
    before: Vec<Seq>,
    line: String,
}

impl<'a> RecalledLine<'a> {
    /// Happenings that are told in the same words, the one that stands for them first, and how often and since when they were. Our count
    /// stands before the words, which may be somebody else's.
    fn of(told: &str, run: &[&'a Happening], (when, times): (String, String)) -> Option<Self> {
        let (happening, others) = run.split_first()?;
        let times = if others.is_empty() { String::new() } else { format!(" ({times})") };
        let before = others.iter().map(|happening| happening.seq).collect();
        Some(Self { happening, before, line: format!("{when}{times} {told}") })
    }

    fn seqs(&self) -> Vec<Seq> {
        [self.happening.seq].into_iter().chain(self.before.iter().copied()).collect()
    }
}

fn lines(kept: Vec<RecalledLine<'_>>) -> Option<Value> {
    let lines: Vec<Value> = kept.into_iter().map(|kept| Value::from(kept.line)).collect();
    if lines.is_empty() { None } else { Some(Value::List(lines)) }
}

/// How many bytes it takes to say how often something was, and when.
const TIMES: usize = 32;
const HOUR: usize = 6;
/// Through how many things and others beside a being what they call to mind is sought.
const BESIDE: usize = 8;
/// How many of the newest that belong to a root are looked through for what was said.
const OF_ROOT: usize = 64;
/// How many bytes of what it hears call something to mind.
const HEEDED: usize = 4_096;
/// How many of the best that were found are weighed against the room for them.
const WEIGHED: usize = 64;

/// How many runs are told where not all are, the newest first: down to where time passes the roundest instant in the older half of them. So the
/// oldest line stays the same while some are added, and a prompt begins as the one before it did.
fn steady(runs: &[(String, Vec<&Happening>)]) -> usize {
    let newest = |at: usize| runs.get(at).and_then(|(_, run)| run.first()).map_or(0, |happening| happening.at);
    let oldest = |at: usize| runs.get(at).and_then(|(_, run)| run.last()).map_or(0, |happening| happening.at);
    let roundness = |at: &usize| (oldest(at - 1) ^ newest(*at)).checked_ilog2();
    (runs.len().div_ceil(2).max(1)..runs.len()).max_by_key(roundness).unwrap_or(runs.len())
}

/// How many bytes one more happening takes: a line of its own, or the count on the line of those like it.
fn needed(alike: Option<&Vec<&Happening>>, line: usize) -> usize {
    match alike {
        Some(run) if run.len() > 1 => 0,
        Some(_) => TIMES,
        None => line + TOKEN,
    }
}

impl<'a> Recall<'a> {
    /// The answer of the resolver of that name; none where there is no such resolver, or nothing to recall.
    pub fn of(&self, name: &str) -> Option<Value> {
        let caller = self.asker.caller;
        match name {
            THREAD => lines(self.thread()),
            RECENT_HERE => lines(self.recent_here()),
            ABOUT_CALLER => caller.map(|caller| self.about(caller)),
            OWN_ACTS => lines(self.own_acts()),
            RECALL => lines(self.called_to_mind()),
            HANDOVER => self.handover(),
            _ => None,
        }
    }

    fn memory(&self) -> &'a Memory {
        self.asker.world.memory()
    }

    fn thread(&self) -> Vec<RecalledLine<'a>> {
        let Some((now, caller)) = self.wake.answers().zip(self.asker.caller) else { return Vec::new() };
        let (memory, actor) = (self.memory(), self.asker.actor.id);
        let of_root = self.wake.root.into_iter().flat_map(|root| memory.diaries().of_root(actor, root)).take(OF_ROOT);
        let said = of_root.chain(memory.between(actor, caller)).filter_map(|happening| match happening.what {
            Happened::Summoned { to, .. } => Some(((happening.seq, to), happening)),
            // Its own refused tries.
            Happened::Tried { .. } if happening.who == actor => Some(((happening.seq, actor), happening)),
            _ => None,
        });
        let said: BTreeMap<(Seq, BeingId), &Happening> = said.collect();
        // The summons to be answered is told elsewhere in the prompt.
        let is_full = memory.between(actor, caller).count() >= KEPT_BETWEEN;
        self.newest(said.into_values().rev().filter(|happening| happening.seq != now.seq), is_full)
    }

    fn recent_here(&self) -> Vec<RecalledLine<'a>> {
        let here = || self.memory().of_place(self.asker.actor.position);
        self.newest(here().rev().filter(|happening| self.may_know(happening)), here().count() >= KEPT_OF_PLACE)
    }

    /// Its own newest deeds; half turned to itself, those that match its face, if any do.
    fn own_acts(&self) -> Vec<RecalledLine<'a>> {
        let Asker { actor, at, .. } = self.asker;
        if self.orientation == Orientation::Half {
            let best = self.memory().diaries().best(actor.id, &self.in_face(), |_| true, at);
            let own = best.into_iter().map(AsRef::as_ref).filter(|happening| happening.who == actor.id).take(WEIGHED);
            let teller = self.teller();
            let own = self.chosen(own, &teller, |happening| teller.hour(happening));
            if !own.is_empty() {
                return own;
            }
        }
        let own = || self.memory().own(actor.id);
        self.newest(own().rev(), own().count() >= KEPT_OWN)
    }

    /// Happenings of its life that share rare words with what it hears and sees now, beyond those it is told anyhow.
    fn called_to_mind(&self) -> Vec<RecalledLine<'a>> {
        let Asker { actor, at, .. } = self.asker;
        let mut sought = self.in_face();
        let thread = self.thread();
        let said = thread.iter().rev().take(2).filter_map(|kept| kept.happening.words());
        for (text, counts) in said.map(|words| (words, 2)).chain(self.wake.words().iter().map(|words| (words.as_ref(), 4))) {
            let beginning = text.get(..text.floor_char_boundary(HEEDED.min(text.len()))).unwrap_or_default();
            sought.extend(Topic::words(beginning).map(|word| (word, counts)));
        }
        let is_word = |sought: &Topic| matches!(sought, Topic::Word(_) | Topic::Stem(_));
        let own = if self.orientation == Orientation::Forward { Vec::new() } else { self.own_acts() };
        let told = thread.iter().chain(&self.recent_here()).chain(&own).flat_map(RecalledLine::seqs).collect::<BTreeSet<Seq>>();
        let now = self.wake.answers().map(|now| now.seq);
        let best = self.memory().diaries().best(actor.id, &sought, is_word, at);
        let others = best.into_iter().map(AsRef::as_ref).filter(|happening| !told.contains(&happening.seq) && now != Some(happening.seq));
        let words: Vec<Text> = sought.into_keys().filter_map(Topic::word).collect();
        let teller = Teller { sought: &words, ..self.teller() };
        self.chosen(others.take(WEIGHED), &teller, |happening| teller.date(happening))
    }

    /// The topics in its face beside words: its caller, its space, and the beings and things there.
    fn in_face(&self) -> BTreeMap<Topic, u64> {
        let Asker { world, actor, caller, .. } = self.asker;
        let here = Thing::Space(actor.position);
        let names = world.matter_in(here).take(BESIDE).flat_map(|(name, _)| Topic::words(name));
        let others = world.beings_in(actor.position).filter(|id| *id != actor.id).take(BESIDE).map(Topic::Being);
        let mut sought: BTreeMap<Topic, u64> = names.chain(others).map(|sought| (sought, 1)).collect();
        sought.insert(Topic::Space(actor.position), 1);
        sought.extend(caller.map(|caller| (Topic::Being(caller), 2)));
        sought
    }

    /// Whether it may know of a happening: its own, words in a space, or a deed of a being that it may see.
    fn may_know(&self, happening: &Happening) -> bool {
        let is_own = happening.who == self.asker.actor.id;
        let is_said = matches!(happening.what, Happened::Said { .. });
        is_own || is_said || self.asker.may_reach(Verb::See, Thing::Being(happening.who)).is_ok()
    }

    fn room(&self) -> usize {
        let tokens = self.asker.world.count_setting("tokens.recall", self.asker.actor);
        let deeper = if self.orientation == Orientation::Forward { 1 } else { 2 };
        usize::try_from(tokens).unwrap_or(0).saturating_mul(TOKEN * deeper)
    }

    fn teller(&self) -> Teller<'a> {
        let Asker { world, actor, .. } = self.asker;
        Teller {
            world,
            life: actor.id,
            told: Some(actor.id),
            own: Some(actor.id),
            quotes: self.quotes,
            asker: Some(self.asker),
            sought: &[],
        }
    }

    /// As many as the budget allows, of those that come the newest first; fuller than that where the fold keeps no more of them. Equal ones in a row are one line, with how many there were.
    fn newest(&self, newest: impl Iterator<Item = &'a Happening>, mut is_full: bool) -> Vec<RecalledLine<'a>> {
        let (teller, mut left) = (self.teller(), self.room());
        let mut runs: Vec<(String, Vec<&'a Happening>)> = Vec::new();
        for happening in newest {
            let told = teller.what(happening);
            let alike = runs.last_mut().filter(|(last, _)| *last == told).map(|(_, run)| run);
            let needed = needed(alike.as_deref(), HOUR + told.len());
            let Some(rest) = left.checked_sub(needed) else {
                is_full = true;
                break;
            };
            left = rest;
            match alike {
                Some(run) => run.push(happening),
                None => runs.push((told, vec![happening])),
            }
        }
        if is_full {
            runs.truncate(steady(&runs));
        }
        let line = |(told, run): &(String, Vec<&'a Happening>)| {
            let (newest, oldest) = (run.first()?, run.last()?);
            RecalledLine::of(told, run, (teller.hour(newest), format!("{} times since {}", run.len(), teller.hour(oldest))))
        };
        runs.iter().rev().filter_map(line).collect()
    }

    /// Those for which there is room, of those that come the best first; told with the oldest first. Equal ones are one line, with how many
    /// of them were found.
    fn chosen(
        &self,
        best: impl Iterator<Item = &'a Happening>,
        teller: &Teller<'_>,
        when: impl Fn(&Happening) -> String,
    ) -> Vec<RecalledLine<'a>> {
        let mut left = self.room();
        let mut kept: Vec<(String, Vec<&'a Happening>)> = Vec::new();
        for happening in best {
            let told = teller.what(happening);
            let alike = kept.iter_mut().find(|(other, _)| *other == told).map(|(_, run)| run);
            let needed = needed(alike.as_deref(), when(happening).len() + 1 + told.len());
            let Some(rest) = left.checked_sub(needed) else { continue };
            left = rest;
            match alike {
                Some(run) => run.push(happening),
                None => kept.push((told, vec![happening])),
            }
        }
        // Only the best were weighed: there may be more of them.
        let line = |(told, run): &(String, Vec<&'a Happening>)| {
            RecalledLine::of(told, run, (when(run.first()?), format!("{} times at least", run.len())))
        };
        let mut lines: Vec<RecalledLine<'a>> = kept.iter().filter_map(line).collect();
        lines.sort_by_key(|kept| kept.happening.seq);
        lines
    }

    /// The caller's relation to the being, and what passed between them.
    fn about(&self, caller: BeingId) -> Value {
        let Asker { world, actor, at, .. } = self.asker;
        let Some(other) = world.being(caller) else { return Value::Null };
        let related = |one: &Being, other: &Being| one.parent == Some(other.id);
        let kin = match (related(actor, other), related(other, actor), other.id == actor.id) {
            (_, _, true) => ONESELF,
            (true, ..) => "your parent",
            (_, true, _) => "your child",
            _ if world.is_ancestor(other.id, actor.id) => "an ancestor of yours",
            _ if world.is_ancestor(actor.id, other.id) => "a descendant of yours",
            _ => "no kin of yours",
        };
        let words = || world.memory().between(actor.id, caller);
        let met = words().next().map_or(Value::Null, |first| Value::from(Local::of(first.at, world.zone()).iso()));
        let wearing: Vec<Value> = world.wears(caller, at).iter().map(Value::from).collect();
        Value::map([
            ("name", Value::from(format!("@{}", other.name))),
            ("cognition", Value::from(other.cognition.word())),
            ("kin", Value::text(kin)),
            ("isHere", Value::Bool(other.position == actor.position)),
            ("wearing", Value::List(wearing)),
            ("words", Value::Int(words().count() as i64)),
            ("firstOfThem", met),
        ])
    }

    /// The deeds done as the being since it last acted of itself.
    fn handover(&self) -> Option<Value> {
        let driven = || self.memory().own(self.asker.actor.id).rev().take_while(|happening| happening.driver.is_some());
        let driver = driven().next().and_then(|newest| newest.driver)?;
        let acts = lines(self.newest(driven(), driven().count() >= KEPT_OWN))?;
        let note: Text = format!("{} drove you; these were your own deeds", self.teller().name(driver)).into();
        Some(Value::map([("note", Value::from(note)), ("acts", acts)]))
    }
}
