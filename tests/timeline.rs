//! Timeline: is what happened when told as it was, in any number of parts and of any span?

use reelm::past::History;
use reelm::world::Counts;
use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

fn sum(told: &Value, key: &str) -> u64 {
    told["buckets"].as_array().unwrap().iter().map(|bucket| bucket[key].as_u64().unwrap()).sum()
}

fn all(served: &Served, person: &Person, closing: &str) -> u64 {
    let (mut count, mut before) = (0, String::new());
    loop {
        let page = served.get(person, &format!("/api/moments?limit=500{closing}{before}")).ok();
        count += page["moments"].as_array().unwrap().len() as u64;
        let Some(edge) = page["before"].as_u64() else { return count };
        before = format!("&before={edge}");
    }
}

#[test]
fn a_timeline_tells_how_much_happened_when_and_names_the_point_behind_each_part() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("do /nowhere quality.set '{\"path\":\"t.x\",\"value\":1}'");
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let told = served.get(&operator, "/api/timeline").ok();
    let buckets = told["buckets"].as_array().unwrap();
    assert_eq!((buckets.len(), &buckets[0]["time"]), (200, &told["began"]));
    assert_eq!(sum(&told, "moments"), all(&served, &operator, ""));
    assert_eq!(sum(&told, "refused"), all(&served, &operator, "&closing=refused"));
    assert!(sum(&told, "refused") > 0, "{told}");
    let end = served.get(&operator, "/api/world").ok()["seq"].clone();
    assert_eq!(buckets[199]["seq"], end);
    // The point behind a part is the world at its end: nothing of the next part is in it.
    let part = &served.get(&operator, "/api/timeline?buckets=3").ok()["buckets"];
    let then = served.get(&operator, &format!("/api/world?at={}", part[0]["seq"])).ok();
    assert!(then["time"].as_str() < part[1]["time"].as_str(), "{then} {part}");
    let few = served.get(&operator, "/api/timeline?from=10&to=30&buckets=5").ok();
    assert_eq!((few["buckets"].as_array().unwrap().len(), sum(&few, "moments"), &few["buckets"][4]["seq"]), (5, 20, &json!(30)));
    assert_eq!(served.get(&operator, "/api/timeline?from=soon").status, 400);
    assert_eq!(served.get(&operator, "/api/timeline?buckets=99999").ok()["buckets"].as_array().unwrap().len(), 1000);
    for path in ["timeline?from=30&to=10", "measures?from=30&to=10", "lanes?being=@judith&from=30&to=10"] {
        let backward = served.get(&operator, &format!("/api/{path}"));
        let error = &backward.body["error"];
        assert_eq!((backward.status, &error["place"]), (400, &json!("from")), "{path}: {}", backward.body);
        assert!(error["message"].as_str().unwrap().contains("put them the other way round"), "{path}: {error}");
    }
    assert_eq!(served.get(&operator, "/api/timeline?from=30&to=30").ok()["buckets"], json!([]));
}

#[test]
fn what_the_world_counts_of_its_past_is_what_its_frames_say_also_behind_a_checkpoint() {
    let terminal = Terminal::with_world("court", 600);
    let history = History::of(&terminal.path("world")).unwrap();
    let counted = |world: &reelm::world::World| {
        let mut sum = Counts::default();
        world.density().of(0..history.end()).for_each(|(_, stretch)| sum.add(stretch.counts));
        sum
    };
    let world = history.world_at(history.end()).unwrap();
    let read = history.timeline(0..history.end(), 7, &world).unwrap();
    let mut sum = Counts::default();
    read.parts.iter().for_each(|part| sum.add(part.counts));
    assert_eq!(counted(&world), sum);
    assert_eq!((world.density().began(), read.ended), (Some(read.began), world.at()));
    // Begun in the middle, where a checkpoint stands, it is counted on from there.
    assert!(!history.checkpoints().is_empty());
    let mut folded = None;
    history.fold(0, None, |_, world| folded = Some(counted(world))).unwrap();
    assert_eq!(folded, Some(sum));
}
