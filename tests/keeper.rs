//! Keeper: does the owner of a place hear in words what is held back there, and each thing once an hour?

use reelm::extension::Package;
use reelm::fact::{Call, Content, Draft, Fact, Summons};

use super::kit::{Small, args, code, source};
use super::terminal::package;

/// A hall with its owner, a keeper, one who fails and one who is refused each second, and a keeper of the whole world.
const HALL: &str = r#"
[[space]]
path = "/"
allow = ["keeper:tell"]
[[space]]
path = "/hall"
owner = "@owen"
allow = ["keeper:tell"]
[[being]]
name = "owen"
home = "/"
role = "deaf"
cognition = "human"
[[being]]
name = "keeper"
home = "/hall"
role = "keeper:keeper"
schedule = [{ name = "rounds", every = "10m" }]
[[space]]
path = "/hall/nook"
[[being]]
name = "porter"
home = "/hall/nook"
role = "keeper:keeper"
schedule = [{ name = "rounds", every = "10m" }]
[[being]]
name = "gone"
home = "/hall/nook"
role = "free"
script = "fail"
schedule = [{ name = "turn", every = "1s" }]
[[being]]
name = "warden"
home = "/"
role = "keeper:keeper"
schedule = [{ name = "rounds", every = "10m" }]
[[being]]
name = "loud"
home = "/hall"
role = "free"
script = "fail"
schedule = [{ name = "turn", every = "1s" }]
[[being]]
name = "barred"
home = "/hall"
role = "deaf"
think = 'act("/hall", "space.make", #{ name: "x" })'
schedule = [{ name = "turn", every = "1s" }]
"#;

/// Each telling of a being: to whom, and the words.
fn told(small: &Small, name: &str) -> Vec<(String, String)> {
    let summons = |draft: &Draft| -> Vec<Summons> {
        draft.facts.iter().filter_map(|fact| if let Fact::Asked(told) = fact { Some((**told).clone()) } else { None }).collect()
    };
    let world = small.world();
    let words = |told: Summons| {
        let Content::Here(words) = &told.content else { panic!("its words lie elsewhere") };
        (world.being(told.to).unwrap().name.to_string(), words.as_str().unwrap().to_owned())
    };
    small.reel(name).iter().flat_map(summons).map(words).collect()
}

#[test]
fn the_owner_hears_what_is_held_and_each_thing_once_an_hour() {
    let mut world = source(HALL);
    world.extensions.push(Package::load(&package().join("extensions/keeper")).unwrap());
    let mut small = Small::grow(&world, 1, 1);
    small.run("2h55m");
    let said = told(&small, "keeper");
    assert!(said.iter().all(|(to, _)| to == "owen"), "{said:?}");
    let all: Vec<&str> = said.iter().flat_map(|(_, words)| words.lines()).collect();
    let of = |thing: &str| all.iter().filter(|line| line.starts_with(thing)).count();
    // Both are held from the first minutes of each of three hours on.
    assert_eq!(
        [of("@loud is held by brakes.failures (20 of 20) until "), of("@barred is held by brakes.refusals (100 of 100) until ")],
        [3, 3],
        "{all:?}"
    );
    assert_eq!((of("@gone is held by brakes.failures"), all.len()), (3, 9), "{all:?}");
    // Of a place without an owner of its own whoever owns the one around it hears.
    let nook = told(&small, "porter");
    assert!(nook.len() == 3 && nook.iter().all(|(to, words)| to == "owen" && words.starts_with("@gone is held")), "{nook:?}");
    // Where nobody owns the place the operator hears of it, and of what was given up.
    let world = told(&small, "warden");
    assert!(world.iter().all(|(to, _)| to == "operator"), "{world:?}");
    let all: Vec<&str> = world.iter().flat_map(|(_, words)| words.lines()).collect();
    let dead = all.iter().filter(|line| line.starts_with("A wake of @loud was given up: script-throw")).count();
    assert!((1..=3).contains(&dead), "{all:?}");
    let refused = small.act("owen", Call::summon("@keeper", args(r#"{"content":"Look!"}"#)));
    assert_eq!(code(&refused), "unheard", "it is held up by nothing that it watches");
    assert_eq!(small.replay().unwrap().difference, None);
}
