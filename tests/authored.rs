//! Authored: can a child that somebody drives write itself a role and a flow and publish a signal, and does it hear what became of each?

use reelm::fact::{Call, Text, Value};
use reelm::role::Spec;

use super::kit::{Small, args, code, source};

/// The garden is hal's, who may give `kid` and whatever bears its name.
fn garden() -> Small {
    let mut source = source(
        r#"
[[space]]
path = "/garden"
owner = "@hal"
[[space]]
path = "/yard"
[[being]]
name = "hal"
home = "/garden"
role = "gardener"
cognition = "human"
grants = ["kid", "garden:*"]
"#,
    );
    let gardener = "name: gardener\ncanSee: ['**']\ncanDo: [own.contribute]\ncanSummon: ['@birther', '@eve']\ncanBe: [inhabit, release]";
    let kid = "name: kid\ncanSee: [{rel: here}]\ncanDo:\n  - say\n  - {action: quality.set, on: {rel: self}}\n  - {action: signal.set, ns: garden}\n  - {action: move, on: {rel: self}}\ncanSummon: ['@role-manager']";
    for role in [gardener, kid] {
        source.roles.push(Spec::from_markdown("test.md", &format!("---\n{role}\n---\n\nYou are in a test.\n")).unwrap());
    }
    let sings = r#"fn think(face) { if face.role == "garden:singer" { act(face.me.address, "quality.set", #{ path: "song.now", value: signal("garden.song") }) } else { () } }"#;
    source.scripts.push(("sings".into(), "scripts/sings.rhai".into(), sings.into()));
    Small::grow(&source, 1, 1)
}

/// The fields of a being's newest receipt: how the moment closed, and why not otherwise.
fn receipt(small: &Small, name: &str) -> (String, Option<String>, Option<String>) {
    let world = small.world();
    let wakes = world.inbox().of(small.id_of(name)).filter(|wake| wake.summons().is_some_and(|summons| summons.is_receipt()));
    let newest = wakes.max_by_key(|wake| wake.id.cause).unwrap_or_else(|| panic!("@{name} has heard nothing"));
    let told = world.told(newest).get("content").cloned().unwrap();
    let text = |key: &str| told.get(key).and_then(Value::as_str).map(str::to_owned);
    (text("closing").unwrap(), text("code"), text("place"))
}

/// Lets a being ask another, and returns the receipt that it hears.
fn asks(small: &mut Small, who: &str, whom: &str, content: &str) -> (String, Option<String>, Option<String>) {
    let asked = small.act(who, Call::summon(whom, args(&format!(r#"{{"content":{content}}}"#))));
    assert_eq!(code(&asked), "act");
    small.run("1s");
    receipt(small, who)
}

fn worn(small: &Small, name: &str) -> Vec<String> {
    small.world().wears(small.id_of(name), small.world().now()).iter().map(Text::to_string).collect()
}

/// Eve, a script, born of hal and driven by him.
fn with_eve() -> Small {
    let mut small = garden();
    let eve = r#"{"name":"eve","home":"/garden","cognition":"script","script":"sings","defaultRole":"kid","grants":["garden:*"]}"#;
    assert_eq!(asks(&mut small, "hal", "@birther", eve).0, "act");
    assert_eq!(code(&small.act("hal", Call::doing("/garden", "own.contribute", args(r#"{"being":"@eve"}"#)))), "act");
    assert_eq!(code(&small.act("hal", Call::be("inhabit", args(r#"{"being":"@eve","for":"1h"}"#)))), "act");
    small
}

const SINGER: &str = r#"{"space":"/garden","role":{"name":"garden:singer","canDo":[{"action":"quality.set","on":{"rel":"self"},"ns":"song"}],"prompt":"You sing."}}"#;

#[test]
fn a_child_writes_itself_a_role_and_a_flow_and_hears_of_each() {
    let mut small = with_eve();
    let act = || ("act".to_owned(), None, None);
    assert_eq!(asks(&mut small, "eve", "@role-manager", SINGER), act());
    assert_eq!(
        asks(
            &mut small,
            "eve",
            "@role-manager",
            r#"{"being":"@eve","flow":[{"when":{"world.garden.song":{"present":true}},"role":"garden:singer"}]}"#
        ),
        act()
    );
    assert_eq!(asks(&mut small, "eve", "@role-manager", r#"{"signal":"garden.song","value":"la"}"#), act());
    // Nobody drives it any more: the signal has woken it, and it sings by itself.
    assert_eq!(code(&small.act("hal", Call::be("release", args(r#"{"being":"@eve"}"#)))), "act");
    small.run("1s");
    assert_eq!(worn(&small, "eve"), ["garden:singer"]);
    assert_eq!(small.quality("eve", "song.now"), Value::text("la"));
    // The role is in force in the garden, and nowhere else.
    small.operate("@eve", "move", args(r#"{"to":"/yard"}"#));
    assert_eq!(worn(&small, "eve"), ["kid"]);
    let seen = |address: &str| reelm::verb::see(&small.world(), small.world().being_named("hal").unwrap(), address, small.world().now());
    assert_eq!(seen("/garden/.roles").unwrap(), args(r#"["garden:singer"]"#));
    assert_eq!(seen("/garden/.roles/garden:singer").unwrap().get("version"), Some(&Value::Int(1)));
    assert!(seen("/.roles/garden:singer").is_err());
    // There is none around that would come into force again: who names it is told of.
    let drop = Call::doing("/garden", "role.set", args(r#"{"name":"garden:singer","role":null}"#));
    let refused = small.act("operator", drop).closing.reason().map(|reason| (reason.code.word(), reason.at.to_string()));
    assert_eq!(refused, Some(("role-worn", "@eve".to_owned())));
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_it_may_not_write_it_hears_with_the_place() {
    let mut small = with_eve();
    let no = |code: &str, place: &str| ("refused".to_owned(), Some(code.to_owned()), Some(place.to_owned()));
    let mut asks = |content: &str| asks(&mut small, "eve", "@role-manager", content);
    let more = SINGER.replace(r#""ns":"song""#, r#""ns":"song"},"quality.push",{"action":"say""#);
    assert_eq!(asks(&more), no("gate-author", "/role/canDo/1"));
    assert_eq!(asks(&SINGER.replace("garden:singer", "kid")), no("role-name", "/name"));
    // The root is nothing that she may see, so it is not named.
    assert_eq!(asks(&SINGER.replace(r#""space":"/garden","#, "")), ("refused".into(), Some("gate-place".into()), None));
    assert_eq!(asks(r#"{"being":"@eve","flow":[{"role":"gardener"}]}"#), no("gate-grants", "gardener"));
    assert_eq!(asks(r#"{"being":"@hal","flow":[]}"#), no("gate-lineage", "@hal"));
    assert_eq!(asks(r#"{"signal":"yard.song","value":"la"}"#), no("gate-role", "signal.set"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn whoever_asks_is_judged_by_what_they_wore_when_they_asked() {
    let mut small = with_eve();
    // Between the asking and the answer the child is stripped of nothing: what counts is the stack that its summons records.
    let asked = small.act("eve", Call::summon("@role-manager", args(&format!(r#"{{"content":{SINGER}}}"#))));
    let stack =
        asked.facts.iter().find_map(|fact| if let reelm::fact::Fact::Asked(summons) = fact { Some(summons.stack.clone()) } else { None });
    assert_eq!(stack.unwrap(), asked.stack);
    // The role as it is now: another version of it gives less.
    small.operate("/", "role.set", args(r#"{"name":"kid","role":{"name":"kid","canSummon":["@role-manager"]}}"#));
    small.run("1s");
    assert_eq!(receipt(&small, "eve"), ("refused".into(), Some("gate-author".into()), Some("/role/canDo/0".into())));
    assert_eq!(small.replay().unwrap().difference, None);
}
