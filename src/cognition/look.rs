//! Look: what an address shows, and what a being knows of itself, in the words of a prompt: for models outside.

use crate::fact::{Cognition, Reason, Thing, Value};
use crate::moment::Opening;
use crate::verb::{Asker, HANDOVER, ListPart, Named, PAGE, RECALL, RECENT_HERE};
use crate::world::{Attempted, World};

use super::block::{Block, ItemGroup};
use super::glance::reaches;
use super::near::Near;
use super::nearest::nearest;
use super::prompt::{LOOKED_AT, further, identity, kept, oneself, recalled, role_words, seen_parts, title_of};
use super::resolvers::waits;
use super::script::recall;

/// A look in words.
pub struct LookWords {
    /// Its words.
    pub text: String,
    /// Whether there is more than they tell.
    pub has_more: bool,
}

/// A being that looks, in a moment that opens so.
pub struct Looker<'a> {
    opening: &'a Opening,
    asker: Asker<'a>,
    near: Near,
}

impl<'a> Looker<'a> {
    /// The being of a moment, told as a model is: the words of others are quoted.
    pub fn of(opening: &'a mut Opening, world: &'a World) -> Self {
        opening.cognition = Cognition::Llm;
        let opening = &*opening;
        let asker = Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at };
        Self { opening, asker, near: Near::of(opening, world) }
    }

    /// The being itself: its name, its role's words, its keepsake, its qualities, and the things that come to its mind.
    pub fn oneself(&self) -> Result<LookWords, Reason> {
        let (opening, world) = (self.opening, self.asker.world);
        let mut text = identity(opening, world);
        text += &role_words(&opening.words(world)?);
        text += &kept(opening, world);
        let (me, is_whole) = oneself(opening, &self.asker);
        text += &me;
        let recall = recall(opening, world);
        for name in [HANDOVER, RECENT_HERE, RECALL] {
            text += &recalled(name, recall.of(name), world);
        }
        Ok(LookWords { text, has_more: !is_whole })
    }

    /// The look of a named thing: from a byte of a long text on, of its lists from an item on, by words.
    pub fn at(&self, address: &str, named: &Named, (from, words): (u64, Option<&str>)) -> LookWords {
        let (title, part) = (title_of(LOOKED_AT, address, from, words), ListPart::new(from, words));
        let parts = seen_parts(&self.asker, named, &part);
        let (text, is_whole) = self.fitted(Block::new(title, parts).seen_at(further(address, words)));
        let goes_on = if let Named::Thing(Thing::Matter(id)) = named { !reaches(self.asker.world, *id, part.from) } else { false };
        LookWords { text, has_more: !is_whole || goes_on }
    }

    /// The entries of its inbox: each with the word by which it is answered.
    pub fn inbox<'b>(
        &self,
        address: &str,
        entries: impl Iterator<Item = (&'b str, &'b Value)>,
        (from, words): (u64, Option<&str>),
    ) -> LookWords {
        let title = title_of(LOOKED_AT, address, from, words);
        let parted = ListPart::new(from, words).of(entries, None, PAGE, |(_, told)| told.to_string());
        let from = usize::try_from(from).ok();
        let group = ItemGroup { more: parted.more, from, unsought: parted.unsought, ..waits(parted.items.into_iter(), self.asker.world) };
        let (text, is_whole) = self.fitted(Block::new(title, vec![group]).seen_at(further(address, words)));
        LookWords { text, has_more: !is_whole }
    }

    /// The nearest thing to a refused call that it may do now.
    pub fn nearest(&self, tried: &Attempted) -> Option<String> {
        nearest(&self.asker, &self.near, tried)
    }

    fn fitted(&self, block: Block) -> (String, bool) {
        block.fitted(self.asker.world.count_setting("tokens.see", &self.opening.being))
    }
}
