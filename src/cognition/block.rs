//! Block: a part of what a model is told: a title, and as many of its items as there is room for. None of them is ever cut.
//!
//! Where not all of a list fits, the first stand there whole, the next in short, and the rest are counted, with where they can be seen.

use std::fmt::Write;

use crate::role::within_block;
use crate::verb::TOKEN;

/// One line or more of a block.
pub(super) struct Item {
    whole: String,
    /// What stands there where the whole has no room.
    short: Option<String>,
}

impl Item {
    /// One that stands there whole or not at all.
    pub(super) fn of(whole: impl Into<String>) -> Self {
        Self { whole: within_block(whole.into()), short: None }
    }

    /// One that can be said in short.
    pub(super) fn or(whole: String, short: String) -> Self {
        Self { whole: within_block(whole), short: Some(within_block(short)) }
    }
}

/// Items that share some of a block's room; what they leave is for those behind them.
pub(super) struct ItemGroup {
    pub(super) items: Vec<Item>,
    /// How many more there are than stand among the items.
    pub(super) more: usize,
    /// Which part of a hundred of the block's room is theirs.
    pub(super) percent: usize,
}

impl ItemGroup {
    /// One that may take all that is left.
    pub(super) fn of(items: Vec<Item>) -> Self {
        Self { items, more: 0, percent: 100 }
    }
}

/// A titled part of a prompt.
pub(super) struct Block {
    title: String,
    parts: Vec<ItemGroup>,
    /// Where what has no room can be seen.
    see: Option<String>,
}

/// What the line takes that counts the rest.
const REST: usize = 24;

impl Block {
    pub(super) fn new(title: impl Into<String>, parts: Vec<ItemGroup>) -> Self {
        Self { title: title.into(), parts, see: None }
    }

    /// Says where what has no room can be seen.
    pub(super) fn seen_at(self, address: impl Into<String>) -> Self {
        Self { see: Some(address.into()), ..self }
    }

    /// Its text in so many tokens at most, beside its title; nothing where it has nothing to say.
    pub(super) fn within(self, tokens: u64) -> String {
        self.fitted(tokens).0
    }

    /// The same, and whether all of it stands there whole.
    pub(super) fn fitted(self, tokens: u64) -> (String, bool) {
        let room = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(TOKEN);
        let (mut body, mut handed, mut is_whole) = (String::new(), 0, true);
        for ItemGroup { items, more, percent } in self.parts {
            handed = usize::min(100, handed + percent);
            let room = (room / 100).saturating_mul(handed).max(if handed == 100 { room } else { 0 });
            is_whole &= fill(&mut body, items, more, self.see.as_deref(), room);
        }
        (if body.is_empty() { String::new() } else { format!("\n[{}]\n{body}", self.title) }, is_whole)
    }
}

/// Adds items to a text as long as it does not grow beyond its room; whether all of them stand there whole.
fn fill(body: &mut String, items: Vec<Item>, more: usize, see: Option<&str>, room: usize) -> bool {
    let rest_room = REST + see.map_or(0, str::len);
    // The nearest are told whole, as far as half of the room goes, if not all can be.
    let all: usize = items.iter().map(|item| item.whole.len() + 1).sum();
    let whole = if body.len() + all <= room && more == 0 { room } else { body.len() + room.saturating_sub(body.len()) / 2 };
    let (mut is_whole, mut left_out, mut next) = (more == 0, more, items.into_iter().peekable());
    while let Some(item) = next.next() {
        let is_last = left_out == 0 && next.peek().is_none();
        let most = if is_last { room } else { room.saturating_sub(rest_room) };
        let fits = |text: &String, most: usize| body.len() + text.len() < most;
        let short = item.short.filter(|short| fits(short, most));
        let text = Some(item.whole).filter(|text| fits(text, if short.is_some() { whole.min(most) } else { most }));
        is_whole &= text.is_some();
        match text.or(short) {
            Some(text) => drop(writeln!(body, "{text}")),
            None => left_out += 1,
        }
    }
    if left_out > 0 && body.len() + rest_room <= room {
        let see = see.map(|see| format!(": see {see}")).unwrap_or_default();
        let _ = writeln!(body, "… {left_out} more{see}");
    }
    is_whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn items(lengths: &[usize]) -> Vec<Item> {
        lengths.iter().enumerate().map(|(n, len)| Item::or(format!("- {n} {}", "x".repeat(*len)), format!("- {n}"))).collect()
    }

    #[test]
    fn what_has_room_stands_there_whole_then_in_short_and_the_rest_is_counted() {
        let block = |count, room| Block::new("place", vec![ItemGroup::of(items(&vec![30; count]))]).seen_at("/lib").within(room);
        let all = block(3, 100);
        assert_eq!(all.matches('x').count(), 90);
        let some = block(40, 60);
        assert!(some.starts_with("\n[place]\n- 0 xxx") && some.contains("\n- 4\n") && some.ends_with("more: see /lib\n"), "{some}");
        assert_eq!(block(0, 60), "");
        assert_eq!(block(40, 0), "");
    }

    #[test]
    fn what_a_part_leaves_is_for_those_behind_it() {
        let parts = || vec![ItemGroup { percent: 50, ..ItemGroup::of(items(&[5])) }, ItemGroup::of(items(&[90, 90]))];
        let text = Block::new("t", parts()).within(50);
        assert_eq!(text.matches("xxxxx").count() / 18, 2, "{text}");
    }

    proptest! {
        #[test]
        fn no_block_takes_more_than_its_room_and_each_ends_on_an_item(
            lengths in proptest::collection::vec(0_usize..400, 0..60), more in 0_usize..3, room in 0_u64..900, share in 1_usize..100,
        ) {
            let count = lengths.len();
            let parts = vec![ItemGroup { percent: share, more, ..ItemGroup::of(items(&lengths)) }, ItemGroup::of(items(&lengths))];
            let text = Block::new("t", parts).seen_at("/a/place").within(room);
            let body = text.strip_prefix("\n[t]\n").unwrap_or_default();
            prop_assert!(body.len() <= room as usize * TOKEN);
            for line in body.lines() {
                let whole = |n: usize, rest: &str| rest.is_empty() || rest.trim_start().len() == lengths[n];
                match line.strip_prefix("- ") {
                    Some(item) => {
                        let (n, rest) = item.split_once(' ').unwrap_or((item, ""));
                        prop_assert!(n.parse::<usize>().is_ok_and(|n| n < count && whole(n, rest)), "{}", line);
                    }
                    None => prop_assert!(line.starts_with("… ") && line.ends_with(" more: see /a/place"), "{}", line),
                }
            }
        }
    }
}
