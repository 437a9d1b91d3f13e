//! Threads: is it seen what goes back to one beginning, and can a person end it?

use reelm::dialect::TokenCount;
use reelm::fact::{Call, Code, Draft, Fact, Made, Receipt};
use reelm::run::{Course, Pace, Reins, Until};
use reelm::verb::see;
use serde_json::json;

use super::kit::{Small, args, code};
use super::mind::{Slow, WORLD, answered, tool};
use super::scopes::shown;

/// Two that answer each other without end, a person beside them, and one who speaks by the clock.
const PAIR: &str = r#"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "talks"
think = 'summon(me.address.replaced("ada", "bob"), #{ content: "And you?" })'
[[being]]
name = "bob"
home = "/hall"
role = "talks"
think = 'summon("@ada", #{ content: "And you?" })'
[[being]]
name = "pat"
home = "/hall"
role = "talks"
cognition = "human"
[[being]]
name = "tick"
home = "/hall"
role = "talks"
think = 'act(me.address, "quality.inc", #{ path: "t.n" })'
schedule = [{ name = "turn", every = "1s" }]
[[role]]
name = "talks"
canSee = ["**"]
canDo = ["**"]
canSummon = ["**"]
triggerOn = ["message", "schedule", "hear"]
prompt = "You answer."
"#;

fn pair() -> Small {
    Small::plant(&PAIR.replace("me.address.replaced(\"ada\", \"bob\")", "\"@bob\""))
}

/// Lets somebody begin a conversation, and says by which fact.
fn begins(small: &mut Small, who: &str) -> Made {
    let said = small.act(who, Call::summon("@ada", args(r#"{"content":"Go on."}"#)));
    assert_eq!(code(&said), "act");
    Made { seq: said.seq, index: 0 }
}

fn cuts(small: &mut Small, who: &str, root: Made) -> Draft {
    small.act(who, Call::doing("/", "thread.cut", args(&format!(r#"{{"root":"{root}"}}"#))))
}

#[test]
fn a_conversation_without_end_ends_where_it_is_cut() {
    let mut small = pair();
    let root = begins(&mut small, "operator");
    small.moments(40, small.world().now() + 1000);
    let told = shown(&small, "/.threads").to_string();
    assert!(told.contains(&format!("\"{root}\"")), "{told}");
    let one = shown(&small, &format!("/.threads/{root}"));
    assert_eq!((one.get("open").unwrap().as_int(), one.get("began").unwrap().as_str()), (Some(1), Some("@operator")));
    assert!(one.get("moments").unwrap().as_int().unwrap() >= 20 && one.get("wakes").unwrap().as_list().unwrap().len() == 1, "{one}");
    let before = small.reel("ada").len() + small.reel("bob").len();
    let cut = cuts(&mut small, "operator", root);
    assert!(matches!(cut.facts.as_slice(), [Fact::Cut { whose: None, .. }]), "{:?}", cut.facts);
    let world = small.world();
    let dead: Vec<String> = world.inbox().dead().map(|(_, letter)| letter.reason.to_string()).collect();
    assert_eq!(dead, ["cut at `@operator`"]);
    assert!(world.root_count(root).is_none());
    small.run("1m");
    assert_eq!(small.reel("ada").len() + small.reel("bob").len(), before, "nothing more comes of it");
    assert!(small.reel("tick").len() > 50, "who has nothing to do with it goes on");
    assert_eq!(small.replay().unwrap().difference, None);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    // What was cut can be opened again, and is a beginning of its own.
    let (being, letter) = world.inbox().dead().next().map(|(being, letter)| (being, letter.wake.id.cause)).unwrap();
    let name = world.being(being).unwrap().name.clone();
    small.operate(&format!("@{name}"), "wake.requeue", args(&format!(r#"{{"cause":"{letter}","kind":"summons"}}"#)));
    small.moments(10, small.world().now() + 1000);
    assert!(small.reel("ada").len() + small.reel("bob").len() > before);
}

#[test]
fn whoever_began_it_cuts_all_of_it_and_anybody_else_what_is_theirs() {
    let more = "[[being]]\nname = \"relay\"\nhome = \"/hall\"\nrole = \"talks\"\nthink = 'summon(\"@sue\", \"Well?\")'\n\
                [[being]]\nname = \"sue\"\nhome = \"/hall\"\nrole = \"talks\"\ncognition = \"human\"\n";
    let mut small = Small::plant(&format!("{}{more}", PAIR.replace("me.address.replaced(\"ada\", \"bob\")", "\"@bob\"")));
    let root = begins(&mut small, "pat");
    small.moments(10, small.world().now() + 500);
    assert_eq!(code(&cuts(&mut small, "sue", root)), "gate-thread", "none of it is hers");
    // She is asked something in another, and ends her part alone.
    let said = small.act("pat", Call::summon("@relay", args(r#"{"content":"Ask her."}"#)));
    let asked = Made { seq: said.seq, index: 0 };
    small.moments(4, small.world().now() + 500);
    let cut = cuts(&mut small, "sue", asked);
    assert!(cut.facts.contains(&Fact::Cut { root: asked, whose: Some(small.id_of("sue")) }), "{:?}", cut.facts);
    assert!(small.world().root_count(asked).is_none() && small.world().root_count(root).is_some());
    assert!(matches!(cuts(&mut small, "pat", root).facts.as_slice(), [Fact::Cut { whose: None, .. }]));
    for (root, said) in [(root.to_string(), "thread-ended"), ("999.0".to_owned(), "thread-ended"), ("x".to_owned(), "args-pattern")] {
        let refused = small.act("operator", Call::doing("/", "thread.cut", args(&format!(r#"{{"root":"{root}"}}"#))));
        assert_eq!((refused.closing.word(), code(&refused).as_str()), ("refused", said), "{root}");
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn whoever_began_it_may_look_at_it_and_nobody_else_without_the_right_to_the_register() {
    let text = PAIR.replace("me.address.replaced(\"ada\", \"bob\")", "\"@bob\"").replace("canSee = [\"**\"]", "canSee = [\"/**\", \"@*\"]");
    let sue = "[[being]]\nname = \"sue\"\nhome = \"/hall\"\nrole = \"talks\"\ncognition = \"human\"\n";
    let mut small = Small::plant(&format!("{text}{sue}"));
    let root = begins(&mut small, "pat");
    for (who, address, said) in [
        ("pat", format!("/.threads/{root}"), "see"),
        ("pat", "/.threads".to_owned(), "gate-role"),
        ("sue", format!("/.threads/{root}"), "gate-role"),
        ("pat", "/.threads/999.0".to_owned(), "gate-role"),
    ] {
        let looked = small.act(who, Call::see(&address));
        assert_eq!(code(&looked), said, "{who} {address}");
    }
    // Words that others were told are not theirs to read.
    small.moments(3, small.world().now() + 500);
    let world = small.world();
    let told = |who: &str| see(&world, world.being_named(who).unwrap(), &format!("/.threads/{root}"), world.now()).unwrap().to_string();
    assert!(
        told("operator").contains("And you?") && !told("pat").contains("And you?") && told("pat").contains("\"summons\""),
        "{}",
        told("pat")
    );
}

#[test]
fn a_person_who_waits_hears_that_it_was_cut() {
    let mut small = pair();
    let root = begins(&mut small, "pat");
    let cut = cuts(&mut small, "operator", root);
    let told: Vec<(Option<Made>, String)> = cut
        .facts
        .iter()
        .filter_map(|fact| if let Fact::Asked(back) = fact { Some(back) } else { None })
        .map(|back| {
            let reelm::fact::Content::Here(content) = &back.content else { panic!() };
            (back.in_reply_to, Receipt::read(content).unwrap().sentence())
        })
        .collect();
    let said = format!("gave no answer: {} [cut] at `@operator`", Code::Cut.sentence());
    assert_eq!(told, [(Some(root), said)]);
    let inbox = shown(&small, "@pat/.inbox").to_string();
    assert!(inbox.contains("\"receipt\"") && inbox.contains("\"cut\""), "{inbox}");
}

/// A hall in which two speak and a model hears.
fn two_speak() -> Small {
    let person = |name: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"deaf\"\ncognition = \"human\"\n");
    let mind = "[[being]]\nname = \"bob\"\nhome = \"/hall\"\nrole = \"talks\"\ncognition = \"llm\"\n";
    let role = PAIR.split_once("[[role]]").unwrap().1;
    Small::plant(&format!("[[space]]\npath = \"/hall\"\n{}{}{mind}[[role]]{role}", person("pat"), person("sue")))
}

/// Somebody says something in the hall: the fact by which they did.
fn says(small: &mut Small, who: &str, words: &str) -> Made {
    let said = small.act(who, Call::doing("/hall", "say", args(&format!(r#"{{"content":"{words}"}}"#))));
    assert_eq!(code(&said), "act");
    Made { seq: said.seq, index: 0 }
}

#[test]
fn of_several_words_those_of_the_thread_alone_are_cut() {
    for newest_first in [false, true] {
        let mut small = two_speak();
        let (first, second) = (says(&mut small, "pat", "One."), says(&mut small, "sue", "Two."));
        let (cut, left, words) = if newest_first { (second, first, "One.") } else { (first, second, "Two.") };
        let bob = small.id_of("bob");
        let before = small.world().inbox().of(bob).next().unwrap().id.clone();
        cuts(&mut small, "operator", cut);
        let world = small.world();
        let open: Vec<_> = world.inbox().of(bob).collect();
        assert_eq!(open.len(), 1);
        assert!(open[0].id != before, "a call that is under way about the other comes to nothing");
        let heard: Vec<&str> = open[0].hearing().unwrap().words.iter().map(|word| word.content.as_ref()).collect();
        assert_eq!(heard, [words]);
        assert!(world.root_count(cut).is_none() && world.root_count(left).is_some() && world.inbox().dead_len() == 0);
        cuts(&mut small, "operator", left);
        assert_eq!((small.world().inbox().of(bob).count(), small.world().inbox().dead_len()), (0, 1));
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_model_that_is_being_asked_when_its_thread_is_cut_comes_to_nothing_and_is_paid_for() {
    let guard = "script = \"guard\"\n[[being.schedule]]\nname = \"cut\"\nevery = \"1s\"\n";
    let mut small = Small::plant(&WORLD.replace("script = \"answer\"\n", guard));
    let script = "fn think(face) { let open = see(\"/.threads\"); if open.len() > 0 { act(\"/\", \"thread.cut\", #{ root: open[0].root }) } else { summon(\"@ada\", \"Take your time.\") } }";
    small.operate("/", "script.set", args(&json!({ "name": "guard", "source": script }).to_string()));
    small.operate("/", "config.set", args(r#"{"key":"operator","value":"bob"}"#));
    let slow = Slow::default();
    small.living().asking(Box::new(slow.clone()));
    let mut spoken = answered(&tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "Hello." } })));
    spoken.last.usage = Some(TokenCount { input: 9, cached: 0, output: 1 });
    let (reins, mut is_told) = (Reins::default(), false);
    let mut watch = |report: &reelm::past::Report| {
        // She is being asked when he cuts; her model answers then.
        if report.being.as_ref() == "bob" {
            let waiting = std::mem::take(&mut *slow.0.lock().unwrap());
            is_told |= !waiting.is_empty();
            waiting.into_iter().for_each(|heard| heard.tell(spoken.clone()));
        }
        if report.being.as_ref() == "ada" && is_told {
            reins.stop();
        }
    };
    small
        .living()
        .run(Course {
            pace: Pace::Real,
            until: Until { moments: Some(12), ..Until::default() },
            reins: &reins,
            watch: Some(&mut watch),
            measures: None,
        })
        .unwrap();
    let his: Vec<String> = small.reel("bob").iter().map(code).collect();
    let hers = small.reel("ada").pop().unwrap_or_else(|| panic!("she was not asked; his moments: {his:?}"));
    assert_eq!((code(&hers).as_str(), hers.call.is_none(), hers.spent().unwrap().spend.input), ("wake-gone", true, 9));
    let dead: Vec<String> = small.world().inbox().dead().map(|(_, letter)| letter.reason.to_string()).collect();
    assert_eq!(dead, ["cut at `@bob`"]);
    assert_eq!(small.world().ledger().held_in_all().0, 0);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_stands_behind_a_dot_is_listed_and_what_is_listed_is_there() {
    let small = pair();
    let world = small.world();
    let operator = world.being_named("operator").unwrap();
    for of in ["/", "/hall/", "@ada/"] {
        let listed = see(&world, operator, &format!("{of}."), world.now()).unwrap();
        let listed = listed.as_map().unwrap().clone();
        assert!(listed.len() > 3, "{of}");
        for (name, about) in &listed {
            see(&world, operator, &format!("{of}{name}"), world.now()).unwrap_or_else(|reason| panic!("{of}{name}: {reason}"));
            assert!(!about.as_str().unwrap().is_empty());
        }
        // And none is there that is not listed: of all that are listed anywhere.
        let everywhere = ["/", "/hall/", "@ada/"].map(|of| see(&world, operator, &format!("{of}."), world.now()).unwrap());
        for name in everywhere.iter().flat_map(|map| map.as_map().unwrap().keys()) {
            let is_there = see(&world, operator, &format!("{of}{name}"), world.now()).is_ok();
            assert_eq!(is_there, listed.contains_key(name), "{of}{name}");
        }
    }
    for wrong in ["/./x", "/..", "@ada/.."] {
        assert!(see(&world, operator, wrong, world.now()).is_err(), "{wrong}");
    }
    let identity = shown(&small, "/.identity");
    assert_eq!(identity.get("id").unwrap().as_str(), Some(world.id().to_string().as_str()));
    assert!(shown(&small, "@ada/.identity").get("did").unwrap().as_str().unwrap().starts_with("did:key:"));
    assert_eq!(shown(&small, "@ada/.identity").get("did"), Some(&shown(&small, "@ada/.key")));
    assert_eq!(shown(&small, "@ada/.moments").get("count").unwrap().as_int(), Some(0));
}

#[test]
fn whoever_is_asked_and_cuts_the_thread_ends_nothing_but_their_own_moment() {
    let cutter =
        "[[being]]\nname = \"cutter\"\nhome = \"/hall\"\nrole = \"talks\"\nthink = 'act(\"/\", \"thread.cut\", #{ root: wake.cause })'\n";
    let mut small = Small::plant(&format!("{}{cutter}", PAIR.replace("me.address.replaced(\"ada\", \"bob\")", "\"@bob\"")));
    small.act("pat", Call::summon("@cutter", args(r#"{"content":"Well?"}"#)));
    small.run("1s");
    let cut = small.reel("cutter").pop().unwrap();
    assert!(!cut.facts.iter().any(|fact| matches!(fact, Fact::Asked(_))), "nobody hears that it was cut: {:?}", cut.facts);
    assert_eq!(small.world().inbox().dead_len(), 0);
    assert_eq!(small.replay().unwrap().difference, None);
}
