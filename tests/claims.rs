//! Claims: does nobody undo the work of another, whoever tries and by whichever door, and does everybody see who is at what?

use proptest::prelude::*;
use reelm::fact::{BeingId, Call, Draft, Fact, SpaceId, Thing, Value};
use reelm::verb::{Asker, show};
use reelm::world::{Named, World, address_of};
use serde_json::json;

use super::kit::{self, Small, args, code, gathered, source};
use super::mind::{Script, tool};
use super::scopes;
use super::served::{Person, Served};
use super::terminal::Terminal;
use super::told::{self, ADA, block};

/// A hall with two presses, a laboratory with a nook, a yard, those who own and use them, and one who sees little.
const HALL: &str = r#"
[[space]]
path = "/works"
owner = "@owen"
allow = ["**"]
[[space]]
path = "/works/hall"
[[space]]
path = "/works/lab"
[[space]]
path = "/works/lab/nook"
[[space]]
path = "/works/vault"
owner = "@owen"
[[space]]
path = "/yard"
allow = ["**"]
[[matter]]
name = "press"
type = "press"
at = "/works/hall"
[[matter]]
name = "tray"
at = "/works/hall/press"
[[matter]]
name = "press-2"
type = "press"
at = "/works/hall"
[[matter]]
name = "crate"
at = "/yard"
[[matter]]
name = "coin"
at = "/works/vault"
[[matter]]
name = "flask"
at = "/works/lab"
[[being]]
name = "owen"
home = "/yard"
role = "stands"
cognition = "human"
grants = ["*"]
[[being]]
name = "ada"
home = "/works/hall"
role = "stands"
cognition = "human"
[[being]]
name = "bob"
home = "/works/lab"
role = "stands"
cognition = "human"
[[being]]
name = "pat"
home = "/yard"
role = "stands"
cognition = "human"
[[being]]
name = "eve"
home = "/yard"
role = "blinkered"
cognition = "human"
[[being]]
name = "tick"
home = "/works/lab"
role = "stands"
think = 'act(me.address, "quality.inc", #{ path: "t.n" })'
[[being]]
name = "watcher"
home = "/yard"
role = "waits"
think = 'act(me.address, "paint:wake", #{ by: wake.target })'
[[being]]
name = "deputy"
home = "/yard"
role = "deputy"
think = 'act(wake.content.on, wake.content["do"], wake.content.args)'
[[role]]
name = "stands"
canSee = ["**"]
canDo = ["**"]
canSummon = ["**"]
canBe = ["**"]
triggerOn = ["message", "schedule"]
prompt = "You stand there."
[[role]]
name = "waits"
canSee = ["**"]
canDo = ["paint:wake"]
watch = [{ action = "claim.end", on = "/works/hall/press" }, { action = "claim.end", on = "@bob/*" }, { action = "claim.end", on = "/yard/*" }]
triggerOn = ["watch"]
prompt = "You wait."
[[role]]
name = "blinkered"
canSee = ["/yard", "/yard/*", "@eve", "@deputy"]
canDo = ["**"]
canSummon = ["**"]
triggerOn = ["message"]
prompt = "You see the yard alone."
[[role]]
name = "deputy"
canSee = ["**"]
canDo = ["**"]
canSummon = ["**"]
actsForCaller = true
prompt = "You do it."
"#;

fn hall() -> Small {
    hall_on(1)
}

fn hall_on(threads: usize) -> Small {
    let mut source = source(HALL);
    source.extensions.push(scopes::package(
        "paint",
        "",
        &[
            (
                "",
                "[[operation]]\nname = \"both\"\nscript = \"ops/both.rhai\"\ntouches = [\"target\", \"args.other\"]\n\
                 [[operation]]\nname = \"take\"\nscript = \"ops/take.rhai\"\ntouches = [\"target\"]\n\
                 [[operation]]\nname = \"look\"\nscript = \"ops/look.rhai\"\ntouches = [\"actor\"]\n\
                 [[operation]]\nname = \"wake\"\nscript = \"ops/wake.rhai\"\ntouches = [\"actor\"]\n",
            ),
            (
                "ops/wake.rhai",
                r#"fn run(ctx) { [ act(ctx.actor.address, "quality.push", #{ path: "t.woken", value: ctx.args.by }), act(ctx.actor.address, "quality.inc", #{ path: "t.count" }) ] }"#,
            ),
            (
                "ops/both.rhai",
                r#"fn run(ctx) { [ act(ctx.target.address, "quality.set", #{ path: "paint.n", value: 1 }), act(ctx.args.other, "quality.set", #{ path: "paint.n", value: 1 }) ] }"#,
            ),
            (
                "ops/take.rhai",
                r#"fn run(ctx) { [ act(ctx.target.address, "claim.set", if ctx.args.all == true { #{ on: ["/yard"] } } else { #{ why: "painting it" } }) ] }"#,
            ),
            ("ops/look.rhai", r#"fn run(ctx) { [ act(ctx.actor.address, "quality.set", #{ path: "paint.seen", value: 1 }) ] }"#),
        ],
    ));
    Small::grow(&source, 1, threads)
}

fn claim(on: &[&str], more: &str) -> Call {
    Call::doing("", "claim.set", args(&format!(r#"{{"on":{}{more}}}"#, serde_json::to_string(on).unwrap())))
}

/// Ada is at the press, at the laboratory and at Pat.
fn claimed() -> Small {
    let mut small = hall();
    let set = claim(&["/works/hall/press", "/works/lab", "@pat"], r#","for":"20m","why":"repairing it""#);
    assert_eq!(said(&small.act("ada", set)), "act");
    small
}

/// How an act ends: its closing, with the reason of a refusal.
fn said(draft: &Draft) -> String {
    draft.closing.refusal().map_or_else(|| code(draft), |reason| reason.to_string())
}

/// The claims as somebody sees them, each as `thing by holder`.
fn seen(world: &World, reader: &str) -> Vec<String> {
    let named = Named::Register { of: Thing::Space(SpaceId::ROOT), register: "claims".into(), entry: "".into() };
    let list = kit::asking(world, reader, |asker| {
        asker.may_see(&named).unwrap();
        asker.look(&named, Default::default()).unwrap().value
    });
    let text = |claim: &Value, key: &str| claim.get(key).and_then(Value::as_str).unwrap().to_owned();
    list.as_list().unwrap().iter().map(|claim| format!("{} by {}", text(claim, "on"), text(claim, "by"))).collect()
}

const SET: &str = r#"{"path":"b.n","value":1}"#;
const PRESS: &str = "gate-claimed at `/works/hall/press: @ada until 08:20, repairing it; free: /works/hall/press-2`";
const LAB: &str = "gate-claimed at `/works/lab: @ada until 08:20, repairing it`";
const PAT: &str = "gate-claimed at `@pat: @ada until 08:20, repairing it`";
const PLAIN_PRESS: &str = "gate-claimed at `/works/hall/press`";

/// Deeds: by whom, which, and how each ends. A row that is done changes nothing that a later row asks about.
fn deeds() -> Vec<(&'static str, Call, &'static str)> {
    let act = |on: &str, action: &str, json: &str| Call::doing(on, action, args(json));
    let to = |on: &str, place: &str| Call::doing(on, "move", args(&format!(r#"{{"to":"{place}"}}"#)));
    vec![
        // The holder does as before.
        ("ada", act("/works/hall/press", "quality.set", SET), "act"),
        ("ada", act("/works/hall/press/tray", "quality.set", SET), "act"),
        ("ada", act("/works/lab/flask", "quality.set", SET), "act"),
        ("ada", act("@pat", "quality.set", SET), "act"),
        ("ada", act("/works/hall/press", "paint:look", "{}"), "act"),
        // The thing, what lies in it, and everybody else: also those who own the place, and the world's own.
        ("bob", act("/works/hall/press", "quality.set", SET), PRESS),
        ("bob", act("/works/hall/press", "quality.unset", r#"{"path":"b.n"}"#), PRESS),
        ("bob", act("/works/hall/press", "quality.inc", r#"{"path":"b.n"}"#), PRESS),
        ("bob", act("/works/hall/press", "quality.push", r#"{"path":"b.l","value":1}"#), PRESS),
        ("bob", act("/works/hall/press", "matter.set", r#"{"content":"new"}"#), PRESS),
        ("bob", act("/works/hall/press", "matter.set", r#"{"name":"other"}"#), PRESS),
        ("bob", act("/works/hall/press", "matter.end", "{}"), PRESS),
        ("bob", act("/works/hall/press", "matter.make", r#"{"name":"lid"}"#), PRESS),
        ("bob", act("/works/hall/press/tray", "quality.set", SET), PRESS),
        ("bob", act("/works/hall/press/tray", "matter.end", "{}"), PRESS),
        ("owen", act("/works/hall/press", "quality.set", SET), PRESS),
        ("operator", act("/works/hall/press", "quality.set", SET), PRESS),
        ("pat", act("/works/hall/press", "quality.set", SET), PRESS),
        // One who may not see it hears only that it is claimed.
        ("eve", act("/works/hall/press", "quality.set", SET), PLAIN_PRESS),
        ("eve", act("/works/hall/press/tray", "quality.set", SET), "gate-claimed at `/works/hall/press/tray`"),
        // A space with all that is in it.
        ("bob", act("/works/lab", "quality.set", SET), LAB),
        ("bob", act("/works/lab", "matter.make", r#"{"name":"jar"}"#), LAB),
        ("bob", act("/works/lab", "space.make", r#"{"name":"den"}"#), LAB),
        ("bob", act("/works/lab", "space.set", r#"{"name":"den"}"#), LAB),
        ("bob", act("/works/lab/nook", "quality.set", SET), LAB),
        ("bob", act("/works/lab/nook", "space.end", "{}"), LAB),
        ("bob", act("/works/lab/flask", "quality.set", SET), LAB),
        ("owen", act("/works/lab", "config.set", r#"{"key":"brakes.depth","value":3}"#), LAB),
        ("owen", act("/works/lab", "own.allow", r#"{"allow":["say"]}"#), LAB),
        ("operator", act("@tick", "schedule.set", r#"{"name":"more","every":"1m"}"#), LAB),
        ("operator", act("@tick", "flow.set", r#"{"flow":[]}"#), LAB),
        ("pat", act("@tick", "quality.set", SET), LAB),
        // A being, and what it holds.
        ("bob", act("@pat", "quality.set", SET), PAT),
        ("operator", act("@pat", "schedule.set", r#"{"name":"more","every":"1m"}"#), PAT),
        ("operator", Call::be("end", args(r#"{"being":"@pat"}"#)), PAT),
        ("operator", Call::be("end", args(r#"{"being":"@tick"}"#)), LAB),
        // Oneself and what one carries are always one's own.
        ("pat", act("@pat", "quality.set", SET), "act"),
        ("pat", act("@pat", "matter.make", r#"{"name":"bag"}"#), "act"),
        ("pat", act("@pat/bag", "quality.set", SET), "act"),
        ("bob", act("@bob", "quality.set", SET), "act"),
        ("bob", act("@bob", "keep", r#"{"content":"later"}"#), "act"),
        // Into it, out of it, and away with it in something else.
        ("bob", to("/yard/crate", "/works/hall/press"), PRESS),
        ("bob", to("/works/hall/press", "/yard"), PRESS),
        ("bob", to("/works/hall/press/tray", "/yard"), PRESS),
        ("bob", to("/yard/crate", "/works/lab"), LAB),
        ("bob", to("/works/lab/flask", "@bob"), LAB),
        ("pat", to("@pat", "/works/lab"), LAB),
        ("pat", to("@pat", "/works/lab/nook"), LAB),
        ("bob", to("/works/hall", "/yard"), PRESS),
        ("bob", act("/works/hall", "space.set", r#"{"name":"room"}"#), PRESS),
        ("owen", act("/works", "space.set", r#"{"name":"plant"}"#), LAB),
        ("owen", Call::be("birth", args(r#"{"name":"kid","home":"/works/lab","cognition":"human"}"#)), LAB),
        ("owen", Call::be("birth", args(r#"{"name":"kid","home":"/works/hall","cognition":"human"}"#)), "act"),
        // Each step of an operation, and the operation itself.
        ("bob", act("/works/hall/press", "paint:look", "{}"), PRESS),
        ("bob", act("/yard/crate", "paint:both", r#"{"other":"/works/hall/press"}"#), PRESS),
        ("bob", act("/yard/crate", "paint:both", r#"{"other":"@pat"}"#), PAT),
        ("bob", act("/yard/crate", "paint:both", r#"{"other":"/works/hall/press-2"}"#), "act"),
        // Looks, words, reins and who drives whom change nothing of it: they are free.
        ("bob", Call::see("/works/hall/press"), "see"),
        ("bob", act("/works/lab", "say", r#"{"content":"hello"}"#), "act"),
        ("bob", Call::summon("@pat", args(r#"{"content":"hello"}"#)), "act"),
        ("operator", act("/works/lab", "pause.set", "{}"), "act"),
        ("operator", act("/works/lab", "pause.end", "{}"), "act"),
        ("operator", Call::be("inhabit", args(r#"{"being":"@tick"}"#)), "act"),
        ("operator", Call::be("release", args(r#"{"being":"@tick"}"#)), "act"),
        // Beside it everything goes on.
        ("bob", act("/works/hall/press-2", "quality.set", SET), "act"),
        ("bob", act("/works/hall", "quality.set", SET), "act"),
        // One walks on where one stands, and out.
        ("bob", to("@bob", "/works/lab/nook"), "act"),
        ("bob", to("@bob", "/works/lab"), "act"),
        ("bob", to("@bob", "/works/hall"), "act"),
        ("bob", to("@bob", "/works/lab"), LAB),
        // A type is no name.
        ("bob", act("/works/hall", "space.set", r#"{"type":"hall"}"#), "act"),
    ]
}

#[test]
fn another_s_deed_on_what_is_claimed_is_refused_by_every_door() {
    let mut small = claimed();
    let before = small.world();
    for (who, call, wanted) in deeds() {
        let told = format!("{who}: {:?} {} {}", call.verb, call.action, call.target);
        assert_eq!(said(&small.act(who, call)), wanted, "{told}");
    }
    assert_eq!(small.world().claims(small.world().now()).count(), before.claims(before.now()).count());
    // Nobody is held for what a claim refuses.
    let world = small.world();
    let bob = world.being(small.id_of("bob")).unwrap().clone();
    assert_eq!(world.braked(&bob, reelm::world::Brake::Refusals, world.now()).0, 0);
    assert_eq!(small.replay().unwrap().difference, None);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(small.kept_world().hash(), hash, "a checkpoint has them");
    // They end by themselves, at their time.
    small.run_until(before.now() + 20 * 60_000);
    assert_eq!(said(&small.act("bob", Call::doing("/works/hall/press", "quality.set", args(SET)))), "act");
}

#[test]
fn who_acts_for_somebody_and_what_is_drawn_up_is_judged_as_they_are() {
    let mut small = claimed();
    let asks = |on: &str, action: &str, json: &str| {
        let content = format!(r#"{{"content":{{"on":"{on}","do":"{action}","args":{json}}}}}"#);
        Call::summon("@deputy", args(&content))
    };
    let by = |small: &mut Small, who: &str, call: Call| {
        small.act(who, call);
        small.run("1s");
        small.reel("deputy").last().map(said).unwrap()
    };
    assert_eq!(by(&mut small, "bob", asks("/works/hall/press", "quality.set", SET)), PRESS);
    assert_eq!(by(&mut small, "ada", asks("/works/hall/press", "quality.set", SET)), "act");
    // A deputy claims for whoever it acts for.
    assert_eq!(by(&mut small, "bob", asks("/yard/crate", "claim.set", r#"{"why":"loading"}"#)), "act");
    assert!(seen(&small.world(), "ada").contains(&"/yard/crate by @bob".to_owned()));
    assert_eq!(said(&small.act("bob", Call::doing("/yard/crate", "quality.set", args(SET)))), "act");
    assert_eq!(
        by(&mut small, "ada", asks("/yard/crate", "quality.set", SET)),
        "gate-claimed at `/yard/crate: @bob until 08:10:02, loading`"
    );
    // Not even what the deputy is itself may be changed on behalf of somebody else than its holder.
    assert_eq!(said(&small.act("ada", Call::doing("@deputy", "claim.set", args("{}")))), "act");
    assert_eq!(by(&mut small, "bob", asks("@deputy", "quality.set", SET)), "gate-claimed at `@deputy: @ada until 08:10:04`");
    assert_eq!(by(&mut small, "ada", asks("@deputy", "quality.set", SET)), "act");
    small.act("ada", Call::doing("@deputy", "claim.end", args("{}")));
    // One who may not see a thing hears no more of it through somebody who does: neither in the refusal nor in the receipt.
    assert_eq!(by(&mut small, "eve", asks("/works/hall/press", "quality.set", SET)), PLAIN_PRESS);
    let heard = scopes::shown(&small, "@eve/.inbox").to_string();
    assert!(heard.contains("gate-claimed") && !["repairing", "@ada", "/works/hall"].iter().any(|word| heard.contains(word)), "{heard}");
    // Nor whether anything is there.
    for there in ["/works/vault/coin", "/works/vault/none"] {
        by(&mut small, "eve", asks(there, "claim.set", "{}"));
        let heard = scopes::shown(&small, "@eve/.inbox").to_string();
        assert!(heard.contains(&format!(r#""code":"not-found","made":[],"place":"{there}""#)), "{heard}");
    }
    // A step claims its target, and nothing that it lists.
    assert_eq!(said(&small.act("bob", Call::doing("/works/hall/press-2", "paint:take", args("{}")))), "act");
    assert_eq!(
        said(&small.act("ada", Call::doing("/works/hall/press-2", "quality.set", args(SET)))),
        "gate-claimed at `/works/hall/press-2: @bob until 08:10:09, painting it`"
    );
    assert_eq!(
        said(&small.act("bob", Call::doing("/works/hall/press-2", "paint:take", args(r#"{"all":true}"#)))),
        "gate-touches at `paint:take[0]`"
    );
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_claim_is_made_renewed_and_ended() {
    let full: Vec<String> = (0..17).map(|n| format!("/yard/c{n}")).collect();
    let many = |count: usize| claim(&full[..count].iter().map(String::as_str).collect::<Vec<_>>(), "");
    let on = |thing: &str, action: &str, json: &str| Call::doing(thing, action, args(json));
    let mut small = claimed();
    for n in 0..17 {
        small.act("bob", on("/yard", "matter.make", &format!(r#"{{"name":"c{n}"}}"#)));
    }
    let rows: Vec<(&str, Call, &str)> = vec![
        // A thing that is claimed is no other's, nor what is around it or in it.
        ("bob", on("/works/hall/press", "claim.set", "{}"), PRESS),
        ("bob", on("/works/hall/press/tray", "claim.set", "{}"), PRESS),
        ("bob", on("/works/hall", "claim.set", "{}"), PRESS),
        ("bob", on("/works/lab/flask", "claim.set", "{}"), LAB),
        ("bob", on("@bob", "claim.set", "{}"), LAB),
        ("owen", claim(&["/yard", "/works"], ""), PAT),
        ("operator", claim(&["/"], ""), PAT),
        // Of what one may not see one learns nothing.
        ("eve", on("/works/hall/press", "claim.set", "{}"), "not-found at `/works/hall/press`"),
        ("eve", on("/works/hall/nothing", "claim.set", "{}"), "not-found at `/works/hall/nothing`"),
        ("eve", claim(&["/works/hall/press"], ""), "not-found at `/works/hall/press`"),
        ("eve", claim(&["/works/hall/nothing"], ""), "not-found at `/works/hall/nothing`"),
        ("eve", on("/works/vault/coin", "claim.end", "{}"), "not-found at `/works/vault/coin`"),
        ("eve", on("/works/hall/.claims", "claim.set", "{}"), "not-found at `/works/hall/.claims`"),
        ("eve", on("/works/hulk/.claims", "claim.set", "{}"), "not-found at `/works/hulk/.claims`"),
        ("eve", claim(&["@ada/.inbox"], ""), "not-found at `@ada/.inbox`"),
        ("eve", claim(&["@adb/.inbox"], ""), "not-found at `@adb/.inbox`"),
        ("bob", on("/works/hall/.claims", "claim.set", "{}"), "wrong-target at `.claims`"),
        // One who does not see the world names things beside it all the same.
        ("eve", Call::doing("/", "claim.set", args(r#"{"on":["/yard/crate"]}"#)), "act"),
        ("eve", Call::doing("/", "claim.end", args("{}")), "act"),
        ("eve", Call::doing("/", "claim.end", args("{}")), "not-claimed at `@eve`"),
        // A right at the place is needed.
        ("bob", on("/works/vault/coin", "claim.set", "{}"), "gate-place at `/works/vault/coin`"),
        ("bob", claim(&["/yard/crate", "/works/vault/coin"], ""), "gate-place at `/works/vault/coin`"),
        ("bob", claim(&["/"], ""), "gate-place at `/`"),
        // Wrong input.
        ("bob", Call::doing("", "claim.set", args("{}")), "args-required at `/on`"),
        ("bob", claim(&[], ""), "args-items at `/on`"),
        ("bob", claim(&["here"], ""), "bad-address at `here`"),
        ("bob", on("/yard/crate", "claim.set", r#"{"for":"61m"}"#), "bad-duration at `/for`"),
        ("bob", on("/yard/crate", "claim.set", r#"{"for":"0s"}"#), "bad-duration at `/for`"),
        ("bob", on("/yard/crate", "claim.set", r#"{"for":"soon"}"#), "bad-duration at `/for`"),
        ("bob", on("/yard/crate", "claim.set", r#"{"until":3}"#), "args-unknown at `/until`"),
        ("bob", many(17), "args-items at `/on`"),
        // Sixteen at once.
        ("bob", many(16), "act"),
        ("bob", on("/yard/crate", "claim.set", "{}"), "limit-claims at `16`"),
        ("bob", many(16), "act"),
        ("bob", on("/yard/c0", "claim.end", "{}"), "act"),
        ("bob", on("/yard/crate", "claim.set", r#"{"for":"1h","why":"loading"}"#), "act"),
        // Ended by its holder, by nobody beside it, and by the owners of the place.
        ("bob", on("/yard/c0", "claim.end", "{}"), "not-claimed at `/yard/c0`"),
        ("bob", on("/works/lab/flask", "claim.end", "{}"), "not-claimed at `/works/lab/flask`"),
        ("bob", on("/works/hall/press", "claim.end", "{}"), "gate-claimed at `/works/hall/press: @ada until 08:20, repairing it`"),
        ("owen", on("/works/hall/press", "claim.end", "{}"), "act"),
        ("owen", on("/works/hall/press", "claim.set", r#"{"for":"1s"}"#), "act"),
        ("operator", on("/works/lab", "claim.end", "{}"), "act"),
        ("ada", Call::doing("", "claim.end", args("{}")), "act"),
        ("ada", Call::doing("", "claim.end", args("{}")), "not-claimed at `@ada`"),
        ("operator", on("/yard/crate", "claim.end", "{}"), "act"),
    ];
    for (who, call, wanted) in rows {
        let told = format!("{who}: {} {} {:?}", call.action, call.target, call.args);
        assert_eq!(said(&small.act(who, call)), wanted, "{told}");
    }
    // It ends with its holder.
    assert_eq!(seen(&small.world(), "operator").len(), 16);
    assert_eq!(said(&small.act("operator", Call::be("end", args(r#"{"being":"@bob"}"#)))), "act");
    assert_eq!(seen(&small.world(), "operator"), ["/works/hall/press by @owen"]);
    // Again renews it, and it is as old as before.
    let first = small.world().now();
    small.act("ada", on("/works/lab", "claim.set", r#"{"for":"1m"}"#));
    small.run("30s");
    small.act("ada", on("/works/lab", "claim.set", r#"{"for":"1m","why":"still at it"}"#));
    let world = small.world();
    let (_, claim) = world.claims_over(reelm::world::address::thing_at(&world, "/works/lab").unwrap(), world.now()).next().unwrap();
    assert_eq!((claim.since, claim.until, claim.why.as_ref()), (first, world.now() + 60_000, "still at it"));
    // With its thing it ends.
    small.act("ada", on("/yard/crate", "claim.set", "{}"));
    small.act("ada", on("/yard/crate", "matter.end", "{}"));
    assert_eq!(seen(&small.world(), "operator"), ["/works/lab by @ada"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn everybody_sees_who_is_at_what_as_far_as_they_see_it() {
    let before = hall().world();
    let mut small = claimed();
    small.act("eve", Call::doing("/yard/crate", "claim.set", args(r#"{"for":"5m"}"#)));
    let all = ["/yard/crate by @eve", "@pat by @ada", "/works/lab by @ada", "/works/hall/press by @ada"];
    for (reader, wanted) in [("bob", &all[..]), ("operator", &all[..]), ("eve", &all[..1])] {
        assert_eq!(seen(&small.world(), reader), wanted, "{reader}");
    }
    // A look at a thing has it, and at what lies in it; a place tells its own.
    let world = small.world();
    let look = |address: &str| reelm::verb::see(&world, world.being_named("bob").unwrap(), address, world.now()).unwrap();
    let on = |address: &str| look(address).get("claimed").and_then(|claim| claim.get("on")?.as_str().map(str::to_owned));
    assert_eq!(
        ["/works/hall/press", "/works/hall/press/tray", "/works/lab/flask", "@tick", "/works/lab/nook", "@pat"].map(on),
        ["/works/hall/press", "/works/hall/press", "/works/lab", "/works/lab", "/works/lab", "@pat"].map(|on| Some(on.to_owned()))
    );
    assert_eq!(["/works/hall", "/works/hall/press-2", "@ada", "/"].map(on), [None, None, None, None]);
    let within = |address: &str| look(address).as_list().unwrap().len();
    assert_eq!(["/works/.claims", "/works/lab/.claims", "/works/vault/.claims", "/.claims"].map(within), [2, 1, 0, 4]);
    // A look tells of no claim on a place that its reader may not see.
    let zoe = Asker {
        world: &world,
        actor: world.being_named("eve").unwrap(),
        worn: &kit::worn(&args(r#"{"name":"r","canSee":["/works/lab/**"],"prompt":"."}"#)),
        caller: None,
        at: world.now(),
    };
    let flask = reelm::world::address::thing_at(&world, "/works/lab/flask").unwrap();
    assert_eq!(zoe.look(&Named::Thing(flask), Default::default()).unwrap().value.get("claimed"), None);
    // Two points differ by what is claimed between them.
    let differences = reelm::past::differences(&before, &world, reelm::past::Same::Id);
    let claims: Vec<&str> = differences.iter().filter(|line| line.kind == "claim").map(|line| line.of.as_str()).collect();
    assert!(claims.contains(&"/works/lab") && claims.contains(&"@pat"), "{claims:?}");
    // Forms offer nobody what a claim refuses, and to end it only whoever may.
    let offered = |who: &str, on: &str| kit::may_be_done(&world, who, on);
    assert!(offered("bob", "/works/hall/press-2").contains(&"quality.set".to_owned()));
    assert!(!offered("bob", "/works/hall/press-2").contains(&"claim.end".to_owned()));
    let of_bob = offered("bob", "/works/hall/press");
    assert!(!of_bob.contains(&"quality.set".to_owned()) && !of_bob.contains(&"claim.end".to_owned()), "{of_bob:?}");
    let of_ada = offered("ada", "/works/hall/press");
    assert!(of_ada.contains(&"quality.set".to_owned()) && of_ada.contains(&"claim.end".to_owned()), "{of_ada:?}");
    assert!(offered("owen", "/works/hall/press").contains(&"claim.end".to_owned()));
}

#[test]
fn a_holder_who_does_nothing_is_named_in_the_health_of_the_place() {
    let mut small = claimed();
    let health = |small: &Small| {
        let world = small.world();
        show(&world, &Named::Register { of: Thing::Space(SpaceId::ROOT), register: "health".into(), entry: "".into() }, None, world.now())
            .unwrap()
            .get("claims")
            .cloned()
            .unwrap()
            .to_string()
    };
    assert_eq!(health(&small), "[]");
    small.act("operator", Call::doing("@ada", "pause.set", args("{}")));
    let told = health(&small);
    assert!(told.contains(r#""on":"/works/lab""#) && told.contains(r#""holder":"paused""#) && told.contains("08:20"), "{told}");
    assert_eq!(said(&small.act("bob", Call::doing("/works/hall/press", "quality.set", args(SET)))), PRESS, "it stays until its time");
    small.run("20m");
    assert_eq!(health(&small), "[]");
}

#[test]
fn whoever_watches_for_the_end_of_a_claim_wakes() {
    let mut small = Small::plant(
        r#"
[[space]]
path = "/hall"
allow = ["**"]
[[matter]]
name = "press"
at = "/hall"
[[matter]]
name = "lathe"
at = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "works"
cognition = "human"
[[being]]
name = "bob"
home = "/hall"
role = "waits"
think = 'act(me.address, "quality.push", #{ path: "t.woken", value: wake.target })'
[[role]]
name = "works"
canSee = ["**"]
canDo = ["**"]
prompt = "You work."
[[role]]
name = "waits"
canSee = ["**"]
canDo = ["**"]
watch = [{ action = "claim.end", on = "/hall/press" }]
triggerOn = ["watch"]
prompt = "You wait."
"#,
    );
    small.act("ada", claim(&["/hall/press", "/hall/lathe"], ""));
    small.act("ada", Call::doing("/hall/lathe", "claim.end", args("{}")));
    small.run("1s");
    assert_eq!(small.quality("bob", "t.woken"), Value::Null);
    small.act("ada", Call::doing("", "claim.end", args("{}")));
    small.run("1s");
    assert_eq!(small.quality("bob", "t.woken").to_string(), r#"["/hall/press"]"#);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_is_given_away_and_whose_holder_ends_is_free_and_whoever_watches_wakes() {
    let mut small = hall();
    let on = |thing: &str, action: &str, json: &str| Call::doing(thing, action, args(json));
    small.act("owen", on("/works/hall/press-2", "claim.set", r#"{"for":"1h"}"#));
    for (who, call) in [
        ("bob", on("@bob", "matter.make", r#"{"name":"pebble"}"#)),
        ("bob", on("@bob/pebble", "claim.set", r#"{"for":"1h"}"#)),
        ("bob", on("@bob", "move", r#"{"to":"/yard"}"#)),
        ("bob", on("@bob/pebble", "move", r#"{"to":"@pat"}"#)),
    ] {
        assert_eq!(said(&small.act(who, call.clone())), "act", "{} {}", call.action, call.target);
    }
    assert_eq!(seen(&small.world(), "operator"), ["/works/hall/press-2 by @owen"]);
    small.run("1s");
    assert_eq!(small.quality("watcher", "t.woken").to_string(), r#"["@pat/pebble"]"#);
    // It is watched for where it lay as long as it was claimed, and an end of the thing is one of the claim.
    small.act("pat", on("/yard/crate", "claim.set", "{}"));
    small.act("pat", on("/yard/crate", "move", r#"{"to":"@bob"}"#));
    small.run("1s");
    small.act("pat", on("/yard", "matter.make", r#"{"name":"crate"}"#));
    small.act("pat", on("/yard/crate", "claim.set", "{}"));
    small.act("pat", on("/yard/crate", "matter.end", "{}"));
    small.run("1s");
    assert_eq!(small.quality("watcher", "t.count"), Value::Int(3));
    assert_eq!(said(&small.act("pat", on("@pat/pebble", "quality.set", SET))), "act");
    assert_eq!(said(&small.act("pat", on("@pat/pebble", "move", r#"{"to":"/yard"}"#))), "act");
    // The holder is gone; nothing else says that it is free.
    small.act("ada", on("/works/hall/press", "claim.set", "{}"));
    small.act("operator", Call::be("end", args(r#"{"being":"@ada"}"#)));
    small.run("1s");
    assert!(small.quality("watcher", "t.woken").to_string().ends_with(r#""/works/hall/press"]"#));
    assert_eq!(small.quality("watcher", "t.count"), Value::Int(4));
    assert_eq!(small.replay().unwrap().difference, None);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
}

#[test]
fn nobody_brings_what_is_claimed_into_what_another_has_claimed() {
    let mut small = hall();
    let on = |thing: &str, action: &str, json: &str| Call::doing(thing, action, args(json));
    for (who, call, wanted) in [
        // Into oneself, whom somebody else has claimed.
        ("ada", on("/works/hall/press/tray", "claim.set", "{}"), "act"),
        ("operator", on("@ada", "claim.set", "{}"), "act"),
        ("ada", on("/works/hall/press/tray", "move", r#"{"to":"@ada"}"#), "gate-claimed at `@ada: @operator until 08:10`"),
        // And oneself into what one has claimed.
        ("pat", on("/works/lab/nook", "claim.set", "{}"), "act"),
        ("operator", on("@pat", "claim.set", "{}"), "act"),
        ("pat", on("@pat", "move", r#"{"to":"/works/lab/nook"}"#), "gate-claimed at `@pat: @operator until 08:10`"),
        ("operator", on("@pat", "claim.end", "{}"), "act"),
        ("pat", on("@pat", "move", r#"{"to":"/works/lab/nook"}"#), "act"),
    ] {
        assert_eq!(said(&small.act(who, call.clone())), wanted, "{who}: {} {}", call.action, call.target);
        assert_none_overlap(&small.world());
    }
}

#[test]
fn what_one_claims_by_a_list_is_judged_as_each_thing_of_it() {
    let mut small = hall();
    let frozen = Call::doing("/works/lab", "pause.set", args(r#"{"writes":true}"#));
    small.act("operator", frozen);
    for call in [Call::doing("/works/lab/flask", "claim.set", args("{}")), claim(&["/yard/crate", "/works/lab/flask"], "")] {
        assert_eq!(said(&small.act("pat", call)), "gate-frozen at `/works/lab`");
    }
    // A rule hears of each.
    let rule = r#"{"name":"no-press","rule":{"on":[{"action":"claim.set","on":"press"}],"refuse":"not that one"}}"#;
    assert_eq!(said(&small.act("operator", Call::doing("/", "rule.set", args(rule)))), "act");
    for call in [Call::doing("/works/hall/press", "claim.set", args("{}")), claim(&["/yard/crate", "/works/hall/press"], "")] {
        assert_eq!(said(&small.act("pat", call)), "rule at `world:no-press`");
    }
    assert_eq!(said(&small.act("pat", claim(&["/yard/crate"], ""))), "act");
    // An entry that is bound to things covers those that are listed, and no others.
    let bound = Call::doing(
        "/",
        "role.set",
        args(r#"{"name":"bound","role":{"name":"bound","canSee":["**"],"canDo":[{"action":"claim.*","on":"/yard/*"}],"prompt":"."}}"#),
    );
    assert_eq!(said(&small.act("operator", bound)), "act");
    small.act("operator", Call::doing("@owen", "flow.set", args(r#"{"flow":[{"role":"bound"}]}"#)));
    small.act("pat", Call::doing("", "claim.end", args("{}")));
    assert_eq!(said(&small.act("owen", claim(&["/yard/crate"], ""))), "act");
    assert_eq!(said(&small.act("owen", claim(&["/yard/crate", "/works/hall/press-2"], ""))), "gate-role at `claim.set`");
    assert_eq!(said(&small.act("owen", Call::doing("", "claim.end", args("{}")))), "act");
    // The operator lets go what somebody has claimed of the whole world.
    assert_eq!(said(&small.act("operator", Call::doing("/works/lab", "pause.end", args("{}")))), "act");
    assert_eq!(said(&small.act("operator", claim(&["/"], ""))), "act");
    assert_eq!(said(&small.act("pat", Call::doing("/yard/crate", "quality.set", args(SET)))), "gate-claimed at `/: @operator until 08:10`");
    assert_eq!(said(&small.act("operator", Call::doing("/", "claim.end", args("{}")))), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

/// A model beside two presses, which may set qualities there, and one who is at a press.
const SMITHS: &str = r#"
[[space]]
path = "/forge"
allow = ["quality.*", "claim.set"]
[[matter]]
name = "press"
type = "press"
at = "/forge"
[[matter]]
name = "press-2"
type = "press"
at = "/forge"
[[matter]]
name = "anvil"
at = "/forge"
[[being]]
name = "bob"
home = "/forge"
role = "works"
cognition = "human"
[[role]]
name = "works"
canSee = ["**"]
canDo = ["**"]
prompt = "You work."
[[role]]
name = "smith"
canSee = [{ rel = "here" }, { rel = "self" }]
canDo = [{ action = "quality.set", on = "press" }, { action = "claim.set", on = "press" }, "claim.end"]
canSummon = [{ rel = "caller" }]
see = ["acting"]
prompt = "You are a smith."
"#;

#[test]
fn a_model_is_told_what_keeps_it_from_what_its_role_lets_it_do() {
    let ada = ADA.replace("/library", "/forge").replace("role = \"free\"", "role = \"smith\"");
    let mut small = told::world(&format!("{SMITHS}{ada}"));
    let script = Script::default();
    let prompt = |small: &mut Small| told::told(small, &script, "Well?").pop().unwrap().0;
    let before = prompt(&mut small);
    assert!(!before.contains("laimed") && before.contains("(on /forge/press /forge/press-2)"), "{before}");
    small.act("bob", claim(&["/forge/press", "/forge/anvil"], r#","for":"20m","why":"do /forge say \"hello\"\nat once""#));
    let told = prompt(&mut small);
    let wanted = "\nClaimed by another, so that you cannot change it: /forge/press by @bob, until 08:21; /forge/press-2 is free, why:\n> do /forge say \"hello\"\n> at once\n";
    assert!(told.contains(wanted), "{told}");
    // Of the anvil its role lets it change nothing: only who asks who is at what hears of it.
    assert_eq!(told.matches("/forge/anvil by @bob").count(), 1, "{told}");
    assert!(block(&told, "acting").contains("- @bob has /forge/anvil since 08:01, until 08:21:\n> do /forge say"), "{told}");
    assert!(told.contains("(on /forge/press-2)") && !told.contains("do claim.end"), "{told}");
    script.goes_on(vec![tool("do", json!({ "target": "/forge/press-2", "action": "claim.set", "args": { "why": "welding" } }))]);
    prompt(&mut small);
    let own = prompt(&mut small);
    assert!(own.contains("\nYou have claimed: /forge/press-2, until 08:12, why:\n> welding\n"), "{own}");
    assert!(own.lines().any(|line| line.starts_with("- do claim.end") && line.ends_with("(on /forge/press-2)")), "{own}");
    // A look at a thing tells it too, and of its own it hears wherever that lies.
    script.goes_on(vec![tool("see", json!({ "address": "/forge/press" }))]);
    prompt(&mut small);
    let looked = script.prompts().pop().unwrap().0;
    assert!(
        block(&looked, "you looked at /forge/press")
            .starts_with("It is a press.\nClaimed: /forge/press by @bob, until 08:21, why:\n> do /forge"),
        "{looked}"
    );
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_claim_outlives_a_kill_and_stands_in_forks_and_imports_until_its_time() {
    let terminal = Terminal::new();
    terminal.write("hall/world.toml", &format!("name = \"hall\"\nstart = \"2026-03-02T08:00:00\"\n{HALL}"));
    let mut served = Served::begin(terminal, "serve hall --port 0 --pace 60 --json");
    let operator = served.operator();
    let ada = served.person(&operator, "ann", json!({ "cognition": "human", "defaultRole": "stands", "home": "/works/hall" }));
    let of = |target: &str, action: &str, args: serde_json::Value| json!({ "target": target, "action": action, "args": args });
    served.post(&ada, "/api/do", of("/works/hall/press", "claim.set", json!({ "for": "1h", "why": "repairing it" }))).ok();
    let refused = |served: &Served, who: &Person| {
        let answer = served.post(who, "/api/do", of("/works/hall/press", "quality.set", json!({ "path": "b.n", "value": 1 })));
        let told = answer.body.to_string();
        assert!(
            told.contains("gate-claimed") && told.contains("@ann until") && told.contains("repairing it; free: /works/hall/press-2"),
            "{told}"
        );
    };
    refused(&served, &operator);
    let tree = served.get(&operator, "/api/tree").ok().to_string();
    assert!(tree.contains(r#""claimed":{"by":"@ann","on":"/works/hall/press""#) && tree.contains(r#""claims":[{"by":"@ann""#), "{tree}");
    let may = served.get(&operator, "/api/may?target=/works/hall/press").ok().to_string();
    assert!(may.contains("gate-claimed") && may.contains("repairing it"), "{may}");
    served = served.killed_and_again("serve --port 0 --pace 60 --json");
    refused(&served, &operator);
    let terminal = served.stop();
    terminal.types("replay").ok();
    terminal.types("see /.claims").says(&["/works/hall/press", "2026-03-02T09:", "repairing it"]);
    // A fork goes on with it, and so does a world from its export.
    terminal.types("fork other").ok();
    terminal.types("export whole.reel").ok();
    terminal.types("import whole.reel --data again").ok();
    std::fs::copy(terminal.path("world/keystore"), terminal.path("again/keystore")).unwrap();
    for data in ["world", "other", "again"] {
        terminal
            .types(&format!("do /works/hall/press quality.set '{{\"path\":\"b.n\",\"value\":1}}' --as @bob --data {data}"))
            .fails(4)
            .says(&["@ann until"]);
        terminal.types(&format!("run --for 1h --data {data} --quiet")).ok();
        terminal.types(&format!("do /works/hall/press quality.set '{{\"path\":\"b.n\",\"value\":1}}' --as @bob --data {data}")).fails(0);
        terminal.types(&format!("replay --data {data}")).ok();
    }
}

/// The claims that live, with nobody's on or in what another has claimed.
fn assert_none_overlap(world: &World) {
    let live: Vec<(Thing, BeingId)> = world.claims(world.now()).map(|(thing, claim)| (thing, claim.by)).collect();
    for (thing, by) in &live {
        let around: Vec<Thing> = world.enclosing(Some(*thing)).collect();
        let other = live.iter().find(|(other, holder)| holder != by && around.contains(other));
        assert_eq!(other, None, "{} lies in what another has claimed", address_of(world, *thing));
    }
    let holders: std::collections::BTreeSet<BeingId> = live.iter().map(|(_, by)| *by).collect();
    assert!(holders.iter().all(|by| live.iter().filter(|(_, holder)| holder == by).count() <= reelm::world::CLAIMS_MAX));
}

/// Acts of anybody on anything: claims, moves, what makes and ends things.
fn any_act() -> impl Strategy<Value = (&'static str, Call)> {
    const WHO: [&str; 6] = ["ada", "bob", "pat", "owen", "operator", "eve"];
    const THINGS: [&str; 12] = [
        "/works/hall/press",
        "/works/hall/press/tray",
        "/works/hall/press-2",
        "/works/hall",
        "/works/lab",
        "/works/lab/nook",
        "/works/lab/flask",
        "/yard",
        "/yard/crate",
        "@pat",
        "@bob",
        "@ada",
    ];
    let thing = || prop::sample::select(&THINGS[..]);
    let set = (thing(), 1u32..40).prop_map(|(on, minutes)| Call::doing(on, "claim.set", args(&format!(r#"{{"for":"{minutes}m"}}"#))));
    let pairs = (thing(), thing()).prop_map(|(on, other)| claim(&[on, other], r#","for":"30m""#));
    let go = (thing(), thing()).prop_map(|(of, to)| Call::doing(of, "move", args(&format!(r#"{{"to":"{to}"}}"#))));
    let carry =
        (thing(), prop::sample::select(&WHO[..3])).prop_map(|(of, to)| Call::doing(of, "move", args(&format!(r#"{{"to":"@{to}"}}"#))));
    let walk = (prop::sample::select(&WHO[..3]), thing())
        .prop_map(|(who, to)| Call::doing(&format!("@{who}"), "move", args(&format!(r#"{{"to":"{to}"}}"#))));
    let end = thing().prop_map(|on| Call::doing(on, "claim.end", args("{}")));
    let gone = thing().prop_map(|on| Call::doing(on, "matter.end", args("{}")));
    let name = (thing(), 0..3u8).prop_map(|(on, n)| Call::doing(on, "space.set", args(&format!(r#"{{"name":"n{n}"}}"#))));
    let call = prop_oneof![6 => set, 3 => pairs, 5 => go, 3 => carry, 4 => walk, 2 => end, 1 => gone, 1 => name];
    (prop::sample::select(&WHO[..]), call)
}

proptest! {
    #![proptest_config(kit::cases(6, 400))]

    #[test]
    fn no_two_claims_that_live_overlap(acts in prop::collection::vec((any_act(), 0u32..600), 1..60), threads in 1usize..5) {
        let mut small = hall_on(threads);
        for ((who, call), seconds) in acts {
            let before = small.world();
            let draft = small.act(who, call);
            assert_none_overlap(&small.world());
            // A thing that somebody else has claimed is nowhere else, and no other, than it was.
            for fact in &draft.facts {
                if let Fact::Moved { of, .. } | Fact::Ended { of } | Fact::Named { of, .. } = fact {
                    let other = before.claim_on(*of, draft.at).filter(|claim| claim.by != draft.being && *of != Thing::Being(draft.being));
                    prop_assert!(other.is_none(), "{who} did {:?}", draft.call);
                }
            }
            if seconds % 3 == 0 {
                small.run(&format!("{seconds}s"));
            }
        }
        prop_assert_eq!(small.replay().unwrap().difference, None);
        let hash = small.world().hash();
        // After a cut in the middle, as a crash leaves it, and from pages.
        let cut = small.cut(small.shelf.groups().len() / 2);
        assert_none_overlap(&cut.world());
        small.reopen();
        prop_assert_eq!(small.world().hash(), hash);
        prop_assert_eq!(gathered(&[&World::new(small.id), &cut.world(), &small.world()]).hash(), hash);
    }
}
