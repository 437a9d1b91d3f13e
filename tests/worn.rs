//! Worn: is what others find a being wearing what its flow gives now, and not what it happened to wear last?

use reelm::fact::{Call, Text};
use reelm::verb::see;

use super::kit::{Small, args, code};

/// It is eight in the morning. Ada wears `mute` before nine and `other` from then on, `deaf` for whoever summons her, and `tireless` while
/// it is loud; nobody wakes her.
const WORLD: &str = r#"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "deaf"
script = "look"
flow = [
  { when = { verb = "summon" }, role = "deaf" },
  { when = { "time.hour" = { gte = 9 } }, role = "other" },
  { when = { "me.cognition" = "human" }, role = "free" },
  { role = "mute" },
  { stack = true, when = { "space.quality.t.loud" = true }, role = "tireless" },
]
[[being]]
name = "bob"
home = "/hall"
role = "free"
cognition = "human"
[[signal]]
path = "t.n"
value = 1
"#;

/// The roles found on her, through every door: asked of the world, seen, among others, by a role in an address and in an entry.
fn found(small: &Small) -> Vec<String> {
    let world = small.world();
    let (ada, bob, at) = (small.id_of("ada"), world.being_named("bob").unwrap(), world.now());
    let worn: Vec<String> = world.wears(ada, at).iter().map(Text::to_string).collect();
    let listed = |value: &reelm::fact::Value| -> Vec<String> {
        value.get("wearing").unwrap().as_list().unwrap().iter().map(|role| role.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed(&see(&world, bob, "@ada", at).unwrap()), worn);
    let hall = see(&world, bob, "/hall", at).unwrap();
    let short = hall.get("beings").unwrap().as_list().unwrap().iter().find(|being| being.get("name").unwrap().as_str() == Some("ada"));
    assert_eq!(listed(short.unwrap()), worn);
    for role in ["mute", "other", "free", "deaf", "tireless"] {
        let is_worn = worn.iter().any(|worn| worn == role);
        let by_role = see(&world, bob, &format!("/hall@{role}"), at).is_ok_and(|seen| seen.get("name").unwrap().as_str() == Some("ada"));
        // Bob himself wears `free`.
        assert!(by_role == is_worn || role == "free", "/hall@{role}");
    }
    worn
}

/// Whether bob may summon her by a role.
fn reached(small: &mut Small, role: &str) -> String {
    let summons = format!(r#"{{"name":"caller","role":{{"name":"caller","canSummon":["{role}"]}}}}"#);
    small.operate("/", "role.set", args(&summons));
    small.operate("@bob", "flow.default", args(r#"{"role":"caller"}"#));
    let code = code(&small.act("bob", Call::summon("@ada", args(r#"{"content":"hello"}"#))));
    small.operate("@bob", "flow.default", args(r#"{"role":"free"}"#));
    code
}

#[test]
fn what_others_find_a_being_wearing_is_what_its_flow_gives_with_no_wake() {
    let mut small = Small::plant(WORLD);
    // She has had no moment yet, and is dressed all the same.
    assert_eq!(found(&small), ["mute"]);
    assert_eq!((reached(&mut small, "mute"), reached(&mut small, "other")), ("act".into(), "gate-role".into()));
    // The role that she wears for a caller is known to the caller's moment alone.
    small.run("1s");
    assert_eq!(small.reel("ada").last().unwrap().stack[0].role.as_ref(), "deaf");
    assert_eq!(found(&small), ["mute"]);
    assert_eq!(reached(&mut small, "deaf"), "gate-role");
}

#[test]
fn what_is_found_follows_whatever_the_flow_reads_at_once() {
    let mut small = Small::plant(WORLD);
    small.operate("/hall", "quality.set", args(r#"{"path":"t.loud","value":true}"#));
    assert_eq!(found(&small), ["mute", "tireless"]);
    small.operate("/hall", "quality.set", args(r#"{"path":"t.loud","value":false}"#));
    assert_eq!(found(&small), ["mute"]);
    small.act("operator", Call::be("inhabit", args(r#"{"being":"@ada","for":"10s"}"#)));
    assert_eq!(found(&small), ["free"]);
    // The lease runs out by itself, and no frame says so.
    let (world, ada) = (small.world(), small.id_of("ada"));
    let at = |ms: i64| world.wears(ada, world.now() + ms).iter().map(Text::to_string).collect::<Vec<_>>();
    assert_eq!([at(0), at(9_999), at(10_000), at(0)], [["free"], ["free"], ["mute"], ["free"]]);
    small.operate("@ada", "flow.set", args(r#"{"flow":[]}"#));
    assert_eq!(found(&small), ["deaf"]);
}

#[test]
fn what_is_found_changes_with_the_hour_though_nothing_happens() {
    let mut small = Small::plant(WORLD);
    let (world, ada) = (small.world(), small.id_of("ada"));
    let hour = 3_600_000;
    let at = |ms: i64| world.wears(ada, world.now() + ms).to_vec();
    // Asked to and fro, so that no answer of another instant is given.
    assert_eq!(
        [at(0), at(hour), at(hour - 1_000), at(hour)],
        [["mute"], ["other"], ["mute"], ["other"]].map(|role| role.map(Text::from).to_vec())
    );
    small.run("2h");
    assert_eq!(found(&small), ["other"]);
    assert_eq!(reached(&mut small, "other"), "act");
}

#[test]
fn only_what_was_stamped_is_counted_by_flows() {
    let counting = r#"
[[being]]
name = "cy"
home = "/hall"
role = "mute"
script = "look"
flow = [{ when = { "space.wearing.mute" = { gte = 1 } }, role = "other" }]
"#;
    let mut small = Small::plant(&format!("{WORLD}{counting}"));
    let cy = small.id_of("cy");
    // Ada is found in `mute`, but has had no moment in it.
    assert_eq!(found(&small), ["mute"]);
    assert_eq!(small.world().wears(cy, small.world().now())[0].as_ref(), "mute");
    // Cy wears `mute` in a moment of its own, and then counts itself.
    small.act("operator", Call::summon("@cy", args(r#"{"content":"go"}"#)));
    small.run("1s");
    let worn = |draft: &reelm::fact::Draft| (draft.wake.kind.word(), draft.stack[0].role.to_string());
    let moments: Vec<_> = small.reel("cy").iter().take(2).map(worn).collect();
    assert_eq!(moments, [("summons", "mute".to_owned()), ("change", "other".to_owned())]);
    assert_eq!(small.replay().unwrap().difference, None);
}
