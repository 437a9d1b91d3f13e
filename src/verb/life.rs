//! Life: what a being did and heard, in lines, as itself and others are told it.

use std::sync::Arc;

use crate::fact::{BeingId, Millis, Text, Value, in_a_line, says};
use crate::world::{Happened, Happening, Local, Topic, World};

use super::address::Address;
use super::gate::Asker;
use super::part::{ListPart, Parted};
use super::short::PAGE;

/// How the address of a being's life ends.
pub const LIFE: &str = "/.life";
/// How many bytes of long words are told, around what was sought in them.
const EXCERPT: usize = 240;

/// A teller of happenings, for one listener.
pub(super) struct Teller<'a> {
    pub(super) world: &'a World,
    /// The being whose life is told.
    pub(super) life: BeingId,
    /// The being that is told; none where the listener is nobody in the world.
    pub(super) told: Option<BeingId>,
    /// The being that hears its own deeds with their arguments.
    pub(super) own: Option<BeingId>,
    /// Whether the words of others stand in lines of their own, each behind `> `.
    pub(super) quotes: bool,
    /// The being by whose role others' deeds may be told; none where no role decides.
    pub(super) asker: Option<Asker<'a>>,
    /// The words that were sought: long texts are cut to the part around the first of them.
    pub(super) sought: &'a [Text],
}

impl Teller<'_> {
    pub(super) fn hour(&self, happening: &Happening) -> String {
        self.time(happening).get(11..16).unwrap_or_default().to_owned()
    }

    /// With the date, and its number in the life that is told.
    pub(super) fn dated(&self, happening: &Happening) -> String {
        format!("{} {}", self.date(happening), self.what(happening))
    }

    pub(super) fn date(&self, happening: &Happening) -> String {
        let time = self.time(happening).get(..16).unwrap_or_default().replace('T', " ");
        // Of no moment the world's own number is told: that is another with whatever is done elsewhere.
        let entry = self.world.memory().diaries().entry(self.life, happening);
        entry.map_or_else(|| time.clone(), |entry| format!("{time} #{}", entry.saturating_add(1)))
    }

    fn time(&self, happening: &Happening) -> String {
        Local::of(happening.at, self.world.zone()).iso()
    }

    fn oneself(&self, being: BeingId) -> &'static str {
        if self.told == Some(being) { "yourself" } else { "itself" }
    }

    pub(super) fn name(&self, being: BeingId) -> String {
        if self.told == Some(being) {
            return "you".to_owned();
        }
        self.world.being(being).map_or_else(|| being.to_string(), |being| format!("@{}", being.name))
    }

    pub(super) fn what(&self, happening: &Happening) -> String {
        let (world, who) = (self.world, self.name(happening.who));
        match &happening.what {
            Happened::Did { told, target, .. } if !told.is_empty() && self.tells_sentence(happening.who, target) => {
                self.sentence(&who, told)
            }
            Happened::Did { action, target, args, .. } if !args.is_empty() && self.own == Some(happening.who) => {
                in_a_line(&format!("{who} did {action} on {target} {args}"))
            }
            Happened::Did { action, target, .. } => in_a_line(&format!("{who} did {action} on {target}")),
            Happened::Tried { deed, why } => in_a_line(&format!("{who} tried to {deed}: refused, {why}")),
            Happened::Said { words } => self.says(happening.who, &format!("{who} said"), &self.excerpt(words)),
            Happened::Summoned { to, words, .. } => {
                let to = if *to == happening.who { self.oneself(*to).to_owned() } else { self.name(*to) };
                self.says(happening.who, &format!("{who} told {to}"), &self.excerpt(words))
            }
            Happened::Went { from, to } => format!("{who} went from {} to {}", world.path_of(*from), world.path_of(*to)),
            Happened::Became { operation } => format!("{who} did {operation}"),
        }
    }

    /// Words behind their speaker: those of others in lines of their own, where they are quoted.
    fn says(&self, whose: BeingId, who: &str, words: &str) -> String {
        match (self.quotes, self.own == Some(whose)) {
            (true, false) => says(who, words),
            (true, true) => format!("{who}: {}", in_a_line(words)),
            (false, _) => format!("{who}: {words}"),
        }
    }

    /// A deed in the words of its operation.
    fn sentence(&self, who: &str, told: &str) -> String {
        if self.quotes { says(who, told) } else { format!("{who} {told}") }
    }

    /// Whether somebody else's deed is told by the sentence of its operation, which may hold its arguments: to whoever may see what it was done to.
    fn tells_sentence(&self, who: BeingId, target: &str) -> bool {
        self.own != Some(who) && self.asker.is_some_and(|asker| may_see(&asker, target))
    }

    /// The part of long words around the first of those that were sought; short words whole.
    fn excerpt(&self, words: &str) -> String {
        if self.sought.is_empty() || words.len() <= EXCERPT {
            return words.to_owned();
        }
        let small = words.to_lowercase();
        let first = self.sought.iter().filter_map(|sought| small.find(sought.as_ref())).min().unwrap_or(0);
        let from = words.ceil_char_boundary(first.saturating_sub(EXCERPT / 3).min(words.len()));
        let to = words.floor_char_boundary(from.saturating_add(EXCERPT).min(words.len()));
        let mark = |is_there: bool| if is_there { "…" } else { "" };
        format!("{}{}{}", mark(from > 0), words.get(from..to).unwrap_or_default(), mark(to < words.len()))
    }
}

/// Whether an address names what somebody may see.
fn may_see(asker: &Asker<'_>, address: &str) -> bool {
    let named = address.parse::<Address>().ok().and_then(|address| address.resolve(asker.world, asker.actor, asker.at).ok());
    named.is_some_and(|named| asker.may_see(&named).is_ok())
}

/// A page of what a being did and heard. The entry selects it: nothing for the newest, a number for those before the entry of that
/// number, words for the best matches.
pub(super) fn life(world: &World, of: BeingId, entry: &str, part: &ListPart, (reader, at): (Option<BeingId>, Millis)) -> Parted<Value> {
    let diaries = world.memory().diaries();
    // Words beside the address are sought as those in it are: in all of the life, by its index.
    let beside = part.sought();
    let (words, part) = if entry.is_empty() { (&*beside, &part.without_words()) } else { (entry, part) };
    let before = match entry {
        "" => beside.is_empty().then_some(u32::MAX),
        entry => entry.strip_prefix('#').unwrap_or(entry).parse::<u32>().ok().map(|entry| entry.saturating_sub(1)),
    };
    let sought: Vec<Text> = Topic::words(words).filter_map(Topic::word).collect();
    let teller = Teller { world, life: of, told: None, own: reader, quotes: false, asker: None, sought: &sought };
    let dated = |happening: &&Arc<Happening>| teller.dated(happening);
    let parted = match before {
        Some(before) => part.of(diaries.before(of, before), entry.is_empty().then(|| diaries.count(of) as usize), PAGE, dated),
        None => {
            let sought = Topic::words(words).map(|sought| (sought, 1)).collect();
            part.of(diaries.best(of, &sought, |_| true, at).into_iter(), None, PAGE, dated)
        }
    };
    parted.map(|happening| Value::from(teller.dated(happening)))
}
