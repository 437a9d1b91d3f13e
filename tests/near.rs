//! Near: is a mind told of what is nearest to it, however many others were there before, and is whatever it may do on something near offered?

use proptest::prelude::*;
use reelm::fact::{Call, Coords, Thing};
use reelm::world::{PlacedKind, World, apart};

use super::kit::{self, Small, args};
use super::mind::Script;
use super::told::{block, told, world};

/// All of a kind in a space that has a spot, the nearest first, found by looking at each.
fn sorted(world: &World, kind: PlacedKind, from: Coords) -> Vec<Thing> {
    let space = world.spaces().find(|space| space.name.as_ref() == "field").unwrap().id;
    let beings = world.beings_in(space).map(Thing::Being);
    let things: Vec<Thing> = match kind {
        PlacedKind::Beings => beings.collect(),
        PlacedKind::Matter => world.matter_in(Thing::Space(space)).map(|(_, id)| Thing::Matter(id)).collect(),
    };
    let spot = |thing: Thing| match thing {
        Thing::Being(id) => world.being(id).unwrap().coords,
        Thing::Matter(id) => world.matter(id).unwrap().coords,
        Thing::Space(_) => None,
    };
    let mut placed: Vec<(i128, Thing)> = things.into_iter().filter_map(|thing| Some((apart(from, spot(thing)?), thing))).collect();
    placed.sort_unstable();
    assert_eq!(world.nearest(space, kind, from).collect::<Vec<_>>(), placed.iter().map(|(_, thing)| *thing).collect::<Vec<_>>());
    placed.into_iter().map(|(_, thing)| thing).collect()
}

fn holds(world: &World, from: Coords) -> [usize; 2] {
    [PlacedKind::Beings, PlacedKind::Matter].map(|kind| sorted(world, kind, from).len())
}

/// A field with a being and a thing at each spot, of which some move and end: what is nearest comes first, wherever one looks from.
fn comes_first(spots: &[(i64, i64, i64)], moves: &[(prop::sample::Index, i64, i64)], from: (i64, i64)) {
    let mut text = "[[space]]\npath = \"/field\"\nsize = [4000, 4000]\nallow = [\"**\"]\n".to_owned();
    for (n, (x, y, far)) in spots.iter().enumerate() {
        // Most stand in a crowd, some far from it.
        let far = if n % 5 == 0 { *far } else { 1 };
        let at = format!("coords = [{}, {}]", x * far, y * far);
        text += &format!("[[being]]\nname = \"b{n}\"\nhome = \"/field\"\nrole = \"free\"\nscript = \"look\"\n{at}\n");
        text += &format!("[[matter]]\nat = \"/field\"\nname = \"m{n}\"\ntype = \"stone\"\n{at}\n");
    }
    let mut small = Small::plant(&text);
    let from = Coords { x: from.0, y: from.1, z: 0 };
    assert_eq!(holds(&small.world(), from), [spots.len(); 2]);
    for (at, x, y) in moves {
        let n = at.index(spots.len());
        small.operate(&format!("@b{n}"), "move", args(&format!(r#"{{"to":"/field","coords":{{"x":{x},"y":{y}}}}}"#)));
        let _ = small.try_act("operator", Call::doing(&format!("/field/m{n}"), "matter.end", args("{}")));
        holds(&small.world(), from);
    }
    let world = small.world();
    assert_eq!(holds(&small.kept_world(), from), holds(&world, from));
    let field = world.spaces().find(|space| space.name.as_ref() == "field").unwrap().id;
    assert_eq!(world.matter_count(Thing::Space(field)), world.matter_in(Thing::Space(field)).count());
}

proptest! {
    #![proptest_config(kit::cases(3, 12))]
    #[test]
    fn what_is_nearest_comes_first_wherever_everything_stands_moves_and_ends(
        spots in proptest::collection::vec((0_i64..40, 0_i64..40, 1_i64..100), 1..60),
        moves in proptest::collection::vec((any::<prop::sample::Index>(), 0_i64..40, 0_i64..40), 0..12),
        from in (0_i64..40, 0_i64..40),
    ) {
        comes_first(&spots, &moves, from);
    }
}

#[test]
fn what_stands_alone_where_one_looks_from_is_nearest() {
    comes_first(&[(0, 0, 1)], &[], (0, 0));
}

const GARDENER: &str = "[[being]]\nname = \"ada\"\nhome = \"/garden\"\ncoords = [40, 40]\nrole = \"free\"\ncognition = \"llm\"\n";

/// Many who were there before, away from where Ada stands.
fn crowd(count: usize) -> String {
    let one = |n: usize| format!("[[being]]\nname = \"w{n}\"\nhome = \"/garden\"\ncoords = [80, 80]\nrole = \"deaf\"\nscript = \"look\"\n");
    (0..count).map(one).collect()
}

#[test]
#[ignore = "long: 3,000 neighbours"]
fn a_neighbour_one_step_away_is_told_whoever_was_born_and_whatever_lay_there_before() {
    let things: String =
        (0..1_500).map(|n| format!("[[matter]]\nat = \"/garden\"\nname = \"a{n:04}\"\ntype = \"stone\"\ncoords = [3, 3]\n")).collect();
    let near = "[[matter]]\nat = \"/garden\"\nname = \"zither\"\ntype = \"zither\"\ncoords = [41, 40]\n\
                [[being]]\nname = \"zoe\"\nhome = \"/garden\"\ncoords = [40, 41]\nrole = \"deaf\"\nscript = \"look\"\n";
    let mut small = world(&format!("{}{things}{GARDENER}{near}", crowd(1_500)));
    let (system, _) = told(&mut small, &Script::default(), "hello").remove(0);
    let place = block(&system, "place");
    let first = |begin: &str| place.lines().find(|line| line.starts_with(begin)).unwrap_or_default().to_owned();
    assert!(first("- @").starts_with("- @zoe (script), as deaf, 1 away to the south"), "{place}");
    assert!(first("- /garden/").starts_with("- /garden/zither (zither), 1 away to the east"), "{place}");
    let summon = system.lines().find(|line| line.starts_with("- summon: ")).unwrap();
    assert!(summon.contains("@zoe"), "{summon}");
}

#[test]
fn the_only_target_of_an_operation_is_offered_however_much_is_nearer() {
    let things: String =
        (0..60).map(|n| format!("[[matter]]\nat = \"/garden\"\nname = \"a{n:04}\"\ntype = \"stone\"\ncoords = [40, 41]\n")).collect();
    let being = |name: &str, at: &str, more: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/garden\"\ncoords = {at}\n{more}\n");
    let matter = |at: &str, name: &str| format!("[[matter]]\nat = \"{at}\"\nname = \"{name}\"\ntype = \"press\"\n");
    let others = [
        matter("/garden", "press") + "coords = [88, 88]\n",
        matter("/library/attic", "press"),
        being("sam", "[88, 88]", "role = \"smith\"\nscript = \"look\""),
        being("ada", "[40, 40]", "role = \"binder\"\ncognition = \"llm\""),
    ];
    let open = super::told::WORLD.replace("allow = [\"say\"", "allow = [\"quality.set\", \"say\"");
    for (on, target) in [
        (r#""/garden/press""#, "/garden/press"),
        (r#"{"pattern": "garden/pre*"}"#, "/garden/press"),
        // Elsewhere, while more things are near than can be listed.
        (r#"{"pattern": "library/attic/pre*"}"#, "/library/attic/press"),
        // By what somebody wears, whom no list of things near holds.
        (r#""smith""#, "@sam"),
        (r#"{"rel": "here"}"#, "/garden"),
    ] {
        let binder = format!("name: binder\ncanSee: [here]\ncanDo: [{{action: 'quality.set', on: {on}}}]\ntriggerOn: [message]");
        let mut source = super::kit::source(&format!("{open}{}{things}{}", crowd(80), others.concat()));
        for role in [binder.as_str(), "name: smith\ncanSee: [here]"] {
            source.roles.push(reelm::role::Spec::from_markdown("role.md", &format!("---\n{role}\n---\nYou work.\n")).unwrap());
        }
        let mut small = Small::grow(&source, 1, 1);
        let (system, _) = told(&mut small, &Script::default(), "hello").remove(0);
        let line = system.lines().find(|line| line.starts_with("- do quality.set")).unwrap_or_default();
        assert!(line.split([' ', ')']).any(|word| word == target), "{on}: {line}\n{system}");
    }
}
