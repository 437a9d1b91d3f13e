//! Frozen: does nothing change in a place that is frozen, whoever tries and by whichever door, and does it go on as it was?

use reelm::fact::{Call, Closing, Draft, Fact};

use super::kit::{self, Small, args, code, source};
use super::scopes::{self, shown};

/// A shop with a person and a box in it, a nook inside, a yard beside it, and those who try from outside.
const SHOP: &str = r#"
[[space]]
path = "/shop"
owner = "@owen"
allow = ["**"]
[[space]]
path = "/shop/nook"
[[space]]
path = "/yard"
allow = ["**"]
[[matter]]
name = "box"
at = "/shop"
[[matter]]
name = "cart"
at = "/yard"
[[being]]
name = "owen"
home = "/yard"
role = "stands"
cognition = "human"
grants = ["*"]
[[being]]
name = "ann"
home = "/shop"
role = "stands"
cognition = "human"
[[being]]
name = "bob"
home = "/yard"
role = "stands"
cognition = "human"
[[being]]
name = "tick"
home = "/shop"
role = "stands"
think = 'act(me.address, "quality.inc", #{ path: "t.n" })'
schedule = [{ name = "turn", every = "1s" }]
[[being]]
name = "deputy"
home = "/yard"
role = "deputy"
think = 'act("/shop/box", "quality.set", #{ path: "b.n", value: 1 })'
[[role]]
name = "stands"
canSee = ["**"]
canDo = ["**"]
canSummon = ["**"]
canBe = ["**"]
triggerOn = ["message", "schedule"]
prompt = "You stand there."
[[role]]
name = "deputy"
canSee = ["**"]
canDo = ["**"]
canSummon = ["**"]
actsForCaller = true
prompt = "You do it."
"#;

fn shop() -> Small {
    let mut source = source(SHOP);
    source.extensions.push(scopes::package(
        "paint",
        "",
        &[
            ("", "[[operation]]\nname = \"both\"\nscript = \"ops/both.rhai\"\ntouches = [\"target\", \"args.other\"]\n"),
            (
                "ops/both.rhai",
                r#"fn run(ctx) { [ act(ctx.target.address, "quality.set", #{ path: "paint.n", value: 1 }), act(ctx.args.other, "quality.set", #{ path: "paint.n", value: 1 }) ] }"#,
            ),
        ],
    ));
    Small::grow(&source, 1, 1)
}

fn freezes(small: &mut Small, who: &str, target: &str) -> Draft {
    small.act(who, Call::doing(target, "pause.set", args(r#"{"writes":true}"#)))
}

/// How an act ends: its closing, with the reason of a refusal.
fn said(draft: &Draft) -> String {
    draft.closing.refusal().map_or_else(|| code(draft), |reason| reason.to_string())
}

#[test]
fn nothing_inside_is_changed_by_any_door_until_it_goes_on() {
    let set = || args(r#"{"path":"b.n","value":1}"#);
    let to = |place: &str| args(&format!(r#"{{"to":"{place}"}}"#));
    let frozen = "gate-frozen at `/shop`";
    let doors: Vec<(&str, &str, Call)> = vec![
        ("a thing inside", "bob", Call::doing("/shop/box", "quality.set", set())),
        ("the place", "bob", Call::doing("/shop", "matter.make", args(r#"{"name":"lid"}"#))),
        ("a place inside it", "bob", Call::doing("/shop/nook", "quality.set", set())),
        ("oneself, inside", "ann", Call::doing("@ann", "quality.set", set())),
        ("the owner", "owen", Call::doing("/shop/box", "quality.set", set())),
        ("the operator", "operator", Call::doing("/shop/box", "quality.set", set())),
        ("a being inside", "operator", Call::doing("@tick", "keep", args(r#"{"content":"x"}"#))),
        ("a birth inside", "owen", Call::be("birth", args(r#"{"name":"kid","home":"/shop","cognition":"human"}"#))),
        ("an end inside", "operator", Call::be("end", args(r#"{"being":"@tick"}"#))),
        ("a thing is brought in", "bob", Call::doing("/yard/cart", "move", to("/shop"))),
        ("a thing is taken out", "bob", Call::doing("/shop/box", "move", to("/yard"))),
        ("one walks in", "bob", Call::doing("@bob", "move", to("/shop/nook"))),
        ("one walks on inside", "ann", Call::doing("@ann", "move", to("/shop/nook"))),
        ("one is sent out", "operator", Call::doing("@ann", "move", to("/yard"))),
        ("a step", "bob", Call::doing("/yard/cart", "paint:both", args(r#"{"other":"/shop/box"}"#))),
        ("a place inside is let go on", "operator", Call::doing("/shop/nook", "pause.end", args("{}"))),
        ("a being inside is let go on", "operator", Call::doing("@tick", "pause.end", args("{}"))),
        ("a setting", "owen", Call::doing("/shop", "config.set", args(r#"{"key":"brakes.depth","value":3}"#))),
    ];
    let mut small = shop();
    freezes(&mut small, "owen", "/shop");
    small.run("10s");
    assert_eq!(small.reel("tick").len(), 0, "who stands there waits");
    let before = ["/shop/box", "/shop", "/yard/cart"].map(|address| shown(&small, address).to_string());
    for (door, who, call) in &doors {
        assert_eq!(said(&small.act(who, call.clone())), frozen, "{door}");
    }
    small.act("bob", Call::summon("@deputy", args(r#"{"content":"Do it."}"#)));
    small.run("1s");
    assert_eq!(small.reel("deputy").last().map(said).as_deref(), Some(frozen), "a deputy");
    assert_eq!(["/shop/box", "/shop", "/yard/cart"].map(|address| shown(&small, address).to_string()), before);
    // Nobody is held for what a freeze refuses.
    let world = small.world();
    let bob = world.being(small.id_of("bob")).unwrap().clone();
    assert_eq!(world.braked(&bob, reelm::world::Brake::Refusals, world.now()).0, 0);
    // A look is free, and so is walking out.
    assert_eq!(code(&small.act("bob", Call::see("/shop/box"))), "see");
    assert_eq!(code(&small.act("ann", Call::doing("@ann", "move", to("/yard")))), "act");
    assert_eq!(small.replay().unwrap().difference, None);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(said(&small.act("bob", Call::doing("/shop", "pause.end", args("{}")))), "gate-place at `/shop`", "who has no right");
    assert_eq!(code(&small.act("owen", Call::doing("/shop", "pause.end", args("{}")))), "act");
    small.run("10s");
    assert!(small.reel("tick").len() > 8);
    assert_eq!(code(&small.act("bob", doors[0].2.clone())), "act");
}

#[test]
fn whoever_stands_there_and_whoever_owns_it_is_told_once() {
    let told = |draft: &Draft, small: &Small| -> Vec<String> {
        let to = draft.facts.iter().filter_map(|fact| if let Fact::Asked(told) = fact { Some(told.to) } else { None });
        to.map(|to| small.world().being(to).unwrap().name.to_string()).collect()
    };
    let mut small = shop();
    let first = freezes(&mut small, "operator", "/shop");
    assert_eq!(told(&first, &small), ["owen", "ann"]);
    assert!(shown(&small, "@ann/.inbox").to_string().contains("/shop is frozen"));
    assert_eq!(said(&freezes(&mut small, "operator", "/shop")), "gate-frozen at `/shop`", "it is said once");
    // The owner hears of it first, but not of a freeze of their own.
    small.act("operator", Call::doing("/shop", "pause.end", args("{}")));
    assert_eq!(told(&freezes(&mut small, "owen", "/shop"), &small), ["ann"]);
    assert_eq!(shown(&small, "/shop").get("frozen").and_then(|frozen| frozen.as_bool()), Some(true));
}

#[test]
fn only_a_place_inside_the_world_can_be_frozen() {
    let mut small = shop();
    for target in ["/", "@ann"] {
        assert_eq!(said(&freezes(&mut small, "operator", target)), format!("freeze-place at `{target}`"));
    }
    assert!(matches!(freezes(&mut small, "bob", "/shop").closing, Closing::Refused(_)), "who has no right there");
    let wrong = small.act("operator", Call::doing("/shop", "pause.set", args(r#"{"writes":"yes"}"#)));
    assert_eq!(code(&wrong), "args-type");
}

#[test]
fn nobody_is_offered_what_a_freeze_refuses() {
    let mut small = shop();
    let offered = |small: &Small, on: &str| kit::may_be_done(&small.world(), "owen", on);
    assert!(
        offered(&small, "/shop/box").contains(&"quality.set".to_owned()) && offered(&small, "/shop").contains(&"matter.make".to_owned())
    );
    freezes(&mut small, "owen", "/shop");
    assert_eq!(offered(&small, "/shop/box"), Vec::<String>::new());
    assert_eq!(offered(&small, "/shop"), ["pause.end"]);
    assert!(offered(&small, "/yard/cart").contains(&"quality.set".to_owned()));
}
