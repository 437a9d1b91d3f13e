//! Block: a part of what a model is told: a title, and as many of its items as there is room for. None of them is ever cut.
//!
//! Where not all of a list fits, the first stand there whole, the next in short, and the rest are counted, with where they can be seen.

use std::fmt::Write;

use crate::fact::in_threes;
use crate::role::within_block;
use crate::verb::{TOKEN, unsought_from};

/// One line or more of a block.
pub struct Item {
    whole: String,
    /// A shorter form, used where the whole has no room.
    short: Option<String>,
}

impl Item {
    /// One that stands there whole or not at all.
    pub(super) fn of(whole: impl Into<String>) -> Self {
        Self { whole: within_block(whole.into()), short: None }
    }

    /// One that can be said in short.
    pub fn or(whole: String, short: String) -> Self {
        Self { whole: within_block(whole), short: Some(within_block(short)) }
    }
}

/// Items that share some of a block's room; what they leave is for those behind them.
pub struct ItemGroup {
    pub items: Vec<Item>,
    /// How many more there are than stand among the items.
    pub more: usize,
    /// Of a list that can be seen further: in the list, the place of the first item.
    pub from: Option<usize>,
    /// In how many more of them no words were sought.
    pub unsought: usize,
    /// Their share of the block's room, in percent.
    pub percent: usize,
}

impl ItemGroup {
    /// One that may take all that is left.
    pub fn of(items: Vec<Item>) -> Self {
        Self { items, more: 0, from: None, unsought: 0, percent: 100 }
    }

    /// Whether it has nothing to tell.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.more == 0 && self.unsought == 0
    }
}

/// A titled part of a prompt.
pub struct Block {
    title: String,
    parts: Vec<ItemGroup>,
    /// Where what has no room can be seen.
    see: Option<String>,
}

/// The line for an item of a list that has no room by itself.
const TOO_LONG: &str = "- (too long to be told here)\n";
/// The tokens of the line that counts the rest.
const REST: usize = 48;

impl Block {
    pub fn new(title: impl Into<String>, parts: Vec<ItemGroup>) -> Self {
        Self { title: title.into(), parts, see: None }
    }

    /// Says where what has no room can be seen.
    pub fn seen_at(self, address: impl Into<String>) -> Self {
        Self { see: Some(address.into()), ..self }
    }

    /// Its text in so many tokens at most, beside its title; nothing where it has nothing to say.
    pub fn within(self, tokens: u64) -> String {
        self.fitted(tokens).0
    }

    /// The same, and whether all of it stands there whole.
    pub(super) fn fitted(self, tokens: u64) -> (String, bool) {
        let room = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(TOKEN);
        let (mut body, mut handed, mut is_whole) = (String::new(), 0, true);
        for ItemGroup { items, more, from, unsought, percent } in self.parts {
            handed = usize::min(100, handed + percent);
            let room = (room / 100).saturating_mul(handed).max(if handed == 100 { room } else { 0 });
            if unsought > 0 {
                is_whole = false;
                let onward = self.see.as_deref().zip(from);
                fill(&mut body, (vec![not_sought(unsought, onward)], 0, None), None, room);
            }
            is_whole &= fill(&mut body, (items, more, from), self.see.as_deref(), room);
        }
        (if body.is_empty() { String::new() } else { format!("\n[{}]\n{body}", self.title) }, is_whole)
    }
}

/// That a part of a list was too far away to be looked through.
fn not_sought(count: usize, onward: Option<(&str, usize)>) -> Item {
    let see = onward.map(|(see, from)| format!(": see {see} from {}", unsought_from(from))).unwrap_or_else(|| ".".to_owned());
    Item::of(format!("Nothing was sought in {} more of them{see}", in_threes(count)))
}

/// Adds items to a text as long as it does not grow beyond its room; whether all of them stand there whole.
fn fill(body: &mut String, (items, more, from): (Vec<Item>, usize, Option<usize>), see: Option<&str>, room: usize) -> bool {
    let rest_room = REST + see.map_or(0, str::len);
    // The nearest are told whole, as far as half of the room goes, if not all can be.
    let all: usize = items.iter().map(|item| item.whole.len() + 1).sum();
    let whole = if body.len() + all <= room && more == 0 { room } else { body.len() + room.saturating_sub(body.len()) / 2 };
    let (mut is_whole, mut left_out, mut told, mut next) = (more == 0, more, 0, items.into_iter().peekable());
    while let Some(item) = next.next() {
        let is_last = left_out == 0 && next.peek().is_none();
        let most = if is_last { room } else { room.saturating_sub(rest_room) };
        let fits = |text: &String, most: usize| body.len() + text.len() < most;
        let short = item.short.filter(|short| fits(short, most));
        let text = Some(item.whole).filter(|text| fits(text, if short.is_some() { whole.min(most) } else { most }));
        is_whole &= text.is_some();
        match text.or(short) {
            Some(text) => {
                let _ = writeln!(body, "{text}");
                told += 1;
            }
            // An item too long alone is passed over, so that one comes to those behind it.
            None if from.is_some() && told == 0 && body.len() + TOO_LONG.len() <= most => {
                body.push_str(TOO_LONG);
                told += 1;
            }
            // A list goes on behind what is told of it, so that nothing between is passed over.
            None if from.is_some() => left_out += 1 + next.by_ref().count(),
            None => left_out += 1,
        }
    }
    if left_out > 0 && body.len() + rest_room <= room {
        let from = from.map(|from| format!(" from {}", from + told)).unwrap_or_default();
        let see = see.map(|see| format!(": see {see}{from}")).unwrap_or_default();
        let _ = writeln!(body, "… {} more{see}", in_threes(left_out));
    }
    is_whole
}
