//! Bisect: is the first moment after which a condition holds the one that a walk from the beginning comes to first?

use proptest::prelude::*;
use reelm::fact::Seq;
use reelm::past::{Bisected, History, LookedFor};
use reelm::role::Inquiry;

use super::kit;
use super::law::any_world;
use super::point::lived;
use super::terminal::Terminal;

/// Conditions that flip, that come and stay, that hold once, and that never hold.
fn any_condition() -> impl Strategy<Value = String> {
    prop_oneof![
        (0i64..9).prop_map(|n| format!(r#"{{"time.sinceLastMoment":{{"gt":{n}}}}}"#)),
        (0u64..120).prop_map(|n| format!(r#"{{"moment.seq":{{"gte":{n}}},"moment.closing":{{"ne":"see"}}}}"#)),
        (0i64..9).prop_map(|n| format!(r#"{{"me.quality.t.n":{{"gte":{n}}}}}"#)),
        (0i64..6).prop_map(|n| format!(r#"{{"space.count":{{"lt":{n}}}}}"#)),
        Just(r#"{"moment.being":"bob","moment.closing":"refused"}"#.to_owned()),
        Just(r#"{"or":[{"me.position":"/other"},{"moment.reason":{"present":true}}]}"#.to_owned()),
        Just(r#"{"not":{"time.sinceLastMoment":{"lt":2}}}"#.to_owned()),
        Just(r#"{"me.name":"nobody"}"#.to_owned()),
    ]
}

/// The result of a walk from the very beginning.
fn naive(history: &History, wanted: &LookedFor, from: Seq, to: Seq) -> Option<Option<Seq>> {
    let (mut first, mut held) = (None, false);
    history
        .fold(0, Some(to), |frame, world| {
            let seq = frame.draft().seq;
            if seq >= from && first.is_none() && wanted.holds(world, Some(frame.draft())) {
                first = Some(seq);
            }
            if seq + 1 == from {
                held = wanted.holds(world, None);
            }
        })
        .unwrap();
    if held { None } else { Some(first) }
}

proptest! {
    #![proptest_config(kit::cases(2, 12))]

    #[test]
    fn the_first_moment_is_the_one_that_a_walk_from_the_beginning_finds(
        text in any_world(),
        conditions in prop::collection::vec(any_condition(), 6),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        whose in 0usize..3,
    ) {
        let (_dir, history) = lived(&text);
        let end = history.end();
        let (one, other) = (from.index(end as usize) as Seq, to.index(end as usize) as Seq);
        let world = history.world_at(end).unwrap();
        let me = world.being_named(["operator", "ada", "bob"][whose]).map(|being| being.id);
        for condition in conditions {
            let wanted = LookedFor { inquiry: condition.parse::<Inquiry>().unwrap(), me };
            for (from, to) in [(0, end), (one.min(other), one.max(other))] {
                let found = match history.bisect(&wanted, from..to).unwrap() {
                    Bisected::Already => None,
                    Bisected::Never => Some(None),
                    Bisected::First(seq) => Some(Some(seq)),
                };
                prop_assert_eq!(found, naive(&history, &wanted, from, to), "{} from {} to {}", condition, from, to);
            }
        }
    }
}

#[test]
fn a_condition_that_flips_thrice_is_found_where_it_held_first_and_the_version_of_a_role_is_told() {
    let terminal = Terminal::with_world("court", 20);
    terminal.write("warden.md", "---\nname: warden\ncanSee: ['**']\n---\nYou keep watch.\n");
    let tea = |value: &str| terminal.types(&format!("do / signal.set '{{\"path\":\"court.tea\",\"value\":{value}}}'")).ok();
    terminal.types("role set warden.md").ok();
    for value in ["1", "2", "1", "2", "1"] {
        tea(value);
        terminal.types("run --moments 5 --quiet").ok();
    }
    terminal.write("warden.md", "---\nname: warden\ncanSee: ['**']\n---\nYou keep watch, and tea.\n");
    terminal.types("role set warden.md").ok();
    let sets: Vec<u64> =
        terminal.types("find --action signal.set --json").json_lines().iter().map(|told| told["seq"].as_u64().unwrap()).collect();
    let bad = "bisect --bad 'when {\"world.court.tea\": 2}' --role warden";
    let told = terminal.types(&format!("{bad} --json")).json();
    assert_eq!((told["first"].as_str(), told["turned"]["moment"]["seq"].as_u64()), (Some("found"), Some(sets[1])), "{told}");
    let change = &told["turned"]["conditions"][0];
    assert_eq!((change["path"].as_str(), change["before"].as_i64(), change["after"].as_i64()), (Some("world.court.tea"), Some(1), Some(2)));
    let roles = terminal.types("find --action role.set --json").json_lines();
    let role = roles[roles.len() - 2]["seq"].as_u64().unwrap();
    assert_eq!((told["turned"]["role"]["version"].as_u64(), told["turned"]["role"]["seq"].as_u64()), (Some(1), Some(role)), "{told}");
    terminal.types(bad).says(&[
        &format!("#{} ", sets[1]),
        "world.court.tea: 1 → 2",
        &format!("role warden version 1, published in #{role} by @operator"),
    ]);
    terminal.types(&format!("{bad} --from {}", sets[2])).says(&[&format!("it holds already below #{}", sets[2])]);
    terminal.types(&format!("{bad} --from {}", sets[2] + 1)).says(&[&format!("#{} ", sets[3])]);
    terminal.types(&format!("{bad} --to {}", sets[1])).says(&["it holds after no moment from #0"]);
}

#[test]
fn a_condition_that_is_none_is_a_wrong_command_line_with_its_place() {
    let terminal = Terminal::with_world("court", 5);
    let says = |bad: &str, expected: &str| terminal.types(&format!("bisect --bad '{bad}'")).fails(2).warns(&[expected]);
    says("when {", "expected a condition such as");
    says(r#"{"or":[{"me.nmae":"ada"}]}"#, "when.or[0].\"me.nmae\": expected something that a moment leaves behind, found `me.nmae`");
    says(r#"{"world.a.b":{"eq":1,"bigger":2}}"#, "found `bigger` beside operators");
    terminal
        .types("bisect @judit --bad '{\"me.name\":1}'")
        .fails(1)
        .warns(&["there is no being `@judit` in this world; did you mean `@judith`?"]);
}
