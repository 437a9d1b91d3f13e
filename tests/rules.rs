//! Rules: is a deed refused through every door by the rule that says so, and by nothing else, and can every rule be taken back?

use reelm::fact::{Call, Closing, Draft, Fact, Value};
use reelm::role::Spec;

use super::kit::{Small, args, code, package, source};

/// A hall with a cup in it, and a shelf that takes nothing.
const PLACES: &str = r#"
[[space]]
path = "/hall"
allow = ["**"]
[[space]]
path = "/shelf"
allow = ["**"]
[[matter]]
at = "/hall"
name = "cup"
type = "cup"
"#;

fn person(name: &str) -> String {
    format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n")
}

fn set(small: &mut Small, name: &str, rule: &str) {
    small.operate("/", "rule.set", args(&format!(r#"{{"name":"{name}","rule":{rule}}}"#)));
}

fn tries(small: &mut Small, who: &str, call: Call) -> String {
    said(&small.act(who, call))
}

/// The code of a refusal, with its place.
fn said(draft: &Draft) -> String {
    match &draft.closing {
        Closing::Refused(reason) => format!("{} {}", reason.code, reason.at),
        _ => code(draft),
    }
}

fn doing(target: &str, action: &str, with: &str) -> Call {
    Call::doing(target, action, args(with))
}

#[test]
fn a_rule_refuses_through_every_door_and_the_refusal_is_sealed_without_its_sentence() {
    // A valet does for whoever asks, and a porter thinks by itself.
    let mut world = source(
        &[
            PLACES,
            &person("ada"),
            "[[being]]\nname = \"valet\"\nhome = \"/hall\"\nrole = \"valet\"\nscript = \"serve\"\n",
            "[[being]]\nname = \"porter\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"carry\"\n",
        ]
        .concat(),
    );
    let valet = "---\nname: valet\nactsForCaller: true\ncanDo: ['**']\n---\n\nYou do what you are asked.\n";
    world.roles.push(Spec::from_markdown("valet.md", valet).unwrap());
    for name in ["serve", "carry"] {
        let script = r#"fn think(face) { act("/hall/cup", "move", #{ to: "/shelf" }) }"#;
        world.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    let mut small = Small::grow(&world, 1, 1);
    set(&mut small, "full", r#"{"on":[{"action":"*","on":"/shelf"}],"refuse":"the shelf is full, says somebody"}"#);
    let no = "rule world:full";
    // By hand, into it and about it.
    assert_eq!(tries(&mut small, "ada", doing("/hall/cup", "move", r#"{"to":"/shelf"}"#)), no);
    assert_eq!(tries(&mut small, "ada", doing("@ada", "move", r#"{"to":"/shelf"}"#)), no);
    assert_eq!(tries(&mut small, "ada", doing("/shelf", "matter.make", r#"{"name":"plate"}"#)), no);
    assert_eq!(tries(&mut small, "operator", doing("/shelf", "quality.set", r#"{"path":"t.n","value":1}"#)), no);
    assert_eq!(tries(&mut small, "operator", Call::be("birth", args(r#"{"name":"eve","home":"/shelf","cognition":"human"}"#))), no);
    // By a deputy, and by a script that thinks.
    small.act("ada", Call::summon("@valet", args(r#"{"content":"put it away"}"#)));
    small.act("ada", Call::summon("@porter", args(r#"{"content":"put it away"}"#)));
    small.run("10s");
    assert_eq!(said(&small.reel("valet")[0]), no);
    assert_eq!(said(&small.reel("porter")[0]), no);
    assert!(small.world().child_space(reelm::fact::SpaceId::ROOT, "shelf").is_some_and(|shelf| {
        small.world().matter_in(reelm::fact::Thing::Space(shelf)).next().is_none() && small.world().beings_in(shelf).next().is_none()
    }));
    // A being that the rule does not concern is left alone.
    assert_eq!(tries(&mut small, "ada", doing("/hall/cup", "move", r#"{"to":"@ada"}"#)), "act");
    let bytes: Vec<u8> = small.reel("ada").iter().flat_map(|draft| format!("{draft:?}").into_bytes()).collect();
    assert!(!String::from_utf8(bytes).unwrap().contains("says somebody"));
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(tries(&mut small, "ada", doing("@ada/cup", "move", r#"{"to":"/shelf"}"#)), no, "after a restart");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_rule_reads_what_others_wear_now_and_what_the_one_who_acts_wears_in_this_moment() {
    let sleeper = person("ada") + "flow = [{ when = { \"world.t.night\" = true }, role = \"deaf\" }]\n";
    let mut small = Small::plant(&[PLACES, &sleeper, &person("bob")].concat());
    set(&mut small, "asleep", r#"{"on":["quality.set"],"when":{"target.role":"deaf"},"refuse":"let sleepers lie"}"#);
    set(&mut small, "own-hand", r#"{"on":["say"],"when":{"by.role":"free"},"refuse":"write it down"}"#);
    let nudge = || doing("@ada", "quality.set", r#"{"path":"t.nudged","value":1}"#);
    assert_eq!(tries(&mut small, "operator", nudge()), "act", "nobody has seen her act, and she is awake");
    small.operate("/", "signal.set", args(r#"{"path":"t.night","value":true}"#));
    assert_eq!(tries(&mut small, "operator", nudge()), "rule world:asleep", "she has not acted since");
    assert_eq!(tries(&mut small, "bob", doing("/hall", "say", r#"{"content":"good night"}"#)), "rule world:own-hand");
    small.operate("/", "signal.set", args(r#"{"path":"t.night","value":false}"#));
    assert_eq!(tries(&mut small, "operator", nudge()), "act");
}

#[test]
fn a_rule_that_refuses_its_own_repair_is_taken_back_all_the_same() {
    let mut small = Small::plant(&[PLACES, &person("ada")].concat());
    set(&mut small, "nothing", r#"{"on":["*",{"action":"signal.*","ns":"*"}],"refuse":"nothing is done here"}"#);
    for (target, action, with) in [
        ("@ada", "quality.set", r#"{"path":"t.n","value":1}"#),
        ("/", "role.set", r#"{"name":"other","role":null}"#),
        ("/", "script.set", r#"{"name":"count","source":"fn think(face) { () }"}"#),
        ("@ada", "flow.default", r#"{"role":"deaf"}"#),
        ("/", "signal.set", r#"{"path":"t.n","value":1}"#),
    ] {
        assert_eq!(tries(&mut small, "operator", doing(target, action, with)), "rule world:nothing", "{action}");
    }
    // Rules are never asked about an act that repairs a world.
    for (action, with) in [
        ("pause.set", "{}"),
        ("pause.end", "{}"),
        ("config.set", r#"{"key":"brakes.depth","value":60}"#),
        ("extension.only", r#"{"names":[]}"#),
    ] {
        small.operate("/", action, args(with));
    }
    assert_eq!(tries(&mut small, "ada", doing("/", "rule.set", r#"{"name":"nothing","rule":null}"#)), "gate-operator /");
    small.operate("/", "rule.set", args(r#"{"name":"nothing","rule":null}"#));
    assert_eq!(tries(&mut small, "ada", doing("@ada", "quality.set", r#"{"path":"t.n","value":1}"#)), "act");
    assert_eq!(tries(&mut small, "operator", doing("/", "rule.set", r#"{"name":"nothing","rule":null}"#)), "not-found nothing");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_rule_that_never_ends_or_throws_refuses_that_act_and_nobody_elses() {
    let mut small = Small::plant(&[PLACES, &person("ada")].concat());
    for (name, script) in [("rules/for-ever", "fn judge(ctx) { loop { } }"), ("rules/broken", "fn judge(ctx) { ctx.args.content.foo() }")] {
        small.operate("/", "script.set", Value::map([("name", Value::text(name)), ("source", Value::text(script))]));
    }
    set(&mut small, "for-ever", r#"{"on":["say"],"script":"rules/for-ever"}"#);
    assert_eq!(tries(&mut small, "ada", doing("/hall", "say", r#"{"content":"hello"}"#)), "rule-failed world:for-ever");
    assert_eq!(tries(&mut small, "ada", doing("@ada", "quality.set", r#"{"path":"t.n","value":1}"#)), "act");
    set(&mut small, "for-ever", r#"{"on":["say"],"script":"rules/broken"}"#);
    assert_eq!(tries(&mut small, "ada", doing("/hall", "say", r#"{"content":"hello"}"#)), "rule-failed world:for-ever");
    // The script that is mended makes the rule whole.
    small.operate("/", "script.set", args(r#"{"name":"rules/broken","source":"fn judge(ctx) { () }"}"#));
    assert_eq!(tries(&mut small, "ada", doing("/hall", "say", r#"{"content":"hello"}"#)), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn rules_share_the_steps_of_an_act_and_the_one_beyond_them_fails() {
    let mut small = Small::plant(&[PLACES, &person("ada")].concat());
    // Between a tenth and a fifth of what all rules of an act may take.
    let script = "fn judge(ctx) { let n = 0; while n < 1300 { n += 1; } () }";
    small.operate("/", "script.set", Value::map([("name", Value::text("rules/slow")), ("source", Value::text(script))]));
    for at in 0..5 {
        set(&mut small, &format!("slow-{at}"), r#"{"on":["say"],"script":"rules/slow"}"#);
    }
    assert_eq!(tries(&mut small, "ada", doing("/hall", "say", r#"{"content":"hello"}"#)), "act");
    for at in 5..9 {
        set(&mut small, &format!("slow-{at}"), r#"{"on":["say"],"script":"rules/slow"}"#);
    }
    assert!(tries(&mut small, "ada", doing("/hall", "say", r#"{"content":"hello"}"#)).starts_with("rule-failed world:slow-"));
}

#[test]
fn a_hundred_rules_may_be_asked_about_an_action_and_no_more() {
    let mut small = Small::plant(&[PLACES, &person("ada")].concat());
    let rule = r#"{"on":["say"],"when":{"by.name":"nobody"},"refuse":"no"}"#;
    for at in 0..100 {
        set(&mut small, &format!("quiet-{at}"), rule);
    }
    let more = |name: &str| doing("/", "rule.set", &format!(r#"{{"name":"{name}","rule":{rule}}}"#));
    assert_eq!(tries(&mut small, "operator", more("quiet-100")), "rule-many say");
    assert_eq!(tries(&mut small, "operator", more("quiet-99")), "act", "in the place of another");
    let elsewhere = doing("/", "rule.set", r#"{"name":"still","rule":{"on":["move"],"refuse":"no"}}"#);
    assert_eq!(tries(&mut small, "operator", elsewhere), "act");
    assert_eq!(tries(&mut small, "ada", doing("/hall", "say", r#"{"content":"hello"}"#)), "act");
}

#[test]
fn rules_come_back_from_a_checkpoint_a_written_source_and_a_changed_one() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| dir.path().join(name);
    std::fs::create_dir_all(folder("world/rules")).unwrap();
    let world = "name = \"ruled\"\nstart = \"2026-03-02T08:00:00\"\n[[space]]\npath = \"/hall\"\nallow = [\"**\"]\n";
    std::fs::write(folder("world/world.toml"), world).unwrap();
    std::fs::write(folder("world/rules/quiet.toml"), "on = [\"say\"]\nscript = \"rules/loud.rhai\"\n").unwrap();
    std::fs::write(folder("world/rules/loud.rhai"), "fn judge(ctx) { if ctx.args.content == \"HEY\" { \"not so loud\" } else { () } }")
        .unwrap();
    let read = |name: &str| reelm::source::Source::read(&folder(name));
    let mut small = Small::grow(&read("world").unwrap(), 1, 1);
    let hey = || doing("/", "say", r#"{"content":"HEY"}"#);
    assert_eq!(tries(&mut small, "operator", hey()), "rule world:quiet");
    set(&mut small, "nameless", r#"{"on":["say"],"when":{"target.quality.t.name":null},"refuse":"no"}"#);

    let kept = small.kept_world();
    assert_eq!(kept.hash(), small.world().hash());
    assert_eq!(kept.registry().judges.on("say").len(), 2);
    reelm::source::write_source(&small.world(), &folder("written")).unwrap();
    let again = read("written").unwrap_or_else(|error| panic!("{error}"));
    let small_again = Small::grow(&again, 1, 1);
    let rules = |small: &Small| -> Vec<(String, Value)> {
        small.world().registry().rules.iter().map(|(name, rule)| (name.to_string(), (*rule.source).clone())).collect()
    };
    assert_eq!(rules(&small_again), rules(&small));
    assert_eq!(rules(&small).len(), 2);

    std::fs::write(folder("world/rules/quiet.toml"), "on = [\"say\"]\nrefuse = \"nobody speaks\"\n").unwrap();
    let done = small.living().apply(&read("world").unwrap()).unwrap();
    assert_eq!(done, ["set rule quiet"]);
    assert_eq!(tries(&mut small, "operator", doing("/", "say", r#"{"content":"hey"}"#)), "rule world:nameless");

    for (text, expected) in [
        ("on = [\"sya\"]\nrefuse = \"no\"\n", "quiet.toml:1: on: expected an action, found `sya`"),
        ("on = [\"say\"]\nrefuse = \"no\"\nwhen = { \"actor.nmae\" = \"ada\" }\n", "quiet.toml:3: when.\"actor.nmae\": expected something"),
        ("on = [\"say\"]\nrefsue = \"no\"\n", "quiet.toml:2: unknown field `refsue`"),
        ("on = [\"say\"]\nscript = \"rules/none.rhai\"\n", "quiet.toml:2: script: cannot read"),
        ("on = [\"say\"]\nscript = \"../loud.rhai\"\n", "quiet.toml:2: script: expected a file such as `rules/loans.rhai`"),
        ("on = [\"say\"]\nscript = \"rules/bad.rhai\"\n", "expected a function `judge`"),
    ] {
        std::fs::write(folder("world/rules/quiet.toml"), text).unwrap();
        std::fs::write(folder("world/rules/bad.rhai"), "fn run(ctx) { }").unwrap();
        let found = read("world").unwrap_err().to_string();
        assert!(found.contains(expected), "{text}: {found}");
    }
}

/// Two readers in a quiet library with three books, where anybody may carry things about.
fn library() -> Small {
    let reader = |name: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/lib\"\nrole = \"free\"\ncognition = \"human\"\n");
    let book = |name: &str| {
        format!("[[matter]]\nat = \"/lib\"\nname = \"{name}\"\ntype = \"book\"\nquality.book = {{ pages = 9, home = \"/lib\" }}\n")
    };
    let text = [
        "extensions = [\"library\"]\n[[space]]\npath = \"/lib\"\ntype = \"library\"\nallow = [\"**\"]\nquality.ambient.tone = \"quiet\"\n",
        "[[space]]\npath = \"/cafe\"\ntype = \"cafe\"\nallow = [\"**\"]\n",
        &book("bees"),
        &book("rain"),
        "[[matter]]\nat = \"/lib\"\nname = \"diary\"\ntype = \"book\"\n",
        &reader("ada"),
        &reader("bob"),
    ];
    Small::plant(&text.concat())
}

#[test]
fn one_loan_a_reader_however_the_book_is_taken() {
    let mut small = library();
    let borrow = |book: &str| Call::doing(&format!("/lib/{book}"), "library:borrow", Value::Null);
    assert_eq!(tries(&mut small, "ada", borrow("bees")), "act");
    assert_eq!(tries(&mut small, "ada", borrow("rain")), "rule library:one-loan");
    assert_eq!(tries(&mut small, "ada", doing("/lib/rain", "move", r#"{"to":"@ada"}"#)), "rule library:one-loan", "nor by hand");
    assert_eq!(tries(&mut small, "bob", doing("/lib/rain", "move", r#"{"to":"@ada"}"#)), "rule library:one-loan", "nor is it brought");
    assert_eq!(tries(&mut small, "ada", doing("/lib/diary", "move", r#"{"to":"@ada"}"#)), "act", "what belongs to no library is no loan");
    assert_eq!(tries(&mut small, "bob", borrow("rain")), "act");
    assert_eq!(tries(&mut small, "ada", Call::doing("@ada/bees", "library:return", Value::Null)), "act");
    assert_eq!(small.world().signals().at("library.lent"), Some(&Value::Int(1)));
    // A rule of an extension that is off is off.
    small.operate("/", "extension.set", args(r#"{"name":"library","enabled":false}"#));
    assert_eq!(tries(&mut small, "bob", doing("/lib/bees", "move", r#"{"to":"@bob"}"#)), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn nobody_shouts_in_a_quiet_reading_room() {
    let mut small = library();
    let shout = |place: &str| doing(place, "say", r#"{"content":"Fire!"}"#);
    assert_eq!(tries(&mut small, "ada", shout("/lib")), "rule library:no-shouting");
    assert_eq!(tries(&mut small, "ada", doing("/lib", "say", r#"{"content":"fire"}"#)), "act");
    assert_eq!(tries(&mut small, "ada", doing("@ada", "move", r#"{"to":"/cafe"}"#)), "act");
    assert_eq!(tries(&mut small, "ada", shout("/cafe")), "act", "next door one may");
    assert_eq!(tries(&mut small, "bob", doing("/lib", "library:set-tone", r#"{"tone":"lively"}"#)), "act");
    assert_eq!(tries(&mut small, "bob", shout("/lib")), "act");
}

#[test]
fn nobody_judges_their_own_cause_and_a_file_stays_in_court() {
    let judge = |name: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/court\"\nrole = \"free\"\ncognition = \"human\"\n");
    let text = [
        "extensions = [\"court\"]\n[[space]]\npath = \"/court\"\ntype = \"court\"\nallow = [\"**\"]\n",
        "[[signal]]\npath = \"court.in-session\"\nvalue = true\n",
        &judge("judith"),
        &judge("paula"),
    ];
    let mut small = Small::plant(&text.concat());
    assert_eq!(
        tries(&mut small, "paula", doing("/court", "court:file-case", r#"{"against":"@judith","claim":"a board","amount":9}"#)),
        "act"
    );
    let rule = || doing("/court/case-001", "court:rule", r#"{"ruling":"granted","reason":"so it is"}"#);
    assert_eq!(tries(&mut small, "judith", rule()), "rule court:own-cause", "the defendant");
    assert_eq!(tries(&mut small, "paula", rule()), "rule court:own-cause", "the plaintiff");
    assert_eq!(tries(&mut small, "paula", doing("/court/case-001", "move", r#"{"to":"@paula"}"#)), "rule court:file-stays");
    assert_eq!(tries(&mut small, "paula", doing("/court/case-001", "matter.end", "{}")), "rule court:file-stays");
    assert_eq!(tries(&mut small, "operator", rule()), "act");
}

#[test]
fn what_explains_a_moment_names_each_rule_that_was_asked_and_what_it_saw() {
    let mut small = library();
    small.act("ada", Call::doing("/lib/bees", "library:borrow", Value::Null));
    let refused = small.act("ada", Call::doing("/lib/rain", "library:borrow", Value::Null));
    let asked = small.asked(&refused);
    let told: Vec<String> = asked.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["rule library:one-loan on move /lib/rain: refuses, \"one loan a reader: bring the other book back first\"\n    \
          target.holder is null, as wanted: ne {\"path\":\"to.name\"}, which is \"ada\"\n    \
          target.quality.book.home is \"/lib\", as wanted: present true\n    \
          to.holds.book is 1, as wanted: gte 1\n    \
          to.kind is \"being\", as wanted: eq \"being\""]
    );
    let spoke = small.act("ada", doing("/lib", "say", r#"{"content":"psst"}"#));
    assert_eq!(
        small.asked(&spoke)[0].to_string(),
        "rule library:no-shouting on say /lib: silent\n    args.content is \"psst\", wanted contains \"!\""
    );
}

#[test]
fn a_deed_of_many_parts_is_one_act_and_one_frame_or_nothing() {
    let mut small = Small::grow(&parts(), 1, 1);
    let before = small.shelf.frames().len();
    let told = small.act("ada", Call::doing("@ada", "y:tell", args(r#"{"to":"@bob"}"#)));
    assert_eq!((code(&told).as_str(), small.shelf.frames().len()), ("act", before + 1));
    let kinds = |draft: &Draft| draft.facts.iter().map(|fact| matches!(fact, Fact::Asked(_))).collect::<Vec<_>>();
    assert_eq!(kinds(&told), [false, true]);
    small.run("1s");
    assert_eq!(small.wakes("bob"), ["summons"], "he hears of it in the one act that did it");
    // The second summons takes the whole back.
    let two = small.act("ada", Call::doing("@ada", "y:tell-two", args(r#"{"to":"@bob"}"#)));
    assert_eq!((said(&two).as_str(), two.facts.len()), ("too-many-summons y:tell-two[1]", 0));
    // A mark by steps of another extension, which nothing may touch that the outer may not.
    assert_eq!(tries(&mut small, "ada", Call::doing("/hall/cup", "y:twice", args("{}"))), "act");
    assert_eq!(tries(&mut small, "ada", Call::doing("/hall/cup", "y:beyond", args("{}"))), "gate-touches y:beyond[0]");
    // An inner operation that is off takes the outer along.
    small.operate("/", "extension.set", args(r#"{"name":"y","enabled":true}"#));
    assert_eq!(small.replay().unwrap().difference, None);
}

/// A hall in which everybody may do everything, with the extensions of the gate's tables.
fn parts() -> reelm::source::Source {
    let bob = "[[being]]\nname = \"bob\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"look\"\n";
    let mut world = source(&[PLACES, &person("ada"), bob].concat());
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gate");
    world.extensions.extend(["x", "y", "z"].map(|name| reelm::extension::Package::load(&dir.join(name)).unwrap()));
    world
}

#[test]
fn a_resolver_that_fails_takes_the_moment_along_unless_its_role_can_do_without() {
    let manifest = "name = \"x\"\nversion = \"1.0.0\"\n[[resolver]]\nname = \"today\"\nscript = \"resolvers/today.rhai\"\n";
    let script = "fn think(face) { act(face.me.address, \"quality.set\", #{ path: \"t.seen\", value: face.see[\"x:today\"] }) }";
    let seen = |see: &str, resolver: &str| {
        let role = format!("---\nname: looker\nsee: [\"{see}\"]\ncanDo: ['**']\nscript: x/look\n---\nYou look.\n");
        let files =
            [("manifest.toml", manifest), ("resolvers/today.rhai", resolver), ("scripts/look.rhai", script), ("roles/looker.md", &role)];
        let mut world = source("[[being]]\nname = \"ada\"\nhome = \"/\"\nrole = \"x:looker\"\n");
        world.extensions.push(package("x", &files));
        let mut small = Small::grow(&world, 1, 1);
        small.act("operator", Call::summon("@ada", args(r#"{"content":"look"}"#)));
        small.moments(1, i64::MAX);
        assert_eq!(small.replay().unwrap().difference, None);
        (code(&small.reel("ada")[0]), small.quality("ada", "t.seen").to_string())
    };
    let (fine, broken) = ("fn resolve(face) { 7 }", "fn resolve(face) { throw \"not today\" }");
    let endless = "fn resolve(face) { loop { } }";
    assert_eq!(seen("x:today", fine), ("act".into(), "7".into()));
    assert_eq!(seen("x:today?", fine), ("act".into(), "7".into()));
    assert_eq!(seen("x:today", broken), ("script-throw".into(), "null".into()));
    assert_eq!(seen("x:today?", broken), ("act".into(), r#"{"error":"script-throw"}"#.into()));
    assert_eq!(seen("x:today", endless), ("script-limit-operations".into(), "null".into()));
    assert_eq!(seen("x:today?", endless), ("act".into(), r#"{"error":"script-limit-operations"}"#.into()));
}
