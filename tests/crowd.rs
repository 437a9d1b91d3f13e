//! Crowd: is a world of many told shortly, and is nothing of it lost?

use serde_json::{Value, json};

use super::described;
use super::served::{Heard, Served};
use super::terminal::Terminal;

fn named(space: &Value, key: &str) -> usize {
    let inner: usize = space["spaces"].as_array().unwrap().iter().map(|space| named(space, key)).sum();
    inner + space[key].as_array().unwrap().len()
}

#[test]
fn a_crowd_is_who_the_tree_names_and_a_bounded_tree_names_no_more_and_counts_all() {
    let terminal = Terminal::with_world("court", 60);
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let (tree, crowd) = (served.get(&operator, "/api/tree").ok(), served.get(&operator, "/api/crowd").ok());
    described::is("Crowd", &crowd);
    let places = crowd["places"].as_array().unwrap();
    let told: usize = places.iter().map(|place| place["beings"]["ids"].as_array().unwrap().len()).sum();
    assert_eq!((told, places.len(), &crowd["more"]), (named(&tree, "beings"), named(&tree, "spaces") + 1, &json!(0)), "{crowd}");
    let court = places.iter().find(|place| place["address"] == "/court").unwrap();
    let glances =
        tree["spaces"].as_array().unwrap().iter().find(|space| space["address"] == "/court").unwrap()["beings"].as_array().unwrap();
    for (at, glance) in glances.iter().enumerate() {
        let role = court["beings"]["roles"][at].as_u64().unwrap() as usize;
        assert_eq!((&court["beings"]["names"][at], &crowd["roles"][role]), (&glance["name"], &glance["wearing"][0]));
    }
    let part = served.get(&operator, "/api/crowd?in=/court").ok();
    assert_eq!((part["places"].as_array().unwrap().len(), &part["places"][0]["beings"]["ids"]), (1, &court["beings"]["ids"]));
    assert_eq!(served.get(&operator, "/api/crowd?in=@operator").status, 400);
    let few = served.get(&operator, "/api/tree?most=2").ok();
    assert_eq!((named(&few, "beings"), named(&few, "matter") <= 2, &few["count"]), (2, true, &tree["count"]));
}

/// The numbers of frames that a stream has sent whole, and that it has only counted.
fn whole_and_skipped(events: &[Heard]) -> (u64, u64) {
    let skipped = events.iter().filter(|event| event.name == "pulse").map(|event| event.data["skipped"].as_u64().unwrap());
    (events.iter().filter(|event| event.name == "moment").count() as u64, skipped.sum())
}

#[test]
fn a_stream_with_a_bound_counts_what_it_does_not_send_and_goes_on_behind_a_pulse_and_without_one_is_whole() {
    let terminal = Terminal::with_world("court", 600);
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let seq = served.get(&operator, "/api/world").ok()["seq"].as_u64().unwrap();
    let is_all = |events: &[Heard]| events.iter().any(|event| event.id == Some(seq - 1));
    let events = served.hear(&operator, "/api/events?from=0&most=20", is_all);
    let (whole, skipped) = whole_and_skipped(&events);
    assert_eq!(whole + skipped, seq);
    assert!(whole <= 40 && skipped > 0, "{whole} {skipped}");
    let pulse = events.iter().find(|event| event.name == "pulse").unwrap();
    described::is("Pulse", &pulse.data);
    assert_eq!(pulse.data["seq"].as_u64(), pulse.id.map(|id| id + 1));
    // Elsewhere nothing is sent, and all is counted.
    let events = served.hear(&operator, "/api/events?from=0&in=/court&most=1000", is_all);
    let (whole, skipped) = whole_and_skipped(&events);
    assert_eq!(whole + skipped, seq);
    let is_near = |data: &Value| ["space", "place"].iter().any(|key| data[key].as_str().unwrap().starts_with("/court"));
    assert!(events.iter().filter(|event| event.name == "moment").all(|event| is_near(&event.data) || event.data["being"] == "operator"));
    // Behind what was counted it goes on.
    let later = served.hear(&operator, &format!("/api/events?from={}&most=20", seq - 3), is_all);
    assert_eq!(whole_and_skipped(&later), (3, 0));
    assert_eq!(served.get(&operator, "/api/events?in=/nowhere&most=3").status, 404);
    assert_eq!(served.stream(&operator, "/api/events?from=0", seq as usize).len() as u64, seq);
}
