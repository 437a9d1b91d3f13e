//! MapPlan: do the walls of a world's map stand still?

use std::collections::BTreeMap;

use proptest::prelude::*;
use reelm::fact::{Call, Closing, Draft, SpaceId};
use reelm::past::History;
use reelm::portal::plan::MapPlans;
use reelm::role::Spec;
use reelm::world::{HUES, Hue, World};
use serde_json::{Value, json};

use super::kit::{Small, args, cases, gathered, source};
use super::served::{Person, Served};
use super::terminal::Terminal;

/// Where each place of a world lies, by its path.
fn grounds(world: &World) -> BTreeMap<String, [f64; 4]> {
    let plan = MapPlans::default().of(world);
    world.spaces().filter_map(|space| Some((world.path_of(space.id), plan.ground(space.id)?.whole))).collect()
}

fn lies_in(inner: [f64; 4], outer: [f64; 4]) -> bool {
    let [(x, y, w, h), (left, top, wide, high)] = [inner, outer].map(|[x, y, w, h]| (x, y, w, h));
    x >= left - 0.1 && y >= top - 0.1 && x + w <= left + wide + 0.1 && y + h <= top + high + 0.1
}

fn overlap(one: [f64; 4], other: [f64; 4]) -> bool {
    let apart = |at: usize| one[at] + one[at + 2] <= other[at] + 0.1 || other[at] + other[at + 2] <= one[at] + 0.1;
    !apart(0) && !apart(1)
}

/// Each place lies in the one around it, and beside those in it.
fn stands(grounds: &BTreeMap<String, [f64; 4]>) {
    let parent = |path: &str| path.rsplit_once('/').map(|(parent, _)| if parent.is_empty() { "/" } else { parent }.to_owned());
    for (path, ground) in grounds.iter().filter(|(path, _)| *path != "/") {
        assert!(ground[2] > 0.0 && ground[3] > 0.0, "{path} has no room: {grounds:?}");
        let around = parent(path).unwrap();
        assert!(lies_in(*ground, grounds[&around]), "{path} lies beside {around}: {grounds:?}");
        for (other, beside) in grounds.iter().filter(|(other, _)| *other > path && parent(other) == parent(path)) {
            assert!(!overlap(*ground, *beside), "{path} lies on {other}: {grounds:?}");
        }
    }
}

/// The places that lie elsewhere than before.
fn moved(before: &BTreeMap<String, [f64; 4]>, after: &BTreeMap<String, [f64; 4]>) -> Vec<String> {
    before.iter().filter(|(path, ground)| after.get(*path).is_some_and(|now| now != *ground)).map(|(path, _)| path.clone()).collect()
}

const TOWN: &str = "
[[space]]
path = \"/mill\"
size = [9, 3]
[[space]]
path = \"/inn\"
[[space]]
path = \"/street\"
[[space]]
path = \"/street/bakery\"
[[space]]
path = \"/street/smithy\"
[[matter]]
at = \"/street/smithy\"
name = \"anvil\"
[[being]]
name = \"ada\"
home = \"/inn\"
[[being]]
name = \"bob\"
home = \"/inn\"
";

fn attempt(small: &mut Small, target: &str, action: &str, with: reelm::fact::Value) -> Draft {
    small.act("operator", Call::doing(target, action, with))
}

fn make(small: &mut Small, parent: &str, name: &str) {
    assert_eq!(small.operate(parent, "space.make", args(&json!({ "name": name }).to_string())).closing, Closing::Act);
}

#[test]
fn neither_those_who_walk_nor_those_who_are_born_nor_what_they_make_moves_a_wall() {
    let mut small = Small::plant(TOWN);
    let (before, since) = (grounds(&small.world()), small.world().plots().since());
    stands(&before);
    for target in ["/mill", "/street"] {
        small.operate("@ada", "move", args(&json!({ "to": target }).to_string()));
        small.operate(target, "matter.make", args(&json!({ "name": "sack" }).to_string()));
    }
    for name in ["cleo", "dan", "eve"] {
        small.act("operator", Call::be("birth", args(&json!({ "name": name, "home": "/inn" }).to_string())));
    }
    small.operate("/street", "quality.set", args(r#"{"path":"ambient.tone","value":"loud"}"#));
    assert_eq!((grounds(&small.world()), small.world().plots().since()), (before, since));
}

#[test]
fn a_place_that_is_made_takes_room_from_one_neighbour_and_one_that_ends_leaves_its_room_to_the_next() {
    let mut small = Small::plant(TOWN);
    let before = grounds(&small.world());
    make(&mut small, "/street", "shop");
    let with_shop = grounds(&small.world());
    stands(&with_shop);
    assert_eq!(moved(&before, &with_shop).len(), 1, "{:?}", moved(&before, &with_shop));
    small.operate("/street/shop", "space.end", args("{}"));
    let mut without = grounds(&small.world());
    assert_eq!(moved(&with_shop, &without), Vec::<String>::new());
    make(&mut small, "/street", "chapel");
    let with_chapel = grounds(&small.world());
    assert_eq!(with_chapel["/street/chapel"], with_shop["/street/shop"]);
    without.insert("/street/chapel".to_owned(), with_shop["/street/shop"]);
    assert_eq!(with_chapel, without);
    // A place of the source leaves its room too, with those that were in it.
    small.operate("/inn", "space.make", args(r#"{"name":"cellar"}"#));
    let inn = grounds(&small.world());
    small.operate("/street/bakery", "space.end", args("{}"));
    make(&mut small, "/street", "bank");
    assert_eq!(grounds(&small.world())["/street/bank"], inn["/street/bakery"]);
}

#[test]
fn a_place_that_moves_leaves_its_room_and_takes_another_with_all_in_it() {
    let mut small = Small::plant(TOWN);
    let before = grounds(&small.world());
    small.operate("/street", "move", args(r#"{"to":"/mill"}"#));
    let after = grounds(&small.world());
    stands(&after);
    assert_eq!((after.len(), after.contains_key("/mill/street/smithy")), (before.len(), true), "{after:?}");
    assert_eq!((after["/inn"], after["/mill"]), (before["/inn"], before["/mill"]), "the others stand where they stood");
    make(&mut small, "/", "quay");
    assert_eq!(grounds(&small.world())["/quay"], before["/street"]);
}

#[test]
fn a_column_and_a_row_say_where_a_place_lies() {
    let place = |path: &str, at: &str| format!("[[space]]\npath = \"{path}\"\n{at}\n");
    let text = [("/north", "at = [1, 0]"), ("/west", "at = [0, 1]"), ("/east", "at = [2, 1]"), ("/south", "at = [1, 2]"), ("/other", "")];
    let small = Small::plant(&text.map(|(path, at)| place(path, at)).concat());
    let at = grounds(&small.world());
    stands(&at);
    let ([x, y], [north, west, east, south]) = ([0, 1], ["/north", "/west", "/east", "/south"].map(|path| at[path]));
    assert!(west[x] < north[x] && north[x] < east[x] && north[x] == south[x], "{at:?}");
    assert!(north[y] < west[y] && west[y] == east[y] && west[y] < south[y] && south[y] < at["/other"][y], "{at:?}");
    let mut small = small;
    assert_eq!(small.operate("/west", "quality.set", args(r#"{"path":"look.at","value":[5,1]}"#)).closing, Closing::Act);
    let at = grounds(&small.world());
    assert!(at["/east"][x] < at["/west"][x], "{at:?}");
    // Nonsense is no place.
    small.operate("/west", "quality.set", args(r#"{"path":"look.at","value":["a",-1]}"#));
    stands(&grounds(&small.world()));
}

#[test]
fn neither_a_step_on_the_grid_nor_another_look_moves_a_place_into_the_room_of_one_that_ended() {
    let mut small = Small::plant(&format!("{TOWN}[[space]]\npath = \"/mill/loft\"\ncoords = [0, 0]\n[[space]]\npath = \"/mill/cellar\"\n"));
    small.operate("/mill/cellar", "space.end", args("{}"));
    let before = grounds(&small.world());
    small.operate("/mill/loft", "move", args(r#"{"coords":[2,1]}"#));
    small.operate("/mill/loft", "quality.set", args(r#"{"path":"look.colour","value":"maple"}"#));
    assert_eq!(grounds(&small.world()), before);
}

#[test]
fn many_places_that_are_made_later_still_have_room_each() {
    let mut small = Small::plant(TOWN);
    (0..90).for_each(|at| make(&mut small, "/inn", &format!("cell-{at}")));
    let at = grounds(&small.world());
    stands(&at);
    assert!(at.values().all(|[_, _, w, h]| *w > 0.0 && *h > 0.0), "{at:?}");
}

#[test]
fn the_places_of_a_world_that_began_with_none_share_one_map() {
    let mut small = Small::plant("[[being]]\nname = \"ada\"\n");
    make(&mut small, "/", "hut");
    let one = grounds(&small.world());
    make(&mut small, "/", "barn");
    let two = grounds(&small.world());
    stands(&two);
    assert_eq!(one["/"], two["/"]);
    assert!(two["/hut"][2] > 400.0 && two["/barn"][2] > 400.0, "{two:?}");
}

#[test]
fn a_fork_and_each_point_of_the_past_have_the_plan_of_their_time() {
    let terminal = Terminal::with_world("skateco", 400);
    terminal.types("do / space.make '{\"name\":\"annex\"}'").ok();
    terminal.types("do /annex space.end").ok();
    terminal.types("do / space.make '{\"name\":\"kiosk\"}'").ok();
    let history = History::of(&terminal.path("world")).unwrap();
    let end = history.end();
    let now = grounds(&history.world_at(end).unwrap());
    let begun = grounds(&history.planted().unwrap().unwrap());
    let with_annex = grounds(&history.world_at(end - 2).unwrap());
    assert_eq!(with_annex["/annex"], now["/kiosk"]);
    for part in 1..10 {
        let seq = history.planted().unwrap().unwrap().next_seq() + (end - 3) * part / 20;
        assert_eq!(grounds(&history.world_at(seq).unwrap()), begun, "at {seq}");
    }
    assert_eq!(moved(&begun, &now).iter().filter(|path| path.matches('/').count() == 1).count(), 1, "{:?}", moved(&begun, &now));
    terminal.types(&format!("fork other --at {end}")).ok();
    let fork = History::of(&terminal.path("other")).unwrap();
    assert_eq!(grounds(&fork.world_at(fork.end()).unwrap()), now);
}

#[test]
fn hidden_places_take_no_room() {
    let look = "[[look]]\ntype = \"cellar\"\nhidden = true\n";
    let small = Small::plant(&format!("{TOWN}[[space]]\npath = \"/deep\"\ntype = \"cellar\"\n{look}"));
    let plain = grounds(&Small::plant(TOWN).world());
    assert_eq!(grounds(&small.world()), plain);
}

#[test]
fn many_places_are_laid_in_even_rows() {
    let houses: String = (0..300).map(|at| format!("[[space]]\npath = \"/house-{at}\"\n")).collect();
    let at = grounds(&Small::plant(&houses).world());
    stands(&at);
    let sizes: Vec<(f64, f64)> = at.iter().filter(|(path, _)| *path != "/").map(|(_, ground)| (ground[2], ground[3])).collect();
    assert!(sizes.iter().all(|size| (size.0 - sizes[0].0).abs() < 0.1 && (size.1 - sizes[0].1).abs() < 0.1), "{sizes:?}");
}

#[derive(Clone, Debug)]
enum Step {
    Make(usize, usize),
    End(usize),
    Move(usize, usize),
    Size(usize),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0usize..40, 0usize..30).prop_map(|(parent, name)| Step::Make(parent, name)),
        (0usize..40).prop_map(Step::End),
        (0usize..40, 0usize..40).prop_map(|(place, to)| Step::Move(place, to)),
        (0usize..40).prop_map(Step::Size),
    ]
}

proptest! {
    #![proptest_config(cases(24, 400))]

    /// Walls stand still but beside what is made; a world from checkpoints has the same plan, and goes on with the same.
    #[test]
    fn each_change_moves_neighbours_alone(steps in prop::collection::vec(any_step(), 1..24)) {
        let mut small = Small::plant(TOWN);
        let begun = small.world();
        for step in steps {
            let world = small.world();
            let places: Vec<(SpaceId, String)> = world.spaces().map(|space| (space.id, world.path_of(space.id))).collect();
            let of = |at: usize| &places[at % places.len()];
            let before = grounds(&world);
            let draft = match &step {
                Step::Make(parent, name) => attempt(&mut small, &of(*parent).1, "space.make", args(&json!({ "name": format!("p{name}") }).to_string())),
                Step::End(place) => attempt(&mut small, &of(*place).1, "space.end", args("{}")),
                Step::Move(place, to) => attempt(&mut small, &of(*place).1, "move", args(&json!({ "to": of(*to).1 }).to_string())),
                Step::Size(place) => attempt(&mut small, &of(*place).1, "space.set", args(r#"{"size":[7,7]}"#)),
            };
            let after = grounds(&small.world());
            stands(&after);
            prop_assert_eq!(after.len(), small.world().spaces().count());
            let moved = moved(&before, &after);
            match (&step, draft.closing == Closing::Act) {
                // All that has moved lies in one neighbour, or is the neighbour itself.
                (Step::Make(..), true) => {
                    prop_assert!(!moved.contains(&"/".to_owned()), "the world itself has moved");
                    let first = moved.iter().min_by_key(|path| path.len()).cloned().unwrap_or_default();
                    prop_assert!(moved.iter().all(|path| path.starts_with(&first)), "{:?} moved {:?}", step, moved);
                }
                (Step::Move(place, _), true) => {
                    prop_assert!(small.world().space(of(*place).0).is_some());
                }
                _ => prop_assert_eq!(moved, Vec::<String>::new(), "{:?}", step),
            }
        }
        let world = small.world();
        let kept = gathered(&[&World::new(small.id), &begun, &world]);
        prop_assert_eq!(grounds(&kept), grounds(&world));
        prop_assert_eq!(kept.plots().since(), world.plots().since());
        prop_assert!(kept.plots().all().eq(world.plots().all()));
        prop_assert_eq!(kept.hues(), world.hues());
        small.reopen();
        prop_assert!(small.world().plots().all().eq(world.plots().all()));
    }
}

fn served_grounds(served: &Served, person: &Person, at: &str) -> BTreeMap<String, Value> {
    let tree = served.get(person, &format!("/api/tree{at}")).ok();
    let mut open = vec![tree];
    let mut all = BTreeMap::new();
    while let Some(space) = open.pop() {
        all.insert(space["address"].as_str().unwrap().to_owned(), space["ground"].clone());
        open.extend(space["spaces"].as_array().unwrap().iter().cloned());
    }
    all
}

#[test]
fn a_server_tells_the_same_plan_at_each_point_of_a_day_and_each_role_its_hue() {
    let terminal = Terminal::with_world("skateco", 3_000);
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let world = served.get(&operator, "/api/world").ok();
    let (seq, now) = (world["seq"].as_u64().unwrap(), served_grounds(&served, &operator, ""));
    assert!(now.len() > 5 && now.values().all(Value::is_object), "{now:?}");
    let since = served.get(&operator, "/api/tree").ok()["planSince"].as_u64().unwrap();
    for part in 0..10 {
        let at = since + 1 + (seq - since - 1) * part / 10;
        assert_eq!(served_grounds(&served, &operator, &format!("?at={at}")), now, "at {at}");
    }
    let hues = world["hues"].as_object().unwrap();
    let then = served.get(&operator, &format!("/api/world?at={}", seq / 2)).ok();
    assert!(hues.len() > 3 && then["hues"].as_object().unwrap().iter().all(|(role, place)| hues[role] == *place), "{hues:?} {then}");
    let places: std::collections::BTreeSet<u64> = hues.values().map(|place| place.as_u64().unwrap()).collect();
    assert!(places.len() >= hues.len().min(14), "up to fourteen no two roles are alike: {hues:?}");
    assert!(places.iter().all(|place| *place < 28), "{hues:?}");
    // A visitor who may not see the roles learns no role's name here.
    let visitor = served.get(&Person::default(), "/api/world");
    assert!(visitor.body["hues"].as_object().is_none_or(serde_json::Map::is_empty), "{}", visitor.body);
}

/// The hues of a world in which so many beings each wear a role of their own, with a modifier above it.
fn hues_of(primaries: usize, modifiers: usize) -> Vec<(String, Hue)> {
    let role = |name: &str| format!("---\nname: {name}\ncanDo: []\ntriggerOn: [schedule]\n---\n\nYou are in a test.\n");
    let mut text = String::new();
    for at in 0..primaries {
        let stacked = format!("{{ stack = true, when = {{ \"time.hour\" = {{ gte = 0 }} }}, role = \"m{}\" }}", at % modifiers.max(1));
        text += &format!(
            "[[being]]\nname = \"b{at}\"\nrole = \"p{at}\"\nscript = \"count\"\nflow = [{}]\n[[being.schedule]]\nname = \"tick\"\nevery = \"1s\"\n",
            if modifiers > 0 { stacked } else { String::new() }
        );
    }
    let mut source = source(&text);
    let names = (0..primaries).map(|at| format!("p{at}")).chain((0..modifiers).map(|at| format!("m{at}")));
    source.roles.extend(names.map(|name| Spec::from_markdown("test.md", &role(&name)).unwrap()));
    let mut small = Small::grow(&source, 1, 1);
    small.run("10s");
    let world = small.world();
    let all = world
        .hues()
        .all()
        .map(|(role, hue)| (role.to_string(), hue))
        .filter(|(role, _)| role.len() < 4 && role.chars().any(|letter| letter.is_ascii_digit()));
    all.collect()
}

#[test]
fn up_to_fourteen_roles_are_never_alike_and_beyond_them_those_worn_first_are_not() {
    // The role of the operator is one of the fourteen.
    for (primaries, modifiers) in [(13, 0), (8, 5), (3, 3)] {
        let hues = hues_of(primaries, modifiers);
        assert_eq!(hues.len(), primaries + modifiers, "{hues:?}");
        let slots: std::collections::BTreeSet<u64> = hues.iter().map(|(_, hue)| hue.place % HUES).collect();
        assert_eq!(slots.len(), hues.len(), "{hues:?}");
    }
    let hues = hues_of(13, 6);
    let primaries: Vec<u64> = hues.iter().filter(|(_, hue)| hue.is_primary).map(|(_, hue)| hue.place).collect();
    assert_eq!(primaries.len(), 13, "{hues:?}");
    assert_eq!(primaries.iter().collect::<std::collections::BTreeSet<_>>().len(), 13, "{hues:?}");
    assert!(primaries.iter().all(|place| *place < HUES), "{hues:?}");
}
