//! Fading: is a number that fades read as what it has come to, by everybody and at every instant, and does a flow wake where it crosses?

use reelm::fact::{Call, Value};
use reelm::verb::see;

use super::kit::{Small, args, code};

const WORLD: &str = r#"
[[space]]
path = "/hall"
quality.light = { glow = { from = 1, to = 0, at = "now", over = "20m" } }
[[being]]
name = "ada"
home = "/hall"
role = "other"
script = "count"
flow = [
  { when = { "me.quality.mood.alert" = { lt = 0.5 } }, role = "mute" },
  { when = { "space.quality.light.glow" = { lte = 0.25 } }, role = "deaf" },
]
quality.mood = { alert = { from = 0.9, to = 0, at = "now", over = "10m" } }
"#;

fn start(small: &Small) -> i64 {
    small.world().at()
}

/// The value at a path of its qualities that a see of an address shows, so long after the start.
fn shown(small: &Small, address: &str, path: &str, at: i64) -> Value {
    let world = small.world();
    let operator = world.being_named("operator").unwrap();
    see(&world, operator, address, at).unwrap().at(&format!("qualities.{path}")).cloned().unwrap_or_default()
}

#[test]
fn a_fading_number_is_read_as_what_it_has_come_to() {
    let small = Small::plant(WORLD);
    let at = start(&small);
    let alert = |after: i64| shown(&small, "@ada", "mood.alert", at + after).to_string();
    assert_eq!([0, 300_000, 600_000, 900_000].map(alert), ["0.9", "0.45", "0", "0"]);
    assert_eq!(shown(&small, "/hall", "light.glow", at + 600_000), Value::number(0.5).unwrap());
    assert_eq!(shown(&small, "@ada", "mood.alert.from", at), Value::Null, "nothing lies below a number");
    let raw = see(&small.world(), small.world().being_named("operator").unwrap(), "@ada/.fading", at).unwrap();
    assert_eq!(raw.get("mood.alert"), Some(&args(&format!(r#"{{"from":0.9,"to":0,"at":{at},"over":600000}}"#))));
}

#[test]
fn a_flow_that_compares_it_wakes_exactly_at_the_crossing() {
    let mut small = Small::plant(WORLD);
    let at = start(&small);
    small.run("30m");
    let woken: Vec<(&str, i64)> = small.reel("ada").iter().map(|draft| (draft.wake.kind.word(), draft.opened_at - at)).collect();
    // Of nine hundred thousandths the 401st, and of the thousand of the hall the 750th, are the first that change an answer.
    assert_eq!(woken, [("crossing", (401 * 600_000 + 899) / 900), ("crossing", 900_000)]);
    let worn: Vec<String> = small.reel("ada").iter().map(|draft| draft.stack[0].role.to_string()).collect();
    assert_eq!(worn, ["mute", "mute"]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn whoever_sets_it_anew_or_moves_whom_it_concerns_moves_the_crossing() {
    let mut small = Small::plant(WORLD);
    let at = start(&small);
    small.run("1m");
    small.operate("@ada", "quality.set", args(r#"{"path":"mood.alert","value":{"from":0.6,"to":0,"at":"now","over":600}}"#));
    // Out of the hall its light concerns her no more.
    small.operate("@ada", "move", args(r#"{"to":"/"}"#));
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.run("30m");
    let woken: Vec<i64> = small.reel("ada").iter().map(|draft| draft.opened_at - at).collect();
    assert_eq!(woken, [60_000 + 101]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_crossing_that_is_due_is_kept_whatever_is_set_before_its_moment() {
    let mut small = Small::plant(WORLD);
    let at = start(&small);
    small.operate("@ada", "pause.set", args("{}"));
    small.run("6m");
    // Nothing fades any more that a clause reads, but what has crossed has crossed.
    small.operate("@ada", "quality.set", args(r#"{"path":"mood.alert","value":0.25}"#));
    small.operate("/hall", "quality.set", args(r#"{"path":"light.glow","value":0.5}"#));
    assert_eq!(small.wakes("ada").len(), 0);
    small.operate("@ada", "pause.end", args("{}"));
    small.run("30m");
    assert_eq!(small.wakes("ada"), ["crossing"]);
    assert_eq!((small.reel("ada")[0].wake.due - at, small.reel("ada")[0].stack[0].role.as_ref()), ((401 * 600_000 + 899) / 900, "mute"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_wrong_form_is_refused_with_its_path_and_nothing_changes_a_part_of_it() {
    let mut small = Small::plant(WORLD);
    let mut refused = |action: &str, args_: &str| {
        let draft = small.act("operator", Call::doing("@ada", action, args(args_)));
        let reason = draft.closing.reason().map(|reason| reason.at.to_string()).unwrap_or_default();
        (code(&draft), reason)
    };
    let fading = |place: &str| ("quality-fading".to_owned(), place.to_owned());
    let set = |value: &str| format!(r#"{{"path":"mood.joy","value":{value}}}"#);
    for (value, place) in [
        (r#"{"from":1,"to":0,"at":"now","over":"soon"}"#, "mood.joy.over"),
        (r#"{"from":1,"to":0,"at":"then","over":"5m"}"#, "mood.joy.at"),
        (r#"{"from":"much","to":0,"at":"now","over":"5m"}"#, "mood.joy.from"),
        (r#"{"big":{"from":1,"to":0.00001,"at":"now","over":"5m"}}"#, "mood.joy.big.to"),
    ] {
        assert_eq!(refused("quality.set", &set(value)), fading(place), "{value}");
    }
    assert_eq!(refused("quality.inc", r#"{"path":"mood.alert"}"#).0, "quality-kind");
    assert_eq!(refused("quality.set", r#"{"path":"mood.alert.to","value":1}"#).0, "quality-kind");
    assert_eq!(refused("quality.set", &set(r#"{"from":"@ada","to":"@bob","at":7}"#)).0, "act", "a letter is no number");
    let born = r#"{"name":"cy","cognition":"script","qualities":{"mood":{"joy":{"from":1,"to":0,"at":0,"over":0}}}}"#;
    let draft = small.act("operator", Call::be("birth", args(born)));
    let why = draft.closing.reason().map(|reason| (reason.code.to_string(), reason.at.to_string()));
    assert_eq!(why, Some(("quality-fading".to_owned(), "mood.joy.over".to_owned())));
}
