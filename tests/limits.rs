//! Limits: can nobody fill another's inbox, and do dead letters stay as many as are kept?

use reelm::fact::{Call, Closing, Thing};

use super::kit::{Small, args, code};

/// A sink that is a person, some who speak to it, and those whom one of them gave birth to.
fn hall(senders: &[(&str, &str)]) -> Small {
    let sender = |(name, parent): &(&str, &str)| {
        let parent = if parent.is_empty() { String::new() } else { format!("parent = \"@{parent}\"\n") };
        format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n{parent}")
    };
    let senders: String = senders.iter().map(sender).collect();
    Small::plant(&format!(
        "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"sink\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\nsettings = {{ \"limits.inbox\" = 8 }}\n{senders}"
    ))
}

fn speaks(small: &mut Small, who: &str) -> String {
    let said = small.act(who, Call::summon("@sink", args(r#"{"content":"And now?"}"#)));
    match &said.closing {
        Closing::Refused(reason) => format!("{} at {}", reason.code, reason.at),
        _ => code(&said),
    }
}

const FULL: &str = "inbox-full at @sink";

#[test]
fn an_inbox_takes_so_many_and_a_quarter_of_that_from_one_sender() {
    let mut small = hall(&[("ann", ""), ("ben", ""), ("cid", ""), ("dot", ""), ("eve", "")]);
    for who in ["ann", "ben", "cid", "dot"] {
        assert_eq!([speaks(&mut small, who), speaks(&mut small, who), speaks(&mut small, who)], ["act", "act", FULL], "{who}");
    }
    assert_eq!(speaks(&mut small, "eve"), FULL, "nobody else has room either");
    // As soon as one is taken up there is room for one.
    let wake = small.world().inbox().of(small.id_of("sink")).next().unwrap().id.clone();
    small.answer("sink", Call::summon("@ann", args(r#"{"content":"Later."}"#)));
    assert!(small.world().inbox().get(small.id_of("sink"), &wake).is_none());
    assert_eq!([speaks(&mut small, "eve"), speaks(&mut small, "ann")], ["act", FULL]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn those_whom_one_gave_birth_to_are_one_sender_with_it() {
    let mut small = hall(&[("ann", ""), ("kid", "ann"), ("kin", "kid"), ("ben", "")]);
    assert_eq!(["kid", "kin", "ann"].map(|who| speaks(&mut small, who)), ["act", "act", FULL]);
    assert_eq!(["ben", "kid"].map(|who| speaks(&mut small, who)), ["act", FULL]);
}

#[test]
fn the_newest_dead_letters_of_a_being_are_kept() {
    let mut small = Small::plant(
        "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"fail\"\nsettings = { \"limits.dead\" = 3, \"attempts.max\" = 1 }\n",
    );
    let mut said = Vec::new();
    for _ in 0..7 {
        said.push(small.act("operator", Call::summon("@ada", args(r#"{"content":"well?"}"#))).seq);
        small.run("10s");
    }
    let kept: Vec<u64> = small.world().inbox().dead().map(|(_, letter)| letter.wake.id.cause.seq).collect();
    assert_eq!(kept, said[4..]);
    assert_eq!(small.reel("ada").iter().filter(|moment| moment.closing.word() == "dead-letter").count(), 7, "history has them all");
    let before = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), before);
    for key in ["limits.dead", "limits.inbox"] {
        let refused = small.act("operator", Call::doing("@ada", "config.set", args(&format!(r#"{{"key":"{key}","value":0}}"#))));
        assert_eq!(code(&refused), "args-minimum", "{key}");
    }
}

/// The spaces and matter inside a place or with a being, counted one by one.
fn counted(small: &Small, within: Thing) -> u64 {
    let world = small.world();
    let outward = |thing: Thing| match thing {
        Thing::Space(id) => world.space(id).and_then(|space| space.parent).map(Thing::Space),
        Thing::Matter(id) => world.matter(id).map(|matter| matter.place),
        Thing::Being(_) => None,
    };
    let all = world.spaces().map(|space| Thing::Space(space.id)).chain(world.all_matter().map(|matter| Thing::Matter(matter.id)));
    all.filter(|thing| std::iter::successors(outward(*thing), |at| outward(*at)).any(|around| around == within)).count() as u64
}

#[test]
fn so_many_things_lie_in_a_place_or_with_a_being_and_no_more() {
    let mut small = Small::plant(
        "[[space]]\npath = \"/hall\"\nsettings = { \"limits.things\" = 4 }\n[[space]]\npath = \"/hall/nook\"\n[[space]]\npath = \"/yard\"\n[[matter]]\nat = \"/yard\"\nname = \"box\"\n\
         [[being]]\nname = \"ann\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\nsettings = { \"limits.things\" = 1 }\n",
    );
    let said = |draft: &reelm::fact::Draft| draft.closing.refusal().map_or_else(|| code(draft), |reason| reason.to_string());
    let full = "limit-things at `/hall`";
    let make = |target: &str, name: &str| Call::doing(target, "matter.make", args(&format!(r#"{{"name":"{name}"}}"#)));
    let to = |thing: &str, place: &str| Call::doing(thing, "move", args(&format!(r#"{{"to":"{place}"}}"#)));
    for (who, call, wanted) in [
        ("operator", make("/yard/box", "a"), "act"),
        ("operator", make("/hall/nook", "b"), "act"),
        ("operator", to("/yard/box", "/hall"), "act"),
        // Four lie there: the nook, what is in it, the box, and what is in that.
        ("operator", make("/hall", "c"), full),
        ("operator", make("/hall/nook/b", "c"), full),
        ("operator", Call::doing("/hall/nook", "space.make", args(r#"{"name":"den"}"#)), full),
        ("operator", make("/yard", "d"), "act"),
        ("operator", to("/yard/d", "/hall/nook"), full),
        ("operator", to("/hall/box", "/hall/nook"), "act"),
        ("operator", to("/hall/nook/box", "/yard"), "act"),
        ("operator", make("/hall", "c"), "act"),
        ("ann", make("@ann", "bag"), "act"),
        ("ann", make("@ann/bag", "coin"), "limit-things at `@ann`"),
        ("operator", Call::doing("/hall/c", "matter.end", args("{}")), "act"),
        ("operator", Call::doing("/yard", "move", args(r#"{"to":"/hall"}"#)), full),
    ] {
        assert_eq!(said(&small.act(who, call.clone())), wanted, "{call:?}");
        let world = small.world();
        let places = world.spaces().map(|space| Thing::Space(space.id)).chain([Thing::Being(small.id_of("ann"))]);
        for place in places.collect::<Vec<_>>() {
            assert_eq!(small.world().things_in(place).0, counted(&small, place), "{call:?}: {place}");
        }
    }
    let tallies = |small: &Small| small.world().spaces().map(|space| small.world().things_in(Thing::Space(space.id))).collect::<Vec<_>>();
    let before = tallies(&small);
    small.reopen();
    assert_eq!(tallies(&small), before);
    assert_eq!(small.replay().unwrap().difference, None);
    let refused = small.act("operator", Call::doing("/hall", "config.set", args(r#"{"key":"limits.things","value":0}"#)));
    assert_eq!(code(&refused), "args-minimum");
}
