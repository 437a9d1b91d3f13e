//! Laws: each law of the design, tried on random small worlds. A failing world is printed as the source that it was.

use proptest::prelude::*;
use reelm::fact::{BeingId, Call, Changes, Closing, Code, Draft, Fact, Hash, Reason, Thought, Value, WorldId, read_changes, simulated};
use reelm::past::{Loaded, load, load_from};
use reelm::reel::Chain;
use reelm::replay::{Thread, replay};
use reelm::run::Sealer;
use reelm::world::{NoBlobs, World};

use super::kit::{self, SCRIPTS, Shelf, Small, args, gathered, set, source};

const NAMES: [&str; 6] = ["ada", "bob", "cleo", "dan", "eve", "fay"];
const FLOWS: [&str; 6] = [
    "",
    "flow = [{ when = { \"world.t.dice\" = { gte = 2 } }, role = \"other\" }]",
    "flow = [{ when = { \"time.sinceLastMoment\" = { gte = 7 } }, role = \"deaf\" }]",
    "flow = [{ when = { \"space.name\" = \"hall\" }, role = \"free\" }, { stack = true, when = { \"world.t.dice\" = 1 }, role = \"mute\" }]",
    "flow = [{ when = { \"time.minute\" = { gte = 1 } }, role = \"deaf\" }]",
    "flow = [{ when = { \"me.quality.t.n\" = { gt = 2 } }, role = \"tireless\" }, { role = \"free\" }]",
];
const TICKS: [&str; 5] = ["", "1s", "3s", "10s", "1m"];

/// A world's source: for each being its script, role, flow, schedule and home.
pub fn any_world() -> impl Strategy<Value = String> {
    let being = (0..SCRIPTS.len(), 0usize..5, 0..FLOWS.len(), 0..TICKS.len(), any::<bool>());
    (prop::collection::vec(being, 2..NAMES.len()), any::<bool>()).prop_map(|(beings, batch)| {
        let seals = if batch { "batch" } else { "own" };
        let mut text = format!("[config]\nseals = \"{seals}\"\n\"brakes.moments\" = 40\n\"brakes.depth\" = 6\n\"brakes.continue\" = 3\n");
        text +=
            "[[space]]\npath = \"/hall\"\nallow = [\"move\"]\n[[space]]\npath = \"/other\"\n[[matter]]\nat = \"/hall\"\nname = \"cup\"\n";
        for (name, (script, role, flow, tick, is_here)) in NAMES.iter().zip(beings) {
            let role = ["free", "deaf", "tireless", "mute", "other"][role];
            let home = if is_here { "/hall" } else { "/other" };
            text += &format!(
                "[[being]]\nname = \"{name}\"\nhome = \"{home}\"\nrole = \"{role}\"\nscript = \"{}\"\n{}\n",
                SCRIPTS[script].0, FLOWS[flow]
            );
            if !TICKS[tick].is_empty() {
                text += &format!("[[being.schedule]]\nname = \"tick\"\nevery = \"{}\"\n", TICKS[tick]);
            }
        }
        text
    })
}

/// The acts of an operator that fit any of these worlds.
fn any_gesture() -> impl Strategy<Value = Call> {
    let own = |target: &str, action: &str, json: &str| Call::doing(target, action, args(json));
    prop_oneof![
        Just(Call::summon("@ada", args(r#"{"content":"hello"}"#))),
        Just(Call::summon("@bob", args(r#"{"content":"hello","rank":"urgent"}"#))),
        (0i64..4).prop_map(move |n| own("/", "signal.set", &format!(r#"{{"path":"t.dice","value":{n}}}"#))),
        Just(own("/", "say", r#"{"content":"hear ye"}"#)),
        Just(own("@ada", "pause.set", "{}")),
        Just(own("@ada", "pause.end", "{}")),
        Just(own("@bob", "flow.set", r#"{"flow":[{"role":"free"}]}"#)),
        Just(Call::be("end", args(r#"{"being":"@bob"}"#))),
        Just(Call::be("birth", args(r#"{"name":"zoe","script":"count","defaultRole":"free"}"#))),
        Just(own("@nobody", "quality.set", r#"{"path":"t.n","value":1}"#)),
        Just(Call::see("/hall")),
    ]
}

/// A world with a past: run, acted upon, and run on.
fn lived(text: &str, gestures: &[Call]) -> Small {
    let mut small = Small::plant(text);
    small.run("20s");
    for gesture in gestures {
        small.act("operator", gesture.clone());
        small.run("4s");
    }
    small
}

fn gestures() -> impl Strategy<Value = Vec<Call>> {
    prop::collection::vec(any_gesture(), 0..5)
}

/// The same history with one draft altered, sealed and chained anew by whoever holds the keys.
pub fn sealed_again(small: &Small, drafts: Vec<Draft>) -> Shelf {
    let shelf = Shelf::new(small.id);
    let mut sealer = Sealer::new(Chain::new(small.id), Box::new(shelf.clone()), small.master.clone(), 1, Default::default());
    sealer.seal(vec![drafts]).unwrap();
    shelf.opened()
}

/// Each field that a replay computes, and another value for it.
type Alter = fn(&mut Draft);

const ALTERED: [(&str, Alter); 9] = [
    ("attempt", |draft| draft.attempt += 1),
    ("driver", |draft| draft.driver = Some(BeingId::new(77, 7))),
    ("cognition", |draft| draft.cognition = reelm::fact::Cognition::Llm),
    ("offset", |draft| draft.offset += 1),
    ("stack", |draft| draft.stack.push(reelm::fact::WornRole { role: "operator".into(), clause: None, space: None })),
    ("worn", |draft| draft.worn = Hash::of(b"another role")),
    ("closing", |draft| draft.closing = Closing::Refused(Reason::new(Code::NotHere, ""))),
    ("facts", |draft| draft.facts.push(Fact::Signalled { path: "t.forged".into(), value: Value::Int(1).into() })),
    ("thought", |draft| draft.thought = if draft.thought == Thought::None { Thought::Script } else { Thought::None }),
];

fn drafts(small: &Small) -> Vec<Draft> {
    small.shelf.drafts()
}

proptest! {
    #![proptest_config(kit::cases(4, 24))]

    #[test]
    fn law_1_the_fold_is_the_state(text in any_world(), gestures in gestures()) {
        let mut small = lived(&text, &gestures);
        let before = (small.world().hash(), small.world().next_seq(), small.world().at());
        small.reopen();
        prop_assert_eq!((small.world().hash(), small.world().next_seq(), small.world().at()), before);
        // The numbers that are kept are those that a count comes to.
        let world = small.world();
        prop_assert_eq!(world.standing(), world.beings().filter(|being| !being.ended).count());
        prop_assert_eq!(world.inbox().dead_len(), world.inbox().dead().count());
    }

    #[test]
    fn law_1_holds_from_a_checkpoint_on(text in any_world(), gestures in gestures(), at in any::<prop::sample::Index>(), from in any::<prop::sample::Index>()) {
        let small = lived(&text, &gestures);
        let below = 1 + at.index(small.shelf.frames().len()) as u64;
        let folded = load(&small.shelf, small.id, Some(below), |_, _| {}).unwrap();
        // All of it at once, or what changed on the way to it behind what was there before.
        let before = load(&small.shelf, small.id, Some(from.index(below as usize) as u64), |_, _| {}).unwrap();
        let world = gathered(&[&World::new(small.id), &before.world, &folded.world]);
        prop_assert!(format!("{world:?}") == format!("{:?}", folded.world), "an index differs");
        let mut reels = Changes::default();
        let nobody = Chain::new(small.id);
        before.chain.write_checkpoint(&nobody, &mut |page| read_changes(&page, &mut reels).unwrap());
        folded.chain.write_checkpoint(&before.chain, &mut |page| read_changes(&page, &mut reels).unwrap());
        let chain = Chain::going_on(nobody.lineage().clone(), below, folded.world.at(), folded.chain.peaks().clone(), reels);
        let begun = Loaded { world, chain, blobs: folded.blobs, border: None };
        let gone_on = load_from(&small.shelf, begun, None, |_, _| {}).unwrap();
        prop_assert_eq!((gone_on.world.hash(), gone_on.chain.head()), (small.world().hash(), small.head()));
    }

    #[test]
    fn law_2_every_frame_is_chained_and_sealed(text in any_world(), gestures in gestures()) {
        let small = lived(&text, &gestures);
        let verified = replay(&small.shelf, small.id, Thread { only_verify: true, ..Thread::default() }, &mut |_| {}).unwrap();
        prop_assert_eq!(verified.head, small.head());
        let mut chain = Chain::new(small.id);
        for frame in small.shelf.frames() {
            prop_assert!(frame.verify(&chain.key(frame.draft()).unwrap().point().unwrap()).is_ok());
            prop_assert!(kit::admit(&mut chain, &frame).is_ok());
        }
    }

    #[test]
    fn law_3_a_world_cut_off_at_any_group_goes_on_to_the_same_end(text in any_world(), at in any::<prop::sample::Index>()) {
        let mut whole = Small::plant(&text);
        let end = whole.world().at() + 25_000;
        whole.run_until(end);
        let groups = whole.shelf.groups().len();
        let mut cut = whole.cut(1 + at.index(groups));
        cut.run_until(end);
        prop_assert_eq!(cut.world().hash(), whole.world().hash());
        prop_assert_eq!(cut.head(), whole.head());
    }

    #[test]
    fn law_4_one_thread_and_four_come_to_the_same(text in any_world(), seed in any::<u64>()) {
        let crowd: String = (0..40).map(|n| format!(
            "[[being]]\nname = \"one-of-{n}\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"draw\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"5s\"\n"
        )).collect();
        let text = format!("{text}{crowd}");
        let ends: Vec<_> = [1, 4].into_iter().map(|threads| {
            let mut small = Small::grow(&source(&text), seed, threads);
            small.run("12s");
            (small.world().hash(), small.head())
        }).collect();
        prop_assert_eq!(&ends[0], &ends[1]);
    }

    #[test]
    fn law_5_stopping_and_going_on_is_one_run(text in any_world(), moments in 1u64..9) {
        let mut whole = Small::plant(&text);
        let end = whole.world().at() + 20_000;
        whole.run_until(end);
        let mut halting = Small::plant(&text);
        while halting.moments(moments, end).tally.moments() > 0 {
            halting.reopen();
        }
        prop_assert_eq!(halting.world().hash(), whole.world().hash());
        prop_assert_eq!(halting.head(), whole.head());
    }

    #[test]
    fn law_6_the_frames_alone_replay_the_world(text in any_world(), gestures in gestures()) {
        let small = lived(&text, &gestures);
        let replayed = small.replay().unwrap();
        prop_assert_eq!(replayed.difference, None);
        prop_assert_eq!(replayed.moments, small.shelf.frames().len() as u64);
        prop_assert_eq!((replayed.world, replayed.head), (small.world().hash(), small.head()));
    }

    #[test]
    fn law_7_a_recorded_field_that_is_altered_is_named(text in any_world(), at in any::<prop::sample::Index>(), which in 0..ALTERED.len()) {
        let small = lived(&text, &[]);
        let mut drafts = drafts(&small);
        let at = 1 + at.index(drafts.len() - 1);
        let (field, alter) = ALTERED[which];
        alter(&mut drafts[at]);
        let shelf = sealed_again(&small, drafts);
        let difference = replay(&shelf, small.id, Thread::default(), &mut |_| {}).unwrap().difference;
        let found = difference.as_ref().map(|difference| (difference.seq, difference.field));
        prop_assert_eq!(found, Some((at as u64, field)), "{:?}", difference);
    }

    #[test]
    fn law_8_a_stranger_changes_nothing_that_is_not_theirs(acts in prop::collection::vec(any_trespass(), 1..12)) {
        let mut small = Small::plant(concat!(
            "[[space]]\npath = \"/hall\"\n[[space]]\npath = \"/other\"\n[[matter]]\nat = \"/other\"\nname = \"cup\"\n",
            "[[being]]\nname = \"hal\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n",
            "[[being]]\nname = \"bob\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"look\"\nquality.t.n = 1\n",
        ));
        let before = not_hals(&small);
        for act in acts {
            let hash = hal(&small);
            let draft = small.act("hal", act.clone());
            prop_assert_eq!(not_hals(&small), before.clone(), "{:?}", act);
            if draft.closing != Closing::Act {
                prop_assert!(draft.facts.is_empty());
                prop_assert_eq!(hal(&small), hash);
            }
        }
        prop_assert_eq!(small.replay().unwrap().difference, None);
    }

    #[test]
    fn what_is_added_to_a_source_that_nobody_meets_leaves_everybodys_draws(text in any_world(), unmet in 0..UNMET.len(), is_first in any::<bool>()) {
        let (config, world) = text.split_once("[[space]]").unwrap();
        let added = if is_first { format!("{config}{}[[space]]{world}", UNMET[unmet]) } else { format!("{text}{}", UNMET[unmet]) };
        let drawn = |text: &str| -> Vec<Vec<Value>> {
            let mut small = Small::plant(text);
            small.run("12s");
            let beings = small.world().beings().map(|being| being.name.clone()).collect::<Vec<_>>();
            beings.iter().filter(|name| name.as_ref() != "zed").map(|name| [set(&small.reel(name), "t.draws"), published(&small.reel(name))].concat()).collect()
        };
        prop_assert_eq!(drawn(&added), drawn(&text));
    }
}

/// The numbers that a being published.
fn published(drafts: &[Draft]) -> Vec<Value> {
    let dice = drafts.iter().flat_map(|draft| &draft.facts).filter_map(|fact| match fact {
        Fact::Signalled { value: reelm::fact::Content::Here(value), .. } => Some(value.clone()),
        _ => None,
    });
    dice.collect()
}

/// Additions to a source that nobody of a small world meets: a space, its contents, and a being there that draws.
const UNMET: [&str; 4] = [
    "[[space]]\npath = \"/far\"\n",
    "[[space]]\npath = \"/far\"\n[[space]]\npath = \"/far/away\"\n[[matter]]\nat = \"/far/away\"\nname = \"stone\"\n",
    "[[space]]\npath = \"/far\"\n[[being]]\nname = \"zed\"\nhome = \"/far\"\nrole = \"mute\"\nscript = \"look\"\n",
    "[[space]]\npath = \"/far\"\n[[being]]\nname = \"zed\"\nhome = \"/far\"\nrole = \"free\"\nscript = \"draw\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"2s\"\n",
];

/// Deeds of somebody whose role allows everything and who has no right anywhere.
fn any_trespass() -> impl Strategy<Value = Call> {
    let targets = prop::sample::select(vec!["@bob", "/other", "/hall", "/", "@operator", "@world", "/other/cup", "@hal"]);
    let deeds = prop::sample::select(vec![
        ("quality.set", r#"{"path":"t.n","value":9}"#),
        ("quality.unset", r#"{"path":"t.n"}"#),
        ("quality.inc", r#"{"path":"t.n"}"#),
        ("quality.push", r#"{"path":"t.list","value":9}"#),
        ("move", r#"{"to":"/other"}"#),
        ("matter.end", "{}"),
        ("matter.make", r#"{"name":"thing"}"#),
        ("space.make", r#"{"name":"room"}"#),
        ("space.end", "{}"),
        ("own.set", r#"{"owner":"@hal"}"#),
        ("own.allow", r#"{"allow":["*"]}"#),
        ("flow.set", r#"{"flow":[]}"#),
        ("flow.default", r#"{"role":"operator"}"#),
        ("grants.set", r#"{"grants":["*"]}"#),
        ("cognition.set", r#"{"cognition":"human"}"#),
        ("home.set", r#"{"home":"/other"}"#),
        ("role.set", r#"{"name":"free","role":null}"#),
        ("config.set", r#"{"key":"brakes.depth","value":1}"#),
        ("schedule.set", r#"{"name":"mine","every":"1s"}"#),
        ("pause.set", "{}"),
        ("say", r#"{"content":"mine"}"#),
    ]);
    let doing = (targets, deeds).prop_map(|(target, (action, json))| Call::doing(target, action, args(json)));
    let being = prop::sample::select(vec![
        Call::be("end", args(r#"{"being":"@bob"}"#)),
        Call::be("inhabit", args(r#"{"being":"@bob"}"#)),
        Call::be("birth", args(r#"{"name":"kid","home":"/other","defaultRole":"operator"}"#)),
        Call::be("release", args(r#"{"being":"@bob"}"#)),
    ]);
    prop_oneof![4 => doing, 1 => being]
}

/// Everything that is not hal's, as text: what the gate must keep, asked of nobody but the fold.
fn not_hals(small: &Small) -> String {
    let world = small.world();
    let beings: Vec<_> = world
        .beings()
        .filter(|being| being.name.as_ref() != "hal")
        .map(|being| {
            let held: Vec<_> = world.matter_in(reelm::fact::Thing::Being(being.id)).map(|(name, _)| name.clone()).collect();
            format!(
                "{} {:?} {:?} {:?} {:?} {:?} {:?} {} {:?} {:?} {:?}",
                being.name,
                being.position,
                being.home,
                being.grants,
                being.default_role,
                being.script,
                being.qualities,
                being.ended,
                being.schedules.len(),
                held,
                being.cognition_at(world.at())
            )
        })
        .collect();
    let matter = |space| {
        world.matter_in(reelm::fact::Thing::Space(space)).map(|(name, id)| format!("{name} {:?}", world.matter(id))).collect::<Vec<_>>()
    };
    let spaces: Vec<_> = world
        .spaces()
        .map(|space| {
            format!(
                "{} {:?} {:?} {:?} {:?} {:?} {:?}",
                space.name,
                space.parent,
                space.owner,
                space.allow,
                space.qualities,
                space.settings,
                matter(space.id)
            )
        })
        .collect();
    format!(
        "{beings:#?}{spaces:#?}{}{:?}{}",
        world.world_setting("brakes.depth").as_int().unwrap(),
        world.registry().roles.get("free").map(|role| role.hash),
        world.is_paused()
    )
}

fn hal(small: &Small) -> String {
    let world = small.world();
    let hal = world.being_named("hal").unwrap();
    format!("{:?} {:?} {:?} {:?} {:?}", hal.position, hal.home, hal.grants, hal.default_role, hal.qualities)
}

#[test]
fn changing_what_one_being_draws_leaves_the_draws_of_the_others() {
    let world = |script: &str| {
        let being = |name: &str, script: &str| {
            format!(
                "[[being]]\nname = \"{name}\"\nrole = \"free\"\nscript = \"{script}\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"1s\"\n"
            )
        };
        let mut small = Small::plant(&format!("{}{}", being("ada", script), being("bob", "draw")));
        small.run("20s");
        small
    };
    let (one, other) = (world("draw"), world("look"));
    let draws = |small: &Small, name: &str| set(&small.reel(name), "t.draws");
    assert_eq!(draws(&one, "bob").len(), 20);
    assert_eq!(draws(&one, "bob"), draws(&other, "bob"));
    assert_ne!(draws(&one, "ada"), draws(&one, "bob"), "each has a stream of its own");
    assert!(draws(&other, "ada").is_empty());
    assert!(draws(&one, "bob").iter().collect::<Vec<_>>().windows(2).any(|pair| pair[0] != pair[1]), "each moment draws anew");
}

#[test]
fn another_seed_makes_another_world_of_the_same_shape() {
    let text = "[[being]]\nname = \"ada\"\nrole = \"free\"\nscript = \"draw\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"1s\"\n";
    let draws = |seed| {
        let mut small = Small::grow(&source(text), seed, 1);
        small.run("5s");
        set(&small.reel("ada"), "t.draws")
    };
    assert_eq!(draws(1), draws(1));
    assert_ne!(draws(1), draws(2));
    assert_ne!(simulated("small", 1).1, simulated("small", 2).1);
    assert_ne!(simulated("small", 1).1, WorldId::default());
}

#[test]
fn law_10_the_fact_of_a_person_is_that_of_a_script() {
    let text = concat!(
        "[[being]]\nname = \"ada\"\nrole = \"free\"\nscript = \"count\"\n",
        "[[being]]\nname = \"hal\"\nrole = \"free\"\ncognition = \"human\"\n",
    );
    let mut small = Small::plant(text);
    small.act("operator", Call::summon("@ada", args(r#"{"content":"hello"}"#)));
    small.run("1s");
    small.act("hal", Call::doing("@hal", "quality.inc", args(r#"{"path":"t.n"}"#)));
    let shown = |name: &str| format!("{:?}", small.reel(name)[0].facts).replace(&format!("{:?}", small.id_of(name)), "me");
    assert_eq!(shown("ada"), shown("hal"));
    assert_eq!(small.quality("ada", "t.n"), small.quality("hal", "t.n"));
}

#[test]
fn only_the_next_frame_is_folded_and_any_other_leaves_the_world_as_it_is() {
    let small = Small::plant("[[space]]\npath = \"/hall\"\n");
    let drafts = small.shelf.drafts();
    let mut world = World::new(small.id);
    assert!(drafts.len() > 2);
    for at in 0..2 {
        let before = world.hash();
        for wrong in drafts.iter().filter(|draft| draft.seq != at).take(3) {
            let refused = world.apply(wrong, &NoBlobs).map_err(|error| error.to_string());
            assert_eq!(refused, Err(format!("expected frame {at} next, found {}", wrong.seq)));
        }
        assert_eq!(world.hash(), before);
        world.apply(&drafts[at as usize], &NoBlobs).unwrap();
    }
}
