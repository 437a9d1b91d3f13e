//! Moved: may a step of an operation move somebody else only where both places and whoever is moved let it, through whichever door it comes?

use reelm::fact::{Call, Closing, Draft, Value};
use reelm::role::Spec;
use serde_json::json;

use super::kit::{Small, args, code, package, source};
use super::mcp::{Came, Model};
use super::mind::{Script, tool};
use super::served::Served;
use super::terminal::Terminal;
use super::told::compare;

/// A hospital on a street: its operations are allowed in it, and in none of the other places.
const PLACES: &str = r#"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny" }
[[space]]
path = "/street"
[[space]]
path = "/hospital"
allow = ["ward:*", "say"]
[[space]]
path = "/hospital/ward"
[[space]]
path = "/hospital/theatre"
[[space]]
path = "/hospital/garden"
flow = [{ role = "patient", stack = true }]
"#;

/// Those who are moved: where, in which role, and what else is said of them.
const MOVED: &[(&str, &str, &str, &str)] = &[
    ("pat", "/hospital/ward", "patient", ""),
    // Does not let anybody.
    ("tom", "/hospital/ward", "visitor", ""),
    // Lets another operation than it is done.
    ("lou", "/hospital/ward", "fetched", ""),
    // Stands where the doctor has no right.
    ("zed", "/street", "patient", ""),
    // People: one in a role that lets, one with a modifier that does.
    ("ann", "/hospital/ward", "patient", "cognition = \"human\""),
    ("amy", "/hospital/ward", "visitor", "cognition = \"human\"\nflow = [{ role = \"visitor\" }, { role = \"patient\", stack = true }]"),
    // The same as that one, but a script.
    ("sam", "/hospital/ward", "visitor", "flow = [{ role = \"visitor\" }, { role = \"patient\", stack = true }]"),
    // The garden lends it the role.
    ("gus", "/hospital/garden", "visitor", ""),
    // Wears something in the ward alone.
    ("wim", "/hospital/ward", "bedded", ""),
    // Lets the whole, and not what is a step of it; and the other way round.
    ("ida", "/hospital/ward", "outer", ""),
    ("ivo", "/hospital/ward", "inner", ""),
    // Lets everything.
    ("all", "/hospital/ward", "open", ""),
    // Consents by the act that is to move it.
    ("eli", "/hospital/ward", "visitor", "flow = [{ role = \"patient\", when = { \"me.quality.ward.asleep\" = true } }]"),
    ("eva", "/hospital/ward", "visitor", "flow = [{ role = \"patient\", when = { \"me.quality.ward.asleep\" = { ne = true } } }]"),
];

const ROLES: &[&str] = &[
    "name: doctor\ncanSee: ['**']\ncanDo: ['ward:*', move]\ncanSummon: ['**']\ntriggerOn: [message]",
    "name: porter\ncanSee: ['**']\ncanDo: ['ward:*', move]\ncanSummon: ['**']\nactsForCaller: true",
    "name: visitor\ncanSee: ['**']\ntriggerOn: []",
    "name: patient\ncanSee: ['**']\ncanDo: [say]\nlets: ['ward:treat', 'ward:carry', 'ward:sedate', 'ward:drop', 'ward:fetch']\ntriggerOn: [message]",
    "name: fetched\nlets: ['ward:fetch']",
    "name: outer\nlets: ['ward:carry']",
    "name: inner\nlets: ['ward:treat']",
    "name: open\nlets: ['**']",
    "name: bedded\nlets: ['ward:*']\nwhen: {space.name: ward}",
];

const OPS: &[(&str, &str, &str)] = &[
    ("treat", r#""target.position""#, r#"[act(ctx.target.address, "move", #{ to: ctx.args.room })]"#),
    // A target alone does not include where it is.
    ("plain", r#""target""#, r#"[act(ctx.target.address, "move", #{ to: ctx.args.room })]"#),
    ("fetch", r#""args.who.position""#, r#"[act(ctx.args.who, "move", #{ to: ctx.args.room })]"#),
    ("carry", r#""target.position""#, r#"[act(ctx.target.address, "ward:treat", ctx.args)]"#),
    // The outer one does not mark what the inner one moves.
    ("bad", r#""target""#, r#"[act(ctx.target.address, "ward:treat", ctx.args)]"#),
    (
        "sedate",
        r#""target", "target.position""#,
        r#"[act(ctx.target.address, "quality.set", #{ path: "ward.asleep", value: true }), act(ctx.target.address, "move", #{ to: ctx.args.room })]"#,
    ),
    ("drop", r#""target.position""#, r#"[act(ctx.target.address, "quality.set", #{ path: "ward.asleep", value: true })]"#),
];

fn being((name, home, role, more): &(&str, &str, &str, &str)) -> String {
    let thinks = if more.contains("cognition") { "" } else { "script = \"do\"" };
    format!("[[being]]\nname = \"{name}\"\nhome = \"{home}\"\nrole = \"{role}\"\n{thinks}\n{more}\n")
}

fn world_toml() -> String {
    let staff = [
        ("doc", "/hospital", "doctor", "cognition = \"human\""),
        ("mia", "/hospital", "doctor", "cognition = \"llm\""),
        ("sue", "/hospital", "doctor", "cognition = \"human\""),
        ("pam", "/hospital", "porter", ""),
        ("board", "/hospital", "doctor", "cognition = \"panel\"\npanel = { of = [\"@one\", \"@two\"], until = \"10m\" }"),
        ("one", "/hospital", "doctor", ""),
        ("two", "/hospital", "doctor", ""),
    ];
    format!("{PLACES}{}{}", staff.iter().map(being).collect::<String>(), MOVED.iter().map(being).collect::<String>())
}

/// Does, or votes for, what it is asked.
const DO: &str = r#"fn think(face) {
    if face.wake.kind != "summons" { return (); }
    let asked = face.wake.content;
    if face.wake.intent == "ballot" { asked = asked.about.content; return summon(face.wake.from, act(asked.whom, asked.action, asked.args)); }
    act(asked.whom, asked.action, asked.args)
}"#;

fn manifest() -> String {
    let op = |(name, touches, _): &(&str, &str, &str)| {
        format!(
            "[[operation]]\nname = \"{name}\"\ndescription = \"For tests.\"\nscript = \"ops/{name}.rhai\"\ntarget = [\"being\", \"space\"]\ntouches = [{touches}]\n"
        )
    };
    format!("name = \"ward\"\nversion = \"1.0.0\"\n{}", OPS.iter().map(op).collect::<String>())
}

fn ops() -> impl Iterator<Item = (String, String)> {
    OPS.iter().map(|(name, _, script)| (format!("ops/{name}.rhai"), format!("fn run(ctx) {{ {script} }}")))
}

fn hospital() -> Small {
    hospital_with("", &[])
}

/// The same with more in its world.
fn hospital_with(more: &str, roles: &[&str]) -> Small {
    let mut source = source(&format!("{}{more}", world_toml()));
    let (manifest, ops): (_, Vec<_>) = (manifest(), ops().collect());
    let files: Vec<(&str, &str)> =
        [("manifest.toml", manifest.as_str())].into_iter().chain(ops.iter().map(|(file, text)| (file.as_str(), text.as_str()))).collect();
    source.extensions.push(package("ward", &files));
    source.roles.extend(ROLES.iter().chain(roles).map(|role| spec(role)));
    source.scripts.push(("do".to_owned(), "scripts/do.rhai".to_owned(), DO.to_owned()));
    Small::grow(&source, 1, 1)
}

fn spec(role: &str) -> Spec {
    Spec::from_markdown("ward.md", &format!("---\n{role}\n---\nYou are in a test.\n")).unwrap()
}

fn written() -> Terminal {
    let terminal = Terminal::new();
    terminal.write("hospital/world.toml", &format!("name = \"hospital\"\nextensions = [\"ward\"]\n{}", world_toml()));
    terminal.write("hospital/extensions/ward/manifest.toml", &manifest());
    ops().for_each(|(file, text)| terminal.write(&format!("hospital/extensions/ward/{file}"), &text));
    terminal.write("hospital/scripts/do.rhai", DO);
    for role in ROLES {
        let name = role.lines().next().unwrap().trim_start_matches("name: ");
        terminal.write(&format!("hospital/roles/{name}.md"), &format!("---\n{role}\n---\nYou are in a test.\n"));
    }
    terminal
}

fn position(small: &Small, name: &str) -> String {
    let world = small.world();
    world.path_of(world.being_named(name).unwrap().position)
}

/// Through which door it comes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Door {
    Itself,
    Deputy,
    Panel,
    Model,
}

/// How a moment closed, which no refusal keeps open.
fn closed(draft: &Draft) -> String {
    assert!(!matches!(draft.closing, Closing::Requeued(_)), "the wake stays open: {:?}", draft.closing);
    code(draft)
}

/// The outcome of an operation through a door.
fn through(small: &mut Small, door: Door, whom: &str, action: &str, args: &serde_json::Value) -> String {
    let asks = |small: &mut Small, who: &str| {
        let said = json!({ "content": { "whom": whom, "action": action, "args": args } });
        assert_eq!(code(&small.act("sue", Call::summon(&format!("@{who}"), super::kit::args(&said.to_string())))), "act");
        small.run("1m");
        let moments = small.reel(who);
        closed(moments.last().unwrap())
    };
    match door {
        Door::Itself => closed(&small.act("doc", Call::doing(whom, action, super::kit::args(&args.to_string())))),
        Door::Deputy => asks(small, "pam"),
        Door::Panel => asks(small, "board"),
        Door::Model => {
            let call = tool("do", json!({ "target": whom, "action": action, "args": args }));
            small.living().asking(Box::new(Script::of(vec![call; 3])));
            asks(small, "mia")
        }
    }
}

const DOORS: [Door; 4] = [Door::Itself, Door::Deputy, Door::Panel, Door::Model];

/// The operations that move a being, by whom, and their outcome.
const ROWS: &[(&str, &str, &str)] = &[
    // By the operation itself only lineage moves anybody, whatever the role lets.
    ("pat", "move", "gate-lineage"),
    ("all", "move", "gate-lineage"),
    // By a step.
    ("pat", "ward:treat", "act"),
    ("all", "ward:treat", "act"),
    ("tom", "ward:treat", "gate-lets"),
    ("lou", "ward:treat", "gate-lets"),
    ("zed", "ward:treat", "gate-place"),
    ("ann", "ward:treat", "act"),
    ("amy", "ward:treat", "gate-lets"),
    ("sam", "ward:treat", "act"),
    ("gus", "ward:treat", "gate-lets"),
    ("wim", "ward:treat", "undressed"),
    ("pat", "ward:plain", "gate-touches"),
    ("all", "ward:plain", "gate-touches"),
    // By a step of a step: each of the two is asked about.
    ("pat", "ward:carry", "act"),
    ("ida", "ward:carry", "gate-lets"),
    ("ivo", "ward:carry", "gate-lets"),
    ("tom", "ward:carry", "gate-lets"),
    ("zed", "ward:carry", "gate-place"),
    ("pat", "ward:bad", "gate-touches"),
    // No act makes the consent that it needs, nor goes on without what it has taken.
    ("eli", "ward:sedate", "gate-lets"),
    ("eva", "ward:sedate", "gate-lets"),
    ("pat", "ward:sedate", "act"),
    // Where one stands is all that is marked.
    ("pat", "ward:drop", "gate-touches"),
];

#[test]
fn through_every_door_both_places_and_whoever_is_moved_are_asked() {
    const THEATRE: &str = "/hospital/theatre";
    let mut wrong = Vec::new();
    for door in DOORS {
        let mut small = hospital();
        // Each door leads to one gate: not all that is tried at the first is tried at each.
        let is_tried = |(whom, action, _): &&(&str, &str, &str)| {
            let is_telling = ["pat", "tom", "zed", "amy", "wim", "ida"].contains(whom);
            door == Door::Itself || (is_telling && ["move", "ward:treat", "ward:carry", "ward:plain"].contains(action))
        };
        for (whom, action, wanted) in ROWS.iter().filter(is_tried) {
            let (before, on) = (position(&small, whom), format!("@{whom}"));
            let room = if *action == "move" { json!({ "to": THEATRE }) } else { json!({ "room": THEATRE }) };
            let found = through(&mut small, door, &on, action, &room);
            let is_moved = position(&small, whom) == THEATRE;
            if found != *wanted || is_moved != (*wanted == "act") {
                wrong.push(format!("{door:?}: {action} on @{whom}: {found}, in {}; expected {wanted}", position(&small, whom)));
            }
            if is_moved {
                small.operate(&on, "move", args(&json!({ "to": before }).to_string()));
            }
        }
        assert_eq!(small.replay().unwrap().difference, None, "{door:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn where_it_leads_is_asked_too_and_an_argument_may_be_whom_it_moves() {
    let mut small = hospital();
    let mut by = |action: &str, target: &str, given: serde_json::Value| through(&mut small, Door::Itself, target, action, &given);
    assert_eq!(by("ward:treat", "@pat", json!({ "room": "/street" })), "gate-place");
    assert_eq!(by("ward:treat", "@pat", json!({ "room": "/" })), "gate-place");
    assert_eq!(by("ward:treat", "@pat", json!({ "room": "@pat" })), "wrong-target");
    assert_eq!(by("ward:fetch", "/hospital", json!({ "who": "@pat", "room": "/hospital/garden" })), "act");
    assert_eq!(by("ward:fetch", "/hospital", json!({ "who": "@lou", "room": "/hospital/theatre" })), "act");
    assert_eq!(by("ward:fetch", "/hospital", json!({ "who": "@tom", "room": "/hospital/theatre" })), "gate-lets");
    assert_eq!(by("ward:fetch", "/hospital", json!({ "who": "@zed", "room": "/hospital/theatre" })), "gate-place");
    // Lineage is no consent, and a right at the root no lineage.
    let mut operator = |whom: &str| code(&small.act("operator", Call::doing(whom, "ward:treat", args(r#"{"room":"/hospital/theatre"}"#))));
    assert_eq!((operator("@tom").as_str(), operator("@zed").as_str()), ("gate-lets", "act"));
    assert_eq!(code(&small.act("operator", Call::doing("@tom", "move", args(r#"{"to":"/street"}"#)))), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn whoever_is_driven_is_moved_only_as_the_primary_of_a_person_lets_it() {
    let mut small = hospital();
    let treat = |small: &mut Small, whom: &str, room: &str| through(small, Door::Itself, whom, "ward:treat", &json!({ "room": room }));
    assert_eq!(treat(&mut small, "@sam", "/hospital/theatre"), "act");
    for name in ["sam", "pat"] {
        assert_eq!(code(&small.act("operator", Call::be("inhabit", args(&format!(r#"{{"being":"@{name}","for":"1h"}}"#))))), "act");
        if name == "sam" {
            assert_eq!(treat(&mut small, "@sam", "/hospital/ward"), "gate-lets");
            assert_eq!(code(&small.act("operator", Call::be("release", args(r#"{"being":"@sam"}"#)))), "act");
            assert_eq!(treat(&mut small, "@sam", "/hospital/ward"), "act");
        } else {
            assert_eq!(treat(&mut small, "@pat", "/hospital/theatre"), "act");
        }
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn while_a_model_thinks_it_is_moved_only_by_what_it_wears_of_its_own() {
    let more = "[[being]]\nname = \"mo\"\nhome = \"/hospital/garden\"\nrole = \"visitor\"\ncognition = \"llm\"\nflow = [{ role = \"listener\", when = { verb = \"summon\" } }, { role = \"visitor\" }]\n\
                [[being]]\nname = \"max\"\nhome = \"/hospital/ward\"\nrole = \"visitor\"\ncognition = \"llm\"\nflow = [{ role = \"patient\", when = { verb = \"summon\" } }, { role = \"visitor\" }]\n";
    let listener = "name: listener\ncanSee: ['**']\ncanSummon: ['**']\ntriggerOn: [message]";
    let mut small = hospital_with(more, &[listener]);
    for (whom, before, asked) in [("mo", 0, 0), ("max", 0, 5)] {
        let count = |world: &reelm::world::World| world.lets(world.being_named(whom).unwrap().id, world.now()).len();
        assert_eq!(count(&small.world()), before);
        small.living().asking(Box::new(Script::default()));
        assert_eq!(code(&small.act("sue", Call::summon(&format!("@{whom}"), args(r#"{"content":"How are you?"}"#)))), "act");
        small.run("1m");
        // The world between the frame that says it is asked and the one that closes.
        let asking = small.frames_of(whom).into_iter().find(|draft| code(draft) == "asking").unwrap();
        let between = reelm::past::load(&small.shelf, small.id, Some(asking.seq + 1), |_, _| {}).unwrap().world;
        let worn = between.wears(between.being_named(whom).unwrap().id, between.now());
        assert!(worn.iter().any(|role| role.as_ref() == "patient"), "{worn:?}");
        assert_eq!(count(&between), asked, "@{whom}");
    }
    assert_eq!(small.kept_world().hash(), small.world().hash());
}

#[test]
fn a_place_where_the_extension_does_not_hold_is_neither_left_nor_entered_by_it() {
    for (place, whom) in [("/hospital/theatre", "@pat"), ("/hospital/ward", "@pat")] {
        let mut small = hospital();
        small.operate(place, "config.set", args(r#"{"key":"extensions","value":{"blocked":["ward"]}}"#));
        assert_eq!(through(&mut small, Door::Itself, whom, "ward:treat", &json!({ "room": "/hospital/theatre" })), "gate-scope", "{place}");
    }
}

#[test]
fn rules_are_asked_and_everybody_near_hears_as_of_any_move() {
    let mut small = hospital();
    let rule = r#"{"name":"full","rule":{"on":[{"action":"move","on":"/hospital/theatre"}],"refuse":"the theatre is full"}}"#;
    small.operate("/", "rule.set", args(rule));
    assert_eq!(through(&mut small, Door::Itself, "@pat", "ward:treat", &json!({ "room": "/hospital/theatre" })), "rule");
    assert_eq!(through(&mut small, Door::Itself, "@pat", "ward:treat", &json!({ "room": "/hospital/garden" })), "act");
}

#[test]
fn a_model_outside_moves_no_more_than_its_being_may_and_is_told_so() {
    let served = Served::begin(written(), "serve hospital --port 0 --paused --json");
    let operator = served.operator();
    let doctor = served.person(&operator, "guest", json!({ "defaultRole": "doctor", "home": "/hospital" }));
    let model = Model::of(&served, &doctor);
    let treat = |whom: &str| json!({ "target": whom, "action": "ward:treat", "args": { "room": "/hospital/theatre" } });
    let codes: Vec<String> = ["@pat", "@tom", "@zed", "@amy"]
        .iter()
        .zip(1..)
        .map(|(whom, id)| match model.calls(&served, id, "do", &treat(whom)) {
            Came::Done(_) => "act".to_owned(),
            Came::Refused(told) => told["code"].as_str().unwrap().to_owned(),
        })
        .collect();
    assert_eq!(codes, ["act", "gate-lets", "gate-place", "gate-lets"]);
    assert_eq!(served.get(&operator, "/api/see?address=@pat").ok()["lets"][0], "ward:treat");
    assert_eq!(served.get(&operator, "/api/being/amy").ok()["worn"]["lets"], json!([]));
    assert_eq!(served.get(&operator, "/api/being/pat").ok()["worn"]["lets"][0], "ward:treat");
    let roles = served.get(&operator, "/api/roles").ok();
    let patient = roles.as_array().unwrap().iter().find(|role| role["name"] == "patient").unwrap();
    assert_eq!(patient["lets"][0], "ward:treat", "{patient}");
}

#[test]
fn who_moves_and_who_is_moved_are_told_what_is_allowed() {
    let more = "[[being]]\nname = \"ada\"\nhome = \"/hospital/ward\"\nrole = \"patient\"\ncognition = \"llm\"\n";
    let mut source = source(&format!("{PLACES}{more}{}", being(&("mia", "/hospital/ward", "doctor", "cognition = \"llm\""))));
    let ops: Vec<_> = ops().collect();
    let manifest = "name = \"ward\"\nversion = \"1.0.0\"\n[[operation]]\nname = \"treat\"\ndescription = \"Takes a patient to a room.\"\nscript = \"ops/treat.rhai\"\n\
                    target = [\"being\"]\ntouches = [\"target.position\"]\nargs = { type = \"object\", properties = { room = { type = \"string\" } }, required = [\"room\"] }\n";
    source.extensions.push(package("ward", &[("manifest.toml", manifest), (&ops[0].0, &ops[0].1)]));
    source.roles.extend(ROLES.iter().map(|role| spec(role)));
    let mut small = Small::grow(&source, 1, 1);
    let script = Script::default();
    small.living().asking(Box::new(script.clone()));
    for name in ["@mia", "@ada"] {
        small.act("operator", Call::summon(name, args(r#"{"content":"How is it?"}"#)));
        small.run("1m");
    }
    compare("told-moved", &script.prompts());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn only_who_has_a_right_at_the_root_writes_a_role_that_lets() {
    let mut source = source(
        "[[space]]\npath = \"/garden\"\nowner = \"@hal\"\n[[being]]\nname = \"hal\"\nhome = \"/garden\"\nrole = \"writer\"\ncognition = \"human\"\n",
    );
    source.roles.push(Spec::from_markdown("r.md", "---\nname: writer\ncanDo: ['**']\nlets: ['**']\n---\nYou write.\n").unwrap());
    let mut small = Small::grow(&source, 1, 1);
    let mut writes = |who: &str, lets: &str| {
        let role = format!(r#"{{"name":"garden:guest","role":{{"name":"garden:guest","prompt":"x"{lets}}}}}"#);
        let draft = small.act(who, Call::doing("/garden", "role.set", args(&role)));
        draft.closing.reason().map_or_else(String::new, |reason| format!("{} {}", reason.code, reason.at))
    };
    assert_eq!(writes("hal", r#","lets":["ward:treat"]"#), "gate-author /role/lets");
    assert_eq!(writes("hal", r#","lets":[]"#), "");
    assert_eq!(writes("operator", r#","lets":["ward:treat"]"#), "");
    let draft = small.act("operator", Call::doing("/", "role.set", args(r#"{"name":"x","role":{"name":"x","lets":[{"action":"say"}]}}"#)));
    assert!(matches!(&draft.closing, Closing::Refused(reason) if reason.to_string().contains("/role/lets[0]")), "{:?}", draft.closing);
    assert_eq!(small.world().being_named("hal").unwrap().qualities.at("t"), None::<&Value>);
}
