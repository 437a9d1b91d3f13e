//! Numbers: are the measures and the sentence of a clock event those of the world at the seq that it names, and is no stream ever silent?

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::cassette::salon_at;
use super::described;
use super::faulty::{Faulty, status};
use super::served::{Heard, Person, Served};
use super::terminal::Terminal;

const WORLD: &str = "name = \"small\"\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\n\
[[measure]]\nname = \"living\"\nvalue = \"beings()\"\n[[now]]\nsay = \"{{measure.living}} are here.\"\n";
const LOOKER: &str = "---\nname: looker\ncanSee: ['/', '/hall']\n---\nLook.\n";

/// The clocks that a stream has sent.
fn clocks(events: &[Heard]) -> Vec<&Value> {
    events.iter().filter(|event| event.name == "clock").map(|event| &event.data).collect()
}

/// The numbers that a stream has sent, by their seq.
fn numbers(events: &[Heard]) -> BTreeMap<u64, Value> {
    let numbered = clocks(events).into_iter().filter_map(|clock| clock.get("numbers"));
    numbered.map(|numbers| (numbers["seq"].as_u64().unwrap(), numbers.clone())).collect()
}

/// The first three measures that are numbers, of an answer that lists all.
fn first(world: &Value) -> Value {
    world["measures"].as_array().unwrap().iter().filter(|measure| measure["now"].is_number()).take(3).cloned().collect()
}

#[test]
fn at_a_fast_pace_each_clock_tells_the_numbers_of_the_world_at_the_seq_that_it_names() {
    let served = Served::begin(Terminal::new(), "serve $worlds/skateco --port 0 --pace 600 --json");
    let operator = served.operator();
    let events = served.hear(&operator, "/api/events?most=40", |events| numbers(events).len() >= 12);
    clocks(&events).into_iter().for_each(|clock| described::is("ClockEvent", clock));
    for (seq, told) in numbers(&events) {
        let world = served.get(&operator, &format!("/api/world?at={seq}")).ok();
        assert_eq!((world["seq"].as_u64(), world["measured"].as_u64()), (Some(seq), Some(seq)));
        assert_eq!((&told["measures"], &told["now"]), (&first(&world), &world["now"]), "at {seq}");
        assert_eq!((&told["at"], &told["time"]), (&world["at"], &world["time"]), "at {seq}");
    }
    // An answer names the seq of its own numbers too, also where it has them from a moment ago.
    for _ in 0..12 {
        let now = served.get(&operator, "/api/world").ok();
        let then = served.get(&operator, &format!("/api/world?at={}", now["measured"])).ok();
        assert_eq!((&now["measures"], &now["now"]), (&then["measures"], &then["now"]), "at {}", now["measured"]);
    }
}

#[test]
fn a_world_that_stands_still_tells_its_clock_again_and_its_numbers_to_whom_they_are_for() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", WORLD);
    terminal.write("src/roles/looker.md", LOOKER);
    let served = Served::begin(terminal, "serve src --port 0 --paused --json");
    let operator = served.operator();
    let looker = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/hall" }));
    let hears = |person: &Person| served.hear(person, "/api/events", |events| clocks(events).len() >= 5);
    let heard = hears(&operator);
    assert!(clocks(&heard).iter().all(|clock| clock["state"] == "paused"));
    // Nothing happens, so the last three say the same.
    let [.., one, other, last] = clocks(&heard)[..] else { panic!("five clocks") };
    assert_eq!((one, one), (other, last));
    assert_eq!((&last["numbers"]["measures"][0]["now"], &last["numbers"]["now"]["say"]), (&json!(2), &json!("Two are here.")));
    assert!(numbers(&hears(&looker)).is_empty(), "whoever may not see measures gets none");
    served.stop();
}

#[test]
fn a_model_that_does_not_answer_is_told_with_since_when_and_who_waits() {
    let server = Faulty::new(|_| status(503));
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let served = Served::begin(terminal, "serve salon --port 0 --realtime --json");
    let operator = served.operator();
    let is_told = |events: &[Heard]| clocks(events).iter().any(|clock| clock.get("waits").is_some());
    let events = served.hear(&operator, "/api/events", is_told);
    let clock = clocks(&events).pop().unwrap().clone();
    described::is("ClockEvent", &clock);
    let wait = &clock["waits"][0];
    assert_eq!((&wait["connection"], &wait["why"]), (&json!("small"), &json!("503")), "{clock}");
    assert!(!wait["beings"].as_array().unwrap().is_empty(), "{clock}");
    let world = served.get(&operator, "/api/world").ok();
    let (since, now) = (wait["since"].as_str().unwrap(), world["time"].as_str().unwrap());
    assert!(since <= now && since[..10] == now[..10], "{since} is not long before {now}");
    assert!(served.get(&Person::default(), "/api/world").ok()["clock"].get("waits").is_none());
}
