//! Tests of `src/cognition/block.rs`.

use proptest::prelude::*;
use reelm::cognition::block::*;
use reelm::verb::TOKEN;

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
